import type { Currency, FailReasonType, noFailReason, PayMethod, PayType, TransactionStatus } from '@souk/contract'
import { batchByTick, batchWritesByTick } from '../../../kernel/db/batchByTick.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'

/** The primary key of a trade. */
export interface TradeKey {
  appid: string
  tradeNo: string
}

/** A stored trade. Times in ms of the domain clock, amounts in cents, identifiers as 32 hexadecimal digits. */
export interface Trade extends TradeKey {
  merchantId: string
  outTradeNo: string
  description: string | null
  amount: number
  currency: Currency
  openId: string
  payer: number
  notifyUrl: string
  requestedTimeExpire: number | null
  timeExpire: number
  transactionStatus: TransactionStatus
  failReasonType: FailReasonType | typeof noFailReason
  payType: PayType | null
  payMethod: PayMethod | null
  payNo: string | null
  notifySuccess: boolean | null
  attemptInFlight: string | null
  ctime: number
  mtime: number
}

/** The input of `insertTrade`, which looks up the payer by openId. */
export type NewTrade = Pick<
  Trade,
  | 'appid'
  | 'tradeNo'
  | 'merchantId'
  | 'outTradeNo'
  | 'description'
  | 'amount'
  | 'currency'
  | 'openId'
  | 'notifyUrl'
  | 'requestedTimeExpire'
  | 'timeExpire'
  | 'ctime'
>

interface InsertedTrade {
  payer: number | null
  tradeNo: string | null
}

/**
 * Creates a trade; those of one event-loop tick with one statement. Returns a null `payer` if the openId is unknown
 * under the appid or its user is erased, and a null `tradeNo` if that is so or the merchant has already used the
 * outTradeNo: the trigger `claim_out_trade_no` skips it.
 */
export const insertTrade = batchWritesByTick<NewTrade, InsertedTrade>(
  // The order is the same in all processes, so that statements with equal outTradeNos do not deadlock.
  (sql, trades) => sql<InsertedTrade[]>`
    with requested as materialized (
      select requested.*, uid
      from rows from (jsonb_to_recordset(${sql.json(trades as never)}) as (
          appid text, "tradeNo" uuid, "merchantId" uuid, "outTradeNo" text, description text, amount bigint, currency text,
          "openId" uuid, "notifyUrl" text, "requestedTimeExpire" bigint, "timeExpire" bigint, ctime bigint))
        with ordinality as requested (
          appid, trade_no, merchant_id, out_trade_no, description, amount, currency, open_id, notify_url,
          time_expire_asked, time_expire, ctime, position)
        left join (
          select appid, open_id, uid from open_ids join users using (uid) where erased_time is null
        ) payers using (appid, open_id)
    ), created as (
      insert into all_trades
        (appid, trade_no, merchant_id, out_trade_no, description, amount, currency, open_id, payer, notify_url,
         time_expire_asked, time_expire, ctime, mtime)
      select
        appid, trade_no, merchant_id, out_trade_no, description, amount, currency, open_id, uid, notify_url,
        time_expire_asked, time_expire, ctime, ctime
      from requested where uid is not null
      order by merchant_id, out_trade_no
      returning trade_no
    )
    select uid as payer, created.trade_no
    from requested left join created using (trade_no)
    order by position`,
)

/** Finds a trade of an app. Lookups of one event-loop tick are one query. */
export const findTrade = batchByTick<TradeKey, Trade | undefined>(async (sql, keys) => {
  const appids = keys.map(({ appid }) => appid)
  const tradeNos = keys.map(({ tradeNo }) => tradeNo)
  const rows = await sql<(Trade | { payer: null })[]>`
    select ${tradeColumns(sql)}
    from unnest(${appids}::text[], ${tradeNos}::uuid[]) with ordinality as wanted (appid, trade_no, position)
      left join all_trades using (appid, trade_no)
    order by position`
  return rows.map((row) => (row.payer === null ? undefined : row))
})

/** Finds a trade of any app. */
export async function findTradeByTradeNo(sql: Sql, tradeNo: string): Promise<Trade | undefined> {
  const [trade] = await sql<Trade[]>`select ${tradeColumns(sql)} from all_trades where trade_no = ${tradeNo}`
  return trade
}

export async function findTradeByOutTradeNo(
  sql: Sql,
  merchantId: string,
  outTradeNo: string,
): Promise<Trade | undefined> {
  const [trade] = await sql<Trade[]>`
    select ${tradeColumns(sql)} from all_trades
    where trade_no = (
      select trade_no from out_trade_nos where merchant_id = ${merchantId} and out_trade_no = ${outTradeNo})`
  return trade
}

/** Locks a trade until the transaction ends. Every change of a trade or its attempts requires this lock. */
export async function lockTrade(tx: Tx, { appid, tradeNo }: TradeKey): Promise<Trade | undefined> {
  const [trade] = await tx<Trade[]>`
    select ${tradeColumns(tx)} from all_trades where appid = ${appid} and trade_no = ${tradeNo} for update`
  return trade
}

const toExpire = (sql: Sql | Tx, now: number) =>
  sql`transaction_status = 1 and attempt_in_flight is null and time_expire <= ${now}`

export async function existsTradeToExpire(sql: Sql, now: number): Promise<boolean> {
  const found = await sql`select from all_trades where ${toExpire(sql, now)} limit 1`
  return found.length > 0
}

/**
 * Locks trades that are due to expire. Skips those that other transactions have locked. In no order: PostgreSQL would
 * sort all of them, which are of several partitions.
 */
export async function lockTradesToExpire(tx: Tx, now: number, limit: number): Promise<Trade[]> {
  return tx<Trade[]>`
    select ${tradeColumns(tx)} from all_trades
    where ${toExpire(tx, now)}
    limit ${limit} for update skip locked`
}

/** Updates the mutable columns of a trade. */
export async function updateTrade(tx: Tx, trade: Trade): Promise<void> {
  await tx`
    update all_trades
    set transaction_status = ${trade.transactionStatus}, fail_reason_type = ${trade.failReasonType},
        pay_type = ${trade.payType}, pay_method = ${trade.payMethod}, pay_no = ${trade.payNo},
        attempt_in_flight = ${trade.attemptInFlight}, mtime = ${trade.mtime}
    where appid = ${trade.appid} and trade_no = ${trade.tradeNo}`
}

/** Records an event of a trade. `detail` must not contain secrets. */
export async function insertEvent(
  tx: Tx,
  { appid, tradeNo }: TradeKey,
  event: { time: number; event: string; detail?: Record<string, unknown> },
): Promise<void> {
  await tx`
    insert into trade_events (appid, trade_no, time, event, detail)
    values (${appid}, ${tradeNo}, ${event.time}, ${event.event}, ${tx.json((event.detail ?? {}) as never)})`
}

/** Returns whether a trade has this event with at least this detail. */
export async function existsEvent(
  tx: Tx,
  { appid, tradeNo }: TradeKey,
  { event, detail }: { event: string; detail: Record<string, unknown> },
): Promise<boolean> {
  const [row] = await tx`
    select from trade_events
    where appid = ${appid} and trade_no = ${tradeNo} and event = ${event} and detail @> ${tx.json(detail as never)}
    limit 1`
  return row !== undefined
}

/** Lists the events of a trade, oldest first. */
export async function listEvents(
  sql: Sql,
  { appid, tradeNo }: TradeKey,
): Promise<{ time: number; event: string; detail: unknown }[]> {
  return sql<{ time: number; event: string; detail: unknown }[]>`
    select time, event, detail from trade_events where appid = ${appid} and trade_no = ${tradeNo} order by event_id`
}

const tradeColumns = (sql: Sql | Tx) => sql`
  appid, trade_no, merchant_id, out_trade_no, description, amount, currency, open_id, payer, notify_url,
  time_expire_asked as requested_time_expire, time_expire, transaction_status, fail_reason_type, pay_type, pay_method,
  pay_no, notify_success, attempt_in_flight, ctime, mtime`
