import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '项目设置',
  lead: '项目的名称，以及您的成员身份。',
  project: '项目',
  name: '项目名称',
  leave: '退出项目',
  leaveTitle: '退出此项目？',
  leaveText: '重新加入需要邀请。',
  left: '您已退出项目',
  archive: {
    title: '归档',
    text: '停用该项目及其小程序。您可以随时恢复。',
    archive: '归档项目',
    ask: '归档 {name}？',
    apps: '其小程序将被归档：用户和后端无法使用。',
    programs: '其服务账号会被拒绝，API 密钥也无法在此项目中使用。',
    changes: '无法更改成员、设置和数据集。',
    kept: '进行中的支付仍会完成，退款和回调照常进行。您可以随时恢复。',
    done: '{name} 已归档。',
    isArchived: '已归档的项目',
    restoreText: '其小程序、服务账号和 API 密钥无法使用。支付记录仍可查看。',
    restore: '恢复',
    restored: '{name} 已恢复。',
  },
  delete: {
    delete: '永久删除',
    ask: '删除 {name}？',
    final: '此操作无法撤销。',
    apps: '必须先删除其所有小程序。',
    erased: '成员将失去访问权限。邀请、服务账号和数据集将被清除。',
    kept: '交易、退款、账本和审计日志会保留，仅管理员可以查看。',
    done: '{name} 已删除。',
  },
  trust: {
    name: '受信任',
    text: '其小程序的变更无需审批即可生效。',
    on: '项目已受信任',
    off: '项目的变更需要审批',
  },
} satisfies Texts<typeof en>
