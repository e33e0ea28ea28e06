import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '欢迎使用 Souk',
  lead: '创建第一个账户。它是此安装的管理员，拥有全部权限。',
  submit: '创建管理员',
  needsLink: '尚无管理员。请打开 Souk 启动时在终端中打印的一次性链接。',
  done: '已完成设置',
  doneText: '首位管理员已存在，此链接不再有效。',
  signIn: '登录',
} satisfies Texts<typeof en>
