import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '我的',
  uid: '用户 {uid}',
  settings: '设置',
  notifications: '系统通知',
  notificationsText: 'Souk 打开期间有效，在其他窗口后面时也会提醒。',
  notificationsDenied: '浏览器未允许通知，请在浏览器设置中更改。',
  consents: '小程序可获取的信息',
  noConsents: '您尚未同意向任何小程序提供信息。',
  withdraw: '撤回',
  withdrawFrom: '撤回对 {name} 的授权',
  withdrawText: '该小程序将无法再获取新信息，需要重新征求您的同意。已获取的信息不会被收回。',
  withdrawn: '已撤回',
  install: '安装为应用',
  developers: '开发者选项',
  signOut: '退出登录',
} satisfies Texts<typeof en>
