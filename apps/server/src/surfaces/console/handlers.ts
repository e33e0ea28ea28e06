import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import {
  type BegunSession,
  changePassword,
  createToken,
  getSession,
  getSetup,
  listAccounts,
  setUp,
  signInAccount,
  signOutAccount,
  updateProfile,
} from '../../domain/accounts/index.ts'
import { sandboxHome, searchActivities, sendTestActivity } from '../../domain/activities/index.ts'
import {
  createApp,
  getApp,
  getRequest,
  listApps,
  listRequests,
  listSecrets,
  rotateSecret,
  searchRequests,
  updateApp,
} from '../../domain/apps/index.ts'
import { listAudit } from '../../domain/audit/index.ts'
import {
  cancelReplay,
  getCallback,
  getCallbackFault,
  getReplay,
  listCallbacks,
  replayCallback,
  replayCallbacks,
  reportForwarded,
  searchCallbacks,
  setCallbackFault,
} from '../../domain/callbacks/index.ts'
import type { AccountCaller, AnyoneCaller, ConsoleCaller } from '../../domain/caller.ts'
import type { Context } from '../../domain/context.ts'
import { createUser, listUsers } from '../../domain/identity/index.ts'
import { getApiKey, refreshApiKey, showApiKey } from '../../domain/keys/index.ts'
import {
  getReconciliation,
  ledgerBalances,
  reconcileDay,
  refundTrade,
  searchReconciliations,
  searchRefunds,
} from '../../domain/money/index.ts'
import { sandboxInbox, searchNotifications, sendTestNotification } from '../../domain/notifications/index.ts'
import { createCode } from '../../domain/oauth/index.ts'
import {
  createProviderAccount,
  getRouting,
  listProviderAccounts,
  listShadowAnswers,
  pay,
  resolvePayment,
  setRouting,
  testProviderAccount,
  updateProviderAccount,
} from '../../domain/payments/index.ts'
import {
  acceptInvitation,
  changeMemberRole,
  createInvitation,
  createPasswordReset,
  createProject,
  getProject,
  joinByInvitation,
  leaveProject,
  listInvitations,
  listMembers,
  listProjects,
  removeMember,
  resetPassword,
  revokeInvitation,
  showInvitation,
  showPasswordReset,
  updateAccount,
  updateProject,
} from '../../domain/projects/index.ts'
import {
  deleteRelease,
  listReleases,
  listTesters,
  publishRelease,
  rollBack,
  setReleaseStage,
  setTesters,
} from '../../domain/releases/index.ts'
import { getClock, moveClock } from '../../domain/sandbox/index.ts'
import { getTradeStory } from '../../domain/timeline/index.ts'
import { getTrade, searchTrades, tradeTotals } from '../../domain/trades/index.ts'

/** `listen` is a stream and stands in the surface itself, `uploadRelease` takes a file and stands in `upload.ts`. */
type Operations = Omit<typeof consoleOperations, 'listen' | 'uploadRelease'>

/** Operations that begin a session: their verb gives the token besides the result, and the surface puts it into the cookie. */
export const beginnings = ['setUp', 'consoleSignIn', 'joinByInvitation', 'resetPassword'] as const
type Beginning = (typeof beginnings)[number]

/** Who comes to a verb, as the operation's access has let it through. */
type CallerFor<O extends { access: unknown }> = O['access'] extends 'anyone'
  ? AnyoneCaller
  : O['access'] extends 'account'
    ? AccountCaller
    : ConsoleCaller

/** What each console operation does. A missing one does not compile. */
export const handlers: {
  [Id in keyof Operations]: (
    context: Context,
    caller: CallerFor<Operations[Id]>,
    input: ParametersOf<Operations[Id]>,
  ) => Promise<Id extends Beginning ? BegunSession : ResultOf<Operations[Id]>>
} = {
  getSetup,
  setUp,
  consoleSignIn: signInAccount,
  getSession,
  consoleSignOut: signOutAccount,
  changePassword,
  updateProfile,
  createToken,
  listAccounts,
  updateAccount,
  createPasswordReset,
  showPasswordReset,
  resetPassword,

  getApiKey,
  showApiKey,
  refreshApiKey,

  listProjects,
  createProject,
  getProject,
  updateProject,
  listMembers,
  changeMemberRole,
  removeMember,
  leaveProject,
  createInvitation,
  listInvitations,
  revokeInvitation,
  showInvitation,
  acceptInvitation,
  joinByInvitation,
  listAudit,

  createApp,
  listApps,
  getApp,
  updateApp,
  rotateSecret,
  listSecrets,

  listReleases,
  setReleaseStage,
  publishRelease,
  rollBack,
  deleteRelease,
  listTesters,
  setTesters,

  searchTrades,
  tradeTotals,
  getTrade,
  getTradeStory,

  refundTrade,
  searchRefunds,
  ledgerBalances,
  searchReconciliations,
  getReconciliation,
  reconcileDay,

  listProviderAccounts,
  createProviderAccount,
  updateProviderAccount,
  testProviderAccount,
  listShadowAnswers,
  getRouting,
  setRouting,

  searchCallbacks,
  getCallback,
  listCallbacks,
  replayCallback,
  replayCallbacks,
  getReplay,
  cancelReplay,
  reportForwarded,

  searchNotifications,
  searchActivities,
  sendTestNotification,
  sendTestActivity,

  searchRequests,
  getRequest,
  listRequests,

  listUsers,
  createUser,
  createCode,
  pay,
  resolvePayment,
  sandboxInbox,
  sandboxHome,
  getCallbackFault,
  setCallbackFault,
  moveClock,
  getClock,
}
