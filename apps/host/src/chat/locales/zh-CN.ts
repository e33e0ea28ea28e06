import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '聊天',
  text: '分享的小程序会以卡片形式出现在这里。只有沙箱的模拟用户之间有这些会话。',
  nobody: '没有其他模拟用户。请在控制台的“沙箱”中创建。',
  empty: '还没有卡片。请从小程序的菜单中分享。',
  sent: '已发送',
  received: '已收到',
} satisfies Texts<typeof en>
