import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '审计日志',
  lead: '此项目的所有变更，最新的在最前。',
  filter: '筛选',
  time: '时间',
  who: '操作者',
  detail: '详情',
  address: 'IP 地址',
  sentence: '{who} {what}',
  system: '系统',
  anyone: '未登录者',
  changes: '更改内容',
  unset: '未设置',
  became: '改为',
  event: '事件',
  actions: {
    account: {
      allowProjects: '更改了项目创建权限',
      confirm: '确认了身份',
      confirmEmail: '确认了邮箱地址',
      confirmFailed: '身份确认失败',
      create: '创建了账号',
      createPasswordReset: '创建了密码重置链接',
      createRecoveryCodes: '创建了恢复码',
      disable: '停用了账号',
      enable: '启用了账号',
      endSession: '结束了一个会话',
      endSessions: '结束了其他所有会话',
      password: '更改了密码',
      removePasskey: '移除了通行密钥',
      removeTotp: '移除了身份验证器',
      renamePasskey: '重命名了通行密钥',
      resetFactors: '重置了第二重验证',
      resetPassword: '重置了密码',
      sendPasswordReset: '发送了密码重置链接',
      signIn: '登录',
      signInFailed: '登录失败',
      signOn: '通过身份提供方登录',
      signOut: '退出登录',
      update: '更新了个人资料',
    },
    activity: {
      sendTest: '发送了测试活动消息',
    },
    adminToken: {
      disable: '停用了管理令牌',
      rotate: '轮换了管理令牌',
    },
    apiKey: {
      generate: '生成了 API 密钥',
      refresh: '更换了 API 密钥',
    },
    app: {
      create: '创建了小程序',
      rotateSecret: '轮换了小程序密钥',
      update: '更改了小程序设置',
    },
    audit: {
      export: '导出了审计日志',
    },
    backup: {
      create: '创建了备份',
      restore: '恢复了备份',
    },
    callback: {
      replay: '重发了回调',
      replayCancel: '取消了回调重发',
      replayRange: '批量重发了回调',
      reportForwarded: '报告了转发的回调',
    },
    callbackReceiver: {
      disable: '暂停了回调主机',
      enable: '恢复了回调主机',
    },
    change: {
      approve: '批准了更改',
      request: '申请了更改',
    },
    dataset: {
      append: '向数据集追加了记录',
      create: '创建了数据集',
      delete: '删除了数据集',
      deleteRecords: '删除了数据集记录',
      export: '导出了数据集',
    },
    event: {
      replay: '重发了事件',
      replayDead: '重发了未送达的事件',
    },
    eventEndpoint: {
      add: '添加了事件端点',
      disable: '暂停了事件端点',
      remove: '移除了事件端点',
      rotateSecret: '轮换了事件端点密钥',
      update: '更改了事件端点',
    },
    installation: {
      move: '迁移了安装',
      undoMove: '撤销了安装迁移',
    },
    invitation: {
      create: '创建了邀请',
      revoke: '撤销了邀请',
    },
    issuer: {
      add: '添加了令牌颁发方',
      disableSignIn: '停用了颁发方登录',
      enableSignIn: '启用了颁发方登录',
      remove: '移除了令牌颁发方',
    },
    keyRing: {
      recover: '恢复了主密钥',
      retire: '淘汰了主密钥',
      rotate: '轮换了主密钥',
    },
    member: {
      join: '加入了项目',
      remove: '移除了成员',
      role: '更改了成员角色',
      signOnRole: '登录时更改了成员角色',
    },
    merchant: {
      create: '创建了商户',
    },
    notification: {
      sendTest: '发送了测试通知',
    },
    platformSettings: {
      update: '更改了平台设置',
    },
    project: {
      create: '创建了项目',
      rename: '重命名了项目',
      trust: '更改了项目是否需要审批',
    },
    provider: {
      create: '添加了收款账户',
      routing: '更改了支付路由',
      update: '更改了收款账户',
    },
    reconciliation: {
      begin: '开始了对账',
    },
    release: {
      delete: '删除了版本',
      preview: '预览了版本',
      schedule: '安排了版本发布',
      setTesters: '更改了测试人员',
      upload: '上传了版本',
    },
    sandbox: {
      callbackFault: '注入了回调故障',
      clock: '调整了沙箱时钟',
      createCode: '创建了登录授权码',
      createUser: '创建了沙箱用户',
      pay: '在沙箱中支付了交易',
      resolvePayment: '决定了沙箱支付的结果',
    },
    serviceAccount: {
      add: '添加了服务账号',
      remove: '移除了服务账号',
    },
    signOn: {
      addProvider: '添加了单点登录提供方',
      passwords: '更改了密码登录设置',
      removeProvider: '移除了单点登录提供方',
    },
    signingKey: {
      approve: '批准了签名密钥',
      register: '注册了签名密钥',
      revoke: '吊销了签名密钥',
    },
    storage: {
      move: '迁移了存储文件',
    },
    token: {
      create: '创建了访问令牌',
    },
    trade: {
      dispute: '记录了争议',
      refund: '为交易退款',
    },
    trades: {
      archive: '归档了交易',
      restore: '恢复了已归档的交易',
    },
    user: {
      disable: '停用了用户',
      enable: '启用了用户',
      erase: '删除了用户数据',
      export: '导出了用户数据',
    },
  },
  adminToken: '管理令牌',
  empty: '没有变更记录',
  ever: '全部时间',
  day: '最近一天',
  week: '最近 7 天',
  month: '最近 30 天',
} satisfies Texts<typeof en>
