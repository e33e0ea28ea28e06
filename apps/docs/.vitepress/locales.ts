import type { DefaultTheme, LocaleConfig } from 'vitepress'
import packageJson from '../../../package.json' with { type: 'json' }
import { editPatternOf } from './metadata.ts'
import { createSidebars } from './sidebar.ts'

type Locales = LocaleConfig<DefaultTheme.Config>
type LocalSearch = NonNullable<DefaultTheme.LocalSearchOptions['locales']>

/** Dates in the language of the page. */
const dates = { dateStyle: 'medium', forceLocale: true } as const

/** Leads to the source of a page, if package.json names the repository. */
const editLink = (text: string) => {
  const pattern = editPatternOf(packageJson)
  return pattern ? { editLink: { pattern, text } } : {}
}

const chinese: Locales[string] = {
  label: '简体中文',
  lang: 'zh-CN',
  description: '开源、自托管的小程序平台',
  markdown: { codeCopyButton: { tooltipText: '复制代码', copiedText: '已复制' } },
  themeConfig: {
    sidebar: createSidebars('zh'),
    outline: { level: [2, 3], label: '本页目录' },
    docFooter: { prev: '上一页', next: '下一页' },
    lastUpdated: { text: '最后更改', formatOptions: dates },
    ...editLink('编辑此页'),
    darkModeSwitchLabel: '主题',
    lightModeSwitchTitle: '切换到浅色主题',
    darkModeSwitchTitle: '切换到深色主题',
    sidebarMenuLabel: '目录',
    returnToTopLabel: '回到顶部',
    langMenuLabel: '切换语言',
    navMenuLabel: '主导航',
    mobileMenuLabel: '打开菜单',
    extraMenuLabel: '更多',
    skipToContentLabel: '跳到正文',
    notFound: {
      title: '页面不存在',
      quote: '请检查地址，或从首页重新开始。',
      linkLabel: '回到首页',
      linkText: '回到首页',
    },
  },
}

const arabic: Locales[string] = {
  label: 'العربية',
  lang: 'ar',
  dir: 'rtl',
  description: 'منصة التطبيقات المصغّرة المفتوحة المصدر التي تستضيفها بنفسك',
  markdown: { codeCopyButton: { tooltipText: 'نسخ الشيفرة', copiedText: 'تم النسخ' } },
  themeConfig: {
    sidebar: createSidebars('ar'),
    outline: { level: [2, 3], label: 'في هذه الصفحة' },
    docFooter: { prev: 'الصفحة السابقة', next: 'الصفحة التالية' },
    lastUpdated: { text: 'آخر تغيير', formatOptions: dates },
    ...editLink('تحرير هذه الصفحة'),
    darkModeSwitchLabel: 'المظهر',
    lightModeSwitchTitle: 'التبديل إلى المظهر الفاتح',
    darkModeSwitchTitle: 'التبديل إلى المظهر الداكن',
    sidebarMenuLabel: 'المحتويات',
    returnToTopLabel: 'العودة إلى الأعلى',
    langMenuLabel: 'تغيير اللغة',
    navMenuLabel: 'التنقل الرئيسي',
    mobileMenuLabel: 'فتح القائمة',
    extraMenuLabel: 'المزيد',
    skipToContentLabel: 'التخطي إلى المحتوى',
    notFound: {
      title: 'الصفحة غير موجودة',
      quote: 'تحقق من العنوان، أو ابدأ من الصفحة الرئيسية.',
      linkLabel: 'العودة إلى الصفحة الرئيسية',
      linkText: 'العودة إلى الصفحة الرئيسية',
    },
  },
}

export const locales: Locales = {
  root: {
    label: 'English',
    lang: 'en',
    themeConfig: {
      sidebar: createSidebars('en'),
      lastUpdated: { text: 'Last changed', formatOptions: dates },
      ...editLink('Edit this page'),
    },
  },
  zh: chinese,
  ar: arabic,
}

export const searchButtons: LocalSearch = {
  zh: { translations: { button: { buttonText: '搜索', buttonAriaLabel: '搜索' } } },
  ar: { translations: { button: { buttonText: 'بحث', buttonAriaLabel: 'بحث' } } },
}

/** The sidebar of a language other than English. */
interface TranslatedConfig {
  sidebar: { '/': readonly { items: readonly { link: string }[] }[] }
}

/**
 * Returns where the language menu leads: to the same page in that language, or to the language’s home if the page is
 * not translated. It runs in the browser, where only its own text is available. A reader of another language may be on
 * a page in English.
 */
export const sharedPage: DefaultTheme.I18nRouting = ({ site }, route, target) => {
  const { base, locales } = site.value
  const path = route.path.slice(base.length)
  const own = Object.keys(locales).find((locale) => path.startsWith(`${locale}/`))
  const page = own ? path.slice(own.length + 1) : path
  if (target === 'root') return `/${page}`
  const { sidebar } = locales[target]!.themeConfig as unknown as TranslatedConfig
  const isListed = sidebar['/'].some(({ items }) => items.some(({ link }) => link === `/${target}/${page}`))
  return isListed || page.startsWith('errors/') ? `/${target}/${page}` : `/${target}/`
}
