import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '通知',
  nothing: '暂无通知。',
  unread: '未读',
  readAll: '全部标为已读',
  older: '更早的通知',
  offer: '离开此页面时，也能收到新消息提醒。',
  switchOn: '开启',
} satisfies Texts<typeof en>
