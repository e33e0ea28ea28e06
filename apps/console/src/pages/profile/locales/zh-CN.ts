import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '个人资料',
  lead: '您的账户，以及供您的程序使用的 API 密钥。',
  person: {
    title: '基本信息',
    administrator: '您是管理员：在每个项目中都拥有所有者的权限。',
    language: '控制台语言',
  },
  key: {
    title: 'API 密钥管理',
    text: '您用于平台数据 API 的个人密钥。其权限与您相同，但不能用于登录控制台。',
    noneYet: '您还没有密钥。点击“显示”将生成密钥，并仅完整显示这一次。',
    show: '显示',
    refresh: '刷新 API 密钥',
    shownBefore: '密钥仅在生成时完整显示一次。如已遗失，请刷新。',
    current: '密钥',
    made: '生成时间',
    usedAt: '最近使用',
    usedFrom: 'IP 地址',
    never: '从未使用',
    rotationDue: '此密钥已使用 {count} 天。请每 90 天刷新一次；如可能泄露，请立即刷新。',
    refreshTitle: '刷新 API 密钥？',
    refreshWarning: '旧密钥将立即失效。使用旧密钥的全部集成在换用新密钥之前都会失败。',
    refreshUsed: '最近使用于{time}，来自 {address}。',
    use: '使用方法',
    practice: '请仅保存在可信的服务器上：不要放入网页、应用或代码仓库，也不要写入日志。请使用 https。',
  },
  password: {
    title: '密码',
    text: '修改后，您的其他会话和令牌都会失效。',
    current: '当前密码',
    change: '修改密码',
    changed: '密码已修改',
  },
} satisfies Texts<typeof en>
