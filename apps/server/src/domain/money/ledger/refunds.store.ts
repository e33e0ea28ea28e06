import type { consoleOperations, ResultOf } from '@souk/contract'
import { directionOf } from '../../../kernel/db/page.ts'
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
  /** `operator` refunds a succeeded trade, `system` returns a payment that its trade could not accept. */
  initiator: 'operator' | 'system'
  reason: 'requested' | 'tradeFinal' | 'amountMismatch'
  /** The operator's reason, or an explanation by the system. */
  note: string
  /** Cents. */
  amount: number
  currency: string
  state: 'owed' | 'returned' | 'refused'
  /** Reason for which the provider rejected it. */
  refusal: string | null
  ctime: number
  mtime: number
}

/**
 * Inserts a refund. Returns false if the refundNo is taken. Columns of the trade are copied, so that the data API can
 * read trades and refunds as one list.
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
       out_trade_no, open_id, payer, pay_type, pay_method, ctime, mtime)
    values
      (${refund.appid}, ${refund.tradeNo}, ${refund.refundNo}, ${refund.attemptId}, ${refund.initiator},
       ${refund.reason}, ${refund.note}, ${refund.amount}, ${refund.currency}, ${refund.state}, ${trade.merchantId},
       ${trade.outTradeNo}, ${trade.openId}, ${trade.payer}, ${attempt.payType}, ${attempt.payMethod}, ${refund.ctime}, ${refund.mtime})
    on conflict (refund_no) do nothing`
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

export async function findRefund(sql: Sql | Tx, { appid, tradeNo, refundNo }: RefundKey): Promise<Refund | undefined> {
  const [refund] = await sql<Refund[]>`
    select ${refundColumns(sql)} from refunds
    where appid = ${appid} and trade_no = ${tradeNo} and refund_no = ${refundNo}`
  return refund
}

/** Finds a refund of any trade. */
export async function findRefundByRefundNo(sql: Sql | Tx, refundNo: string): Promise<Refund | undefined> {
  const [refund] = await sql<Refund[]>`select ${refundColumns(sql)} from refunds where refund_no = ${refundNo}`
  return refund
}

/** Returns the merchant of a refund, whose trade may be archived. */
export async function findMerchantOfRefund(sql: Sql | Tx, { appid, tradeNo, refundNo }: RefundKey): Promise<string> {
  const [row] = await sql<[{ merchantId: string }]>`
    select merchant_id from refunds
    where appid = ${appid} and trade_no = ${tradeNo} and refund_no = ${refundNo}`
  return row.merchantId
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
  },
): Rows<ResultOf<Operations['searchRefunds']>['items'][number]> {
  const { state, initiator, sort = '-ctime', before, limit } = filter
  const { direction, follows } = directionOf(sql, sort)
  return sql<ResultOf<Operations['searchRefunds']>['items']>`
    select r.*
    from unnest(${appids as string[]}::text[]) as requested (appid) cross join lateral (
      select
        refund_no, trade_no, attempt_id, initiator, reason, note, amount, currency, state, refusal, ctime, mtime, appid,
        out_trade_no
      from refunds
      where appid = requested.appid
        ${state === undefined ? sql`` : sql`and state = ${state}`}
        ${initiator === undefined ? sql`` : sql`and initiator = ${initiator}`}
        ${before === undefined ? sql`` : sql`and (ctime, refund_no) ${follows} (${before.ctime}, ${before.refundNo})`}
      order by ctime ${direction}, refund_no ${direction}
      limit ${limit}
    ) r
    order by r.ctime ${direction}, r.refund_no ${direction}
    limit ${limit}`
}

const refundColumns = (sql: Sql | Tx) => sql`
  appid, trade_no, refund_no, attempt_id, initiator, reason, note, amount, currency, state, refusal, ctime, mtime`

/** Builds the condition for refunds whose money is back with the payer. */
export const isReturned = (sql: Sql) => sql`state = 'returned'`
