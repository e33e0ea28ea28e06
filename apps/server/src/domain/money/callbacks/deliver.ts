import { callbackAcknowledged } from '@souk/contract'
import { notifyEach } from '../../../kernel/outbox.ts'
import type { Context } from '../../context.ts'
import { deliverDueMessages, type OutboundQueue, type SendResult, startDispatcher } from '../../messages/index.ts'
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

const maxAnnounced = 200

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
  announce: (tx, callbacks) => notifyEach(tx, 'souk_callback', announcementsOf(callbacks)),
})

export const callbackQueue = callbacksVia('notifyUrl')

/** Delivers due callbacks until the server stops. Returns a function that waits for the last ones. */
export function startCallbackDelivery(
  context: Context<'sendMessage' | 'stopping' | 'vault'>,
): Promise<() => Promise<void>> {
  return startDispatcher(context, callbackQueue)
}

/** Delivers all due callbacks. */
export async function deliverDueCallbacks(context: Context<'sendMessage' | 'stopping' | 'vault'>): Promise<void> {
  await deliverDueMessages(context, callbackQueue)
}

/** Returns payloads that name all callbacks, as few as fit into the 8,000 bytes of a notification. */
function announcementsOf(callbacks: readonly Callback[]): string[] {
  const payloads: string[] = []
  for (const [appid, ofApp] of Map.groupBy(callbacks, (callback) => callback.appid)) {
    const notifyIds = ofApp.map(({ notifyId }) => notifyId)
    for (let from = 0; from < notifyIds.length; from += maxAnnounced)
      payloads.push(JSON.stringify({ appid, notifyIds: notifyIds.slice(from, from + maxAnnounced) }))
  }
  return payloads
}

async function sendCallback(
  context: Context<'sendMessage'>,
  { appid, notifyUrl, fields }: Callback,
): Promise<SendResult> {
  const { headers, body } = await signCallback(context, fields)
  const privateHosts = (await context.apps.find(appid))?.callbackHosts ?? []
  const send = () => context.sendMessage({ purpose: 'callback', url: notifyUrl, headers, body, privateHosts })
  const fault = context.settings.sandbox ? await claimFault(context.sql, appid) : undefined
  return fault === undefined ? send() : withFault(fault, send)
}
