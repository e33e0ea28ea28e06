import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  entry: '消息',
  text: '通知，以及首页上的消息。',
  levels: {
    on: { title: '开启', text: '显示横幅' },
    silent: { title: '静默', text: '不显示横幅' },
    off: { title: '关闭', text: '不接收消息' },
  },
  saved: '已保存',
  ask: {
    title: '允许 {name} 向您发送消息？',
    text: '{name} 想向您发送通知和首页消息。您可以随时在它的菜单中或在“我的”中更改。',
    on: '允许',
    silent: '允许，但不显示横幅',
    off: '不允许',
  },
  section: '小程序的消息',
  none: '还没有小程序可以向您发送消息。',
} satisfies Texts<typeof en>
