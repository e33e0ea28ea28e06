import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { AccountCaller, AnyoneCaller, ConsoleCaller } from '../../domain/caller.ts'
import * as operators from '../../domain/console/index.ts'
import { type StartedSession, signInAccount, signOutAccount } from '../../domain/console/index.ts'
import type { FullContext } from '../../domain/context.ts'
import * as installation from '../../domain/installation/index.ts'
import * as messages from '../../domain/messages/index.ts'
import * as miniApps from '../../domain/miniApps/index.ts'
import {
  appendRecords,
  createDataset,
  deleteDataset,
  deleteRecords,
  getDataset,
  listDatasets,
} from '../../domain/miniApps/index.ts'
import * as money from '../../domain/money/index.ts'
import * as operations from '../../domain/operations/index.ts'
import * as users from '../../domain/users/index.ts'

/**
 * All operations except event streams (`listen`, `watchProject`, `watchInstallation`, `watchInspection`), exports
 * (`exportAudit`, `downloadRecords`, `downloadErrorRecording`), and `uploadRelease` and `uploadSourceMaps`, which take
 * a file.
 */
type Operations = Omit<
  typeof consoleOperations,
  | 'listen'
  | 'watchProject'
  | 'watchInstallation'
  | 'watchInspection'
  | 'exportAudit'
  | 'downloadRecords'
  | 'downloadErrorRecording'
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
    context: FullContext,
    caller: CallerFor<Operations[Id]>,
    input: ParametersOf<Operations[Id]>,
  ) => Promise<Id extends SessionStart ? StartedSession : ResultOf<Operations[Id]>>
}

/** The verb of each operation: what a wing exports under the operation's id. Does not compile if one is missing. */
export const handlers: Handlers = {
  ...installation,
  ...messages,
  ...miniApps,
  ...money,
  ...operations,
  ...operators,
  ...users,
  consoleSignIn: signInAccount,
  consoleSignOut: signOutAccount,
  searchDatasets: listDatasets,
  addDataset: createDataset,
  describeDataset: getDataset,
  removeDataset: deleteDataset,
  importRecords: appendRecords,
  removeRecords: deleteRecords,
}
