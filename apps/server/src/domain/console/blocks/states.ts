import { type BlockState, mayLift, type Side, SoukError, type states } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/id.ts'
import type { Caller, ConsoleCaller, SystemCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { isAdministrator } from '../projects/index.ts'
import { announceAnswer, announceBlock } from './announce.ts'
import {
  existsBlockOf,
  findBlockInForce,
  findReleaseDigest,
  insertBlock,
  lockBlock,
  type StoredBlock,
  updateAnswer,
  updateBlockReason,
} from './store.ts'

/** What is in a state. */
export interface Subject {
  state: BlockState
  /** Its id, 32 hexadecimal digits if it is a UUID; `<appid> <name>` for a part of a mini app's settings. */
  subject: string
  name: string
  appid?: string | undefined
  projectId?: string | undefined
}

/** Returns the side that a caller acts for. An administrator acts as operator also in their own projects (ADR 355). */
export function sideOf(caller: Caller): Side {
  if (isAdministrator(caller)) return 'operator'
  return caller.kind === 'system' ? 'system' : 'member'
}

/**
 * Records that an operator sets a state; what others set needs no record. The caller has locked the subject. Setting it
 * again replaces the reason.
 * @param wasSet whether the subject was in this state before
 */
export async function recordBlock(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  subject: Subject,
  { reason, wasSet }: { reason: string | undefined; wasSet: boolean },
): Promise<void> {
  if (sideOf(caller) !== 'operator') return
  const earlier = await findBlockInForce(tx, subject.state, subject.subject)
  if (earlier) {
    if (reason !== undefined) await updateBlockReason(tx, earlier.blockId, reason)
    return
  }
  const { state, appid = null, projectId = null } = subject
  const isRelease = isReleaseState(state)
  const block = {
    blockId: newId(),
    ...subject,
    appid,
    projectId,
    digest: isRelease ? await findReleaseDigest(tx, subject.subject) : null,
    wasSet,
    reason: reason ?? null,
    blockedBy: accountOf(caller),
  }
  await insertBlock(tx, block, context.clock.real())
  await announceBlock(context, tx, caller, block.blockId)
}

const isReleaseState = (state: BlockState): boolean =>
  state === 'releaseWithdrawn' || state === 'releaseRejected' || state === 'canaryPaused'

/**
 * Rejects callers that may not lift a state, by the table `states` of the contract. The caller has locked the subject.
 * @throws SoukError `blocked_by_operator`
 */
export async function requireLiftable(tx: Tx, caller: Caller, state: BlockState, subject: string): Promise<void> {
  const isBlocked = await existsBlockOf(tx, [state], subject)
  if (isBlocked && !mayLift(state, 'operator', sideOf(caller))) throw blocked(state)
}

export const blocked = (state: keyof typeof states) =>
  new SoukError('blocked_by_operator', 'An owner can read the reason in the console, and appeal.', { data: { state } })

/**
 * Ends the block of a state that is being lifted, if an operator has set it.
 * @throws SoukError `blocked_by_operator` if the caller may not lift it
 */
export async function liftState(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller | SystemCaller,
  state: BlockState,
  subject: string,
  answer?: string,
): Promise<void> {
  await requireLiftable(tx, caller, state, subject)
  const block = await findBlockInForce(tx, state, subject)
  if (block) await endBlock(context, tx, caller, block, answer)
}

async function endBlock(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller | SystemCaller,
  { blockId }: StoredBlock,
  answer: string | undefined,
): Promise<void> {
  // Appeals lock the block only.
  await lockBlock(tx, blockId)
  const time = context.clock.real()
  await updateAnswer(tx, blockId, { text: answer ?? null, answeredBy: accountOf(caller), time, isLifted: true })
  await announceAnswer(context, tx, caller, blockId)
}

export function accountOf(caller: ConsoleCaller | SystemCaller): string | null {
  return caller.kind === 'account' ? caller.accountId : null
}
