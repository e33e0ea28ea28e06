import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '登录',
  language: '语言',
  signInWith: '使用 {name} 登录',
  again: '返回登录页',
  sandbox: '这是沙箱。请选择一位模拟用户继续。无需密码，也不涉及真实资金。',
  noUsers: '还没有模拟用户。请在控制台的“沙箱”中创建。',
  live: '这是生产环境。用户通过运营企业自己的应用登录。',
} satisfies Texts<typeof en>
