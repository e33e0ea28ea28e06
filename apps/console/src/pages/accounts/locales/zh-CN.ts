import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '账号',
  lead: '登录此控制台的开发者和运营人员。',
  account: '账号',
  state: '状态',
  enabled: '已启用',
  disabled: '已停用',
  administrator: '管理员',
  secondFactor: '第二因素',
  factorPresent: '已设置',
  factorMissing: '未设置',
  lastSignIn: '上次登录',
  actions: '操作',
  actionsFor: '{name} 的操作',
  endSessions: '结束会话',
  endTitle: '结束 {name} 的所有会话？',
  endText: '该账号将在所有浏览器中退出，之后可以重新登录。',
  ended: '{name} 的会话已结束',
  resetFactors: '重置第二因素',
  resetTitle: '重置 {name} 的第二因素？',
  resetText:
    '其通行密钥、验证器应用和恢复码都会被删除，会话也会结束。在添加新的因素之前，该账号仅凭密码登录。请先确认请求确实来自本人。',
  reset: '{name} 的第二因素已重置',
} satisfies Texts<typeof en>
