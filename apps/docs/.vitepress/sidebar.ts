import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DefaultTheme } from 'vitepress'

/** Folder of the Markdown. */
export const sources = join(import.meta.dirname, '../../../docs')

/** The pages of the sidebar in the order in which they are read: paths without `.md`. */
const groups: Record<string, string[]> = {
  'The first hour': [
    'guides/sandbox',
    'guides/example',
    'guides/mini-apps',
    'guides/pages-json',
    'guides/from-uni-app',
  ],
  'Your backend': ['guides/verify-callbacks', 'guides/events', 'guides/platform-api', 'guides/service-accounts'],
  'From upload to users': ['guides/releases', 'guides/ci', 'guides/analytics', 'guides/archive'],
  'Your application': ['guides/host', 'guides/embedding', 'guides/embedding-web', 'guides/users'],
  Money: ['guides/money', 'guides/providers'],
  Operation: [
    'guides/live',
    'guides/operations',
    'guides/monitoring',
    'guides/backup',
    'guides/growth',
    'guides/high-availability',
  ],
  Reference: [
    'generated/reference',
    'generated/errors',
    'generated/events',
    'generated/pages-json',
    'generated/sandbox',
    'spec/open-api',
    'spec/pages-json',
  ],
  Security: ['security/threat-model'],
  Decisions: ['adr/README'],
}

/**
 * Returns the sidebar. The titles are the first headings of the pages.
 * @throws Error if a guide is in no group
 */
export function createSidebar(): DefaultTheme.SidebarItem[] {
  const listed = new Set(Object.values(groups).flat())
  const forgotten = readdirSync(join(sources, 'guides')).filter((file) => !listed.has(`guides/${file.slice(0, -3)}`))
  if (forgotten.length > 0) throw new Error(`Add to a group in sidebar.ts: ${forgotten.join(', ')}`)
  return Object.entries(groups).map(([text, pages]) => ({
    text,
    items: pages.map((page) => ({ text: titleOf(page), link: `/${page.replace(/README$/, '')}` })),
  }))
}

/** Returns the first heading of a page, without formatting. */
function titleOf(page: string): string {
  const heading = readFileSync(join(sources, `${page}.md`), 'utf8')
    .split('\n')
    .find((line) => line.startsWith('# '))
  return heading?.slice(2).replaceAll('`', '') ?? page
}

/** The pages of the sidebar by group, for machines. */
export function describePages(): string {
  const sections = Object.entries(groups).map(
    ([group, pages]) => `## ${group}\n\n${pages.map((page) => `- [${titleOf(page)}](${page}.md)`).join('\n')}\n`,
  )
  return `# Souk\n\n> The open-source, self-hosted mini app platform.\n\n${sections.join('\n')}`
}
