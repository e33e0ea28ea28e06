import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '审计日志',
  lead: '此项目的每一次变更：谁、做了什么、何时、从何处。最新的在最前。',
  filter: '筛选',
  time: '时间',
  who: '操作者',
  what: '操作',
  detail: '详情',
  address: '来源',
  adminToken: '管理令牌',
  empty: '此范围内没有变更',
  ever: '全部时间',
  day: '最近一天',
  week: '最近 7 天',
  month: '最近 30 天',
} satisfies Texts<typeof en>
