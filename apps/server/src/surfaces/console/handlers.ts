import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { AccountCaller, AnyoneCaller, ConsoleCaller } from '../../domain/caller.ts'
import * as accounts from '../../domain/console/accounts/index.ts'
import { type StartedSession, signInAccount, signOutAccount } from '../../domain/console/accounts/index.ts'
import * as approvals from '../../domain/console/approvals/index.ts'
import * as blocks from '../../domain/console/blocks/index.ts'
import * as users from '../../domain/console/hostUsers/index.ts'
import * as keys from '../../domain/console/keys/index.ts'
import * as projects from '../../domain/console/projects/index.ts'
import * as serviceAccounts from '../../domain/console/serviceAccounts/index.ts'
import * as signOn from '../../domain/console/signOn/index.ts'
import type { Context } from '../../domain/context.ts'
import * as adminToken from '../../domain/installation/adminToken/index.ts'
import * as audit from '../../domain/installation/audit/index.ts'
import * as backups from '../../domain/installation/backups/index.ts'
import * as keyRing from '../../domain/installation/keyRing/index.ts'
import * as platformSettings from '../../domain/installation/platformSettings/index.ts'
import * as events from '../../domain/messages/events/index.ts'
import * as mail from '../../domain/messages/mail/index.ts'
import * as activities from '../../domain/miniApps/activities/index.ts'
import * as alerts from '../../domain/miniApps/alerts/index.ts'
import * as analytics from '../../domain/miniApps/analytics/index.ts'
import * as apps from '../../domain/miniApps/apps/index.ts'
import * as datasets from '../../domain/miniApps/datasets/index.ts'
import * as feedback from '../../domain/miniApps/feedback/index.ts'
import { uploadImage } from '../../domain/miniApps/files/index.ts'
import * as inspections from '../../domain/miniApps/inspections/index.ts'
import * as notifications from '../../domain/miniApps/notifications/index.ts'
import * as releases from '../../domain/miniApps/releases/index.ts'
import * as requestLog from '../../domain/miniApps/requestLog/index.ts'
import * as callbacks from '../../domain/money/callbacks/index.ts'
import * as money from '../../domain/money/ledger/index.ts'
import * as payments from '../../domain/money/payments/index.ts'
import * as trades from '../../domain/money/trades/index.ts'
import * as administration from '../../domain/operations/administration/index.ts'
import * as clock from '../../domain/operations/clock/index.ts'
import * as doctor from '../../domain/operations/doctor/index.ts'
import * as search from '../../domain/operations/search/index.ts'
import * as timeline from '../../domain/operations/timeline/index.ts'
import * as identity from '../../domain/users/identity/index.ts'
import * as issuers from '../../domain/users/issuers/index.ts'
import * as oauth from '../../domain/users/oauth/index.ts'

/**
 * All operations except event streams (`listen`, `watchProject`, `watchInstallation`, `watchInspection`), exports
 * (`exportAudit`, `downloadRecords`), and `uploadRelease` and `uploadSourceMaps`, which take a file.
 */
type Operations = Omit<
  typeof consoleOperations,
  | 'listen'
  | 'watchProject'
  | 'watchInstallation'
  | 'watchInspection'
  | 'exportAudit'
  | 'downloadRecords'
  | 'uploadRelease'
  | 'uploadSourceMaps'
>

/** Operations that start a session: the verb returns its token as well, which the surface puts into the cookie. */
export const sessionStarts = [
  'setUp',
  'consoleSignIn',
  'passkeySignIn',
  'completeSignOn',
  'joinByInvitation',
  'resetPassword',
] as const
type SessionStart = (typeof sessionStarts)[number]

/** The callers that the operation's access admits. */
type CallerFor<O extends { access: unknown }> = O['access'] extends 'anyone'
  ? AnyoneCaller
  : O['access'] extends 'account'
    ? AccountCaller
    : ConsoleCaller

type Handlers = {
  [Id in keyof Operations]: (
    context: Context,
    caller: CallerFor<Operations[Id]>,
    input: ParametersOf<Operations[Id]>,
  ) => Promise<Id extends SessionStart ? StartedSession : ResultOf<Operations[Id]>>
}

/** The verb of each operation: what a domain exports under the operation's id. Does not compile if one is missing. */
export const handlers: Handlers = {
  ...accounts,
  ...activities,
  ...administration,
  ...adminToken,
  ...alerts,
  ...analytics,
  ...approvals,
  ...apps,
  ...audit,
  ...clock,
  ...doctor,
  ...backups,
  ...blocks,
  ...events,
  ...feedback,
  ...identity,
  ...inspections,
  ...issuers,
  ...keyRing,
  ...keys,
  ...mail,
  ...notifications,
  ...oauth,
  ...platformSettings,
  ...projects,
  ...releases,
  ...requestLog,
  ...search,
  ...serviceAccounts,
  ...callbacks,
  ...money,
  ...payments,
  ...signOn,
  ...timeline,
  ...trades,
  ...users,
  uploadImage,
  consoleSignIn: signInAccount,
  consoleSignOut: signOutAccount,
  searchDatasets: datasets.listDatasets,
  addDataset: datasets.createDataset,
  describeDataset: datasets.getDataset,
  removeDataset: datasets.deleteDataset,
  searchRecords: datasets.searchRecords,
  importRecords: datasets.appendRecords,
  changeRecord: datasets.changeRecord,
  removeRecords: datasets.deleteRecords,
}
