import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '登录',
  waiting: '正在完成登录。',
  again: '返回登录页',
} satisfies Texts<typeof en>
