import { type consoleOperations, maxEventReplay, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { readCursor, readPage } from '../../../kernel/db/page.ts'
import { newId } from '../../../kernel/id.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { deliverNow, notifyDue } from '../outbound/index.ts'
import { eventQueue, payloadOf } from './deliver.ts'
import { getLocked } from './manageEndpoints.ts'
import {
  type Delivery,
  findDelivery,
  findProgress,
  insertDelivery,
  insertEvent,
  listDeliveryRows,
  updateDeliveriesToPending,
} from './store.ts'

type Operations = typeof consoleOperations
type DeliveryView = ResultOf<Operations['getEventDelivery']>

/** Lists deliveries of events, newest first. */
export async function searchEventDeliveries(
  context: Context,
  _caller: ConsoleCaller,
  { endpointId, state, type, cursor, ...page }: ParametersOf<Operations['searchEventDeliveries']>,
): Promise<ResultOf<Operations['searchEventDeliveries']>> {
  const [before] = readCursor(cursor, ['id'])
  return readPage(context.sql, page, {
    list: (part) => listDeliveryRows(context.sql, { endpointId, state, type, ...part }),
    before,
    keyOf: ({ deliveryId }) => [deliveryId],
  })
}

/** Returns a delivery with its payload and attempts. @throws SoukError `event_delivery_not_found` */
export async function getEventDelivery(
  context: Context,
  _caller: ConsoleCaller,
  { deliveryId }: ParametersOf<Operations['getEventDelivery']>,
): Promise<DeliveryView> {
  return view(context, await getExisting(context, deliveryId))
}

/**
 * Delivers an event again in any state, and returns it with the new attempt. The schedule continues unless the
 * event is acknowledged.
 *
 * @throws SoukError `event_delivery_not_found`
 */
export async function replayEventDelivery(
  context: Context<'sendMessage' | 'vault'>,
  caller: ConsoleCaller,
  { deliveryId }: ParametersOf<Operations['replayEventDelivery']>,
): Promise<DeliveryView> {
  const delivery = await getExisting(context, deliveryId)
  await context.sql.begin((tx) => audit(context, tx, caller, { action: 'event.replay', subject: deliveryId }))
  await deliverNow(context, eventQueue, delivery)
  return view(context, await getExisting(context, deliveryId))
}

/**
 * Starts the schedule of the dead events of an endpoint again.
 * @throws SoukError `event_endpoint_not_found`, `event_endpoint_disabled`
 */
export async function replayEvents(
  context: Context,
  caller: ConsoleCaller,
  { endpointId, since }: ParametersOf<Operations['replayEvents']>,
): Promise<ResultOf<Operations['replayEvents']>> {
  return context.sql.begin(async (tx) => {
    const { enabled } = await getLocked(tx, endpointId)
    if (!enabled) throw new SoukError('event_endpoint_disabled', 'Enable it first.')
    const now = context.clock.now()
    const replayed = await updateDeliveriesToPending(tx, { endpointId, since, now, limit: maxEventReplay })
    const detail = { since, replayed }
    await audit(context, tx, caller, { action: 'event.replayDead', subject: endpointId, detail })
    if (replayed > 0) await notifyDue(tx, 'event', endpointId)
    return { replayed }
  })
}

/**
 * Sends a test event to an endpoint, enabled or not, and returns the attempt.
 * @throws SoukError `event_endpoint_not_found`
 */
export async function testEventEndpoint(
  context: Context<'sendMessage' | 'vault'>,
  caller: ConsoleCaller,
  { endpointId }: ParametersOf<Operations['testEventEndpoint']>,
): Promise<DeliveryView> {
  const [eventId, deliveryId] = [newId(), newId()]
  await context.sql.begin(async (tx) => {
    await getLocked(tx, endpointId)
    const now = context.clock.now()
    await insertEvent(tx, { eventId, type: 'endpoint.tested', data: { endpointId }, time: now }, [])
    // Dead, since only the attempt below is made.
    await insertDelivery(
      tx,
      { deliveryId, eventId, endpointId },
      { state: 'dead', nextAttempt: null, traceparent: null },
      now,
    )
    await audit(context, tx, caller, { action: 'eventEndpoint.test', subject: endpointId })
  })
  await deliverNow(context, eventQueue, await getExisting(context, deliveryId))
  return view(context, await getExisting(context, deliveryId))
}

async function getExisting(context: Context, deliveryId: string): Promise<Delivery> {
  const delivery = await findDelivery(context.sql, deliveryId)
  if (delivery !== undefined) return delivery
  throw new SoukError('event_delivery_not_found', 'Deliveries are kept for 30 days, and as long as their endpoint.')
}

async function view(context: Context, delivery: Delivery): Promise<DeliveryView> {
  const { deliveryId, endpointId, eventId, type, state, nextAttempt, url } = delivery
  const progress = await findProgress(context.sql, deliveryId)
  return { deliveryId, endpointId, eventId, type, state, nextAttempt, url, payload: payloadOf(delivery), ...progress }
}
