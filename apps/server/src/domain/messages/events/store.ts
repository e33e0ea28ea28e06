import type { consoleOperations, EventType, EventUser, ResultOf } from '@souk/contract'
import type { Rows, Sql, Tx } from '../../../kernel/db/pool.ts'
import { type Due, type DueReceiver, isPaused, nextProbe, type Outcome, type Scheduled } from '../outbound/index.ts'

/** A stored event. `data` is without users; `time` in ms of the domain clock. */
export interface StoredEvent {
  eventId: string
  type: EventType
  data: Record<string, unknown>
  users: EventUser[]
  time: number
}

/** An event on its way to an endpoint. */
export interface Delivery extends Scheduled, StoredEvent {
  deliveryId: string
  endpointId: string
  url: string
}

/** An endpoint that gets events of a type, or would get them if it had not failed for days. */
interface SubscribedEndpoint {
  endpointId: string
  url: string
  enabled: boolean
}

/** Locks the endpoints that subscribe to a type, so that none is changed or removed before the transaction ends. */
export async function lockSubscribedEndpoints(tx: Tx, type: EventType): Promise<SubscribedEndpoint[]> {
  return tx<SubscribedEndpoint[]>`
    select endpoint_id, url, enabled from event_endpoints
    where (enabled or failed_time is not null) and ${type} = any(types) order by endpoint_id for share`
}

/**
 * Stores an event about these users with their identities, and with the name of the mini app in `data`. The users stay
 * locked, so that one who is being erased leaves nothing behind.
 */
export async function insertEvent(tx: Tx, event: Omit<StoredEvent, 'users'>, uids: readonly number[]): Promise<void> {
  await tx`
    with about as (
      select uid, issuer, subject from users where uid = any(${uids as number[]}::bigint[]) order by uid for key share)
    insert into events (event_id, type, data, users, time)
    select ${event.eventId}, ${event.type},
      ${tx.json(event.data as never)}::jsonb || coalesce(
        (select jsonb_build_object('appName', name) from apps where appid = ${String(event.data.appid ?? '')}), '{}'),
      coalesce((select jsonb_agg(to_jsonb(about) order by uid) from about), '[]'), ${event.time}`
}

export async function insertDelivery(
  tx: Tx,
  { deliveryId, eventId, endpointId }: Pick<Delivery, 'deliveryId' | 'eventId' | 'endpointId'>,
  { state, nextAttempt, traceparent }: Pick<Delivery, 'state' | 'nextAttempt' | 'traceparent'>,
  now: number,
): Promise<void> {
  await tx`
    insert into event_deliveries (delivery_id, event_id, endpoint_id, state, next_attempt, traceparent, ctime, mtime)
    values (${deliveryId}, ${eventId}, ${endpointId}, ${state}, ${nextAttempt}, ${traceparent}, ${now}, ${now})`
}

const columns = (sql: Sql | Tx) => sql`
  d.delivery_id, d.endpoint_id, d.endpoint_id as receiver, d.event_id, p.url, e.type, e.data, e.users, e.time, d.state,
  d.attempts, d.scheduled_attempts, d.next_attempt, d.traceparent`

export async function findDelivery(sql: Sql, deliveryId: string): Promise<Delivery | undefined> {
  const [row] = await sql<Delivery[]>`
    select ${columns(sql)} from event_deliveries d join events e using (event_id) join event_endpoints p
      using (endpoint_id)
    where delivery_id = ${deliveryId}`
  return row
}

/** Locks deliveries until the transaction ends, and returns those that have not been deleted. */
export async function lockDeliveries(tx: Tx, deliveries: readonly Delivery[]): Promise<Delivery[]> {
  const deliveryIds = deliveries.map(({ deliveryId }) => deliveryId)
  return tx<Delivery[]>`
    select ${columns(tx)} from event_deliveries d join events e using (event_id) join event_endpoints p
      using (endpoint_id)
    where delivery_id = any(${deliveryIds}::uuid[]) order by delivery_id for update of d`
}

export async function existsPending(sql: Sql): Promise<boolean> {
  const found = await sql`select from event_deliveries where state = 'pending' limit 1`
  return found.length > 0
}

/** Lists endpoints with due deliveries that are not paused at `now`. */
export async function listDueReceivers(sql: Sql, due: Due, now: number): Promise<DueReceiver[]> {
  // For `exists`, PostgreSQL could read the due deliveries of all endpoints at once.
  const hasDue = (kind: 0 | 1, time: number) => sql`
    coalesce((select next_attempt from event_deliveries d where state = 'pending' and d.endpoint_id = p.endpoint_id
      and least(scheduled_attempts, 1) = ${kind}::int order by next_attempt limit 1) <= ${time}, false)`
  return sql<DueReceiver[]>`
    with found as (
      select receiver, ${hasDue(0, due.firstAttempts)} as has_first_attempts, ${hasDue(1, due.retries)} as has_retries
      from (select endpoint_id, replace(endpoint_id::text, '-', '') as receiver from event_endpoints) p
      where not ${isPaused(sql, 'event', sql`p.receiver`, now)}
    )
    select receiver, has_first_attempts from found where has_first_attempts or has_retries`
}

/** Selects when the delivery that waits longest was due, as a subquery. Those of paused endpoints do not count. */
export const oldestDueDelivery = (sql: Sql, now: number) => sql`
  (select min(oldest) from (
    select replace(endpoint_id::text, '-', '') as receiver, (
      select min(next_attempt) from event_deliveries d where state = 'pending' and d.endpoint_id = p.endpoint_id) as oldest
    from event_endpoints p) endpoints
  where not ${isPaused(sql, 'event', sql`endpoints.receiver`, now)})`

/** Claims due deliveries until `until`, as {@link OutboundQueue.claim} says. */
export async function claimDeliveries(
  tx: Tx,
  rooms: ReadonlyMap<string, number>,
  due: Due,
  until: number,
): Promise<Delivery[]> {
  const receivers = [...rooms.keys()]
  return tx<Delivery[]>`
    with claimed as materialized (
      select due.delivery_id as claimed_id
      from unnest(${receivers}::uuid[], ${[...rooms.values()]}::int[]) as wanted (endpoint_id, room)
      cross join lateral (
        select found.delivery_id
        from (values (0, ${due.firstAttempts}::bigint), (1, ${due.retries}::bigint)) as each (kind, due)
        cross join lateral (
          select delivery_id from event_deliveries
          where state = 'pending' and endpoint_id = wanted.endpoint_id and least(scheduled_attempts, 1) = each.kind
            and next_attempt <= each.due
          order by next_attempt limit wanted.room for update skip locked
        ) as found
        order by each.kind limit wanted.room
      ) as due
    )
    update event_deliveries d set next_attempt = ${until} from claimed, events e, event_endpoints p
    where d.delivery_id = claimed_id and e.event_id = d.event_id and p.endpoint_id = d.endpoint_id
    returning ${columns(tx)}`
}

export async function insertAttempts(tx: Tx, outcomes: readonly Outcome<Delivery>[]): Promise<void> {
  const rows = outcomes.map(({ message, attempt }) => {
    const { deliveryId, state, attempts, scheduledAttempts, nextAttempt } = message
    return { deliveryId, state, attempts, scheduledAttempts, nextAttempt, ...attempt }
  })
  await tx`
    with done as (
      select * from jsonb_to_recordset(${tx.json(rows as never)}) as done (
        "deliveryId" uuid, state text, attempts integer, "scheduledAttempts" integer, "nextAttempt" bigint, time bigint,
        duration integer, acknowledged boolean, status smallint, reply text, error text)
    ), inserted as (
      insert into event_attempts (delivery_id, attempt, time, duration, acknowledged, status, reply, error)
      select "deliveryId", attempts, time, duration, acknowledged, status, reply, error from done
    )
    update event_deliveries d
    set state = done.state, attempts = done.attempts, scheduled_attempts = done."scheduledAttempts",
      next_attempt = done."nextAttempt", mtime = done.time
    from done where d.delivery_id = done."deliveryId"`
}

/**
 * Marks the pending deliveries of an endpoint as dead. Locks them in the order of {@link lockDeliveries}, so that
 * attempts that are being recorded do not end in a deadlock.
 */
export async function updateDeliveriesToDead(tx: Tx, endpointId: string): Promise<void> {
  await tx`
    update event_deliveries set state = 'dead', next_attempt = null
    where delivery_id in (
      select delivery_id from event_deliveries where endpoint_id = ${endpointId} and state = 'pending'
      order by delivery_id for update)`
}

/** Starts the schedule of dead deliveries again, oldest first, and returns their number. */
export async function updateDeliveriesToPending(
  tx: Tx,
  { endpointId, since, now, limit }: { endpointId: string; since: number; now: number; limit: number },
): Promise<number> {
  const { count } = await tx`
    update event_deliveries set state = 'pending', scheduled_attempts = 0, next_attempt = ${now}
    where delivery_id in (
      select delivery_id from event_deliveries
      where endpoint_id = ${endpointId} and state = 'dead' and ctime >= ${since}
      order by delivery_id limit ${limit} for update)`
  return count
}

type Operations = typeof consoleOperations
type DeliveryRow = ResultOf<Operations['searchEventDeliveries']>['items'][number]
type DeliveryProgress = Pick<ResultOf<Operations['getEventDelivery']>, 'ctime' | 'pausedUntil' | 'attempts'>

const attemptObject = (sql: Sql) => sql`
  json_build_object('attempt', attempt, 'time', time, 'duration', duration, 'acknowledged', acknowledged,
    'status', status, 'reply', reply, 'error', error)`

/** Selects the time of the next probe of the paused endpoint of a pending delivery. */
const pausedUntil = (sql: Sql) => sql`
  case when d.state = 'pending' then ${nextProbe(sql, 'event', sql`replace(d.endpoint_id::text, '-', '')`)} end
    as paused_until`

/** Lists deliveries before the delivery `before`, newest first. */
export function listDeliveryRows(
  sql: Sql,
  filter: {
    endpointId: string | undefined
    state: string | undefined
    type: string | undefined
    before: string | undefined
    limit: number
  },
): Rows<DeliveryRow> {
  const { endpointId, state, type, before, limit } = filter
  return sql<DeliveryRow[]>`
    select d.delivery_id, d.endpoint_id, d.event_id, e.type, d.state, d.next_attempt, ${pausedUntil(sql)}, d.ctime,
      d.attempts as attempt_count,
      (select ${attemptObject(sql)} from event_attempts a where a.delivery_id = d.delivery_id
        order by attempt desc limit 1) as last_attempt
    from event_deliveries d join events e using (event_id)
    where true
      ${endpointId === undefined ? sql`` : sql`and d.endpoint_id = ${endpointId}`}
      ${state === undefined ? sql`` : sql`and d.state = ${state}`}
      ${type === undefined ? sql`` : sql`and e.type = ${type}`}
      ${before === undefined ? sql`` : sql`and d.delivery_id < ${before}`}
    order by d.delivery_id desc limit ${limit}`
}

/** Returns the creation time of a delivery, the pause of its endpoint, and its attempts, oldest first. */
export async function findProgress(sql: Sql, deliveryId: string): Promise<DeliveryProgress> {
  const [row] = await sql<[DeliveryProgress]>`
    select ctime, ${pausedUntil(sql)}, coalesce((select json_agg(${attemptObject(sql)} order by attempt) from event_attempts a
      where a.delivery_id = d.delivery_id), '[]') as attempts
    from event_deliveries d where delivery_id = ${deliveryId}`
  return row
}

/**
 * Removes a user from stored events, and deletes those that are about no other user. Locks endpoints before deliveries,
 * as changes of an endpoint do, so that neither waits for the other.
 */
export async function deleteUserFromEvents(tx: Tx, uid: number): Promise<void> {
  const named = tx.json([{ uid }])
  await tx`select from event_endpoints order by endpoint_id for share`
  await tx`select from events where users @> ${named} order by event_id for update`
  await tx`delete from events where users @> ${named} and jsonb_array_length(users) = 1`
  await tx`
    update events set users = (
      select jsonb_agg(each) from jsonb_array_elements(users) as each where (each ->> 'uid')::bigint <> ${uid})
    where users @> ${named}`
}

/** Removes issuer and subject from `user.erased` that every endpoint has acknowledged. */
export async function deleteErasedIdentities(sql: Sql): Promise<void> {
  await sql`
    update events e set users = (
      select jsonb_agg(each || '{"issuer": null, "subject": null}') from jsonb_array_elements(users) as each)
    where type = 'user.erased' and not users @> '[{"issuer": null, "subject": null}]'
      and not exists (select from event_deliveries d where d.event_id = e.event_id and d.state <> 'delivered')`
}

/** Deletes at most `limit` events older than `time` that no endpoint waits for. Returns their number. */
export async function deleteOldEvents(sql: Sql, time: number, limit: number): Promise<number> {
  const { count } = await sql`
    delete from events where event_id in (
      select event_id from events e where time < ${time}
        and not exists (select from event_deliveries d where d.event_id = e.event_id and d.state = 'pending')
      order by time limit ${limit})`
  return count
}
