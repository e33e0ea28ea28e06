import { type Currency, day, hour, minute, type TransactionStatus, transactionStatus } from '@souk/contract'
import { numberedIn } from '../../../kernel/db/numberedIn.ts'
import type { Part, Sql, Tx } from '../../../kernel/db/pool.ts'

/** A period of the domain clock, from `from` until before `to`, in ms. */
export interface Period {
  from: number
  to: number
}

/** A sum of trades that were created in a period. */
export interface Sum {
  projectId: string
  /** Empty in sums of whole projects. */
  appid: string
  /** Index of the period. */
  place: number
  transactionStatus: TransactionStatus
  currency: Currency
  count: number
  /** Cents, not less refunds, capped at 2^53 - 1; also what was refunded of it. */
  amount: number
  refundedAmount: number
}

interface SumFilter {
  projectIds: readonly string[]
  /** Mini apps of these projects that have a sum each; undefined for sums of whole projects. */
  appids: readonly string[] | undefined
  /** Periods that follow each other. */
  periods: readonly Period[]
  /** The part of the periods for which kept sums are read, which consists of whole quarters of an hour. */
  kept: Period
  statuses: readonly TransactionStatus[]
  currency: string | undefined
  sandbox: boolean
}

/** Durations of kept sums in ms, longest first. Each is a multiple of the next one. */
const spans = [day, hour, 15 * minute] as const
/** Offsets of all time zones are multiples of it. */
export const shortestSpan = 15 * minute

/** Builds the condition for refunds of paid trades. Others return a payment that its trade did not accept. */
export const isRefund = (sql: Sql | Tx) => sql`initiator = 'operator' and state <> 'refused'`

/**
 * Lists sums of trades by project or mini app, period, status and currency, of one snapshot of the database. Reads
 * kept sums and changes that are not added to them yet; each trade that is not finished; and each trade of the periods
 * before and after `kept`.
 */
export function listSums(
  sql: Sql,
  { projectIds, appids, periods, kept, statuses, currency, sandbox }: SumFilter,
): Promise<Sum[]> {
  const whole: Period = { from: periods[0]!.from, to: periods.at(-1)!.to }
  const before: Period = { from: whole.from, to: kept.from }
  const after: Period = { from: kept.to, to: whole.to }
  const pieces = periods.flatMap((period, place) =>
    piecesOf(within(period, kept)).map((piece) => ({ place, ...piece })),
  )
  const unfinished = statuses.filter((status) => status === transactionStatus.processing)
  const finishedStatuses = statuses.filter((status) => status !== transactionStatus.processing)
  const ids = sql`any(${projectIds as string[]}::uuid[])`
  const chosen = appids === undefined ? sql`project_id = ${ids}` : sql`appid = any(${appids as string[]}::text[])`
  const ofApps = sql`any(array(select appid from chosen))`
  const ofCurrency = currency === undefined ? sql`` : sql`and currency = ${currency}`
  const placeOf = (column: Part) => sql`width_bucket(${column}, ${periods.map(({ from }) => from)}::bigint[]) - 1`
  const created = ({ from, to }: Period) => sql`
    appid = ${ofApps} ${numberedIn(sql, 'trade_no', { from, to, sandbox })} and ctime >= ${from} and ctime < ${to}`
  const trades = (period: Period, of: readonly TransactionStatus[]) => {
    if (period.from >= period.to || of.length === 0) return sql``
    return sql`
      union all
      select appid, ${placeOf(sql`ctime`)}, transaction_status, currency, count(*), sum(amount), 0
      from all_trades
      where ${created(period)} and transaction_status = any(${of as number[]}::smallint[]) ${ofCurrency}
      group by 1, 2, 3, 4`
  }
  const refunds = (period: Period) => {
    if (period.from >= period.to || !finishedStatuses.includes(transactionStatus.succeeded)) return sql``
    return sql`
      union all
      select appid, ${placeOf(sql`ctime`)}, transaction_status, currency, 0, 0, sum(refund.amount)
      from (
        select appid, trade_no, ctime, transaction_status, currency from all_trades
        where ${created(period)} and transaction_status = ${transactionStatus.succeeded} ${ofCurrency}
      ) trade join (
        select appid, trade_no, amount from refunds
        where appid = ${ofApps} ${numberedIn(sql, 'trade_no', { ...period, sandbox })} and ${isRefund(sql)}
      ) refund using (appid, trade_no)
      group by 1, 2, 3, 4`
  }
  return sql<Sum[]>`
    with chosen as materialized (
      select appid, project_id from apps where ${chosen}
    ), pieces as materialized (
      select * from unnest(
        ${pieces.map(({ place }) => place)}::integer[], ${pieces.map(({ span }) => span)}::integer[],
        ${pieces.map(({ from }) => from)}::bigint[], ${pieces.map(({ to }) => to)}::bigint[]
      ) as piece (place, span, from_time, to_time)
    ), found as (
      select appid, ${placeOf(sql`time`)} as place, status, currency, count, amount, refunded
      from trade_changes
      where appid = ${ofApps} and time >= ${kept.from} and time < ${kept.to}
        and status = any(${finishedStatuses as number[]}::smallint[]) ${ofCurrency}
      ${trades(whole, unfinished)}
      ${trades(before, finishedStatuses)} ${refunds(before)}
      ${trades(after, finishedStatuses)} ${refunds(after)}
    )
    select
      project_id, appid, place, status as transaction_status, currency, sum(count)::bigint as count,
      least(sum(amount), 9007199254740991)::bigint as amount,
      least(sum(refunded), 9007199254740991)::bigint as refunded_amount
    from (
      select project_id, appid, piece.place, status, currency, count, amount, refunded
      from pieces piece cross join lateral (
        select * from trade_sums
        where project_id = ${ids} and appid = ${appids === undefined ? sql`''` : ofApps}
          and span = piece.span and status = any(${finishedStatuses as number[]}::smallint[])
          and start >= piece.from_time and start < piece.to_time ${ofCurrency}
        -- Keeps the planner from reading all sums of the project at once.
        offset 0
      ) sums
      union all
      select project_id, ${appids === undefined ? sql`''` : sql`appid`}, place, status, currency, count, amount, refunded
      from found join chosen using (appid)
    ) summands
    group by 1, 2, 3, 4, 5
    having sum(count) <> 0
    order by 3, 4, 5`
}

const within = ({ from, to }: Period, { from: first, to: last }: Period): Period => ({
  from: Math.max(from, first),
  to: Math.min(to, last),
})

/** Splits a period of whole quarters of an hour into the fewest ranges of kept sums. */
function piecesOf(
  { from, to }: Period,
  [span, ...shorter] = spans as readonly number[],
): (Period & { span: number })[] {
  if (from >= to || span === undefined) return []
  const [first, last] = [Math.ceil(from / span) * span, Math.floor(to / span) * span]
  if (first >= last) return piecesOf({ from, to }, shorter)
  return [
    ...piecesOf({ from, to: first }, shorter),
    { span, from: first, to: last },
    ...piecesOf({ from: last, to }, shorter),
  ]
}

export async function existsSums(sql: Sql): Promise<boolean> {
  const [row] = await sql`select is_only from trade_progress`
  return row !== undefined
}

/** Selects sums of changes for each kept sum that they change, in the order of its key. */
const summedUp = (sql: Sql | Tx, changes: Part) => sql`
  select project_id, owner, span, status, time - time % span, currency, sum(count), sum(amount), sum(refunded)
  from ${changes} change join apps using (appid) cross join lateral unnest(array['', appid]) as owner
    cross join unnest(${[...spans]}::integer[]) as span
  group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`

const sumColumns = (sql: Sql | Tx) => sql`project_id, appid, span, status, start, currency, count, amount, refunded`

/**
 * Adds up the trades from before their changes were recorded, which takes as long as there are many, unless that was
 * done. Other processes wait for it.
 */
export async function insertSums(sql: Sql): Promise<void> {
  await sql.begin(
    async (tx) => {
      const [first] = await tx`insert into trade_progress default values on conflict do nothing returning is_only`
      if (first === undefined) return
      // One statement sees all trades with their changes. None is in the sums before this transaction ends.
      await tx`
        with earlier as materialized (
          select appid, time - time % ${shortestSpan} as time, status, currency,
            sum(count) as count, sum(amount) as amount, sum(refunded) as refunded
          from (
            select appid, ctime as time, transaction_status as status, currency, 1 as count, amount, 0 as refunded
            from all_trades where transaction_status <> ${transactionStatus.processing}
            union all
            select trade.appid, trade.ctime, trade.transaction_status, trade.currency, 0, 0, refund.amount
            from (select appid, trade_no, amount from refunds where ${isRefund(tx)}) refund
              join all_trades trade on trade.appid = refund.appid and trade.trade_no = refund.trade_no
                and trade.transaction_status = ${transactionStatus.succeeded}
            union all
            select appid, time, status, currency, -count, -amount, -refunded from trade_changes
          ) each
          group by 1, 2, 3, 4
        )
        insert into trade_sums (${sumColumns(tx)}) ${summedUp(tx, tx`earlier`)}`
    },
    { statementLimit: 0 },
  )
}

/** Moves at most `limit` changes to the sums once these are complete, and returns their number. */
export async function upsertSums(sql: Sql, limit: number): Promise<number> {
  const [{ moved }] = await sql<[{ moved: number }]>`
    with changes as (
      delete from trade_changes where ctid = any(array(
        select ctid from trade_changes where exists (select from trade_progress) limit ${limit} for update skip locked
      ))
      returning appid, time, status, currency, count, amount, refunded
    ), added as (
      insert into trade_sums as known (${sumColumns(sql)}) ${summedUp(sql, sql`changes`)}
      on conflict (project_id, appid, span, status, start, currency) do update set
        count = known.count + excluded.count, amount = known.amount + excluded.amount,
        refunded = known.refunded + excluded.refunded
    )
    select count(*)::integer as moved from changes`
  return moved
}
