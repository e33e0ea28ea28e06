import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '项目设置',
  lead: '项目的名称，以及如何退出项目。',
  project: '项目',
  name: '项目名称',
  leave: '退出项目',
  leaveTitle: '退出此项目？',
  leaveText: '重新加入需要邀请。',
  left: '您已退出项目',
  trust: {
    name: '受信任',
    text: '其小程序的变更无需审批即可生效。',
    on: '项目已受信任',
    off: '项目的变更需要审批',
  },
} satisfies Texts<typeof en>
