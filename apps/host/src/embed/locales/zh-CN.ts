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
  address: {
    title: '此地址没有小程序',
    text: '嵌入小程序的地址是 /host/embed/ 加上其 appid。',
  },
} satisfies Texts<typeof en>
