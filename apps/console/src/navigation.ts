import {
  mdiAccountGroupOutline,
  mdiAccountKeyOutline,
  mdiAccountOutline,
  mdiBankOutline,
  mdiBookOpenVariantOutline,
  mdiCashMultiple,
  mdiChartTimelineVariant,
  mdiClipboardCheckOutline,
  mdiClipboardTextClockOutline,
  mdiCogOutline,
  mdiFlagOutline,
  mdiHistory,
  mdiMessageReplyTextOutline,
  mdiMessageTextOutline,
  mdiPhoneReturnOutline,
  mdiScaleBalance,
  mdiStorefrontOutline,
  mdiTableLarge,
  mdiTestTube,
  mdiTuneVariant,
} from '@mdi/js'
import type { Action } from '@souk/contract'
import type common from './i18n/locales/en.ts'
import { isAdministrator, isSandbox, mayIn } from './session.ts'

/** Entry of the navigation: a route, with a label of this name. */
export interface Entry {
  route: keyof (typeof common)['nav']
  icon: string
  /** Permission in the project that is required to see it; undefined for pages outside of projects. */
  needs?: Action
  sandboxOnly?: true
}

/** Group of entries, with a heading unless it is the first one. */
export interface Group {
  name?: keyof (typeof common)['navGroups']
  entries: readonly Entry[]
}

/** Navigation of a project. Labels are in the common texts under `nav` and `navGroups`. */
const projectNavigation: readonly Group[] = [
  { entries: [{ route: 'overview', icon: mdiChartTimelineVariant, needs: 'project.read' }] },
  {
    name: 'build',
    entries: [
      { route: 'apps', icon: mdiStorefrontOutline, needs: 'app.read' },
      { route: 'members', icon: mdiAccountGroupOutline, needs: 'project.read' },
      { route: 'projectSettings', icon: mdiTuneVariant, needs: 'project.read' },
      { route: 'sandbox', icon: mdiTestTube, needs: 'sandbox.use', sandboxOnly: true },
      { route: 'reference', icon: mdiBookOpenVariantOutline },
    ],
  },
  {
    name: 'operate',
    entries: [
      { route: 'callbacks', icon: mdiPhoneReturnOutline, needs: 'callback.read' },
      { route: 'requests', icon: mdiClipboardTextClockOutline, needs: 'request.read' },
      { route: 'messages', icon: mdiMessageTextOutline, needs: 'message.read' },
      { route: 'feedback', icon: mdiMessageReplyTextOutline, needs: 'feedback.read' },
    ],
  },
  {
    name: 'money',
    entries: [
      { route: 'trades', icon: mdiCashMultiple, needs: 'trade.read' },
      { route: 'money', icon: mdiScaleBalance, needs: 'trade.read' },
      { route: 'providers', icon: mdiBankOutline, needs: 'provider.read' },
    ],
  },
  {
    name: 'data',
    entries: [
      { route: 'datasets', icon: mdiTableLarge, needs: 'dataset.read' },
      { route: 'audit', icon: mdiHistory, needs: 'audit.read' },
    ],
  },
]

/** Navigation of administrators outside of projects. */
const installation: Group = {
  name: 'installation',
  entries: [
    { route: 'reviews', icon: mdiClipboardCheckOutline },
    { route: 'reports', icon: mdiFlagOutline },
    { route: 'users', icon: mdiAccountOutline },
    { route: 'accounts', icon: mdiAccountKeyOutline },
    { route: 'platform', icon: mdiCogOutline },
  ],
}

/** Actions that administrators can still perform in a deleted project (ADR 319). */
const readableOfDeleted: readonly Action[] = ['trade.read', 'callback.read', 'request.read', 'audit.read']

function filterEntries(groups: readonly Group[], isShown: (entry: Entry) => boolean): Group[] {
  return groups
    .map((group) => ({ ...group, entries: group.entries.filter(isShown) }))
    .filter(({ entries }) => entries.length > 0)
}

/** Returns the entries of a deleted project, for administrators. */
export function entriesOfDeleted(): Entry[] {
  const groups = filterEntries(
    projectNavigation,
    ({ needs }) => needs !== undefined && readableOfDeleted.includes(needs),
  )
  return groups.flatMap(({ entries }) => entries)
}

/**
 * Returns the navigation that the account may see: that of a project, deleted or not, if there is one, and that of the
 * installation.
 */
export function navigationOf(projectId: string | undefined, isDeleted = false): Group[] {
  const groups = filterEntries(projectNavigation, ({ needs, sandboxOnly }) => {
    if (needs === undefined) return true
    if (projectId === undefined) return false
    if (isDeleted) return readableOfDeleted.includes(needs)
    return mayIn(projectId, needs) && (!sandboxOnly || isSandbox.value)
  })
  return isAdministrator.value ? [...groups, installation] : groups
}
