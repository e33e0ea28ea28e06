/** What the bars and overlays say themselves. */
export interface Words {
  back: string
  home: string
  forward: string
  share: string
  favorite: string
  menu: string
  close: string
  /** Of a button that shows nothing but a font icon. */
  button: string
  search: string
  tabs: string
  /** What a red dot means. */
  unread: string
  loading: string
}

const words: Record<string, Words> = {
  en: {
    back: 'Back',
    home: 'Home',
    forward: 'Forward',
    share: 'Share',
    favorite: 'Favorite',
    menu: 'Menu',
    close: 'Close',
    button: 'Button',
    search: 'Search',
    tabs: 'Tabs',
    unread: 'New',
    loading: 'Loading',
  },
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

/** The words of a language (BCP 47); English where there are none. */
export function wordsOf(language: string): Words {
  return words[language.slice(0, 2).toLowerCase()] ?? words.en!
}
