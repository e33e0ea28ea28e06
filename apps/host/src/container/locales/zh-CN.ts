import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  menu: '小程序菜单',
  leave: '离开小程序',
  stages: { development: '开发中', review: '审核中', published: '已发布' },
  fromServer: '开发服务器',
  restart: '重新启动',
  share: '分享',
  linkCopied: '链接已复制',
  linkNotCopied: '无法复制链接：{url}',
  feedback: '反馈',
  report: '举报',
  about: {
    entry: '关于',
    title: '关于“{name}”',
    developer: '开发者',
    data: '它获取的信息',
    permissions: '权限',
    permissionsText: '使用剪贴板、相机、麦克风、位置或运动传感器，以及保存文件之前，它都会先询问您。',
    hosts: '它访问的服务器',
    noHosts: '没有已批准的服务器。',
  },
  pin: '固定到主页',
  unpin: '取消固定',
  shared: '已共享的信息',
  news: '更新内容',
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
  inspector: {
    entry: '调试器',
    requests: '后端的请求',
    noRequests: '后端尚未发送请求。',
    refresh: '刷新',
    details: '在控制台中打开',
    diagnosis: '打开签名诊断',
    members: '只有项目成员可以查看后端的请求。请在此浏览器中登录控制台。',
    console: '打开控制台',
  },
  access: {
    clipboard: {
      title: '允许“{name}”读取剪贴板吗？',
      text: '它将看到您在任意应用中最近复制的文字。',
    },
    camera: {
      title: '允许“{name}”用相机扫码吗？',
      text: '它只会得到码中的文字，看不到画面。',
    },
    microphone: {
      title: '允许“{name}”录音吗？',
      text: '在您关闭它之前，它可以使用麦克风，但仅限于它显示在屏幕上时。',
    },
    location: {
      title: '允许“{name}”获取您的位置吗？',
      text: '在您关闭它之前，它可以读取您的位置。',
    },
    motion: {
      title: '允许“{name}”感知设备的移动吗？',
      text: '在您关闭它之前，它可以读取此设备的移动和转动。',
    },
    map: {
      title: '在地图中打开此地点吗？',
      text: '将在新窗口中打开 openstreetmap.org 的地图。',
    },
    download: {
      title: '允许“{name}”保存文件吗？',
      text: '文件将保存到此设备的下载目录。',
    },
    share: {
      title: '分享“{name}”的此内容吗？',
      text: '接下来由您选择分享给谁。',
    },
    miniApp: {
      title: '打开另一个小程序吗？',
      text: '“{name}”请求跳转到该小程序。',
    },
    allow: '允许',
    deny: '拒绝',
  },
  notice: {
    title: '“{name}”获知的信息',
    text: '获取其他信息前，它必须征得您的同意。',
    dismiss: '知道了',
  },
  web: {
    refused: '此页面不能在这里显示。',
    unapproved: '此小程序未获准打开 {host} 的网页。',
    outside: '在浏览器中打开',
  },
} satisfies Texts<typeof en>
