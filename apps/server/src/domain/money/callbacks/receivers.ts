import { type consoleOperations, maxReplay, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { failingAfter, notifyDue, recordEvent, sendToMembers } from '../../messages/index.ts'
import { appidsOf } from '../../miniApps/index.ts'
import {
  listFailedReceivers,
  listReceivers,
  type Receiver,
  updateCallbacksToDead,
  updateCallbacksToPending,
  updateReceiverToDisabled,
  updateReceiverToEnabled,
} from './receivers.store.ts'

type Operations = typeof consoleOperations

/** Maximum callbacks that one statement marks as dead. */
const batchSize = 5_000

/** Lists the receivers of a project that are disabled, or have failed for a day; with `all`, for any time. */
export async function listCallbackReceivers(
  context: Context,
  _caller: ConsoleCaller,
  { projectId, all = false }: ParametersOf<Operations['listCallbackReceivers']>,
): Promise<ResultOf<Operations['listCallbackReceivers']>> {
  return listReceivers(context.sql, await appidsOf(context, projectId, undefined), all ? 0 : failingAfter)
}

/**
 * Enables a receiver that was disabled, and starts the schedule of its dead callbacks since a time again.
 * @throws SoukError `callback_receiver_not_found`
 */
export async function enableCallbackReceiver(
  context: Context,
  caller: ConsoleCaller,
  { appid, host: given, since }: ParametersOf<Operations['enableCallbackReceiver']>,
): Promise<ResultOf<Operations['enableCallbackReceiver']>> {
  const host = given.toLowerCase()
  const projectId = (await context.apps.find(appid))?.projectId
  return context.sql.begin(async (tx) => {
    const now = context.clock.now()
    const replay = async (limit: number, skipLocked: boolean) =>
      since === undefined ? 0 : updateCallbacksToPending(tx, { appid, host, since, now, limit, skipLocked })
    // Locks callbacks before their receiver, as the recording of attempts does, so that neither waits for the other.
    const earlier = await replay(maxReplay, false)
    if (!(await updateReceiverToEnabled(tx, { appid, host }))) {
      throw new SoukError('callback_receiver_not_found', 'souk callbacks receivers shows those that are disabled.')
    }
    // Others may have been stored as dead until the receiver was locked. Nobody else has locked those.
    const replayed = earlier + (await replay(maxReplay - earlier, true))
    const detail = { host, since, replayed }
    await audit(context, tx, caller, { action: 'callbackReceiver.enable', subject: appid, projectId, detail })
    if (replayed > 0) await notifyDue(tx, 'callback', host)
    return { replayed }
  })
}

/**
 * Recurring job: disables receivers that have failed for five days, with notices. Their callbacks are kept and can be
 * replayed.
 */
export async function disableFailingReceivers(context: Context<'mailer' | 'stopping' | 'vault'>): Promise<void> {
  for (const receiver of await listFailedReceivers(context.sql)) await disable(context, receiver)
  // Also callbacks that were queued while their receiver was being disabled.
  while (!context.stopping.aborted) {
    const count = await context.sql.begin((tx) => updateCallbacksToDead(tx, batchSize))
    if (count < batchSize) return
  }
}

async function disable(context: Context<'mailer' | 'vault'>, receiver: Receiver): Promise<void> {
  const { appid, host, failingSince } = receiver
  const app = await context.apps.find(appid)
  if (!app) return
  const { projectId } = app
  const disabled = await context.sql.begin(async (tx) => {
    if (!(await updateReceiverToDisabled(tx, receiver, context.clock.now()))) return false
    const entry = { action: 'callbackReceiver.disable', subject: appid, projectId, detail: { host, failingSince } }
    await audit(context, tx, { kind: 'system' }, entry)
    await sendToMembers(
      context,
      tx,
      { projectId, action: 'callback.replay' },
      {
        kind: 'callbacksDisabled',
        values: { app: app.name, projectId, host, failingSince },
      },
    )
    await recordEvent(context, tx, { type: 'receiver.disabled', data: { appid, host, failingSince } })
    return true
  })
  if (disabled) context.log.warn({ appid, host }, 'a receiver of callbacks failed for five days and is disabled')
}
