import type { Texts } from '../index.ts'
import type en from './en.ts'

export default {
  skip: '跳到内容',
  loading: '加载中',
  retry: '重试',
  cancel: '取消',
  close: '关闭',
  back: '返回',
  scopes: {
    info: '昵称、头像和电子邮箱',
    phone: '国家/地区和手机号',
    email: '电子邮箱',
  },
  problem: '操作未成功',
  problems: {
    unreachable: '无法连接到 Souk',
    unreadable: '无法读取返回的内容',
    internal: 'Souk 未能响应',
    unavailable: 'Souk 暂时无法响应',
    session_invalid: '登录已失效，请重新登录',
    sandbox_only: '仅沙箱环境提供此功能',
    user_not_found: '没有此用户',
    app_not_found: '没有此小程序',
    trade_not_found: '没有此订单',
  },
} satisfies Texts<typeof en>
