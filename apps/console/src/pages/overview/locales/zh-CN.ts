import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: '概览',
  lead: '此项目中小程序的运行情况。',
  range: '时间范围',
  lastDays: '最近 {count} 天',
  trades: '交易',
  paid: '已支付',
  successRate: '成功率',
  perDay: '每日交易',
  noTrades: '此时间范围内没有交易。',
  failing: '未送达的回调',
  noneFailing: '没有未送达的回调。',
  allCallbacks: '全部回调',
  refused: '被拒绝的请求',
  noneRefused: '没有被拒绝的请求。',
  allRequests: '请求日志',
  moneyPerDay: '每日已支付',
  before: '上期：{value}',
  releases: '最近发布之后',
  noReleases: '最近 30 天没有发布版本。',
  ratio: '每 100 次打开有 {errors} 个错误、{failures} 次启动失败',
  ratioBefore: '之前：{errors} 和 {failures}',
  worse: '失败增多',
  fine: '与之前相当',
  unopened: '尚未打开',
  steps: {
    title: '快速入门',
    progress: '已完成 {done} / {all}',
    done: '已完成',
    app: {
      title: '创建小程序',
      text: '获取用于请求签名的 appid 和密钥。',
      go: '打开小程序',
    },
    request: {
      title: '发送签名请求',
      text: '从您的后端发送，可用 SDK 或直接使用 HTTP。签名有误时，请求日志会说明原因。',
      go: '打开 API 参考',
    },
    trade: {
      title: '完成一笔支付',
      text: '创建交易，然后以模拟用户的身份支付，结果由您选择。',
      go: '打开沙箱',
    },
    callback: {
      title: '接收结果',
      text: 'Souk 会将回调发送到您的 notifyUrl，并重试直至后端确认。',
      go: '打开回调',
    },
  },
} satisfies Texts<typeof en>
