import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  account: '账户',
  title: '加入 {project}',
  lead: '{name} 邀请您担任{role}。',
  as: '您已以 {name} 的身份登录。',
  accept: '接受邀请',
  new: '创建账号',
  known: '使用已有账号',
  join: '创建账号并加入',
  signIn: '登录并加入',
  until: '邀请在 {time} 之前有效，且只能使用一次。',
} satisfies Texts<typeof en>
