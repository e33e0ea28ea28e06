import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '项目',
  lead: '一个项目包含若干小程序，以及管理它们的人员。',
  create: '新建项目',
  name: '项目名称',
  empty: '还没有项目',
  emptyText: '新建一个，或向现有项目的所有者索取邀请。',
  askForProject: '请管理员允许您创建项目，或向项目所有者索取邀请。',
  apps: '{count} 个小程序',
  administratorsOnly: '仅管理员',
  members: '{count} 位成员',
} satisfies Texts<typeof en>
