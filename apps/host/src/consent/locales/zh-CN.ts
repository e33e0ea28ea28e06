import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '与“{name}”共享？',
  lead: '“{name}”请求获取您的以下信息：',
  known: '“{name}”已有：',
  again: '“{name}”再次获取了：{data}',
  withdraw: '您可以随时在“我的”中撤销授权。',
  allow: '允许',
  deny: '拒绝',
} satisfies Texts<typeof en>
