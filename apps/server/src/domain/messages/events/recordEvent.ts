import { type EventData, type EventType, maxEventUsers } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/id.ts'
import { currentTrace } from '../../../kernel/tracing.ts'
import type { Context } from '../../context.ts'
import { notifyDue } from '../outbound/index.ts'
import { insertDelivery, insertEvent, lockSubscribedEndpoints } from './store.ts'

/** An event to record. `appName` and the identities of users are read from the database. */
interface NewEvent<T extends EventType> {
  type: T
  data: Omit<EventData<T>, 'users' | 'appName'>
  /** The users that it is about; nothing is recorded if there are none. Absent if the type is not about users. */
  uids?: readonly number[]
}

/**
 * Records an event in the transaction of the change that it describes, with one delivery per endpoint that subscribes
 * to it (ADR 292). Many users become several events.
 */
export async function recordEvent<T extends EventType>(
  context: Context,
  tx: Tx,
  { type, ...event }: NewEvent<T>,
): Promise<void> {
  await recordEventsOfType(context, tx, type, [event])
}

/** Records events of one type, as {@link recordEvent} does. */
export async function recordEventsOfType<T extends EventType>(
  context: Context,
  tx: Tx,
  type: T,
  events: readonly Omit<NewEvent<T>, 'type'>[],
): Promise<void> {
  const concerned = events.filter(({ uids }) => uids?.length !== 0)
  if (concerned.length === 0) return
  const endpoints = await lockSubscribedEndpoints(tx, type)
  if (endpoints.length === 0) return
  const now = context.clock.now()
  for (const { data, uids } of concerned) {
    for (let start = 0; start < (uids?.length ?? 1); start += maxEventUsers) {
      const eventId = newId()
      await insertEvent(tx, { eventId, type, data, time: now }, uids?.slice(start, start + maxEventUsers) ?? [])
      const traceparent = currentTrace()
      for (const { endpointId, enabled } of endpoints) {
        // An event for an endpoint that has failed for days can only be replayed.
        const schedule = enabled ? ({ state: 'pending', nextAttempt: now } as const) : dead
        await insertDelivery(tx, { deliveryId: newId(), eventId, endpointId }, { ...schedule, traceparent }, now)
      }
    }
  }
  for (const { endpointId, enabled } of endpoints) if (enabled) await notifyDue(tx, 'event', endpointId)
}

const dead = { state: 'dead', nextAttempt: null } as const
