import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '欢迎使用 Souk',
  lead: '创建第一个账号，即此系统的管理员。',
  submit: '创建管理员',
  needsLink: '还没有管理员。请打开 Souk 启动时在终端中打印的一次性链接。',
  done: '已完成设置',
  doneText: '管理员已存在，此链接不再有效。',
  signIn: '登录',
} satisfies Texts<typeof en>
