import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DefaultTheme } from 'vitepress'

/** Folder of the Markdown. */
export const sources = join(import.meta.dirname, '../../../docs')

/** The pages of the sidebar in the order in which they are read: paths without `.md`. */
const groups = {
  'The first hour': [
    'guides/glossary',
    'guides/sandbox',
    'guides/example',
    'guides/mini-apps',
    'guides/pages-and-tags',
    'guides/neu-functions',
    'guides/login-and-payment',
    'guides/inspector',
    'guides/pages-json',
    'guides/from-uni-app',
    'guides/from-neu',
    'guides/command-line',
  ],
  'Your backend': [
    'guides/backend',
    'guides/verify-callbacks',
    'guides/private-hosts',
    'guides/rotate-secret',
    'guides/events',
    'guides/platform-api',
    'guides/service-accounts',
  ],
  'From upload to users': ['guides/releases', 'guides/ci', 'guides/analytics', 'guides/archive'],
  'Your application': [
    'guides/host',
    'guides/embedding-web',
    'guides/embedding',
    'guides/host-functions',
    'guides/cards',
    'guides/users',
  ],
  Money: ['guides/money', 'guides/providers'],
  Operation: [
    'guides/requirements',
    'guides/live',
    'guides/kubernetes',
    'guides/operations',
    'guides/install',
    'guides/settings',
    'guides/accounts',
    'guides/members',
    'guides/sign-on',
    'guides/mail',
    'guides/approvals',
    'guides/keys',
    'guides/network',
    'guides/doctor',
    'guides/troubleshooting',
    'guides/upgrades',
    'guides/audit',
    'guides/database',
    'guides/object-storage',
    'guides/monitoring',
    'guides/backup',
    'guides/growth',
    'guides/high-availability',
  ],
  Reference: [
    'operations/index',
    'playground',
    'generated/reference',
    'generated/errors',
    'generated/events',
    'generated/pages-json',
    'generated/pages-gallery',
    'generated/sandbox',
    'spec/open-api',
    'spec/pages-json',
  ],
  Security: ['security/threat-model', 'security/time', 'security/unknown-answers'],
  Decisions: ['adr/README'],
}

/** Pages that are made from the contract, with their titles. */
const madePages: Readonly<Record<string, string>> = { 'operations/index': 'API operations' }

/** What readers of an operation or an error look for besides it. Hundreds of pages with all groups would be large. */
const groupsOfReference: readonly string[] = ['Your backend', 'Reference'] satisfies (keyof typeof groups)[]

/** The titles of the groups in other languages. */
const translatedGroups = {
  zh: {
    'The first hour': '第一个小时',
    'Your backend': '你的后端',
    'From upload to users': '从上传到用户',
    'Your application': '你的应用',
    Money: '资金',
    Operation: '运维',
    Reference: '参考',
    Security: '安全',
    Decisions: '设计决策',
  },
  ar: {
    'The first hour': 'الساعة الأولى',
    'Your backend': 'خادمك',
    'From upload to users': 'من الرفع إلى المستخدمين',
    'Your application': 'تطبيقك',
    Money: 'الأموال',
    Operation: 'التشغيل',
    Reference: 'المراجع',
    Security: 'الأمان',
    Decisions: 'القرارات',
  },
} satisfies Record<string, Record<keyof typeof groups, string>>

/** The languages of the site. Pages of others than English are in a folder of `docs` each. */
export type Locale = 'en' | keyof typeof translatedGroups

/**
 * Returns the sidebar, with the English page where one is not translated. The titles are the first headings of the
 * pages.
 * @throws Error if a guide is in no group
 */
export function createSidebar(locale: Locale): DefaultTheme.SidebarItem[] {
  const listed = new Set(Object.values(groups).flat())
  const forgotten = readdirSync(join(sources, 'guides')).filter((file) => !listed.has(`guides/${file.slice(0, -3)}`))
  if (forgotten.length > 0) throw new Error(`Add to a group in sidebar.ts: ${forgotten.join(', ')}`)
  return Object.entries(groups).map(([group, pages]) => ({
    text: locale === 'en' ? group : translatedGroups[locale][group as keyof typeof groups],
    items: pages.map((page) => {
      const path = existsSync(join(sources, locale, `${page}.md`)) ? `${locale}/${page}` : page
      return { text: titleOf(path), link: `/${path.replace(/(?:README|index)$/, '')}` }
    }),
  }))
}

/** Returns the sidebars of the pages in English by their folder. */
export function createSidebars(): DefaultTheme.SidebarMulti {
  const all = createSidebar('en')
  const ofReference = all.filter(({ text }) => groupsOfReference.includes(text!))
  return { '/': all, '/operations/': ofReference, '/errors/': ofReference }
}

/** Returns the first heading of a page, without formatting. */
function titleOf(page: string): string {
  if (madePages[page]) return madePages[page]
  const heading = readFileSync(join(sources, `${page}.md`), 'utf8')
    .split('\n')
    .find((line) => line.startsWith('# '))
  return heading?.slice(2).replaceAll('`', '') ?? page
}

/** Lists the pages of the sidebar by group, for machines. */
export function describePages(): string {
  const sections = Object.entries(groups).map(
    ([group, pages]) =>
      `## ${group}\n\n${pages
        .filter((page) => !madePages[page])
        .map((page) => `- [${titleOf(page)}](${page}.md)`)
        .join('\n')}\n`,
  )
  return `# Souk\n\n> The open-source, self-hosted mini app platform.\n\n${sections.join('\n')}`
}
