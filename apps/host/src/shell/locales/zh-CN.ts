import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  nav: { label: '导航', home: '首页', inbox: '通知', chat: '聊天', profile: '我的', unread: '{shown} 条未读' },
  language: '语言',
  scheme: '外观',
  schemes: { system: '跟随系统', light: '浅色', dark: '深色' },
  device: {
    title: '设备',
    screen: '屏幕',
    screens: {
      fit: '适应窗口高度',
      small: '小屏 320 × 568',
      phone: '手机 375 × 667',
      tall: '长屏 390 × 844',
      tablet: '平板 768 × 1024',
    },
    landscape: '横屏',
    statusBar: '状态栏',
    inspector: '调试器',
    inspectorText: '打开小程序即可调试。',
    platform: '平台',
    os: '操作系统',
    clock: '沙箱时钟',
    forward: '把时钟拨快',
    reset: '重置时钟',
    clockText: '订单、支付、消息和登录都按此时钟运行。更改会影响使用此沙箱的所有人。',
    clockFailed: '无法更改时钟',
    administrators: '只有控制台管理员可以更改时钟。请先在此浏览器中登录控制台，然后重试。',
    console: '打开控制台',
  },
} satisfies Texts<typeof en>
