import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '控制台账号',
  lead: '登录此控制台的开发者和运营人员。他们作为项目成员拥有相应角色。',
  searchHint: '姓名、用户名或邮箱地址的一部分',
  created: '创建时间',
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
  suspended: '已暂停',
  reasons: {
    claimMissing: '身份提供方没有发送声明 {claim}。下次带有用户组的登录会恢复该账号。',
    groupsLost: '该账号已离开 {claim} 中所有可使用控制台的用户组。',
  },
  deletion: '其 API 密钥、第二因素和角色将被删除：',
  restore: '恢复',
  restoreTitle: '恢复 {name}？',
  restoreText: '其 API 密钥、会话和角色可重新使用。如果身份提供方仍不提供其用户组，下次登录会再次暂停该账号。',
  restored: '已恢复 {name}',
} satisfies Texts<typeof en>
