import {
  mdiAccountGroupOutline,
  mdiAccountKeyOutline,
  mdiAccountOutline,
  mdiApplicationBracketsOutline,
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

/** Navigation entry of a project: its route, with a label of this name, and the permission required to see it. */
export interface Entry {
  route: keyof (typeof common)['nav']
  icon: string
  needs: Action
  sandboxOnly?: true
}

/** Navigation of a project, in groups. Labels are in the common texts under `nav`. */
const projectNavigation: readonly (readonly Entry[])[] = [
  [
    { route: 'overview', icon: mdiChartTimelineVariant, needs: 'project.read' },
    { route: 'apps', icon: mdiStorefrontOutline, needs: 'app.read' },
    { route: 'trades', icon: mdiCashMultiple, needs: 'trade.read' },
    { route: 'money', icon: mdiScaleBalance, needs: 'trade.read' },
    { route: 'callbacks', icon: mdiPhoneReturnOutline, needs: 'callback.read' },
    { route: 'messages', icon: mdiMessageTextOutline, needs: 'message.read' },
    { route: 'feedback', icon: mdiMessageReplyTextOutline, needs: 'feedback.read' },
    { route: 'requests', icon: mdiClipboardTextClockOutline, needs: 'request.read' },
    { route: 'datasets', icon: mdiTableLarge, needs: 'dataset.read' },
    { route: 'sandbox', icon: mdiTestTube, needs: 'sandbox.use', sandboxOnly: true },
  ],
  [
    { route: 'providers', icon: mdiBankOutline, needs: 'provider.read' },
    { route: 'members', icon: mdiAccountGroupOutline, needs: 'project.read' },
    { route: 'audit', icon: mdiHistory, needs: 'audit.read' },
    { route: 'projectSettings', icon: mdiTuneVariant, needs: 'project.read' },
  ],
]

/** Navigation outside of projects; `forAdministrators`: shown to administrators only. */
const platformNavigation = [
  { route: 'reviews', icon: mdiClipboardCheckOutline, forAdministrators: true },
  { route: 'reports', icon: mdiFlagOutline, forAdministrators: true },
  { route: 'accounts', icon: mdiAccountKeyOutline, forAdministrators: true },
  { route: 'users', icon: mdiAccountOutline, forAdministrators: true },
  { route: 'platform', icon: mdiCogOutline, forAdministrators: true },
  { route: 'reference', icon: mdiBookOpenVariantOutline, forAdministrators: false },
  { route: 'projects', icon: mdiApplicationBracketsOutline, forAdministrators: false },
] as const

/** Actions that administrators can still perform in a deleted project (ADR 319). */
const readableOfDeleted: readonly Action[] = ['trade.read', 'callback.read', 'request.read', 'audit.read']

/** Returns the navigation of a deleted project, for administrators. */
export function navigationOfDeleted(): Entry[][] {
  return [projectNavigation.flat().filter(({ needs }) => readableOfDeleted.includes(needs))]
}

/** Returns the navigation of a project that the account may see. */
export function navigationOf(projectId: string): Entry[][] {
  return projectNavigation
    .map((group) =>
      group.filter(({ needs, sandboxOnly }) => mayIn(projectId, needs) && (!sandboxOnly || isSandbox.value)),
    )
    .filter((group) => group.length > 0)
}

export function platformEntries() {
  return platformNavigation.filter(({ forAdministrators }) => isAdministrator.value || !forAdministrators)
}
