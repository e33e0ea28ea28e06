import { isDeepStrictEqual } from 'node:util'
import { type ChangeState, SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/id.ts'
import { notify } from '../../../kernel/outbox.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { sendToAccount, sendToAdministrators } from '../../messages/index.ts'
import { addedParts, listBlockedSubjects, sideOf } from '../blocks/index.ts'
import { findTrusted } from '../projects/index.ts'
import {
  type Change,
  type ChangeRequest,
  findChangeRequest,
  findPendingChange,
  insertChange,
  type StoredChange,
  updateChangeState,
} from './store.ts'

/**
 * Returns whether a change may take effect now; otherwise stores it for the operators to decide, in place of a pending
 * one of its kind (ADR 283). What an operator has taken from the mini app always waits for a decision (ADR 355). The
 * caller has locked the mini app.
 */
export async function requestChange(
  context: Context<'mailer' | 'rules' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  { appid, projectId }: { appid: string; projectId: string },
  change: Change,
): Promise<boolean> {
  const { kind, value } = change
  const isWithheld = sideOf(caller) !== 'operator' && (await addsRemoved(tx, appid, change))
  const free = !isWithheld && (context.rules.approvals === 'automatic' || addsNothing(change))
  const approved = free || (!isWithheld && (await findTrusted(tx, projectId)))

  const pending = await findPendingChange(tx, appid, kind)
  if (pending && !approved && isDeepStrictEqual(pending.value, value)) return false
  if (pending) await closeChange(context, tx, caller, pending, { state: 'withdrawn' })

  if (!approved) {
    const changeId = newId()
    const requestedBy = accountOf(caller)
    const serviceAccountId = caller.kind === 'serviceAccount' ? caller.serviceAccountId : null
    await insertChange(tx, { ...change, changeId, appid, requestedBy, serviceAccountId }, context.clock.real())
    const detail = { changeId, kind, value }
    await audit(context, tx, caller, { action: 'change.request', subject: appid, projectId, detail })
    await announceRequest(context, tx, caller, await findChangeRequest(tx, changeId))
    await notifyQueue(tx, appid)
  } else if (!free) {
    const detail = { kind, value, trusted: true }
    await audit(context, tx, caller, { action: 'change.approve', subject: appid, projectId, detail })
  }
  return approved
}

/** Returns whether changes of the mini apps of a project take effect without a decision of the operators. */
export async function isApprovedAtOnce(context: Context<'rules'>, tx: Tx, projectId: string): Promise<boolean> {
  return context.rules.approvals === 'automatic' || findTrusted(tx, projectId)
}

const auditActions = { approved: 'change.approve', rejected: 'change.reject', withdrawn: 'change.withdraw' } as const

/**
 * Ends a pending change and returns it as the console shows it.
 * @throws SoukError `change_request_closed` if it is not pending
 */
export async function closeChange(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  { changeId, appid, kind, value, state: before, requestedBy }: StoredChange,
  { state, reason }: { state: Exclude<ChangeState, 'pending'>; reason?: string },
): Promise<ChangeRequest> {
  if (before !== 'pending') throw new SoukError('change_request_closed', `It is ${before}.`)
  await updateChangeState(tx, changeId, {
    state,
    decidedBy: accountOf(caller),
    reason: reason ?? null,
    time: context.clock.real(),
  })
  const closed = await findChangeRequest(tx, changeId)
  await announceDecision(context, tx, requestedBy, closed)
  await notifyQueue(tx, appid)
  const detail = { changeId, kind, value, ...(reason && { reason }) }
  await audit(context, tx, caller, { action: auditActions[state], subject: appid, projectId: closed.projectId, detail })
  return closed
}

/** Reloads open queues of the console. */
async function notifyQueue(tx: Tx, appid: string): Promise<void> {
  await notify(tx, 'souk_list', JSON.stringify({ appid, list: 'reviews' }))
}

/** Sends the administrators a mail about a change that awaits their decision. */
async function announceRequest(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  { appid, kind, appName, projectName, requestedBy }: ChangeRequest,
): Promise<void> {
  await sendToAdministrators(context, tx, caller, {
    kind: 'changeRequested',
    values: { app: appName, project: projectName, change: kind, requestedBy },
    // A request that is withdrawn and made again is not announced again.
    topic: `change ${appid} ${kind}`,
  })
}

/** Sends the account that requested a change a mail about the decision. */
async function announceDecision(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  requestedBy: string | null,
  { state, kind, appName, projectName, decidedBy, reason }: ChangeRequest,
): Promise<void> {
  if (requestedBy === null || state === 'pending' || state === 'withdrawn') return
  const values = { app: appName, project: projectName, change: kind, decidedBy: decidedBy ?? '' }
  await (state === 'approved'
    ? sendToAccount(context, tx, requestedBy, { kind: 'changeApproved', values })
    : sendToAccount(context, tx, requestedBy, { kind: 'changeRejected', values: { ...values, reason: reason ?? '' } }))
}

/** Returns whether a change gives a mini app something back that an operator has taken from it. */
async function addsRemoved(tx: Tx, appid: string, { kind, before, value }: Change): Promise<boolean> {
  if (kind !== 'capabilities' && kind !== 'domains') return false
  const removed = await listBlockedSubjects(tx, appid, ['capabilityRemoved', 'hostsRemoved'])
  if (removed.length === 0) return false
  const added = addedParts(appid, { [kind]: before }, { [kind]: value })
  return added.some(({ subject }) => removed.some((each) => each.subject === subject))
}

/** Returns whether a change only gives something up. This needs no approval. */
function addsNothing({ kind, before, value }: Change): boolean {
  switch (kind) {
    case 'capabilities':
    case 'testers':
      return isSubset<unknown>(value, before)
    case 'domains':
      return (Object.keys(value) as (keyof typeof value)[]).every((purpose) =>
        isSubset(value[purpose], before[purpose]),
      )
    default:
      return value === null || value === before
  }
}

function isSubset<T>(part: readonly T[], whole: readonly T[]): boolean {
  return part.every((item) => whole.includes(item))
}

function accountOf(caller: ConsoleCaller): string | null {
  return caller.kind === 'account' ? caller.accountId : null
}
