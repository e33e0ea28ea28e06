import type { Words } from './words.ts'

/** By language; English is in words.ts. */
export const otherWords: Record<string, Words> = {
  zh: {
    back: '返回',
    home: '首页',
    forward: '前进',
    share: '分享',
    favorite: '收藏',
    menu: '菜单',
    close: '关闭',
    button: '按钮',
    search: '搜索',
    tabs: '标签栏',
    unread: '有新内容',
    loading: '加载中',
  },
  ar: {
    back: 'رجوع',
    home: 'الرئيسية',
    forward: 'التالي',
    share: 'مشاركة',
    favorite: 'المفضلة',
    menu: 'القائمة',
    close: 'إغلاق',
    button: 'زر',
    search: 'بحث',
    tabs: 'علامات التبويب',
    unread: 'جديد',
    loading: 'جارٍ التحميل',
  },
}
