import { callbackAcknowledged } from '@souk/contract'
import { notifyEach } from '../../kernel/outbox.ts'
import type { Context } from '../context.ts'
import { deliverDueMessages, type OutboundQueue, type SendResult, startDispatcher } from '../outbound/index.ts'
import { withFault } from './faults.ts'
import { updateReceivers } from './receivers.store.ts'
import { signCallback } from './sign.ts'
import {
  type AttemptRecord,
  type Callback,
  claimCallbacks,
  claimFault,
  existsPending,
  findPendingIds,
  insertAttempts,
  listDueReceivers,
  lockCallbacks,
} from './store.ts'

/** Returns the queue of callbacks, which records its attempts with this `via`. */
export const callbacksVia = (via: AttemptRecord['via']): OutboundQueue<Callback> => ({
  name: 'callback',
  idOf: ({ notifyId }) => notifyId,
  findPendingIds,
  existsPending,
  listDueReceivers,
  claim: claimCallbacks,
  lock: lockCallbacks,
  record: async (tx, outcomes) => {
    const appids = new Set(outcomes.map(({ message }) => message.appid))
    const changes = [...appids].map((appid) => JSON.stringify({ appid, list: 'callbacks' }))
    // Sent without waiting for each other, which saves two round trips.
    await Promise.all([
      insertAttempts(tx, via, outcomes),
      via === 'notifyUrl' && updateReceivers(tx, outcomes),
      notifyEach(tx, 'souk_list', changes),
    ])
  },
  send: sendCallback,
  acknowledges: callbackAcknowledged,
  // For `souk listen`, which forwards attempts to developers' machines.
  announce: (tx, callbacks) =>
    notifyEach(
      tx,
      'souk_callback',
      callbacks.map(({ notifyId, appid }) => JSON.stringify({ notifyId, appid })),
    ),
})

export const callbackQueue = callbacksVia('notifyUrl')

/** Delivers due callbacks until the server stops. Returns a function that waits for the last ones. */
export function startCallbackDelivery(context: Context): Promise<() => Promise<void>> {
  return startDispatcher(context, callbackQueue)
}

/** Delivers all due callbacks. */
export async function deliverDueCallbacks(context: Context): Promise<void> {
  await deliverDueMessages(context, callbackQueue)
}

async function sendCallback(context: Context, { appid, notifyUrl, fields }: Callback): Promise<SendResult> {
  const { headers, body } = await signCallback(context, fields)
  const privateHosts = (await context.apps.find(appid))?.callbackHosts ?? []
  const send = () => context.sendMessage({ purpose: 'callback', url: notifyUrl, headers, body, privateHosts })
  const fault = context.settings.sandbox ? await claimFault(context.sql, appid) : undefined
  return fault === undefined ? send() : withFault(fault, send)
}
