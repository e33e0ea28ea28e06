import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { notify } from '../../../kernel/outbox.ts'
import type { ConsoleCaller } from '../../caller.ts'
import {
  addedParts,
  closeChange,
  existsOtherAdministrator,
  findChange,
  liftState,
  lockChange,
  type StoredChange,
} from '../../console/index.ts'
import type { Context } from '../../context.ts'
import {
  applySettings,
  applyTesters,
  leaveReview,
  lockApp,
  publishApproved,
  requireNotArchived,
  returnToDevelopment,
} from '../../miniApps/index.ts'

type Operations = typeof consoleOperations

/**
 * Approves a change of a mini app, which takes effect in the same transaction (ADR 283).
 * @throws SoukError `change_request_not_found`, `change_request_closed`, `own_change_request`, `app_archived`, and the
 *   errors of what is approved: `release_not_found`, `release_unsigned`, `user_not_found`
 */
export async function approveChange(
  context: Context<'mailer' | 'rules' | 'vault' | 'web'>,
  caller: ConsoleCaller,
  { changeId }: ParametersOf<Operations['approveChange']>,
): Promise<ResultOf<Operations['approveChange']>> {
  const approved = await context.sql.begin(async (tx) => {
    const change = await lockPendingChange(tx, changeId)
    await rejectOwnChange(tx, caller, change)
    await requireNotArchived(tx, change.appid)
    await applyChange(context, tx, caller, change)
    await notify(tx, 'souk_app', change.appid)
    return closeChange(context, tx, caller, change, { state: 'approved' })
  })
  context.apps.forget(approved.appid)
  return approved
}

/** Rejects a change of a mini app. @throws SoukError `change_request_not_found`, `change_request_closed` */
export async function rejectChange(
  context: Context<'mailer' | 'vault'>,
  caller: ConsoleCaller,
  { changeId, reason }: ParametersOf<Operations['rejectChange']>,
): Promise<ResultOf<Operations['rejectChange']>> {
  return context.sql.begin(async (tx) => {
    const change = await lockPendingChange(tx, changeId)
    if (change.kind === 'publication') {
      await returnToDevelopment(context, tx, caller, change.value!.releaseId, reason)
    }
    return closeChange(context, tx, caller, change, { state: 'rejected', reason })
  })
}

/**
 * Withdraws a pending change of a mini app.
 * @throws SoukError `change_request_not_found`, `change_request_closed`
 */
export async function withdrawChange(
  context: Context<'mailer' | 'vault'>,
  caller: ConsoleCaller,
  { appid, changeId }: ParametersOf<Operations['withdrawChange']>,
): Promise<ResultOf<Operations['withdrawChange']>> {
  return context.sql.begin(async (tx) => {
    const change = await lockPendingChange(tx, changeId)
    if (change.appid !== appid) throw new SoukError('change_request_not_found')
    if (change.kind === 'publication') {
      await leaveReview(tx, change.value!.releaseId)
      await notify(tx, 'souk_app', appid)
    }
    return closeChange(context, tx, caller, change, { state: 'withdrawn' })
  })
}

/** Locks the mini app before its change, in the same order as the verbs that request changes. */
async function lockPendingChange(tx: Tx, changeId: string): Promise<StoredChange> {
  const appid = (await findChange(tx, changeId))?.appid
  // Those of a deleted mini app stay until a job erases them.
  const exists = appid !== undefined && (await lockApp(tx, appid)) !== undefined
  if (!exists) throw new SoukError('change_request_not_found')
  const change = (await lockChange(tx, changeId))!
  if (change.state !== 'pending') throw new SoukError('change_request_closed', `It is ${change.state}.`)
  return change
}

/** Requires a second person for each change, unless the installation has only one administrator. */
async function rejectOwnChange(tx: Tx, caller: ConsoleCaller, { requestedBy }: StoredChange): Promise<void> {
  if (caller.kind !== 'account' || caller.accountId !== requestedBy) return
  if (await existsOtherAdministrator(tx, caller.accountId)) {
    throw new SoukError('own_change_request', 'Ask another administrator.')
  }
}

async function applyChange(
  context: Context<'mailer' | 'rules' | 'vault' | 'web'>,
  tx: Tx,
  caller: ConsoleCaller,
  change: StoredChange,
): Promise<void> {
  const { appid, kind, value } = change
  if (kind === 'publication') {
    await publishApproved(context, tx, caller, { appid, releaseId: value!.releaseId })
  } else if (kind === 'testers') await applyTesters(tx, appid, value)
  else {
    if (kind === 'capabilities' || kind === 'domains') {
      const added = addedParts(appid, { [kind]: change.before }, { [kind]: value })
      for (const { state, subject } of added) await liftState(context, tx, caller, state, subject)
    }
    await applySettings(context, tx, caller, appid, { [kind]: value })
  }
}
