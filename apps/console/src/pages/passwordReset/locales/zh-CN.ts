import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '设置新密码',
  lead: '用于 {name} 的账户。',
  submit: '设置密码并登录',
  consequences: '此账户在其他各处的登录都会结束。其 API 密钥保持不变。',
  until: '链接在 {time} 之前有效，且只能使用一次。',
  done: '密码已设置',
  signIn: '前往登录',
} satisfies Texts<typeof en>
