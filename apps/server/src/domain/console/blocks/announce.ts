import { appealRight } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { notify } from '../../../kernel/outbox.ts'
import type { ConsoleCaller, SystemCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { sendToAccount, sendToAdministrators, sendToMembers } from '../../messages/index.ts'
import { lockProjectsOf } from '../projects/index.ts'
import { type Block, listBlocksById } from './store.ts'

type Announced = 'blocked' | 'blockLifted' | 'blockKept'

/** Notifies the owners that an operator has blocked something of theirs. */
export async function announceBlock(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  blockId: string,
): Promise<void> {
  await announce(context, tx, caller, blockId, () => 'blocked')
}

/** Sends the owners a mail that a block was lifted, or that their appeal was rejected. */
export async function announceAnswer(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller | SystemCaller,
  blockId: string,
): Promise<void> {
  await announce(context, tx, caller, blockId, ({ liftedTime }) => (liftedTime === null ? 'blockKept' : 'blockLifted'))
}

/** Notifies the operators of an appeal. */
export async function announceAppeal(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  block: Block,
): Promise<void> {
  const { state: blockedState, appealedBy, appeal } = block
  const values = { blockedState, subject: nameOf(block), appealedBy: appealedBy ?? '', appeal: appeal ?? '' }
  await sendToAdministrators(context, tx, caller, { kind: 'blockAppealed', values })
  await notifyLists(tx, block)
}

async function announce(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller | SystemCaller,
  blockId: string,
  kindOf: (block: Block) => Announced,
): Promise<void> {
  const [block] = await listBlocksById(tx, [blockId])
  const { state, projectId, reason, answer, blockedBy, answeredBy, ctime } = block!
  await notifyLists(tx, block!)
  // Its developers get the mail about the review.
  if (state === 'releaseRejected') return
  const kind = kindOf(block!)
  const values = { blockedState: state, subject: nameOf(block!), reason, blockedBy, answer, answeredBy, time: ctime }
  const mail = { kind, values }
  if (state === 'accountDisabled') {
    if (kind === 'blockLifted') await sendToAccount(context, tx, block!.subject, mail)
    for (const { projectId } of await lockProjectsOf(tx, block!.subject)) {
      await sendToMembers(context, tx, { projectId, action: 'project.manage' }, mail, caller)
    }
    return
  }
  const action = appealRight(state)
  if (projectId !== null && action) await sendToMembers(context, tx, { projectId, action }, mail, caller)
}

/** Returns the name of what is blocked, with its mini app if it is a part of one. */
function nameOf({ name, appName }: Block): string {
  return appName === null || appName === name ? name : `${appName} ${name}`
}

/** Reloads the queue of the operators. */
async function notifyLists(tx: Tx, { appid }: Block): Promise<void> {
  await notify(tx, 'souk_list', JSON.stringify({ appid: appid ?? '', list: 'reviews' }))
}
