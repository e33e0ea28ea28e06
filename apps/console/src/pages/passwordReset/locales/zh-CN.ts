import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '重置密码',
  lead: '账号：{name}',
  submit: '设置密码并登录',
  consequences: '此账号的其他会话都会结束。其 API 密钥仍然有效。',
  until: '链接在 {time} 之前有效，且只能使用一次。',
  done: '密码已修改',
  signIn: '登录',
} satisfies Texts<typeof en>
