import {
  isProtected,
  isStoppedByArchive,
  isStoppedWithProject,
  notFound,
  type Operation,
  type ProjectAccess,
  SoukError,
  scopesOf,
} from '@souk/contract'
import type { AccountCaller, AnyoneCaller, ConsoleCaller, ServiceAccountCaller } from '../domain/caller.ts'
import {
  authorize,
  authorizeOver,
  existsDeletedProject,
  findAppealed,
  isAdministrator,
  projectsWhere,
  requireActiveProject,
  requireAdministrator,
  requireConfirmation,
  requireScope,
} from '../domain/console/index.ts'
import type { FullContext } from '../domain/context.ts'
import { appOfRequest, findRecord, projectOfDataset, projectOfFeedback } from '../domain/miniApps/index.ts'
import {
  appOfCallback,
  appOfProviderAccount,
  appOfReconciliation,
  appOfTrade,
  projectOfReplay,
} from '../domain/money/index.ts'

/**
 * Finds the project of a resource; undefined if the resource does not exist or belongs to no project. What belongs to a
 * payment of a deleted mini app can be read, but not changed.
 */
type Locate = (context: FullContext, id: string, method: Operation['method']) => Promise<string | undefined>

const ofApp: Locate = async (context, appid) => (await context.apps.find(appid))?.projectId
const through =
  (appOf: (context: FullContext, id: string) => Promise<string | null | undefined>): Locate =>
  async (context, id, method) => {
    const appid = await appOf(context, id)
    if (!appid) return undefined
    return method === 'GET' ? (await findRecord(context, appid))?.projectId : ofApp(context, appid, method)
  }

const locate: Record<Exclude<ProjectAccess['by'], 'anyProject' | 'accountId'>, Locate> = {
  projectId: async (_context, projectId) => projectId,
  appid: ofApp,
  tradeNo: through(appOfTrade),
  notifyId: through(appOfCallback),
  requestId: through(appOfRequest),
  feedbackId: projectOfFeedback,
  replayId: projectOfReplay,
  datasetId: projectOfDataset,
  providerAccountId: through(appOfProviderAccount),
  reconciliationId: through(appOfReconciliation),
  blockId: async (context, blockId) => (await findAppealed(context, blockId))?.projectId ?? undefined,
}

/**
 * Checks that a caller may call an operation according to its `access` and `stepUp`. Runs before the verb, since verbs
 * do not check who may see a resource.
 *
 * @throws SoukError `second_factor_required`, `factor_enrolment_required`, `permission_denied`, the operation's error
 * for a resource that does not exist, `project_archived`, `app_archived`, or `step_up_required`, last, so that a
 * confirmation is never asked for unnecessarily
 */
export async function admit(
  context: FullContext,
  caller: ConsoleCaller | AnyoneCaller,
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (caller.kind === 'account') requireCompleteSignIn(caller, operation)
  if (caller.kind === 'serviceAccount') requireScopeFor(caller, operation)
  await checkAccess(context, caller, operation, input)
  const isAsked = isProtected(operation.stepUp, context.settings.sandbox)
  if (isAsked && caller.kind !== 'anyone') await requireConfirmation(context, caller)
}

/** Returns the project that an admitted operation acts on, or undefined if it is about none or about several. */
export async function projectOf(
  context: FullContext,
  { access, method }: Operation,
  input: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  if (typeof access !== 'object' || access.by === 'anyProject' || access.by === 'accountId') return undefined
  const value = input[access.by]
  return typeof value === 'string' ? locate[access.by](context, value, method) : undefined
}

/** @throws SoukError `scope_missing`, also for operations that are not for programs */
function requireScopeFor({ scopes }: ServiceAccountCaller, operation: Operation): void {
  const sufficient = scopesOf(operation)
  if (sufficient !== 'any') requireScope(scopes, sufficient)
}

/** @throws SoukError `second_factor_required`, `factor_enrolment_required` */
function requireCompleteSignIn({ pending }: AccountCaller, { pendingSignIn }: Operation): void {
  if (!pending || pendingSignIn === 'any' || pendingSignIn === pending) return
  if (pending === 'secondFactor') {
    throw new SoukError('second_factor_required', 'Send it to POST /console/v1/session/confirm.')
  }
  throw new SoukError('factor_enrolment_required', 'Add a passkey or an authenticator app in the console.')
}

async function checkAccess(
  context: FullContext,
  caller: ConsoleCaller | AnyoneCaller,
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { id, access } = operation
  if (access === undefined) throw new Error(`the operation ${id} declares no access`)
  if (access === 'anyone') return
  if (caller.kind === 'anyone') throw new SoukError('session_invalid', 'Sign in.')
  if (access === 'signedIn') return
  if (access === 'account') {
    if (caller.kind !== 'account')
      throw new SoukError('permission_denied', 'The admin token does not belong to an account.')
    return
  }
  if (access === 'administrator') return requireAdministrator(caller)

  const { action, by } = access
  if (by === 'anyProject') {
    const projectIds = await projectsWhere(context, caller, action)
    if (projectIds.length === 0) throw new SoukError('permission_denied', `No role of yours includes ${action}.`)
    return
  }
  if (by === 'accountId') return authorizeOver(context, caller, String(input.accountId), action)
  if (by === 'blockId' && (await isOfAccount(context, caller, String(input.blockId)))) return
  // A request without a known appid, a provider account for all merchants and a report of a mini app belong to no
  // project; operators may still see them.
  const isForOperators = by === 'requestId' || by === 'providerAccountId' || by === 'feedbackId'
  if (isForOperators && isAdministrator(caller)) return
  const value = input[by]
  if (typeof value !== 'string')
    return requireAdministrator(caller, `Send ${by}: without it only administrators may do this.`)
  const projectId = await locate[by](context, value, operation.method)
  if (readsMoney(operation) && isAdministrator(caller) && (await existsDeletedProject(context.sql, projectId ?? '')))
    return
  await authorize(context, caller, projectId, action, notFound[by])
  if (operation.method !== 'GET' && projectId !== undefined && isStoppedWithProject(action)) {
    await requireActiveProject(context.sql, projectId)
  }
  if (isStoppedByArchive(operation)) await requireRestored(context, value)
}

/**
 * Returns whether a block is of an account, which those who may manage it can appeal.
 * @throws SoukError `block_not_found`
 */
async function isOfAccount(context: FullContext, caller: ConsoleCaller, blockId: string): Promise<boolean> {
  const block = await findAppealed(context, blockId)
  if (block?.state !== 'accountDisabled') return false
  await authorizeOver(context, caller, block.subject, 'project.manage').catch(() => {
    throw new SoukError('block_not_found')
  })
  return true
}

/** Returns whether an operation reads what stays of a deleted project. */
function readsMoney({ method, access }: Operation): boolean {
  const actions = ['trade.read', 'callback.read', 'request.read', 'audit.read']
  return method === 'GET' && typeof access === 'object' && actions.includes(access.action)
}

/** @throws SoukError `app_archived` */
async function requireRestored({ apps }: FullContext, appid: string): Promise<void> {
  const app = await apps.find(appid)
  if (app && app.archivedTime !== null) throw new SoukError('app_archived', 'Restore it first.')
}
