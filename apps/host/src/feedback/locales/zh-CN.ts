import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '我的反馈',
  feedbackTitle: '反馈“{name}”',
  reportTitle: '举报“{name}”',
  kind: '反馈类型',
  kinds: { problem: '问题', idea: '建议', praise: '好评' },
  reason: '举报原因',
  reasons: {
    fraud: '欺诈或误导',
    harmful: '有害或违法内容',
    privacy: '滥用个人信息',
    impersonation: '冒充公司或他人',
    other: '其他',
  },
  text: '反馈内容',
  details: '详细说明（选填）',
  feedbackNote: '将发送给开发者，并附上版本、当前页面、设备及其语言。',
  reportNote: '将发送给本应用的运营方，而非开发者，并附上版本、当前页面、设备及其语言。',
  send: '发送',
  sent: '已发送。可在“我的”中查看回复。',
  limit: '您今天发送的消息过多，请明天再试。',
  empty: '您还没有发送过反馈。可在小程序菜单中发送。',
  reported: '已举报：{reason}',
  developersAnswered: '开发者回复',
  operatorAnswered: '运营方回复',
  waiting: '尚未回复',
  closed: '已关闭',
  older: '更早',
} satisfies Texts<typeof en>
