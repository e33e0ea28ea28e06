import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '与“{name}”共享？',
  lead: '“{name}”请求获取您的以下信息：',
  known: '“{name}”已获知您的昵称和头像。',
  fields: {
    email: '电子邮箱',
    country: '国家/地区',
    phone: '手机号',
  },
  unset: '未填写',
  withdraw: '您可以随时在“我的”中撤销授权。',
  allow: '允许',
  deny: '拒绝',
} satisfies Texts<typeof en>
