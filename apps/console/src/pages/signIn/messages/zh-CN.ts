import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '登录',
  submit: '登录',
  needsSetup: '尚无管理员：请打开 Souk 在终端中打印的一次性链接。',
  noAccount: '没有账户？请向项目所有者索取邀请。',
} satisfies Texts<typeof en>
