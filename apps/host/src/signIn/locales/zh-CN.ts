import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '您是谁？',
  language: '语言',
  sandbox: '这是沙箱环境。请选择一位模拟用户，无需任何验证，也不会产生真实费用。',
  nobody: '还没有模拟用户。请在控制台的沙箱操作台中创建。',
  live: '这是正式环境。用户通过运营企业自己的应用登录。',
} satisfies Texts<typeof en>
