import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  failed: '无法打开小程序',
  close: '关闭',
  guide: '开发者指南',
  channel: {
    title: '此页面需要在应用中打开',
    text: '它在 WebView 或框架中显示小程序。未找到与应用通信的通道：WebView 必须添加 soukHost 对象，或在 React Native 中运行；网页必须使用 @souk/host。',
  },
  kinds: {
    webkit: 'iOS：webkit.messageHandlers.soukHost',
    soukHost: 'Android 或 Flutter：soukHost',
    reactNative: 'React Native：ReactNativeWebView',
    frame: '网页框架',
  },
  check: {
    title: '应用检查',
    channel: '通道',
    version: '协议版本',
    session: '会话',
    noSession: '服务器未接受任何会话。',
    handlers: '功能',
    missing: '应用未在 handles 中列出的功能由页面完成，除此之外没有缺失。',
    required: '必需',
    handled: '由应用完成',
    byPage: '由页面完成',
    try: '试用',
    waiting: '正在等待响应…',
    close: '发送 close',
  },
  address: {
    title: '此地址没有小程序',
    text: '嵌入小程序的地址是 /host/embed/ 加上其 appid。',
  },
} satisfies Texts<typeof en>
