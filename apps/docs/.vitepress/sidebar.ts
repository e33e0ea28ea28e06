import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DefaultTheme } from 'vitepress'

/** Folder of the Markdown. */
export const sources = join(import.meta.dirname, '../../../docs')

/** The pages of the sidebar in the order in which they are read: paths without `.md`. */
const groups = {
  Start: ['guides/start', 'guides/glossary', 'guides/requirements', 'guides/sandbox', 'guides/command-line'],
  Tutorials: [
    'guides/mini-apps',
    'guides/first-payment',
    'guides/example',
    'guides/live',
    'guides/from-uni-app',
    'guides/from-neu',
    'guides/from-wechat',
  ],
  'Mini apps': [
    'guides/pages-and-tags',
    'guides/neu-functions',
    'guides/login-and-payment',
    'guides/pages-json',
    'guides/inspector',
    'guides/recordings',
    'guides/releases',
    'guides/ci',
    'guides/analytics',
    'guides/archive',
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
    'guides/operations',
    'guides/install',
    'guides/kubernetes',
    'guides/accounts',
    'guides/members',
    'guides/sign-on',
    'guides/mail',
    'guides/approvals',
    'guides/keys',
    'guides/network',
    'guides/doctor',
    'guides/troubleshooting',
    'guides/monitoring',
    'guides/backup',
    'guides/upgrades',
    'guides/audit',
    'guides/database',
    'guides/object-storage',
    'guides/growth',
    'guides/high-availability',
  ],
  Reference: [
    'neu/index',
    'tags/index',
    'operations/index',
    'playground',
    'generated/reference',
    'generated/errors',
    'generated/events',
    'generated/client-constants',
    'generated/client-faults',
    'guides/settings',
    'generated/pages-json',
    'generated/pages-gallery',
    'generated/sandbox',
    'spec/open-api',
    'spec/pages-json',
  ],
  Explanation: ['security/threat-model', 'security/time', 'security/unknown-answers', 'adr/README'],
}

/** Pages that are made from the contract, with their titles. */
const madePages: Readonly<Record<string, string>> = { 'operations/index': 'API operations' }

/**
 * What readers of the pages in a folder look for besides them. Hundreds of pages with all groups would be large: these
 * are three times as long as what most of those pages say.
 */
const groupsOfFolders: Readonly<Record<string, readonly (keyof typeof groups)[]>> = {
  '/adr/': ['Start', 'Explanation'],
  '/errors/': ['Your backend', 'Reference'],
  '/neu/': ['Mini apps', 'Reference'],
  '/operations/': ['Your backend', 'Reference'],
  '/tags/': ['Mini apps', 'Reference'],
}

/** The titles of the groups in other languages. */
const translatedGroups = {
  zh: {
    Start: '开始',
    Tutorials: '教程',
    'Mini apps': '小程序',
    'Your backend': '你的后端',
    'Your application': '你的应用',
    Money: '资金',
    Operation: '运维',
    Reference: '参考',
    Explanation: '原理',
  },
  ar: {
    Start: 'البداية',
    Tutorials: 'دروس',
    'Mini apps': 'التطبيقات المصغّرة',
    'Your backend': 'خادمك',
    'Your application': 'تطبيقك',
    Money: 'الأموال',
    Operation: 'التشغيل',
    Reference: 'المراجع',
    Explanation: 'الشرح',
  },
} satisfies Record<string, Record<keyof typeof groups, string>>

/** The languages of the site. Pages of others than English are in a folder of `docs` each. */
export type Locale = 'en' | keyof typeof translatedGroups

/**
 * Returns the sidebars by the start of the addresses that have them. They have the English page where one is not
 * translated. The titles are the first headings of the pages.
 * @throws Error if a guide is in no group
 */
export function createSidebars(locale: Locale): DefaultTheme.SidebarMulti {
  const listed = new Set(Object.values(groups).flat())
  const forgotten = readdirSync(join(sources, 'guides')).filter((file) => !listed.has(`guides/${file.slice(0, -3)}`))
  if (forgotten.length > 0) throw new Error(`Add to a group in sidebar.ts: ${forgotten.join(', ')}`)
  const all = Object.entries(groups).map(([group, pages]) => {
    const text = locale === 'en' ? group : translatedGroups[locale][group as keyof typeof groups]
    const items = pages.map((page) => {
      const path = existsSync(join(sources, locale, `${page}.md`)) ? `${locale}/${page}` : page
      return { text: titleOf(path), link: `/${path.replace(/(?:README|index)$/, '')}` }
    })
    return [group, { text, items }] as const
  })
  const start = locale === 'en' ? '' : `/${locale}`
  const ofFolders = Object.entries(groupsOfFolders)
    .filter(([folder]) => existsSync(join(sources, start, folder)))
    .map(([folder, names]) => [start + folder, pick(all, names)])
  return { '/': all.map(([, group]) => group), ...Object.fromEntries(ofFolders) }
}

const pick = <T>(all: readonly (readonly [string, T])[], names: readonly string[]): T[] =>
  all.flatMap(([name, group]) => (names.includes(name) ? [group] : []))

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
