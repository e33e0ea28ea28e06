import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '通知',
  empty: '暂无通知。',
  unread: '未读',
  readAll: '全部标为已读',
  older: '显示更早的通知',
  offer: 'Souk 在后台时也能收到通知。',
  switchOn: '开启',
} satisfies Texts<typeof en>
