import type { Texts } from './texts.ts'

const where = '账号：{username}。时间：{time}。IP 地址：{address}。'

export const zhCN: Texts = {
  mails: {
    test: { subject: 'Souk 测试邮件', lines: ['Souk 可以发送邮件。'] },
    invitation: {
      subject: '邀请您加入 {project}',
      lines: [
        '{invitedBy} 邀请您加入 Souk 上的项目 {project}。您的角色：{role}。',
        '链接仅可使用一次，有效期至 {validUntil}。如果您没有预料到此邀请，请忽略本邮件。',
      ],
      action: '打开邀请',
    },
    passwordReset: {
      subject: '重置密码',
      lines: [
        '使用此链接可为账号 {username} 设置新密码。',
        '链接仅可使用一次，有效期至 {validUntil}。如果您没有提出请求，请忽略本邮件，密码保持不变。',
      ],
      action: '设置新密码',
    },
    emailConfirmation: {
      subject: '确认您的电子邮箱',
      lines: [
        'Souk 账号 {username} 希望使用此邮箱接收邮件。',
        '链接仅可使用一次，有效期至 {validUntil}。如果这不是您的账号，请忽略本邮件。',
      ],
      action: '确认邮箱',
    },
    emailChanged: {
      subject: '您的电子邮箱已更改',
      lines: ['您账号的邮件将不再发送到此邮箱。', where],
    },
    newDevice: {
      subject: '您的账号在新设备上登录',
      lines: ['有人在新设备上登录了您的账号：{browser}，{system}。', where],
      action: '查看会话',
    },
    passwordChanged: {
      subject: '您的密码已更改',
      lines: ['您账号的密码已更改，其他会话已结束。', where],
      action: '查看会话',
    },
    credentialAdded: {
      subject: '已添加到您的账号：{credential}',
      lines: ['您的账号新增了：{credential}。', where],
      action: '打开个人资料',
    },
    credentialRemoved: {
      subject: '已从您的账号移除：{credential}',
      lines: ['您的账号移除了：{credential}。', where],
      action: '打开个人资料',
    },
    recoveryCodesCreated: {
      subject: '新的恢复码',
      lines: ['已为您的账号生成新的恢复码，之前的恢复码已失效。', where],
      action: '打开个人资料',
    },
    recoveryCodeUsed: {
      subject: '恢复码已被使用',
      lines: ['您账号的一个恢复码已代替第二因素使用，该恢复码已失效。', where],
      action: '打开个人资料',
    },
    changeRequested: {
      subject: '等待审批：{app}',
      lines: ['{requestedBy} 申请更改项目 {project} 中的小程序 {app}：{change}。'],
      action: '打开审批',
    },
    changeApproved: {
      subject: '已批准：{app}',
      lines: ['{decidedBy} 批准了您对项目 {project} 中小程序 {app} 的更改：{change}。'],
    },
    changeRejected: {
      subject: '已拒绝：{app}',
      lines: ['{decidedBy} 拒绝了您对项目 {project} 中小程序 {app} 的更改：{change}。', '原因：{reason}'],
    },
    releaseSubmitted: {
      subject: '等待审核：{app} {version}',
      lines: [
        '{submittedBy} 提交了项目 {project} 中小程序 {app} 的版本 {version} 供审核。',
        '列出待审核的版本：souk review list',
      ],
    },
    releaseApproved: {
      subject: '审核通过：{app} {version}',
      lines: ['项目 {project} 中小程序 {app} 的版本 {version} 已通过 {decidedBy} 的审核。所有者可以发布该版本。'],
    },
    releaseRejected: {
      subject: '审核未通过：{app} {version}',
      lines: ['项目 {project} 中小程序 {app} 的版本 {version} 未通过 {decidedBy} 的审核。', '原因：{reason}'],
    },
    canaryHalted: {
      subject: '灰度发布已自动停止：{app} {version}',
      lines: [
        '小程序 {app} 版本 {version} 的灰度发布已自动停止，以下指标超过已发布版本：{failures}。',
        '所有用户已恢复使用已发布版本。请在控制台中继续或结束灰度发布。',
      ],
      action: '打开版本页面',
    },
    alertRaised: {
      subject: '告警：{app} 的{alertMetric}',
      lines: ['小程序 {app} 的{alertMetric}：{value}。告警规则的阈值为 {threshold}。'],
      action: '打开分析',
    },
    alertResolved: {
      subject: '告警已恢复：{app} 的{alertMetric}',
      lines: ['小程序 {app} 的{alertMetric}已恢复：{value}。告警规则的阈值为 {threshold}。'],
      action: '打开分析',
    },
    miniAppReported: {
      subject: '小程序被举报：{app}',
      lines: [
        '有用户举报了项目 {project} 中的小程序 {app}。原因：{reportReason}。',
        '一小时内对该小程序的其他举报不再发送邮件。',
      ],
      action: '打开举报列表',
    },
    callbacksDisabled: {
      subject: '已停用到 {host} 的回调',
      lines: [
        '自 {failingSince} 起，{host} 未确认小程序 {app} 的任何回调。Souk 不再向其发送回调。',
        '期间的支付结果会保存。该主机恢复后，请在控制台中启用并重新发送。',
      ],
      action: '打开回调',
    },
    endpointDisabled: {
      subject: '已停用一个事件端点',
      lines: [
        '自 {failingSince} 起，{url} 未确认任何事件。Souk 不再向其发送事件。',
        '事件保存 30 天。该端点恢复后，请在控制台中启用并重新发送。',
      ],
      action: '打开平台设置',
    },
    blocked: {
      subject: '已被封禁：{subject}',
      lines: [
        '{blockedBy} 于 {time} 封禁了 {subject}：{blockedState}。只有管理员可以解除。',
        '原因：{reason}',
        '您可以在控制台中向管理员申诉一次。',
      ],
    },
    blockLifted: {
      subject: '已解除封禁：{subject}',
      lines: ['{answeredBy} 解除了对 {subject} 的封禁：{blockedState}。', '答复：{answer}'],
    },
    blockKept: {
      subject: '维持封禁：{subject}',
      lines: ['{answeredBy} 驳回了对 {subject} 封禁的申诉：{blockedState}。', '答复：{answer}'],
    },
    blockAppealed: {
      subject: '申诉：{subject}',
      lines: ['{appealedBy} 对 {subject} 的封禁提出申诉：{blockedState}。', '说明：{appeal}'],
      action: '打开队列',
    },
  },
  footer: '本邮件由 {url} 的 Souk 发送。',
  notYou: '如果不是您本人操作，请更改密码，并在个人资料中退出所有其他会话。',
  unknown: '未知',
  role: { owner: '所有者', editor: '编辑者', viewer: '查看者' },
  credential: { passkey: '通行密钥', totp: '验证器应用', apiKey: 'API 密钥', signingKey: '签名密钥' },
  change: {
    capabilities: '能力',
    publication: '首次发布',
    name: '名称',
    iconUrl: '图标',
    merchantName: '商户名称',
    merchantLogoUrl: '商户标志',
    domains: '域名',
    testers: '测试人员',
  },
  reportReason: {
    fraud: '欺诈',
    harmful: '有害或违法内容',
    privacy: '滥用个人信息',
    impersonation: '冒充他人或公司',
    other: '其他',
  },
  alertMetric: {
    errors: '遇到 JavaScript 错误的用户比例',
    failedLaunches: '启动失败的用户比例',
    failedRequests: '请求失败的用户比例',
    launchTime: '启动时间（95%）',
    paymentSuccess: '支付成功的用户比例',
    failedCallbacks: '回调失败率',
    openings: '用户数',
    customEvent: '上报自定义事件的用户数',
  },
  blockedState: {
    appDisabled: '小程序已停用',
    appArchived: '小程序已归档',
    capabilityRemoved: '能力已移除',
    hostsRemoved: '域名已移除',
    projectArchived: '项目已归档',
    analyticsOff: '统计已关闭',
    releaseWithdrawn: '版本已撤回',
    releaseRejected: '版本已驳回',
    canaryPaused: '灰度发布已暂停',
    accountDisabled: '账号已停用',
    providerAccountDisabled: '支付账户已停用',
    userDisabled: '用户已停用',
  },
  failures: { failedLaunches: '启动失败', errors: 'JavaScript 错误' },
}
