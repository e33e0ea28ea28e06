import { type consoleOperations, maxListed, day as oneDay, type ResultOf } from '@souk/contract'
import { listsOfPage, mergedOrder } from '../../../../kernel/db/page.ts'
import type { Part, Rows, Sql, Tx } from '../../../../kernel/db/pool.ts'
import {
  type Attempt,
  type AttemptKey,
  attemptColumns,
  listingProviders,
  type PaidPayment,
} from '../../payments/index.ts'

type Operations = typeof consoleOperations
export type ReconciliationRow = ResultOf<Operations['searchReconciliations']>['items'][number]
export type Difference = ResultOf<Operations['getReconciliation']>['differences'][number]

/** A merchant's payments at one provider on one day. */
export interface DayScope {
  merchantId: string
  /** The provider's ledger account. */
  account: string
  /** Start of the day, ms. */
  day: number
}

/** An attempt with its amounts in the ledger, in cents. */
export interface LedgerAttempt extends Attempt {
  booked: number | null
  bookedCurrency: string | null
  /** Refunded amount, and amount of owed refunds. */
  returned: number
  owed: number
}

/** Maximum age of a trade when an attempt starts: its maximum lifetime and a day. */
const maxTradeAge = 8 * oneDay

/** Time since its last payment in which a merchant may have payments at a provider that are lost. */
const usedWithin = 31 * oneDay

const accountSql = (sql: Sql | Tx) => sql`
  'provider:' || coalesce(replace(a.provider_account_id::text, '-', ''), a.provider)`

/** Finds the latest day before `to` with a reconciliation. A sandbox whose clock was set back has later ones. */
export async function findLatestDay(sql: Sql, to: number): Promise<number | null> {
  const [row] = await sql<[{ day: number | null }]>`select max(day) as day from reconciliations where day < ${to}`
  return row.day
}

/**
 * Lists what to compare for the days from `from` to before `to`, of these apps or of all. `withoutAttempts`: also days
 * on which all payments of a merchant at a provider may be lost.
 */
export async function listDayScopes(
  sql: Sql,
  {
    from,
    to,
    appids,
    withoutAttempts,
  }: { from: number; to: number; appids?: readonly string[]; withoutAttempts: boolean },
): Promise<DayScope[]> {
  const ofApps = appids === undefined ? sql`` : sql`and a.appid = any(${appids as string[]}::text[])`
  const lostDays = withoutAttempts
    ? sql`
    union
    -- Days without attempts too: all of them may be lost.
    select merchant_id, account, day
    from (
      select t.merchant_id, ${accountSql(sql)} as account, min(a.ctime) / ${oneDay}::bigint * ${oneDay}::bigint as first
      from payment_attempts a join all_trades t using (appid, trade_no)
      where a.provider = any(${listingProviders}::text[]) and a.ctime >= ${from - usedWithin} ${ofApps}
      group by t.merchant_id, account
    ) used, generate_series(greatest(first, ${from}::bigint), ${to - 1}::bigint, ${oneDay}::bigint) as day`
    : sql``
  return sql<DayScope[]>`
    select
      t.merchant_id, ${accountSql(sql)} as account, a.ctime / ${oneDay}::bigint * ${oneDay}::bigint as day
    from payment_attempts a join all_trades t using (appid, trade_no)
    where a.ctime >= ${from} and a.ctime < ${to} ${ofApps}
    union
    select
      r.merchant_id, ${accountSql(sql)}, r.mtime / ${oneDay}::bigint * ${oneDay}::bigint
    from refunds r join payment_attempts a using (appid, trade_no, attempt_id)
    where r.state <> 'owed' and r.mtime >= ${from} and r.mtime < ${to} ${ofApps}
    ${lostDays}`
}

/** Inserts a running reconciliation. Returns undefined if it exists and must not run `again`. */
export async function insertReconciliation(
  tx: Tx,
  reconciliationId: string,
  { merchantId, account, day }: DayScope,
  { now, again }: { now: number; again: boolean },
): Promise<string | undefined> {
  const [row] = await tx<{ reconciliationId: string }[]>`
    insert into reconciliations as r (reconciliation_id, merchant_id, account, day, state, ctime, mtime)
    values (${reconciliationId}, ${merchantId}, ${account}, ${day}, 'running', ${now}, ${now})
    on conflict (merchant_id, account, day) do update set state = 'running', mtime = ${now} where ${again}
    returning r.reconciliation_id`
  return row?.reconciliationId
}

/** Sets an existing reconciliation to running. Returns undefined if there is none. */
export async function updateReconciliationToRunning(
  tx: Tx,
  { appid, account, day, now }: { appid: string; account: string; day: number; now: number },
): Promise<string | undefined> {
  const [row] = await tx<{ reconciliationId: string }[]>`
    update reconciliations r set state = 'running', mtime = ${now}
    from merchants m
    where m.appid = ${appid} and r.merchant_id = m.merchant_id and r.account = ${account} and r.day = ${day}
    returning r.reconciliation_id`
  return row?.reconciliationId
}

/** Claims reconciliations that have been running since `before`, because the queue dropped their jobs. */
export async function claimStalled(tx: Tx, { before, now }: { before: number; now: number }): Promise<string[]> {
  const rows = await tx<{ reconciliationId: string }[]>`
    update reconciliations set mtime = ${now} where state = 'running' and mtime <= ${before}
    returning reconciliation_id`
  return rows.map(({ reconciliationId }) => reconciliationId)
}

export async function findReconciliation(sql: Sql, reconciliationId: string): Promise<ReconciliationRow | undefined> {
  const [row] = await sql<ReconciliationRow[]>`
    select ${columns(sql)} from ${joined(sql)} where reconciliation_id = ${reconciliationId}`
  return row
}

/** Lists reconciliations of these apps, newest day first. */
export function listReconciliations(
  sql: Sql,
  appids: readonly string[],
  filter: {
    differing: boolean | undefined
    before: { day: number; reconciliationId: string } | undefined
    limit: number
    isTotal: boolean
  },
): Rows<ReconciliationRow> {
  const { differing, before, limit, isTotal } = filter
  const ofMerchant = (most: number) => sql`
    select * from reconciliations
    where merchant_id = list.merchant_id
      ${differing === undefined ? sql`` : differing ? sql`and differences > 0` : sql`and differences = 0`}
      ${before === undefined ? sql`` : sql`and (day, reconciliation_id) < (${before.day}, ${before.reconciliationId})`}
    order by day desc, reconciliation_id desc limit ${most}`
  const lists = listsOfPage(sql, {
    lists: sql`(select merchant_id from merchants where appid = any(${appids as string[]}::text[])) as list`,
    count: appids.length,
    first: ofMerchant(1),
    order: sql`head.day desc, head.reconciliation_id desc`,
    limit,
  })
  return sql<ReconciliationRow[]>`
    with found as materialized (
      select each.* from ${lists} cross join lateral (${ofMerchant(limit)}) each
      ${mergedOrder(sql, isTotal, sql`each.day desc, each.reconciliation_id desc`)} limit ${limit}
    )
    select ${columns(sql)} from ${joined(sql, sql`found`)}
    order by r.day desc, r.reconciliation_id desc`
}

export async function listDifferences(sql: Sql, reconciliationId: string): Promise<Difference[]> {
  return sql<Difference[]>`
    select
      attempt_id, trade_no, difference, booked, booked_currency, told, told_currency, repaired, detail
    from reconciliation_differences where reconciliation_id = ${reconciliationId}
    order by attempt_id, difference limit ${maxListed}`
}

/**
 * Lists the attempts of a reconciliation after `after`, ordered by ID, with their amounts in the ledger: those that
 * started on that day, and those with a refund that was completed on it.
 */
export async function listLedgerAttempts(
  sql: Sql,
  { appid, account, day, after, limit }: { appid: string; account: string; day: number; after: string; limit: number },
): Promise<LedgerAttempt[]> {
  return sql<LedgerAttempt[]>`
    select ${bookedColumns(sql)}
    from (
      select ${attemptColumns(sql)}
      from payment_attempts a
      where appid = ${appid} and ctime >= ${day} and ctime < ${day + oneDay} and attempt_id > ${after}
        and trade_no in (select trade_no from all_trades where appid = ${appid} and ctime >= ${day - maxTradeAge} and ctime < ${day + oneDay})
        and ${accountSql(sql)} = ${account}
      union
      select ${attemptColumns(sql)}
      from payment_attempts a
      where (appid, trade_no, attempt_id) in (
          select appid, trade_no, attempt_id from refunds
          where appid = ${appid} and state <> 'owed' and mtime >= ${day} and mtime < ${day + oneDay})
        and attempt_id > ${after} and ${accountSql(sql)} = ${account}
      order by attempt_id
      limit ${limit}
    ) found
    order by attempt_id`
}

/** Finds an attempt with its amounts in the ledger. */
export async function findLedgerAttempt(
  sql: Sql,
  { appid, tradeNo, attemptId }: AttemptKey,
): Promise<LedgerAttempt | undefined> {
  const [attempt] = await sql<LedgerAttempt[]>`
    select ${bookedColumns(sql)}
    from (
      select ${attemptColumns(sql)} from payment_attempts
      where appid = ${appid} and trade_no = ${tradeNo} and attempt_id = ${attemptId}
    ) found`
  return attempt
}

/** Columns of the attempts in `found`. */
const bookedColumns = (sql: Sql) => sql`
  found.*,
  (select amount from ledger_entries where reference = found.attempt_id and movement = 'captured') as booked,
  (select currency from ledger_entries where reference = found.attempt_id and movement = 'captured')
    as booked_currency,
  (select coalesce(sum(case e.movement when 'refundReturned' then e.amount else -e.amount end), 0)::bigint
    from refunds r
      join ledger_entries e on e.reference = r.refund_no and e.movement in ('refundReturned', 'refundFailed')
    where ${refundOfFound(sql)}) as returned,
  (select coalesce(sum(r.amount), 0)::bigint from refunds r where ${refundOfFound(sql)} and r.state = 'owed') as owed`

const refundOfFound = (sql: Sql) => sql`
  r.appid = found.appid and r.trade_no = found.trade_no and r.attempt_id = found.attempt_id`

/**
 * Returns those payments of an app that have no attempt. Without an app in the metadata, the one of the trade counts.
 */
export async function listLost(
  sql: Sql,
  appid: string,
  payments: readonly PaidPayment[],
): Promise<(PaidPayment & { tradeNo: string })[]> {
  const found = payments.filter((payment): payment is PaidPayment & { tradeNo: string } => payment.tradeNo !== null)
  const ids = found.map(({ attemptId }) => attemptId)
  const existing = await sql<{ attemptId: string }[]>`
    select attempt_id from payment_attempts
    where attempt_id = any(${ids}::uuid[])`
  const existingIds = new Set(existing.map(({ attemptId }) => attemptId))
  const lost = found.filter(({ attemptId }) => !existingIds.has(attemptId))
  const trades = await sql<{ tradeNo: string }[]>`
    select trade_no from all_trades
    where appid = ${appid} and trade_no = any(${lost.map(({ tradeNo }) => tradeNo)}::uuid[])`
  const ownTrades = new Set(trades.map(({ tradeNo }) => tradeNo))
  return lost.filter((each) => (each.appid === null ? ownTrades.has(each.tradeNo) : each.appid === appid))
}

/**
 * Replaces the differences of an earlier comparison, except its lost payments if `keepsLost`. If the day was reopened
 * during the comparison, which may have missed the reason, it keeps running for the job that compares it again.
 */
export async function updateReconciliationToFinished(
  tx: Tx,
  { reconciliationId, mtime }: Pick<ReconciliationRow, 'reconciliationId' | 'mtime'>,
  {
    attempts,
    differences,
    keepsLost,
    now,
  }: { attempts: number; differences: readonly (Difference & { appid: string })[]; keepsLost: boolean; now: number },
): Promise<void> {
  await tx`
    delete from reconciliation_differences
    where reconciliation_id = ${reconciliationId} ${keepsLost ? tx`and difference <> 'lost'` : tx``}`
  for (const each of differences) {
    await tx`
      insert into reconciliation_differences
        (reconciliation_id, attempt_id, appid, trade_no, difference, booked, booked_currency, told, told_currency, repaired,
         detail)
      values
        (${reconciliationId}, ${each.attemptId}, ${each.appid}, ${each.tradeNo}, ${each.difference}, ${each.booked},
         ${each.bookedCurrency}, ${each.told}, ${each.toldCurrency}, ${each.repaired}, ${each.detail})`
  }
  await tx`
    update reconciliations r
    set state = case when mtime = ${mtime} then 'finished' else state end, attempts = ${attempts},
      differences = (select count(*) from reconciliation_differences d where d.reconciliation_id = r.reconciliation_id),
      mtime = case when mtime = ${mtime} then ${now} else mtime end
    where reconciliation_id = ${reconciliationId}`
}

const joined = (sql: Sql, reconciliations: Part = sql`reconciliations`) => sql`
  ${reconciliations} r join merchants m using (merchant_id)
  left join provider_accounts p on r.account = 'provider:' || replace(p.provider_account_id::text, '-', '')`

const columns = (sql: Sql) => sql`
  r.reconciliation_id, m.appid, r.merchant_id, r.account, p.name as account_name, r.day, r.state, r.attempts,
  r.differences, r.ctime, r.mtime`
