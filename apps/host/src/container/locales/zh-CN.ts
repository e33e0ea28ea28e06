import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  menu: '小程序菜单',
  leave: '离开小程序',
  stages: { development: '开发中', review: '审核中', published: '已发布' },
  fromServer: '来自开发服务器',
  again: '重新启动',
  shared: '您已授权的信息',
  versions: '供测试者使用的版本',
  open: '打开',
  isOpen: '正在使用',
  retry: '重试',
  failures: {
    missing: '没有这个小程序，或未对您开放。',
    unreleased: '该小程序尚未发布。',
    unknownRelease: '此版本未对您开放。',
    manifest: '无法加载小程序。',
    server: '只有沙盒可以打开开发服务器，且仅限本设备上的服务器：http://localhost 或 http://127.0.0.1。',
  },
  clipboard: {
    title: '允许“{name}”读取您复制的内容吗？',
    text: '它会得到您最近一次复制的文字，无论是在哪里复制的。',
    allow: '允许',
    refuse: '拒绝',
  },
  web: {
    refused: '此地址不能在这里显示。',
    outside: '在浏览器中打开',
  },
} satisfies Texts<typeof en>
