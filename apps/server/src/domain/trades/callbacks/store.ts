import type { consoleOperations, PaymentCallback, ResultOf } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'

/** What a callback says, constant over all attempts; `timestamp` and `sign` are added when it is sent. */
export type CallbackFields = Omit<PaymentCallback, 'timestamp' | 'sign'>

/** A callback as it is stored. Times in ms of the domain clock. */
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

/** How one attempt went. `duration` in ms; `status` is null where there was no answer, and `error` says why. */
export interface AttemptRecord {
  via: 'notifyUrl' | 'listen'
  time: number
  duration: number
  acknowledged: boolean
  status: number | null
  reply: string | null
  error: string | null
}

/** A callback with its attempts, as the console shows it. */
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

/** The callback, held until the transaction ends. */
export async function lockCallback(
  tx: Tx,
  { appid, notifyId }: Pick<Callback, 'appid' | 'notifyId'>,
): Promise<Callback> {
  const [callback] = await tx<[Callback]>`
    select ${columns(tx)} from callbacks where appid = ${appid} and notify_id = ${notifyId} for update`
  return callback
}

/**
 * Takes a callback that is due, until `until`: whoever else comes for it finds that it is not due. Undefined where it is
 * not due, delivered or dead.
 */
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

/** The same for those that are due for longest; others' claims are passed over. */
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

/** Adds an attempt to the ledger and writes where it leaves the callback. */
export async function recordAttempt(tx: Tx, callback: Callback, record: AttemptRecord): Promise<void> {
  const { appid, notifyId, attempts } = callback
  await tx`
    with recorded as (
      insert into callback_attempts
        (appid, notify_id, attempt, via, time, duration, acknowledged, status, reply, error)
      values
        (${appid}, ${notifyId}, ${attempts}, ${record.via}, ${record.time}, ${record.duration}, ${record.acknowledged},
         ${record.status}, ${record.reply}, ${record.error})
    ), noted as (
      update trades set notify_success = coalesce(notify_success, false) or ${record.acknowledged}
      where appid = ${appid} and trade_no = ${callback.tradeNo}
        and notify_success is distinct from (coalesce(notify_success, false) or ${record.acknowledged})
    )
    update callbacks
    set state = ${callback.state}, attempts = ${attempts}, scheduled_attempts = ${callback.scheduledAttempts},
        next_attempt = ${callback.nextAttempt}, mtime = ${record.time}
    where appid = ${appid} and notify_id = ${notifyId}`
}

/** Callbacks of an app with all their attempts, newest first. */
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

const columns = (sql: Sql | Tx) => sql`
  appid, replace(notify_id::text, '-', '') as "notifyId", replace(trade_no::text, '-', '') as "tradeNo",
  notify_url as "notifyUrl", fields, state, attempts, scheduled_attempts as "scheduledAttempts",
  next_attempt as "nextAttempt"`
