/** Sections that have become pages: by the page that had them and their anchor there, the path on the site. */
export const moved: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'guides/operations.md': {
    installing: 'guides/install#installing',
    'packages-for-developers': 'guides/install#packages-for-developers',
    'stopping-and-restarting': 'guides/install#stopping-and-restarting',
    settings: 'guides/settings',
    'secrets-in-files': 'guides/settings#secrets-in-files',
    'the-example': 'guides/settings#the-example',
    'first-sign-in-to-the-console': 'guides/accounts#first-sign-in-to-the-console',
    'lost-passwords-and-disabled-accounts': 'guides/accounts#lost-passwords-and-disabled-accounts',
    'projects-on-the-command-line': 'guides/accounts#projects-on-the-command-line',
    mail: 'guides/mail',
    'sign-on': 'guides/sign-on#sign-on',
    'second-factors': 'guides/sign-on#second-factors',
    'checking-an-installation': 'guides/doctor',
    monitoring: 'guides/doctor#monitoring',
    approvals: 'guides/approvals#approvals',
    blocks: 'guides/approvals#blocks',
    'secret-files': 'guides/keys#secret-files',
    'master-keys': 'guides/keys#master-keys',
    'admin-token': 'guides/keys#admin-token',
    'the-host-application': 'guides/network#the-host-application',
    'hosts-that-mini-apps-reach': 'guides/network#hosts-that-mini-apps-reach',
    'requests-of-the-server': 'guides/network#requests-of-the-server',
    'map-tiles': 'guides/network#map-tiles',
    'own-origin-for-mini-apps': 'guides/network#own-origin-for-mini-apps',
    'what-limits-clients': 'guides/network#what-limits-clients',
    'captured-requests': 'guides/network#captured-requests',
    upgrades: 'guides/upgrades',
    migrations: 'guides/upgrades#migrations',
    'a-new-major-version-of-the-embedded-postgresql': 'guides/upgrades#a-new-major-version-of-the-embedded-postgresql',
    'audit-log': 'guides/audit',
    'connections-to-the-database': 'guides/database#connections-to-the-database',
    'a-pooler': 'guides/database#a-pooler',
    'multiple-processes': 'guides/database#multiple-processes',
    'moving-to-another-database': 'guides/database#moving-to-another-database',
    'object-storage': 'guides/object-storage',
    backup: 'guides/backup',
    'where-souk-finds-the-server': 'guides/command-line#where-souk-finds-the-server',
  },
  'guides/mini-apps.md': {
    inspector: 'guides/inspector',
    'inspecting-a-phone': 'guides/inspector#inspecting-a-phone',
    'login-and-payment': 'guides/login-and-payment',
    pages: 'guides/pages-and-tags',
    tags: 'guides/pages-and-tags#tags',
    'components-without-imports-easycom': 'guides/pages-and-tags#components-without-imports-easycom',
    'conditional-comments': 'guides/pages-and-tags#conditional-comments',
    'styles-and-rpx': 'guides/pages-and-tags#styles-and-rpx',
    hooks: 'guides/pages-and-tags#hooks',
    neu: 'guides/neu-functions',
    'functions-of-the-host': 'guides/neu-functions#functions-of-the-host',
    'in-a-host-application': 'guides/neu-functions#in-a-host-application',
  },
  'zh/guides/mini-apps.md': {
    调试器: 'zh/guides/inspector',
    调试手机: 'zh/guides/inspector#调试手机',
    登录与支付: 'zh/guides/login-and-payment',
    页面: 'zh/guides/pages-and-tags',
    标签: 'zh/guides/pages-and-tags#标签',
    无需导入的组件easycom: 'zh/guides/pages-and-tags#无需导入的组件easycom',
    条件注释: 'zh/guides/pages-and-tags#条件注释',
    '样式与-rpx': 'zh/guides/pages-and-tags#样式与-rpx',
    钩子: 'zh/guides/pages-and-tags#钩子',
    neu: 'zh/guides/neu-functions',
    宿主函数: 'zh/guides/neu-functions#宿主函数',
    在宿主应用中: 'zh/guides/neu-functions#在宿主应用中',
  },
  'ar/guides/mini-apps.md': {
    'أداة-الفحص': 'ar/guides/inspector',
    'فحص-هاتف': 'ar/guides/inspector#فحص-هاتف',
    'تسجيل-الدخول-والدفع': 'ar/guides/login-and-payment',
    الصفحات: 'ar/guides/pages-and-tags',
    الوسوم: 'ar/guides/pages-and-tags#الوسوم',
    'مكونات-بلا-استيراد-easycom': 'ar/guides/pages-and-tags#مكونات-بلا-استيراد-easycom',
    'التعليقات-الشرطية': 'ar/guides/pages-and-tags#التعليقات-الشرطية',
    'الأنماط-وrpx': 'ar/guides/pages-and-tags#الأنماط-وrpx',
    الخطافات: 'ar/guides/pages-and-tags#الخطافات',
    neu: 'ar/guides/neu-functions',
    'دوال-المضيف': 'ar/guides/neu-functions#دوال-المضيف',
    'في-تطبيق-مضيف': 'ar/guides/neu-functions#في-تطبيق-مضيف',
  },
}

/** Returns the address of a section that is no longer on the page, from the root of the site. */
export function movedTo(page: string, hash: string): string | undefined {
  const sections = Object.hasOwn(moved, page) ? moved[page] : undefined
  const section = decoded(hash.slice(1))
  return sections && section !== undefined && Object.hasOwn(sections, section) ? `/${sections[section]}` : undefined
}

/** Returns undefined if it is not encoded, such as `100%`. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
