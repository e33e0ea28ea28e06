import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '页面不存在',
  text: '此网址没有对应的页面。',
  home: '前往项目',
} satisfies Texts<typeof en>
