import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'Souk',
  profile: '我的：{name}',
  activities: '正在进行',
  apps: '小程序',
  none: '还没有小程序。',
  test: '测试',
  notUploaded: '尚未上传',
  howToUpload: '用 souk upload 上传小程序；发布之前，其体验者可以先看到。',
} satisfies Texts<typeof en>
