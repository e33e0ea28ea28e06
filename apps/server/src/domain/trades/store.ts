import type {
  Currency,
  DeclineReason,
  FailReasonType,
  noFailReason,
  PayMethod,
  PayType,
  TransactionStatus,
} from '@souk/contract'
import type { Sql, Tx } from '../../kernel/db/pool.ts'
import type { AttemptState } from './machine.ts'

/** What names a trade within Souk. */
export interface TradeKey {
  appid: string
  tradeNo: string
}

/** A trade as it is stored. Times in ms of the domain clock, amounts in cents, identifiers as 32 hexadecimal digits. */
export interface Trade extends TradeKey {
  merchantId: string
  outTradeNo: string
  description: string | null
  amount: number
  currency: Currency
  openId: string
  payer: number
  notifyUrl: string
  timeExpireAsked: number | null
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

/** What a trade is created from; the payer is looked up by the openId. */
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
  | 'timeExpireAsked'
  | 'timeExpire'
  | 'ctime'
>

/** What names an attempt within Souk; towards the provider it is attemptId alone. */
export interface AttemptKey extends TradeKey {
  attemptId: string
}

/** One try to pay a trade. */
export interface Attempt extends AttemptKey {
  provider: string
  /** The account it was made at; null for the provider that the installation itself has. */
  providerAccountId: string | null
  payType: PayType
  payMethod: PayMethod
  payNo: string | null
  state: AttemptState
  failReasonType: DeclineReason | typeof noFailReason
  prompt: string | null
  redirectUrl: string | null
  /** Why the provider was asked to cancel: it decides what becomes of the trade. `retry`: the payer pays another way. */
  cancelFor: 'merchant' | 'payer' | 'expiry' | 'retry' | null
  ctime: number
}

/** What names a refund within Souk; towards the provider it is refundNo alone. */
export interface RefundKey extends TradeKey {
  refundNo: string
}

/** Money that goes back to the payer (`transactionFlow` 1). */
export interface Refund extends RefundKey {
  attemptId: string
  /** `notTaken`: the trade could not take it. `operator`: of a trade that has succeeded. */
  cause: 'notTaken' | 'operator'
  /** Cents. */
  amount: number
  currency: string
  reason: string
  state: 'owed' | 'returned' | 'refused'
  /** Why the provider refused. */
  refusal: string | null
  ctime: number
  mtime: number
}

/**
 * Creates a trade in one statement. `payer` is null where the openId is unknown under the appid; `tradeNo` is null where
 * that is so, or where the merchant has used the outTradeNo before.
 */
export async function insertTrade(
  sql: Sql,
  trade: NewTrade,
): Promise<{ payer: number | null; tradeNo: string | null }> {
  const [row] = await sql<[{ payer: number | null; tradeNo: string | null }]>`
    with payer as (
      select uid from open_ids where appid = ${trade.appid} and open_id = ${trade.openId}
    ), made as (
      insert into trades
        (appid, trade_no, merchant_id, out_trade_no, description, amount, currency, open_id, payer, notify_url,
         time_expire_asked, time_expire, ctime, mtime)
      select
        ${trade.appid}, ${trade.tradeNo}, ${trade.merchantId}, ${trade.outTradeNo}, ${trade.description}, ${trade.amount},
        ${trade.currency}, ${trade.openId}, uid, ${trade.notifyUrl}, ${trade.timeExpireAsked}, ${trade.timeExpire},
        ${trade.ctime}, ${trade.ctime}
      from payer
      on conflict (merchant_id, out_trade_no) do nothing
      returning trade_no
    )
    select (select uid from payer) as payer, (select trade_no from made) as "tradeNo"`
  return row
}

/** The trade of an app by its number. */
export async function findTrade(sql: Sql | Tx, { appid, tradeNo }: TradeKey): Promise<Trade | undefined> {
  const [trade] = await sql<Trade[]>`
    select ${tradeColumns(sql)} from trades where appid = ${appid} and trade_no = ${tradeNo}`
  return trade
}

/** A trade by its number, whichever app's it is. */
export async function findTradeOfAnyApp(sql: Sql, tradeNo: string): Promise<Trade | undefined> {
  const [trade] = await sql<Trade[]>`select ${tradeColumns(sql)} from trades where trade_no = ${tradeNo}`
  return trade
}

/** The trade that holds an outTradeNo of a merchant. */
export async function findTradeByOutTradeNo(
  sql: Sql,
  merchantId: string,
  outTradeNo: string,
): Promise<Trade | undefined> {
  const [trade] = await sql<Trade[]>`
    select ${tradeColumns(sql)} from trades where merchant_id = ${merchantId} and out_trade_no = ${outTradeNo}`
  return trade
}

/** The trade, held until the transaction ends: whoever changes a trade or an attempt holds the trade's row. */
export async function lockTrade(tx: Tx, { appid, tradeNo }: TradeKey): Promise<Trade | undefined> {
  const [trade] = await tx<Trade[]>`
    select ${tradeColumns(tx)} from trades where appid = ${appid} and trade_no = ${tradeNo} for update`
  return trade
}

/** Trades whose time has come, held until the transaction ends; those that others hold are passed over. */
export async function lockTradesToExpire(tx: Tx, now: number, limit: number): Promise<Trade[]> {
  return tx<Trade[]>`
    select ${tradeColumns(tx)} from trades
    where transaction_status = 1 and attempt_in_flight is null and time_expire <= ${now}
    order by time_expire limit ${limit} for update skip locked`
}

/** Writes what can change of a trade. */
export async function updateTrade(tx: Tx, trade: Trade): Promise<void> {
  await tx`
    update trades
    set transaction_status = ${trade.transactionStatus}, fail_reason_type = ${trade.failReasonType},
        pay_type = ${trade.payType}, pay_method = ${trade.payMethod}, pay_no = ${trade.payNo},
        attempt_in_flight = ${trade.attemptInFlight}, mtime = ${trade.mtime}
    where appid = ${trade.appid} and trade_no = ${trade.tradeNo}`
}

/** Adds to the story of a trade. `detail` holds nothing that is secret. */
export async function insertEvent(
  tx: Tx,
  { appid, tradeNo }: TradeKey,
  event: { time: number; event: string; detail?: Record<string, unknown> },
): Promise<void> {
  await tx`
    insert into trade_events (appid, trade_no, time, event, detail)
    values (${appid}, ${tradeNo}, ${event.time}, ${event.event}, ${tx.json((event.detail ?? {}) as never)})`
}

/** Whether the story of a trade has this event with all of this detail already. */
export async function hasEvent(
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

/** The story of a trade, oldest first. */
export async function listEvents(
  sql: Sql,
  { appid, tradeNo }: TradeKey,
): Promise<{ time: number; event: string; detail: unknown }[]> {
  return sql<{ time: number; event: string; detail: unknown }[]>`
    select time, event, detail from trade_events where appid = ${appid} and trade_no = ${tradeNo} order by event_id`
}

export async function insertAttempt(tx: Tx, attempt: Attempt): Promise<void> {
  await tx`
    insert into payment_attempts
      (appid, trade_no, attempt_id, provider, provider_account_id, pay_type, pay_method, pay_no, state, fail_reason_type,
       prompt, redirect_url, cancel_for, ctime, mtime)
    values
      (${attempt.appid}, ${attempt.tradeNo}, ${attempt.attemptId}, ${attempt.provider}, ${attempt.providerAccountId},
       ${attempt.payType}, ${attempt.payMethod}, ${attempt.payNo}, ${attempt.state}, ${attempt.failReasonType},
       ${attempt.prompt}, ${attempt.redirectUrl}, ${attempt.cancelFor}, ${attempt.ctime}, ${attempt.ctime})`
}

export async function findAttempt(
  sql: Sql | Tx,
  { appid, tradeNo, attemptId }: AttemptKey,
): Promise<Attempt | undefined> {
  const [attempt] = await sql<Attempt[]>`
    select ${attemptColumns(sql)} from payment_attempts
    where appid = ${appid} and trade_no = ${tradeNo} and attempt_id = ${attemptId}`
  return attempt
}

/** The attempts of a trade, newest first. */
export async function listAttempts(sql: Sql, { appid, tradeNo }: TradeKey): Promise<Attempt[]> {
  return sql<Attempt[]>`
    select ${attemptColumns(sql)} from payment_attempts
    where appid = ${appid} and trade_no = ${tradeNo} order by attempt_id desc`
}

/** The attempt whose money the trade has taken. */
export async function findPayingAttempt(tx: Tx, { appid, tradeNo }: TradeKey): Promise<Attempt | undefined> {
  const [attempt] = await tx<Attempt[]>`
    select ${attemptColumns(tx)} from payment_attempts a
    where appid = ${appid} and trade_no = ${tradeNo} and state = 'succeeded'
      and not exists (select from refunds r where r.attempt_id = a.attempt_id and r.cause = 'notTaken')`
  return attempt
}

/** The whole name of an attempt that a provider knows by its id. */
export async function findAttemptKey(sql: Sql, attemptId: string): Promise<AttemptKey | undefined> {
  const [key] = await sql<AttemptKey[]>`
    select appid, replace(trade_no::text, '-', '') as "tradeNo", replace(attempt_id::text, '-', '') as "attemptId"
    from payment_attempts where attempt_id = ${attemptId}`
  return key
}

/** Writes what can change of an attempt; `heard` is when the provider spoke. */
export async function updateAttempt(tx: Tx, attempt: Attempt, heard: number): Promise<void> {
  await tx`
    update payment_attempts
    set state = ${attempt.state}, pay_no = ${attempt.payNo}, fail_reason_type = ${attempt.failReasonType},
        prompt = ${attempt.prompt}, redirect_url = ${attempt.redirectUrl}, cancel_for = ${attempt.cancelFor}, mtime = ${heard}
    where appid = ${attempt.appid} and trade_no = ${attempt.tradeNo} and attempt_id = ${attempt.attemptId}`
}

/**
 * Takes attempts in flight of which nothing was heard since `before`, and notes that they are being asked about `now`:
 * no other run takes them again soon. One that has been in flight for an hour is asked about every ten minutes only.
 */
export async function claimSilentAttempts(
  sql: Sql,
  { before, now, limit }: { before: number; now: number; limit: number },
): Promise<Attempt[]> {
  return sql<Attempt[]>`
    update payment_attempts set mtime = ${now}
    where (appid, trade_no, attempt_id) in (
      select appid, trade_no, attempt_id from payment_attempts
      where state in ('created', 'pending', 'challenge', 'redirect') and mtime <= ${before}
        and (mtime - ctime < 3600000 or mtime <= ${now}::bigint - 600000)
      order by mtime limit ${limit} for update skip locked)
    returning ${attemptColumns(sql)}`
}

/**
 * Records money that goes back; false where another refund has the refundNo. What is equal to the trade's is written with it, so
 * that both are read as one list.
 */
export async function insertRefund(tx: Tx, trade: Trade, attempt: Attempt, refund: Refund): Promise<boolean> {
  const { count } = await tx`
    insert into refunds
      (appid, trade_no, refund_no, attempt_id, cause, amount, currency, reason, state, merchant_id, out_trade_no, open_id,
       payer, pay_type, pay_method, ctime, mtime)
    values
      (${refund.appid}, ${refund.tradeNo}, ${refund.refundNo}, ${refund.attemptId}, ${refund.cause}, ${refund.amount},
       ${refund.currency}, ${refund.reason}, ${refund.state}, ${trade.merchantId}, ${trade.outTradeNo}, ${trade.openId},
       ${trade.payer}, ${attempt.payType}, ${attempt.payMethod}, ${refund.ctime}, ${refund.mtime})
    on conflict (refund_no) do nothing`
  return count === 1
}

export async function findRefund(sql: Sql | Tx, { appid, tradeNo, refundNo }: RefundKey): Promise<Refund | undefined> {
  const [refund] = await sql<Refund[]>`
    select ${refundColumns(sql)} from refunds
    where appid = ${appid} and trade_no = ${tradeNo} and refund_no = ${refundNo}`
  return refund
}

/** A refund by its number, whichever trade's it is. */
export async function findRefundOfAnyTrade(sql: Sql | Tx, refundNo: string): Promise<Refund | undefined> {
  const [refund] = await sql<Refund[]>`select ${refundColumns(sql)} from refunds where refund_no = ${refundNo}`
  return refund
}

/** What goes back of a trade, or has gone, oldest first. */
export async function listRefunds(sql: Sql | Tx, { appid, tradeNo }: TradeKey): Promise<Refund[]> {
  return sql<Refund[]>`
    select ${refundColumns(sql)} from refunds where appid = ${appid} and trade_no = ${tradeNo} order by ctime, refund_no`
}

/** Refunds owed since before `before`, oldest first, after the one given. */
export async function selectOwedRefunds(
  tx: Tx,
  { before, after, limit }: { before: number; after: { ctime: number; refundNo: string }; limit: number },
): Promise<Refund[]> {
  return tx<Refund[]>`
    select ${refundColumns(tx)} from refunds
    where state = 'owed' and ctime < ${before} and (ctime, refund_no) > (${after.ctime}, ${after.refundNo})
    order by ctime, refund_no limit ${limit}`
}

/** Notes what has become of a refund; false where it is no longer in the state `from`: somebody else has noted it. */
export async function changeRefund(
  sql: Sql | Tx,
  { appid, tradeNo, refundNo }: RefundKey,
  from: Refund['state'],
  { state, refusal, mtime }: Pick<Refund, 'state' | 'refusal' | 'mtime'>,
): Promise<boolean> {
  const { count } = await sql`
    update refunds set state = ${state}, refusal = ${refusal}, mtime = ${mtime}
    where appid = ${appid} and trade_no = ${tradeNo} and refund_no = ${refundNo} and state = ${from}`
  return count === 1
}

const tradeColumns = (sql: Sql | Tx) => sql`
  appid, replace(trade_no::text, '-', '') as "tradeNo", replace(merchant_id::text, '-', '') as "merchantId",
  out_trade_no as "outTradeNo", description, amount, currency, replace(open_id::text, '-', '') as "openId", payer,
  notify_url as "notifyUrl", time_expire_asked as "timeExpireAsked", time_expire as "timeExpire",
  transaction_status as "transactionStatus", fail_reason_type as "failReasonType", pay_type as "payType",
  pay_method as "payMethod", pay_no as "payNo", notify_success as "notifySuccess",
  replace(attempt_in_flight::text, '-', '') as "attemptInFlight", ctime, mtime`

/** The columns of an attempt, under the names of `Attempt`. */
export const attemptColumns = (sql: Sql | Tx) => sql`
  appid, replace(trade_no::text, '-', '') as "tradeNo", replace(attempt_id::text, '-', '') as "attemptId", provider,
  replace(provider_account_id::text, '-', '') as "providerAccountId", pay_type as "payType", pay_method as "payMethod",
  pay_no as "payNo", state, fail_reason_type as "failReasonType", prompt, redirect_url as "redirectUrl",
  cancel_for as "cancelFor", ctime`

const refundColumns = (sql: Sql | Tx) => sql`
  appid, replace(trade_no::text, '-', '') as "tradeNo", replace(refund_no::text, '-', '') as "refundNo",
  replace(attempt_id::text, '-', '') as "attemptId", cause, amount, currency, reason, state, refusal, ctime, mtime`
