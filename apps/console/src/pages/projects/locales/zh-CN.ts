import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '项目',
  lead: '一个项目包含若干小程序，以及管理它们的人员。',
  create: '创建项目',
  createTitle: '新建项目',
  name: '项目名称',
  active: '使用中',
  archived: '已归档',
  deleted: '已删除',
  deletedTime: '删除时间',
  deletedEmpty: '没有已删除的项目',
  deletedEmptyText: '所有者可在设置中删除已归档的项目。交易、回调、请求和审计日志会保留。',
  remains: '{name} 保留的记录',
  columnName: '名称',
  views: '按状态查看项目',
  archiveEmpty: '没有已归档的项目',
  archiveEmptyText: '所有者可在项目设置中归档项目，并从这里恢复。',
  empty: '还没有项目',
  emptyText: '请创建项目，或向现有项目的所有者索取邀请。',
  askForProject: '请管理员允许您创建项目，或向项目所有者索取邀请。',
  showMore: '显示更多（{count}）',
  apps: '{count} 个小程序',
  administratorsOnly: '仅管理员',
  members: '{count} 位成员',
} satisfies Texts<typeof en>
