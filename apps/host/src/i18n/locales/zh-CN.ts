import type { Texts } from '../index.ts'
import type en from './en.ts'

export default {
  skip: '跳到正文',
  loading: '加载中…',
  retry: '重试',
  cancel: '取消',
  close: '关闭',
  back: '返回',
  answered: '您的反馈已收到回复，请在“我的”中查看。',
  scopes: {
    info: '昵称、头像，以及专为它生成的 ID',
    unset: '未填写',
    phone: '国家/地区和手机号',
    email: '电子邮箱',
  },
  problem: '出了点问题',
  problems: {
    unreachable: '无法连接到 Souk',
    unreadable: 'Souk 返回了意外的响应',
    internal: 'Souk 发生内部错误',
    unavailable: 'Souk 暂时不可用',
    read_only: 'Souk 暂时不接受更改',
    session_invalid: '登录已失效，请重新登录',
    sandbox_only: '仅在沙箱中可用',
    user_not_found: '未找到用户',
    app_not_found: '未找到小程序',
    trade_not_found: '未找到订单',
    sign_in_not_started: '登录超时，或是在其他浏览器中开始的',
    sign_in_state_wrong: '登录被中断',
    authorization_refused: '登录已取消',
    authorization_code_refused: '登录未能得到确认',
    issuer_unavailable: '登录服务不可用',
    issuer_not_found: '已不能使用该方式登录',
    user_disabled: '您的访问已被停用',
    rate_limited: '尝试次数过多，请稍后再试',
  },
} satisfies Texts<typeof en>
