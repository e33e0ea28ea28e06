import type { consoleOperations, ResultOf } from '@souk/contract'
import { directionOf, listsOfPage, mergedOrder } from '../../../kernel/db/page.ts'
import type { Rows, Sql, Tx } from '../../../kernel/db/pool.ts'
import type { Attempt } from '../payments/index.ts'
import type { Trade, TradeKey } from '../trades/index.ts'

type Operations = typeof consoleOperations

/** The primary key of a refund. The provider knows the refundNo only. */
export interface RefundKey extends TradeKey {
  refundNo: string
}

/** A refund to the payer (`transactionFlow` 1). */
export interface Refund extends RefundKey {
  attemptId: string
  /**
   * `operator` refunds a succeeded trade, also at the request of a backend, whose refunds have an `outRefundNo`.
   * `system` returns a payment that its trade could not accept.
   */
  initiator: 'operator' | 'system'
  reason: 'requested' | 'tradeFinal' | 'amountMismatch'
  /** The reason of who requested it, or an explanation by the system. */
  note: string
  /** The number of the backend that requested it, unique per merchant; null for others. */
  outRefundNo: string | null
  /** Where a backend wants its result; null for nowhere. */
  notifyUrl: string | null
  /** Cents. */
  amount: number
  currency: string
  state: 'owed' | 'returned' | 'refused'
  /** Reason for which the provider rejected it. */
  refusal: string | null
  ctime: number
  mtime: number
}

/** A refund with what it copies of its trade, which may be archived. */
export interface RefundWithTrade extends Refund {
  merchantId: string
  outTradeNo: string
  openId: string
}

/**
 * Inserts a refund. Returns false if the refundNo or outRefundNo is taken. Columns of the trade are copied, so that the
 * data API can read trades and refunds as one list.
 */
export async function insertRefund(
  tx: Tx,
  trade: Pick<Trade, 'merchantId' | 'outTradeNo' | 'openId' | 'payer'>,
  attempt: Pick<Attempt, 'payType' | 'payMethod'>,
  refund: Refund,
): Promise<boolean> {
  const { count } = await tx`
    insert into refunds
      (appid, trade_no, refund_no, attempt_id, initiator, reason, note, amount, currency, state, merchant_id,
       out_trade_no, open_id, payer, pay_type, pay_method, out_refund_no, notify_url, ctime, mtime)
    values
      (${refund.appid}, ${refund.tradeNo}, ${refund.refundNo}, ${refund.attemptId}, ${refund.initiator},
       ${refund.reason}, ${refund.note}, ${refund.amount}, ${refund.currency}, ${refund.state}, ${trade.merchantId},
       ${trade.outTradeNo}, ${trade.openId}, ${trade.payer}, ${attempt.payType}, ${attempt.payMethod}, ${refund.outRefundNo},
       ${refund.notifyUrl}, ${refund.ctime}, ${refund.mtime})
    on conflict do nothing`
  return count === 1
}

/**
 * Inserts a refund of the money of another one, as old as that. Copies it in the database, because its trade may be
 * archived.
 */
export async function insertReplacement(
  tx: Tx,
  { appid, tradeNo, refundNo: replaced }: RefundKey,
  { refundNo, mtime }: Pick<Refund, 'refundNo' | 'mtime'>,
): Promise<void> {
  await tx`
    insert into refunds
      (appid, trade_no, refund_no, attempt_id, initiator, reason, note, amount, currency, state, merchant_id,
       out_trade_no, open_id, payer, pay_type, pay_method, ctime, mtime)
    select appid, trade_no, ${refundNo}, attempt_id, initiator, reason, note, amount, currency, 'owed', merchant_id,
      out_trade_no, open_id, payer, pay_type, pay_method, ctime, ${mtime}
    from refunds where appid = ${appid} and trade_no = ${tradeNo} and refund_no = ${replaced}`
}

export async function findRefund(
  sql: Sql | Tx,
  { appid, tradeNo, refundNo }: RefundKey,
): Promise<RefundWithTrade | undefined> {
  const [refund] = await sql<RefundWithTrade[]>`
    select ${refundColumns(sql)}, merchant_id, out_trade_no, open_id from refunds
    where appid = ${appid} and trade_no = ${tradeNo} and refund_no = ${refundNo}`
  return refund
}

/** Finds a refund of any trade. */
export async function findRefundByRefundNo(sql: Sql | Tx, refundNo: string): Promise<Refund | undefined> {
  const [refund] = await sql<Refund[]>`select ${refundColumns(sql)} from refunds where refund_no = ${refundNo}`
  return refund
}

/** Finds a refund that a backend has requested, by the merchant's number of it. */
export async function findRefundByOutRefundNo(
  sql: Sql | Tx,
  merchantId: string,
  outRefundNo: string,
): Promise<Refund | undefined> {
  const [refund] = await sql<Refund[]>`
    select ${refundColumns(sql)} from refunds where merchant_id = ${merchantId} and out_refund_no = ${outRefundNo}`
  return refund
}

/** Finds a refund that a backend has requested. */
export async function findRefundOfBackend(
  sql: Sql,
  { appid, refundNo }: Pick<RefundKey, 'appid' | 'refundNo'>,
): Promise<RefundWithTrade | undefined> {
  const [refund] = await sql<RefundWithTrade[]>`
    select ${refundColumns(sql)}, merchant_id, out_trade_no, open_id from refunds
    where refund_no = ${refundNo} and appid = ${appid} and out_refund_no is not null`
  return refund
}

/** Lists the refunds of a trade, oldest first. */
export async function listRefunds(sql: Sql | Tx, { appid, tradeNo }: TradeKey): Promise<Refund[]> {
  return sql<Refund[]>`
    select ${refundColumns(sql)} from refunds where appid = ${appid} and trade_no = ${tradeNo} order by ctime, refund_no`
}

/** Lists refunds owed since before `before`, oldest first, after the one in `after`. */
export async function listOwedRefunds(
  tx: Tx,
  { before, after, limit }: { before: number; after: { ctime: number; refundNo: string }; limit: number },
): Promise<Refund[]> {
  return tx<Refund[]>`
    select ${refundColumns(tx)} from refunds
    where state = 'owed' and ctime < ${before} and (ctime, refund_no) > (${after.ctime}, ${after.refundNo})
    order by ctime, refund_no limit ${limit}`
}

/** Updates a refund. Returns false if it is no longer in the state `from`. */
export async function updateRefund(
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

/** Adds a callback to those of a refund. */
export async function updateNotifyIds(
  tx: Tx,
  { appid, tradeNo, refundNo }: RefundKey,
  notifyId: string,
): Promise<void> {
  await tx`
    update refunds set notify_ids = notify_ids || ${notifyId}::uuid
    where appid = ${appid} and trade_no = ${tradeNo} and refund_no = ${refundNo}`
}

/** Lists refunds of these apps by time. `before` is the last refund of the previous page. */
export function listRefundRows(
  sql: Sql,
  appids: readonly string[],
  filter: {
    state: string | undefined
    initiator: string | undefined
    sort?: 'ctime' | '-ctime' | undefined
    before: { ctime: number; refundNo: string } | undefined
    limit: number
    isTotal: boolean
  },
): Rows<ResultOf<Operations['searchRefunds']>['items'][number]> {
  const { state, initiator, sort = '-ctime', before, limit, isTotal } = filter
  const { direction, follows } = directionOf(sql, sort)
  const ofApp = (most: number) => sql`
    select
      refund_no, trade_no, attempt_id, case when out_refund_no is null then initiator else 'backend' end as initiator,
      reason, note, out_refund_no, amount, currency, state, refusal, ctime, mtime, appid, out_trade_no
    from refunds
    where appid = list.appid
      ${state === undefined ? sql`` : sql`and state = ${state}`}
      ${initiatorIs(sql, initiator)}
      ${before === undefined ? sql`` : sql`and (ctime, refund_no) ${follows} (${before.ctime}, ${before.refundNo})`}
    order by ctime ${direction}, refund_no ${direction}
    limit ${most}`
  const lists = listsOfPage(sql, {
    lists: sql`unnest(${appids as string[]}::text[]) as list (appid)`,
    count: appids.length,
    first: ofApp(1),
    order: sql`head.ctime ${direction}, head.refund_no ${direction}`,
    limit,
  })
  return sql<ResultOf<Operations['searchRefunds']>['items']>`
    select r.* from ${lists} cross join lateral (${ofApp(limit)}) r
    ${mergedOrder(sql, isTotal, sql`r.ctime ${direction}, r.refund_no ${direction}`)}
    limit ${limit}`
}

/** Builds the condition for refunds by an initiator as the console knows it. */
function initiatorIs(sql: Sql, initiator: string | undefined) {
  if (initiator === undefined) return sql``
  if (initiator === 'backend') return sql`and initiator = 'operator' and out_refund_no is not null`
  return sql`and initiator = ${initiator} and out_refund_no is null`
}

const refundColumns = (sql: Sql | Tx) => sql`
  appid, trade_no, refund_no, attempt_id, initiator, reason, note, amount, currency, state, refusal, out_refund_no,
  notify_url, ctime, mtime`

/** Builds the condition for refunds whose money is back with the payer. */
export const isReturned = (sql: Sql) => sql`state = 'returned'`
