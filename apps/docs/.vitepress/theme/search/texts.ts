/** Texts of the search in a language of the site. */
interface Texts {
  search: string
  close: string
  loading: string
  none: string
  /** Above results in the reader's language, and in English. Undefined for English readers. */
  own?: string
  english?: string
  select: string
  move: string
  keys: { enter: string; up: string; down: string; escape: string }
}

const english: Texts = {
  search: 'Search',
  close: 'Close search',
  loading: 'Loading…',
  none: 'No results',
  select: 'to open',
  move: 'to move',
  keys: { enter: 'Enter', up: 'Up arrow', down: 'Down arrow', escape: 'Escape' },
}

const translations: Record<string, Texts> = {
  zh: {
    search: '搜索',
    close: '关闭搜索',
    loading: '正在加载…',
    none: '没有结果',
    own: '中文页面',
    english: '没有中文译文的页面（英文）',
    select: '打开',
    move: '移动',
    keys: { enter: '回车键', up: '向上键', down: '向下键', escape: 'Esc 键' },
  },
  ar: {
    search: 'بحث',
    close: 'إغلاق البحث',
    loading: 'جارٍ التحميل…',
    none: 'لا توجد نتائج',
    own: 'صفحات بالعربية',
    english: 'صفحات غير مترجمة (بالإنجليزية)',
    select: 'فتح',
    move: 'تنقل',
    keys: { enter: 'مفتاح الإدخال', up: 'سهم لأعلى', down: 'سهم لأسفل', escape: 'مفتاح الخروج' },
  },
}

/** Returns the texts for a locale of the site. */
export const textsOf = (locale: string): Texts => translations[locale] ?? english
