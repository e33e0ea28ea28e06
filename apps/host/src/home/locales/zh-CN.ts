import categories from '@souk/contract/categories/zh-CN'
import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'Souk',
  profile: '我的：{name}',
  activities: '正在进行',
  apps: '小程序',
  none: '还没有小程序。',
  test: '测试',
  search: '搜索小程序和页面',
  nothingFound: '没有找到“{query}”。',
  found: '找到 {count, number} 项',
  pages: '页面',
  pinned: '已固定',
  recent: '最近使用',
  recommended: '推荐',
  category: '类别',
  all: '全部',
  categories,
  inDevelopment: '开发中',
  more: '显示更多',
  howToUpload: '用 npx souk upload 上传小程序；发布之前，其测试人员可以先打开。',
} satisfies Texts<typeof en>
