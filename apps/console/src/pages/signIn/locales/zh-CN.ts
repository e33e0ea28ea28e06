import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '登录',
  submit: '登录',
  needsSetup: '还没有管理员。请打开 Souk 启动时在终端中打印的一次性链接。',
  noAccount: '没有账号？请向项目所有者索取邀请。',
  forgotten: '忘记密码？请向项目所有者索取密码重置链接。',
  forgot: '忘记密码？',
} satisfies Texts<typeof en>
