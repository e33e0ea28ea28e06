import {
  type CallbackFault,
  type consoleOperations,
  day,
  type ParametersOf,
  type PaymentCallback,
  type RefundCallback,
  type ResultOf,
} from '@souk/contract'
import { batchByTick } from '../../../kernel/db/batchByTick.ts'
import { numberedIn } from '../../../kernel/db/numberedIn.ts'
import { containsText, directionOf, listsOfPage, mergedOrder, scannedRows } from '../../../kernel/db/page.ts'
import {
  firstUuidAt,
  listPartitionRanges,
  ofEachPartition,
  partitionedTables,
  timeOfUuid,
} from '../../../kernel/db/partitions.ts'
import type { Part, Rows, Sql, Tx } from '../../../kernel/db/pool.ts'
import {
  type Attempt,
  type Due,
  type DueReceiver,
  type IdRange,
  isPaused,
  nextProbe,
  type Outcome,
  type Scheduled,
} from '../../messages/index.ts'
import { failureRank, hostOf, isDisabled, isFailing, isWaiting } from './receivers.store.ts'

/** The fields of a callback that are the same in all attempts. `timestamp` and `sign` are added when it is sent. */
export type CallbackFields = Omit<PaymentCallback, 'timestamp' | 'sign'> | Omit<RefundCallback, 'timestamp' | 'sign'>

/** A stored callback. */
export interface Callback extends Scheduled {
  appid: string
  notifyId: string
  /** The column `trade_no`: for the result of a refund its notifyId, since a trade has one callback (ADR 315). */
  tradeNo: string
  notifyUrl: string
  fields: CallbackFields
}

/** An attempt at the notifyUrl, or on a developer's machine that runs `souk listen`. */
export interface AttemptRecord extends Attempt {
  via: 'notifyUrl' | 'listen'
}

/** A callback with its attempts. */
export type ListedCallback = ResultOf<typeof consoleOperations.replayCallback>

/** Selects the host and port of a callback. The index `callbacks_by_receiver` has the same expression. */
const receiverOf = (sql: Sql | Tx) => hostOf(sql, sql`notify_url`)

/** Selects the time of the next probe of the paused host of a pending callback. */
const pausedUntil = (sql: Sql) => sql`
  case when c.state = 'pending' then ${nextProbe(sql, 'callback', sql`${receiverOf(sql)}`)} end`

/** Inserts a callback and returns its receiver, and its state: dead if the receiver is disabled, else pending. */
export async function insertCallback(
  tx: Tx,
  callback: Pick<Callback, 'appid' | 'notifyId' | 'notifyUrl' | 'fields' | 'traceparent'>,
  now: number,
): Promise<Pick<Callback, 'receiver' | 'state'>> {
  const { appid, notifyId, notifyUrl, fields } = callback
  const tradeNo = 'refundNo' in fields ? notifyId : fields.tradeNo
  const [row] = await tx<[Pick<Callback, 'receiver' | 'state'>]>`
    insert into callbacks
      (appid, notify_id, trade_no, notify_url, fields, state, next_attempt, traceparent, ctime, mtime)
    select ${appid}, ${notifyId}, ${tradeNo}, ${notifyUrl}, ${tx.json(fields)},
      case when disabled then 'dead' else 'pending' end, case when disabled then null else ${now}::bigint end,
      ${callback.traceparent}, ${now}, ${now}
    from (select ${isDisabled(tx, appid, notifyUrl)} as disabled) as health
    returning ${receiverOf(tx)} as receiver, state`
  return row
}

export async function findCallback(sql: Sql, notifyId: string): Promise<Callback | undefined> {
  const [callback] = await sql<Callback[]>`select ${columns(sql)} from callbacks where notify_id = ${notifyId}`
  return callback
}

/** Locks callbacks until the transaction ends, and reads what can have changed. */
export async function lockCallbacks(tx: Tx, callbacks: readonly Callback[]): Promise<Callback[]> {
  const byId = new Map(callbacks.map((callback) => [callback.notifyId, callback]))
  const appids = callbacks.map(({ appid }) => appid)
  const notifyIds = [...byId.keys()]
  const locked = await tx<Pick<Callback, 'notifyId' | 'state' | 'attempts' | 'scheduledAttempts' | 'nextAttempt'>[]>`
    select notify_id, state, attempts, scheduled_attempts, next_attempt
    from callbacks
    where (appid, notify_id) in (select * from unnest(${appids}::text[], ${notifyIds}::uuid[]))
      and ${between(tx, 'notify_id', notifyIds)}
    order by appid, notify_id for update`
  return locked.map((schedule) => ({ ...byId.get(schedule.notifyId)!, ...schedule }))
}

/** Limits planning and locks to the partitions of these keys. There must be at least one key. */
function between(sql: Sql | Tx, column: 'notify_id' | 'c.notify_id' | 't.trade_no', keys: readonly string[]) {
  const sorted = keys.toSorted()
  return sql`${sql(column)} between ${sorted[0]!}::uuid and ${sorted.at(-1)!}::uuid`
}

/** Builds the condition for callbacks with these numbers, of which there must be at least one. */
function isOneOf(sql: Sql, column: 'notify_id' | 'c.notify_id', notifyIds: readonly string[]) {
  return sql`${sql(column)} = any(${notifyIds as string[]}::uuid[]) and ${between(sql, column, notifyIds)}`
}

/**
 * Returns ranges that contain the numbers of all pending callbacks, and of those that will be stored next. They are
 * those of partitions, whose indexes of pending callbacks are empty in all months but one or two.
 */
export async function findPendingIds(sql: Sql): Promise<IdRange[]> {
  const ranges = await listPartitionRanges(sql, partitionedTables.callbacks)
  const found = await sql<{ name: string }[]>`${ofEachPartition(
    sql,
    ranges.map(({ name }) => name),
    // Ordered, so that the index of pending callbacks is used regardless of the statistics.
    (partition) => sql`
      select tableoid::regclass::text as name from ${partition} where state = 'pending'
      order by ${receiverOf(sql)} limit 1`,
  )}`
  const [{ now }] = await sql<[{ now: number }]>`select (extract(epoch from now()) * 1000)::bigint as now`
  return ranges
    .filter(({ name, from, to }) => (from <= now + day && to > now - day) || found.some((each) => each.name === name))
    .map(({ name, from, to }) => ({ partition: name, from: firstUuidAt(from), to: firstUuidAt(to) }))
}

/** The numbers of all callbacks. */
const allIds: readonly IdRange[] = [{ partition: 'callbacks', from: '0'.repeat(32), to: 'f'.repeat(32) }]

/** Selects from the partitions of some numbers, as {@link ofEachPartition} says. */
const ofPending = (sql: Sql | Tx, ids: readonly IdRange[] = allIds, select: (partition: Part) => Part) =>
  ofEachPartition(
    sql,
    ids.map(({ partition }) => partition),
    select,
  )

export async function existsPending(sql: Sql, ids: readonly IdRange[] | undefined): Promise<boolean> {
  const select = (partition: Part) => sql`
    select from ${partition} where state = 'pending' order by ${receiverOf(sql)} limit 1`
  const found = await sql`${ofPending(sql, ids, select)} limit 1`
  return found.length > 0
}

/** Defines `hosts`, a recursive query that jumps from host to host in the index of pending callbacks. */
function pendingHosts(sql: Sql, ids: readonly IdRange[] | undefined) {
  const receiver = receiverOf(sql)
  const next = (condition: Part) => {
    const select = (partition: Part) => sql`
      select ${receiver} as receiver from ${partition} where state = 'pending' ${condition} order by ${receiver} limit 1`
    return sql`select min(receiver) as receiver from (${ofPending(sql, ids, select)}) as pending`
  }
  return sql`
    hosts as (
      ${next(sql``)}
      union all
      select (${next(sql`and ${receiver} > hosts.receiver`)}) from hosts where hosts.receiver is not null
    )`
}

/**
 * Selects when the first one of the pending callbacks of a host in `hosts` is due, as a subquery: of the first attempts
 * (0) or of the retries (1). Null if there is none.
 */
function firstDueOfHost(sql: Sql, kind: 0 | 1, ids: readonly IdRange[] | undefined) {
  const select = (partition: Part) => sql`
    select next_attempt from ${partition}
    where state = 'pending' and ${receiverOf(sql)} = hosts.receiver and least(scheduled_attempts, 1) = ${kind}::int
    order by next_attempt limit 1`
  return sql`(select min(next_attempt) from (${ofPending(sql, ids, select)}) as pending)`
}

/** Lists hosts with due callbacks that are not paused at `now`. */
export async function listDueReceivers(sql: Sql, due: Due, now: number): Promise<DueReceiver[]> {
  return sql<DueReceiver[]>`
    with recursive ${pendingHosts(sql, due.ids)}, found as (
      select receiver,
        coalesce(${firstDueOfHost(sql, 0, due.ids)} <= ${due.firstAttempts}, false) as has_first_attempts,
        coalesce(${firstDueOfHost(sql, 1, due.ids)} <= ${due.retries}, false) as has_retries
      from hosts where receiver is not null and not ${isPaused(sql, 'callback', sql`hosts.receiver`, now)}
    )
    select receiver, has_first_attempts from found where has_first_attempts or has_retries`
}

/**
 * Selects when the callback that waits longest was due, as a subquery. Those of paused hosts do not count. `ids` is the
 * result of {@link findPendingIds}.
 */
export const oldestDueCallback = (sql: Sql, now: number, ids: readonly IdRange[]) => sql`
  (with recursive ${pendingHosts(sql, ids)}
  select min(least(${firstDueOfHost(sql, 0, ids)}, ${firstDueOfHost(sql, 1, ids)}))
  from hosts where receiver is not null and not ${isPaused(sql, 'callback', sql`hosts.receiver`, now)})`

/** Claims due callbacks until `until`, as {@link OutboundQueue.claim} says. */
export async function claimCallbacks(
  tx: Tx,
  rooms: ReadonlyMap<string, number>,
  due: Due,
  until: number,
): Promise<Callback[]> {
  const receivers = [...rooms.keys()]
  const select = (partition: Part) => tx`
    select appid, notify_id, next_attempt from ${partition}
    where state = 'pending' and ${receiverOf(tx)} = wanted.host and least(scheduled_attempts, 1) = each.kind
      and next_attempt <= each.due
    order by next_attempt limit wanted.room for update skip locked`
  const { ids = allIds } = due
  const isInRanges = ids
    .map(({ from, to }) => tx`(notify_id >= ${from}::uuid and notify_id < ${to}::uuid)`)
    .reduce((all, next) => tx`${all} or ${next}`)
  return tx<Callback[]>`
    with claimed as materialized (
      select due.appid as claimed_appid, due.notify_id as claimed_notify_id
      from unnest(${receivers}::text[], ${[...rooms.values()]}::int[]) as wanted (host, room)
      cross join lateral (
        select found.appid, found.notify_id
        from (values (0, ${due.firstAttempts}::bigint), (1, ${due.retries}::bigint)) as each (kind, due)
        cross join lateral (${ofPending(tx, ids, select)}) as found
        order by each.kind, found.next_attempt limit wanted.room
      ) as due
    )
    update callbacks set next_attempt = ${until} from claimed
    where appid = claimed_appid and notify_id = claimed_notify_id and (${isInRanges})
    returning ${columns(tx)}`
}

/** Inserts attempts and updates their callbacks, and those of payments the `notifySuccess` of their trades. */
export async function insertAttempts(
  tx: Tx,
  via: AttemptRecord['via'],
  outcomes: readonly Outcome<Callback>[],
): Promise<void> {
  // Archived in the meantime.
  if (outcomes.length === 0) return
  const rows = outcomes.map(({ message, attempt }) => {
    const { appid, notifyId, tradeNo, state, attempts, scheduledAttempts, nextAttempt } = message
    return { appid, notifyId, tradeNo, state, attempts, scheduledAttempts, nextAttempt, ...attempt }
  })
  const tradeNos = outcomes.map(({ message }) => message.tradeNo)
  const notifyIds = outcomes.map(({ message }) => message.notifyId)
  await tx`
    with done as (
      select * from jsonb_to_recordset(${tx.json(rows as never)}) as done (
        appid text, "notifyId" uuid, "tradeNo" uuid, state text, attempts integer, "scheduledAttempts" integer,
        "nextAttempt" bigint, time bigint, duration integer, acknowledged boolean, status smallint, reply text,
        error text)
    ), inserted as (
      insert into callback_attempts
        (appid, notify_id, attempt, via, time, duration, acknowledged, status, reply, error)
      select appid, "notifyId", attempts, ${via}, time, duration, acknowledged, status, reply, error from done
    ), updated_trades as (
      update all_trades t set notify_success = coalesce(t.notify_success, false) or done.acknowledged
      from done where t.appid = done.appid and t.trade_no = done."tradeNo"
        and ${between(tx, 't.trade_no', tradeNos)}
        and t.notify_success is distinct from (coalesce(t.notify_success, false) or done.acknowledged)
    )
    update callbacks c
    set state = done.state, attempts = done.attempts, scheduled_attempts = done."scheduledAttempts",
        next_attempt = done."nextAttempt", mtime = done.time
    from done where c.appid = done.appid and c.notify_id = done."notifyId" and ${between(tx, 'c.notify_id', notifyIds)}`
}

const attemptObject = (sql: Sql) => sql`
  json_build_object('attempt', attempt, 'via', via, 'time', time, 'duration', duration, 'acknowledged', acknowledged,
    'status', status, 'reply', reply, 'error', error)`

/** Selects the tradeNo of a callback, also of a refund's result. */
const tradeNoOf = (sql: Sql) => sql`coalesce(fields ->> 'tradeNo', replace(trade_no::text, '-', ''))`

/** Selects what lists show of the fields. The status of a refund has the numbers of a trade's. */
const listedFields = (sql: Sql) => sql`
  ${tradeNoOf(sql)} as trade_no, c.fields ->> 'outTradeNo' as out_trade_no, c.fields ->> 'refundNo' as refund_no,
  coalesce(c.fields ->> 'transactionStatus', c.fields ->> 'refundStatus')::integer as transaction_status`

/** Lists callbacks of an app with all their attempts, newest first. */
export async function listWithAttempts(
  sql: Sql,
  {
    appid,
    state,
    notifyIds,
    since,
    limit,
  }: {
    appid: string
    state?: string | undefined
    notifyIds?: readonly string[] | undefined
    /** Time from which on callbacks were stored, ms of the wall clock. */
    since?: number | undefined
    limit: number
  },
): Promise<ListedCallback[]> {
  return sql<ListedCallback[]>`
    select
      c.notify_id, c.appid, ${listedFields(sql)}, c.notify_url, c.state, c.next_attempt,
      ${pausedUntil(sql)} as paused_until, c.ctime, a.attempts
    from callbacks c
    cross join lateral (
      select coalesce(json_agg(${attemptObject(sql)} order by attempt), '[]') as attempts
      from callback_attempts where appid = c.appid and notify_id = c.notify_id
    ) a
    where c.appid = ${appid}
      ${notifyIds === undefined ? storedUntilNow(sql) : sql`and ${isOneOf(sql, 'c.notify_id', notifyIds)}`}
      ${stateIs(sql, state)}
      ${since === undefined ? sql`` : sql`and c.notify_id >= ${firstUuidAt(since)}`}
    order by c.notify_id desc limit ${limit}`
}

/**
 * Returns the numbers of the callbacks of a trade: of its result, which was stored between the creation of the trade
 * and its last change, and of the results of its refunds. A day allows for clocks that were corrected. Lists use the
 * numbers, because PostgreSQL would otherwise read the callbacks in their order.
 */
export async function listIdsOfTrade(sql: Sql, appids: readonly string[], tradeNo: string): Promise<string[]> {
  const rows = await sql<{ notifyId: string }[]>`
    select notify_id from callbacks
    where appid = any(${appids as string[]}) and trade_no = ${tradeNo}
      and notify_id >= ${firstUuidAt(timeOfUuid(tradeNo) - day)}
      and notify_id < coalesce(
        (select rpad(lpad(to_hex(mtime + ${day}::bigint), 12, '0'), 32, '0')::uuid from all_trades
          where trade_no = ${tradeNo}),
        ${'f'.repeat(32)}::uuid)
    union all
    select unnest(notify_ids) from refunds where appid = any(${appids as string[]}) and trade_no = ${tradeNo}`
  return rows.map(({ notifyId }) => notifyId)
}

const stateIs = (sql: Sql, state: string | undefined) => {
  if (state === undefined) return sql``
  if (state === 'failing') return sql`and ${isFailing(sql)}`
  if (state === 'waiting') return sql`and ${isWaiting(sql)} and attempts = 0`
  return state === 'pending' ? sql`and ${isWaiting(sql)}` : sql`and state = ${state}`
}

/** Excludes partitions that were created ahead. Numbers have the wall clock. */
const storedUntilNow = (sql: Sql) => sql`and notify_id < ${firstUuidAt(Date.now() + day)}`

/** A callback as `searchCallbacks` returns it. */
export type CallbackRow = ResultOf<typeof consoleOperations.searchCallbacks>['items'][number]
type CallbackSort = NonNullable<ParametersOf<typeof consoleOperations.searchCallbacks>['sort']>

interface CallbackFilter {
  state: string | undefined
  notifyIds: readonly string[] | undefined
  text: string | undefined
  from: number | undefined
  to: number | undefined
  sandbox: boolean
  sort: CallbackSort
  before: { failureRank: number; ctime: number; notifyId: string } | undefined
  limit: number
  /** Whether the rows are counted, in no order. */
  isTotal: boolean
}

/** Builds the condition for callbacks of one app, without the text. */
function matches(sql: Sql, { state, notifyIds, text, from, to, sandbox, sort, before }: CallbackFilter) {
  // Sorted by state, later pages have earlier and later callbacks. A search reads the same ones for each page.
  const isLimited = before !== undefined && text === undefined
  const period = {
    from: isLimited && sort === 'ctime' ? before.ctime : from,
    to: isLimited && sort === '-ctime' ? before.ctime + 1 : to,
  }
  return sql`
    appid = list.appid
    ${numberedIn(sql, 'notify_id', { ...period, sandbox })} ${storedUntilNow(sql)}
    ${stateIs(sql, state)}
    ${state === 'dead' ? sql`and ${failureRank(sql)} = 2` : sql``}
    ${notifyIds === undefined ? sql`` : sql`and ${isOneOf(sql, 'notify_id', notifyIds)}`}
    ${from === undefined ? sql`` : sql`and ctime >= ${from}`}
    ${to === undefined ? sql`` : sql`and ctime < ${to}`}`
}

/** Builds the condition for callbacks on the pages after `before`. */
function followsRow(sql: Sql, { sort, before }: CallbackFilter) {
  if (before === undefined) return sql``
  const { follows } = directionOf(sql, sort)
  return sort.endsWith('state')
    ? sql`and (${failureRank(sql)}, ctime, notify_id) ${follows} (${before.failureRank}::bigint, ${before.ctime}, ${before.notifyId})`
    : sql`and (ctime, notify_id) ${follows} (${before.ctime}, ${before.notifyId})`
}

/** Lists callbacks of these apps. Reads one row per app from an index, and then of those that the page can contain. */
export function listCallbackRows(
  sql: Sql,
  appids: readonly string[],
  filter: CallbackFilter,
): Rows<CallbackRow & { failureRank: number }> {
  const { text, sort, limit, isTotal } = filter
  const byState = sort.endsWith('state')
  const { direction } = directionOf(sql, sort)
  const filtered = matches(sql, filter)
  const after = followsRow(sql, filter)
  const rank = byState ? failureRank(sql) : sql`0`
  const byTime = sql`ctime ${direction}, notify_id ${direction}`
  const order = byState ? sql`${failureRank(sql)} ${direction}, ${byTime}` : byTime
  const values = sql`
    replace(notify_id::text, '-', ''), ${tradeNoOf(sql)}, fields ->> 'outTradeNo', notify_url`
  const ofApp = (most: number) =>
    sql`select *, ${rank} as failure_rank from callbacks where ${filtered} ${after} order by ${order} limit ${most}`
  const firstOf = (row: Part) => sql`
    ${byState ? sql`${row}.failure_rank ${direction},` : sql``} ${row}.ctime ${direction}, ${row}.notify_id ${direction}`
  const lists = sql`unnest(${appids as string[]}::text[]) as list (appid)`
  return sql<(CallbackRow & { failureRank: number })[]>`
    select
      c.notify_id, c.appid, ${listedFields(sql)}, c.notify_url, c.state, c.attempts as attempt_count, c.next_attempt, ${pausedUntil(sql)} as paused_until, c.ctime, c.failure_rank,
      (
        select ${attemptObject(sql)}
        from callback_attempts where appid = c.appid and notify_id = c.notify_id order by attempt desc limit 1
      ) as last_attempt
    from ${text === undefined ? listsOfPage(sql, { lists, count: appids.length, first: ofApp(1), order: firstOf(sql`head`), limit }) : lists} cross join lateral (
      ${
        text === undefined
          ? ofApp(limit)
          : sql`
            select *, ${rank} as failure_rank from (
              select * from callbacks where ${filtered} order by ctime desc, notify_id desc limit ${scannedRows(appids.length)}
            ) newest
            where ${containsText(sql, text, values)} ${after} order by ${order} limit ${limit}`
      }
    ) c
    ${mergedOrder(sql, isTotal, firstOf(sql`c`))}
    limit ${limit}`
}

/** Callbacks of one mini app, host, state and currency without acknowledgement. Times in ms of the domain clock. */
interface Unacknowledged {
  appid: string
  host: string
  failingSince: number
  disabled: boolean
  /** The following are null if the receiver has no such callback. */
  state: 'pending' | 'dead' | null
  currency: string | null
  count: number | null
  oldest: number | null
  /** Sum of the paid trades, in cents; null if there is none. */
  paid: number | null
}

/**
 * Lists the receivers of these mini apps that have acknowledged nothing since they began to fail, newest first, with
 * their failed callbacks. Reads at most `scanned` callbacks of each mini app.
 */
export async function listUnacknowledged(
  sql: Sql,
  appids: readonly string[],
  { limit, scanned }: { limit: number; scanned: number },
): Promise<Unacknowledged[]> {
  return sql<Unacknowledged[]>`
    select r.appid, r.host, r.failing_since, r.disabled_at is not null as disabled, c.*
    from (
      select * from callback_receivers where appid = any(${appids as string[]})
      order by failing_since desc, appid, host limit ${limit}
    ) r left join lateral (
      select state, fields ->> 'currency' as currency, count(*)::integer as count, min(ctime) as oldest,
        (sum((fields ->> 'amount')::bigint) filter (where fields ->> 'transactionStatus' = '2'))::bigint as paid
      from (
        select * from callbacks
        where appid = r.appid and ${failureRank(sql)} >= 1 ${storedUntilNow(sql)}
        order by ${failureRank(sql)} desc, ctime desc, notify_id desc limit ${scanned}
      ) failed
      where mtime >= r.failing_since and ${receiverOf(sql)} = r.host
      group by 1, 2
    ) c on true
    order by r.failing_since desc, r.appid, r.host`
}

/** A stored replay. `fromTime` and `toTime` are bounds of the callbacks' ctime. */
export interface Replay {
  replayId: string
  projectId: string
  appids: string[]
  /** Host and port of the notifyUrl; null for all. */
  host: string | null
  state: string | null
  fromTime: number
  toTime: number
  doneTime: number | null
  doneNotifyId: string | null
  progress: 'running' | 'finished' | 'canceled'
  total: number
  done: number
  failed: number
  ctime: number
  mtime: number
}

const replayColumns = (sql: Sql | Tx) => sql`
  replay_id, project_id, appids, host, state,
  from_time, to_time, done_time, done_notify_id, progress, total, done, failed, ctime, mtime`

const isSentTo = (sql: Sql, host: string | null) => (host === null ? sql`` : sql`and ${receiverOf(sql)} = ${host}`)

/** Counts the callbacks of a replay, up to `max`. */
export async function countForReplay(
  sql: Sql,
  { appids, host, state, fromTime, toTime }: Pick<Replay, 'appids' | 'host' | 'state' | 'fromTime' | 'toTime'>,
  { max, sandbox }: { max: number; sandbox: boolean },
): Promise<number> {
  const [row] = await sql<[{ total: number }]>`
    select count(*)::integer as total
    from (
      select from callbacks
      where appid = any(${appids}) and ctime >= ${fromTime} and ctime < ${toTime}
        ${numberedIn(sql, 'notify_id', { from: fromTime, to: toTime, sandbox })}
        ${stateIs(sql, state ?? undefined)} ${isSentTo(sql, host)}
      limit ${max}
    ) as matching`
  return row.total
}

export async function insertReplay(tx: Tx, replay: Replay): Promise<void> {
  await tx`
    insert into callback_replays
      (replay_id, project_id, appids, host, state, from_time, to_time, progress, total, ctime, mtime)
    values
      (${replay.replayId}, ${replay.projectId}, ${replay.appids}, ${replay.host}, ${replay.state}, ${replay.fromTime},
       ${replay.toTime}, ${replay.progress}, ${replay.total}, ${replay.ctime}, ${replay.mtime})`
}

export async function findReplay(sql: Sql | Tx, replayId: string): Promise<Replay | undefined> {
  const [row] = await sql<Replay[]>`select ${replayColumns(sql)} from callback_replays where replay_id = ${replayId}`
  return row
}

/** Lists the next callbacks of a replay, oldest first. */
export async function listForReplay(
  sql: Sql,
  replay: Replay,
  { limit, sandbox }: { limit: number; sandbox: boolean },
): Promise<(Callback & { ctime: number })[]> {
  const { appids, host, state, fromTime, toTime, doneTime, doneNotifyId } = replay
  return sql<(Callback & { ctime: number })[]>`
    select ${columns(sql)}, ctime
    from unnest(${appids}::text[]) as requested (requested_appid) cross join lateral (
      select * from callbacks
      where appid = requested_appid and ctime >= ${fromTime} and ctime < ${toTime}
        ${numberedIn(sql, 'notify_id', { from: doneTime ?? fromTime, to: toTime, sandbox })}
        ${stateIs(sql, state ?? undefined)} ${isSentTo(sql, host)}
        ${doneTime === null ? sql`` : sql`and (ctime, notify_id) > (${doneTime}, ${doneNotifyId})`}
      order by ctime, notify_id
      limit ${limit}
    ) c
    order by ctime, notify_id
    limit ${limit}`
}

/** Updates the progress of a replay. Returns undefined if another run is ahead of this one. */
export async function updateReplay(
  sql: Sql,
  before: Replay,
  step: { done: number; failed: number; doneTime: number; doneNotifyId: string; finished: boolean },
  now: number,
): Promise<Replay | undefined> {
  const [row] = await sql<Replay[]>`
    update callback_replays set
      done = done + ${step.done}, failed = failed + ${step.failed}, done_time = ${step.doneTime},
      done_notify_id = ${step.doneNotifyId}, mtime = ${now},
      progress = case when progress = 'running' and ${step.finished} then 'finished' else progress end
    where replay_id = ${before.replayId} and done = ${before.done}
    returning ${replayColumns(sql)}`
  return row
}

/** Finishes or cancels a running replay. */
export async function updateReplayEnd(
  sql: Sql | Tx,
  replayId: string,
  progress: 'finished' | 'canceled',
  now: number,
): Promise<void> {
  await sql`
    update callback_replays set progress = ${progress}, mtime = ${now}
    where replay_id = ${replayId} and progress = 'running'`
}

export async function findFault(
  sql: Sql,
  appid: string,
): Promise<{ fault: CallbackFault; remaining: number } | undefined> {
  const [row] = await sql<{ fault: CallbackFault; remaining: number }[]>`
    select fault, remaining from sandbox_callback_faults where appid = ${appid} and remaining > 0`
  return row
}

export async function upsertFault(tx: Tx, appid: string, fault: CallbackFault, remaining: number): Promise<void> {
  await tx`
    insert into sandbox_callback_faults (appid, fault, remaining) values (${appid}, ${fault}, ${remaining})
    on conflict (appid) do update set fault = excluded.fault, remaining = excluded.remaining`
}

export async function deleteFault(tx: Tx, appid: string): Promise<void> {
  await tx`delete from sandbox_callback_faults where appid = ${appid}`
}

const hasFault = batchByTick<string, boolean>(async (sql, appids) => {
  const rows = await sql<{ appid: string }[]>`
    select appid from sandbox_callback_faults where appid = any(${appids as string[]}) and remaining > 0`
  const found = new Set(rows.map(({ appid }) => appid))
  return appids.map((appid) => found.has(appid))
})

/** Uses up one injected fault for the next attempt. */
export async function claimFault(sql: Sql, appid: string): Promise<CallbackFault | undefined> {
  if (!(await hasFault(sql, appid))) return undefined
  const [row] = await sql<{ fault: CallbackFault }[]>`
    update sandbox_callback_faults set remaining = remaining - 1 where appid = ${appid} and remaining > 0
    returning fault`
  return row?.fault
}

const columns = (sql: Sql | Tx) => sql`
  appid, notify_id, trade_no, notify_url, ${receiverOf(sql)} as receiver, fields, state, attempts, scheduled_attempts,
  next_attempt, traceparent`
