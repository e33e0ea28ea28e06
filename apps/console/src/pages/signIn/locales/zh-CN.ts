import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '登录',
  submit: '登录',
  needsSetup: '尚无管理员：请打开 Souk 在终端中打印的一次性链接。',
  noAccount: '没有账户？请向项目所有者索取邀请。',
  forgotten: '忘记密码？请让管理您项目成员的人为您生成一个新密码链接。',
} satisfies Texts<typeof en>
