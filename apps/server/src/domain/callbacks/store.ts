import type { CallbackFault, consoleOperations, PaymentCallback, ResultOf } from '@souk/contract'
import type { Sql, Tx } from '../../kernel/db/pool.ts'

/** The fields of a callback that are the same in all attempts. `timestamp` and `sign` are added when it is sent. */
export type CallbackFields = Omit<PaymentCallback, 'timestamp' | 'sign'>

/** A stored callback. Times in ms of the domain clock. */
export interface Callback {
  appid: string
  notifyId: string
  tradeNo: string
  notifyUrl: string
  fields: CallbackFields
  state: 'pending' | 'delivered' | 'dead'
  attempts: number
  scheduledAttempts: number
  nextAttempt: number | null
}

/** The result of an attempt. `duration` in ms. Without a response `status` is null and `error` says why. */
export interface AttemptRecord {
  via: 'notifyUrl' | 'listen'
  time: number
  duration: number
  acknowledged: boolean
  status: number | null
  reply: string | null
  error: string | null
}

/** A callback with its attempts. */
export type ListedCallback = ResultOf<typeof consoleOperations.replayCallback>

export async function insertCallback(
  tx: Tx,
  callback: Pick<Callback, 'appid' | 'notifyId' | 'tradeNo' | 'notifyUrl' | 'fields'>,
  now: number,
): Promise<void> {
  await tx`
    insert into callbacks (appid, notify_id, trade_no, notify_url, fields, state, next_attempt, ctime, mtime)
    values
      (${callback.appid}, ${callback.notifyId}, ${callback.tradeNo}, ${callback.notifyUrl},
       ${tx.json(callback.fields)}, 'pending', ${now}, ${now}, ${now})`
}

export async function findCallback(sql: Sql, notifyId: string): Promise<Callback | undefined> {
  const [callback] = await sql<Callback[]>`select ${columns(sql)} from callbacks where notify_id = ${notifyId}`
  return callback
}

/** Locks a callback until the transaction ends. */
export async function lockCallback(
  tx: Tx,
  { appid, notifyId }: Pick<Callback, 'appid' | 'notifyId'>,
): Promise<Callback> {
  const [callback] = await tx<[Callback]>`
    select ${columns(tx)} from callbacks where appid = ${appid} and notify_id = ${notifyId} for update`
  return callback
}

/** Claims a due callback until `until`. Returns undefined if it is not due, already claimed, delivered or dead. */
export async function claimCallback(
  tx: Tx,
  notifyId: string,
  { due, until }: { due: number; until: number },
): Promise<Callback | undefined> {
  const [callback] = await tx<Callback[]>`
    update callbacks set next_attempt = ${until}
    where notify_id = ${notifyId} and state = 'pending' and next_attempt <= ${due}
    returning ${columns(tx)}`
  return callback
}

/** Claims the callbacks that have been due longest. */
export async function claimDueCallbacks(
  tx: Tx,
  { due, until, limit }: { due: number; until: number; limit: number },
): Promise<Callback[]> {
  return tx<Callback[]>`
    update callbacks set next_attempt = ${until}
    where (appid, notify_id) in (
      select appid, notify_id from callbacks where state = 'pending' and next_attempt <= ${due}
      order by next_attempt limit ${limit} for update skip locked)
    returning ${columns(tx)}`
}

/** Inserts an attempt and updates the callback and the trade's `notifySuccess`. */
export async function recordAttempt(tx: Tx, callback: Callback, record: AttemptRecord): Promise<void> {
  const { appid, notifyId, attempts } = callback
  await tx`
    with inserted as (
      insert into callback_attempts
        (appid, notify_id, attempt, via, time, duration, acknowledged, status, reply, error)
      values
        (${appid}, ${notifyId}, ${attempts}, ${record.via}, ${record.time}, ${record.duration}, ${record.acknowledged},
         ${record.status}, ${record.reply}, ${record.error})
    ), updated_trade as (
      update trades set notify_success = coalesce(notify_success, false) or ${record.acknowledged}
      where appid = ${appid} and trade_no = ${callback.tradeNo}
        and notify_success is distinct from (coalesce(notify_success, false) or ${record.acknowledged})
    )
    update callbacks
    set state = ${callback.state}, attempts = ${attempts}, scheduled_attempts = ${callback.scheduledAttempts},
        next_attempt = ${callback.nextAttempt}, mtime = ${record.time}
    where appid = ${appid} and notify_id = ${notifyId}`
}

/** Lists callbacks of an app with all their attempts, newest first. */
export async function listWithAttempts(
  sql: Sql,
  {
    appid,
    state,
    tradeNo,
    notifyId,
    limit,
  }: {
    appid: string
    state?: string | undefined
    tradeNo?: string | undefined
    notifyId?: string | undefined
    limit: number
  },
): Promise<ListedCallback[]> {
  return sql<ListedCallback[]>`
    select
      replace(c.notify_id::text, '-', '') as "notifyId", c.appid, replace(c.trade_no::text, '-', '') as "tradeNo",
      c.fields ->> 'outTradeNo' as "outTradeNo", (c.fields ->> 'transactionStatus')::integer as "transactionStatus",
      c.notify_url as "notifyUrl", c.state, c.next_attempt as "nextAttempt", c.ctime, a.attempts
    from callbacks c
    cross join lateral (
      select coalesce(json_agg(json_build_object(
        'attempt', attempt, 'via', via, 'time', time, 'duration', duration, 'acknowledged', acknowledged,
        'status', status, 'reply', reply, 'error', error) order by attempt), '[]') as attempts
      from callback_attempts where appid = c.appid and notify_id = c.notify_id
    ) a
    where c.appid = ${appid}
      ${state === undefined ? sql`` : sql`and c.state = ${state}`}
      ${tradeNo === undefined ? sql`` : sql`and c.trade_no = ${tradeNo}`}
      ${notifyId === undefined ? sql`` : sql`and c.notify_id = ${notifyId}`}
    order by c.notify_id desc limit ${limit}`
}

/** A callback as `searchCallbacks` returns it. */
export type CallbackRow = ResultOf<typeof consoleOperations.searchCallbacks>['items'][number]

/** The order of `failuresFirst`. The index `callbacks_by_trouble` has the same expression. */
const failureRank = (sql: Sql) =>
  sql`(case when state = 'dead' then 2 when state = 'pending' and attempts > 0 then 1 else 0 end)`

/** Lists callbacks of these apps, newest first, or failed ones first. Reads at most a page per app from an index. */
export async function listCallbackRows(
  sql: Sql,
  appids: readonly string[],
  filter: {
    state: string | undefined
    tradeNo: string | undefined
    from: number | undefined
    to: number | undefined
    failuresFirst: boolean
    before: { failureRank: number; ctime: number; notifyId: string } | undefined
    limit: number
  },
): Promise<(CallbackRow & { failureRank: number })[]> {
  const { state, tradeNo, from, to, failuresFirst, before, limit } = filter
  const after =
    before === undefined
      ? sql``
      : failuresFirst
        ? sql`and (${failureRank(sql)}, ctime, notify_id) < (${before.failureRank}::bigint, ${before.ctime}, ${before.notifyId})`
        : sql`and (ctime, notify_id) < (${before.ctime}, ${before.notifyId})`
  return sql<(CallbackRow & { failureRank: number })[]>`
    select
      replace(c.notify_id::text, '-', '') as "notifyId", c.appid, replace(c.trade_no::text, '-', '') as "tradeNo",
      c.fields ->> 'outTradeNo' as "outTradeNo", (c.fields ->> 'transactionStatus')::integer as "transactionStatus",
      c.notify_url as "notifyUrl", c.state, c.attempts as "attemptCount", c.next_attempt as "nextAttempt", c.ctime,
      c.failure_rank as "failureRank",
      (
        select json_build_object(
          'attempt', attempt, 'via', via, 'time', time, 'duration', duration, 'acknowledged', acknowledged,
          'status', status, 'reply', reply, 'error', error)
        from callback_attempts where appid = c.appid and notify_id = c.notify_id order by attempt desc limit 1
      ) as "lastAttempt"
    from unnest(${appids as string[]}::text[]) as requested (appid) cross join lateral (
      select *, ${failuresFirst ? failureRank(sql) : sql`0`} as failure_rank
      from callbacks
      where appid = requested.appid
        ${state === undefined ? sql`` : sql`and state = ${state}`}
        ${state === 'dead' ? sql`and ${failureRank(sql)} = 2` : sql``}
        ${tradeNo === undefined ? sql`` : sql`and trade_no = ${tradeNo}`}
        ${from === undefined ? sql`` : sql`and ctime >= ${from}`}
        ${to === undefined ? sql`` : sql`and ctime < ${to}`}
        ${after}
      order by ${failuresFirst ? sql`${failureRank(sql)} desc, ctime desc, notify_id desc` : sql`ctime desc, notify_id desc`}
      limit ${limit}
    ) c
    order by ${failuresFirst ? sql`c.failure_rank desc,` : sql``} c.ctime desc, c.notify_id desc
    limit ${limit}`
}

/** A stored replay. `fromTime` and `toTime` are bounds of the callbacks' ctime. */
export interface Replay {
  replayId: string
  projectId: string
  appids: string[]
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
  replace(replay_id::text, '-', '') as "replayId", replace(project_id::text, '-', '') as "projectId", appids, state,
  from_time as "fromTime", to_time as "toTime", done_time as "doneTime",
  replace(done_notify_id::text, '-', '') as "doneNotifyId", progress, total, done, failed, ctime, mtime`

/** Counts the callbacks of a replay, up to `max`. */
export async function countForReplay(
  sql: Sql,
  { appids, state, fromTime, toTime }: Replay,
  max: number,
): Promise<number> {
  const [row] = await sql<[{ total: number }]>`
    select count(*)::integer as total
    from (
      select from callbacks
      where appid = any(${appids}) and ctime >= ${fromTime} and ctime < ${toTime}
        ${state === null ? sql`` : sql`and state = ${state}`}
      limit ${max}
    ) as matching`
  return row.total
}

export async function insertReplay(tx: Tx, replay: Replay): Promise<void> {
  await tx`
    insert into callback_replays
      (replay_id, project_id, appids, state, from_time, to_time, progress, total, ctime, mtime)
    values
      (${replay.replayId}, ${replay.projectId}, ${replay.appids}, ${replay.state}, ${replay.fromTime}, ${replay.toTime},
       ${replay.progress}, ${replay.total}, ${replay.ctime}, ${replay.mtime})`
}

export async function findReplay(sql: Sql | Tx, replayId: string): Promise<Replay | undefined> {
  const [row] = await sql<Replay[]>`select ${replayColumns(sql)} from callback_replays where replay_id = ${replayId}`
  return row
}

/** Lists the next callbacks of a replay, oldest first. */
export async function listForReplay(
  sql: Sql,
  replay: Replay,
  limit: number,
): Promise<(Callback & { ctime: number })[]> {
  const { appids, state, fromTime, toTime, doneTime, doneNotifyId } = replay
  return sql<(Callback & { ctime: number })[]>`
    select ${columns(sql)}, ctime
    from unnest(${appids}::text[]) as requested (requested_appid) cross join lateral (
      select * from callbacks
      where appid = requested_appid and ctime >= ${fromTime} and ctime < ${toTime}
        ${state === null ? sql`` : sql`and state = ${state}`}
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
export async function finishReplay(
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

/** Uses up one injected fault for the next attempt. */
export async function claimFault(sql: Sql, appid: string): Promise<CallbackFault | undefined> {
  const [row] = await sql<{ fault: CallbackFault }[]>`
    update sandbox_callback_faults set remaining = remaining - 1 where appid = ${appid} and remaining > 0
    returning fault`
  return row?.fault
}

const columns = (sql: Sql | Tx) => sql`
  appid, replace(notify_id::text, '-', '') as "notifyId", replace(trade_no::text, '-', '') as "tradeNo",
  notify_url as "notifyUrl", fields, state, attempts, scheduled_attempts as "scheduledAttempts",
  next_attempt as "nextAttempt"`
