import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '审计日志',
  lead: '此项目的所有变更，最新的在最前。',
  filter: '筛选',
  time: '时间',
  who: '操作者',
  what: '操作',
  detail: '详情',
  address: 'IP 地址',
  adminToken: '管理令牌',
  empty: '没有变更记录',
  ever: '全部时间',
  day: '最近一天',
  week: '最近 7 天',
  month: '最近 30 天',
} satisfies Texts<typeof en>
