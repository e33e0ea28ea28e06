import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '我的',
  uid: '用户 {uid}',
  settings: '设置',
  notifications: '系统通知',
  notificationsText: 'Souk 打开时显示，在后台也会提醒。',
  notificationsDenied: '已在浏览器设置中屏蔽。',
  consents: '与小程序共享的信息',
  noConsents: '还没有小程序获知您的信息。',
  withdraw: '撤销',
  withdrawFrom: '撤销对“{name}”的授权',
  withdrawText: '该小程序将立即无法再读取这些信息。它会保留已获取的信息。',
  withdrawn: '已撤销授权',
  feedback: '我的反馈',
  answers: '我的反馈：{count, number} 条未读',
  install: '安装应用',
  developers: '开发者选项',
  signOut: '退出登录',
} satisfies Texts<typeof en>
