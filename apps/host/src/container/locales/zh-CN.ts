import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  menu: '小程序菜单',
  leave: '离开小程序',
  stages: { development: '开发中', review: '审核中', published: '已发布' },
  fromServer: '开发服务器',
  restart: '重新启动',
  shared: '已共享的信息',
  versions: '测试版本',
  open: '打开',
  isOpen: '当前版本',
  retry: '重试',
  failures: {
    missing: '该小程序不存在，或未对您开放。',
    unreleased: '该小程序尚未发布。',
    unknownRelease: '此版本未对您开放。',
    manifest: '无法加载小程序。',
    server: '开发服务器只能在沙箱中打开，且仅限本设备：http://localhost 或 http://127.0.0.1。',
  },
  clipboard: {
    title: '允许“{name}”读取剪贴板吗？',
    text: '它将看到您在任意应用中最近复制的文字。',
    allow: '允许',
    deny: '拒绝',
  },
  notice: {
    title: '“{name}”获知的信息',
    text: '您的昵称、头像，以及专为它生成的 ID。获取您的电子邮箱和手机号前，它必须征得您的同意。',
    dismiss: '知道了',
  },
  web: {
    refused: '此页面不能在这里显示。',
    unapproved: '此小程序未获准打开 {host} 的网页。',
    outside: '在浏览器中打开',
  },
} satisfies Texts<typeof en>
