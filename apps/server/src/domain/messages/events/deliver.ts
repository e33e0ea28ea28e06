import { webhookHeaders } from '@souk/contract'
import { hmacSha256 } from '../../../kernel/crypto.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import {
  type Attempt,
  deliverDueMessages,
  type OutboundQueue,
  type SendResult,
  startDispatcher,
} from '../outbound/index.ts'
import { listActiveSecrets, lockEndpoint, updateEndpoint } from './endpoints.store.ts'
import {
  claimDeliveries,
  type Delivery,
  existsPending,
  insertAttempts,
  listDueReceivers,
  lockDeliveries,
  type StoredEvent,
  updateDeliveriesToDead,
} from './store.ts'

/** Status of a receiver that is permanently gone (RFC 9110 §15.5.11). */
const gone = 410

/** The queue of events. */
export const eventQueue: OutboundQueue<Delivery> = {
  name: 'event',
  idOf: ({ deliveryId }) => deliveryId,
  existsPending,
  listDueReceivers,
  claim: claimDeliveries,
  lock: lockDeliveries,
  record: insertAttempts,
  send: sendEvent,
  acknowledges: (status) => status >= 200 && status <= 299,
  afterAttempt: disableRemovedEndpoint,
}

/** Delivers due events until the server stops. Returns a function that waits for the last ones. */
export function startEventDelivery(
  context: Context<'sendMessage' | 'stopping' | 'vault'>,
): Promise<() => Promise<void>> {
  return startDispatcher(context, eventQueue)
}

/** Delivers all due events. */
export async function deliverDueEvents(context: Context<'sendMessage' | 'stopping' | 'vault'>): Promise<void> {
  await deliverDueMessages(context, eventQueue)
}

/** Returns the body of an event (Standard Webhooks). */
export function payloadOf({ type, time, data, users }: StoredEvent) {
  return { type, timestamp: new Date(time).toISOString(), data: users.length === 0 ? data : { ...data, users } }
}

/** Signs with all active secrets and real time, so that retries are within the receiver's tolerance. */
async function sendEvent(context: Context<'sendMessage' | 'vault'>, delivery: Delivery): Promise<SendResult> {
  const { endpointId, eventId, url } = delivery
  const secrets = await listActiveSecrets(context.sql, context.vault, endpointId, context.clock.now())
  const body = JSON.stringify(payloadOf(delivery))
  const headers = {
    'content-type': 'application/json',
    ...webhookHeaders(eventId, context.clock.real(), body, secrets, hmacSha256),
  }
  return context.sendMessage({ purpose: 'event', url, headers, body })
}

/**
 * Disables an endpoint that answered 410. In its own transaction, since others lock the endpoint before its deliveries.
 */
async function disableRemovedEndpoint(
  context: Context,
  { endpointId, url }: Delivery,
  { status }: Attempt,
): Promise<void> {
  if (status !== gone) return
  const disabled = await context.sql.begin(async (tx) => {
    const endpoint = await lockEndpoint(tx, endpointId)
    // Another attempt has disabled it, or its URL has changed in the meantime.
    if (!endpoint?.enabled || endpoint.url !== url) return false
    await updateEndpoint(tx, { ...endpoint, enabled: false, goneTime: context.clock.now() })
    await updateDeliveriesToDead(tx, endpointId)
    const detail = { url, status }
    await audit(context, tx, { kind: 'system' }, { action: 'eventEndpoint.disable', subject: endpointId, detail })
    return true
  })
  if (disabled) context.log.warn({ endpointId }, 'an endpoint answered 410 and is disabled')
}
