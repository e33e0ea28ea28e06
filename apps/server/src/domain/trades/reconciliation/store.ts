import type { consoleOperations, ResultOf } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { type Attempt, attemptColumns } from '../store.ts'

type Operations = typeof consoleOperations
export type ReconciliationRow = ResultOf<Operations['searchReconciliations']>['items'][number]
export type Difference = ResultOf<Operations['getReconciliation']>['differences'][number]

/** A merchant's payments at one processor on one day. */
export interface Lot {
  merchantId: string
  /** The processor's account in the ledger. */
  account: string
  /** When the day begins, ms. */
  day: number
}

/** An attempt with what the ledger knows of its money, in cents. */
export interface Booked extends Attempt {
  booked: number | null
  bookedCurrency: string | null
  /** What was given back, and what still has to be. */
  returned: number
  owed: number
}

const DAY = 86_400_000
/** How much older than its attempts a trade can be: its life, and a day for the last of them. */
const oldest = 8 * DAY

const accountSql = (sql: Sql | Tx) => sql`
  'processor:' || coalesce(replace(a.processor_account_id::text, '-', ''), a.provider)`

/** The latest day that was begun with; null before the first. */
export async function selectLatestDay(sql: Sql): Promise<number | null> {
  const [row] = await sql<[{ day: number | null }]>`select max(day) as day from reconciliations`
  return row.day
}

/** What there is to compare of the days from `from` up to `to` and is not listed yet, of these merchants or of all. */
export async function selectLots(
  sql: Sql,
  { from, to, appids }: { from: number; to: number; appids?: readonly string[] },
): Promise<Lot[]> {
  return sql<Lot[]>`
    select distinct
      replace(t.merchant_id::text, '-', '') as "merchantId", ${accountSql(sql)} as account,
      a.ctime / ${DAY}::bigint * ${DAY}::bigint as day
    from payment_attempts a join trades t using (appid, trade_no)
    where a.ctime >= ${from} and a.ctime < ${to}
      ${appids === undefined ? sql`` : sql`and a.appid = any(${appids as string[]}::text[])`}`
}

/** Lists a lot as one that is being compared. False where it is listed already and not to be compared `again`. */
export async function insertReconciliation(
  tx: Tx,
  reconciliationId: string,
  { merchantId, account, day }: Lot,
  { now, again }: { now: number; again: boolean },
): Promise<string | undefined> {
  const [row] = await tx<{ reconciliationId: string }[]>`
    insert into reconciliations as r (reconciliation_id, merchant_id, account, day, state, ctime, mtime)
    values (${reconciliationId}, ${merchantId}, ${account}, ${day}, 'running', ${now}, ${now})
    on conflict (merchant_id, account, day) do update set state = 'running', mtime = ${now} where ${again}
    returning replace(r.reconciliation_id::text, '-', '') as "reconciliationId"`
  return row?.reconciliationId
}

/** What a reconciliation is about; undefined where there is none. */
export async function findReconciliation(sql: Sql, reconciliationId: string): Promise<ReconciliationRow | undefined> {
  const [row] = await sql<ReconciliationRow[]>`
    select ${columns(sql)} from ${joined(sql)} where reconciliation_id = ${reconciliationId}`
  return row
}

/** Reconciliations of these apps, newest day first. */
export async function selectReconciliations(
  sql: Sql,
  appids: readonly string[],
  filter: {
    differing: boolean | undefined
    before: { day: number; reconciliationId: string } | undefined
    limit: number
  },
): Promise<ReconciliationRow[]> {
  const { differing, before, limit } = filter
  return sql<ReconciliationRow[]>`
    select ${columns(sql)} from ${joined(sql)}
    where m.appid = any(${appids as string[]}::text[])
      ${differing === undefined ? sql`` : differing ? sql`and r.differences > 0` : sql`and r.differences = 0`}
      ${before === undefined ? sql`` : sql`and (r.day, r.reconciliation_id) < (${before.day}, ${before.reconciliationId})`}
    order by r.day desc, r.reconciliation_id desc
    limit ${limit}`
}

export async function selectDifferences(sql: Sql, reconciliationId: string): Promise<Difference[]> {
  return sql<Difference[]>`
    select
      replace(attempt_id::text, '-', '') as "attemptId", replace(trade_no::text, '-', '') as "tradeNo", difference, booked,
      booked_currency as "bookedCurrency", told, told_currency as "toldCurrency", repaired, detail
    from reconciliation_differences where reconciliation_id = ${reconciliationId}
    order by attempt_id, difference`
}

/** The attempts of a lot after `after`, in the order of their ids, with what the ledger has of each. */
export async function selectBooked(
  sql: Sql,
  { appid, account, day, after, limit }: { appid: string; account: string; day: number; after: string; limit: number },
): Promise<Booked[]> {
  return sql<Booked[]>`
    select found.*, l.amount as booked, l.currency as "bookedCurrency", r.returned, r.owed
    from (
      select ${attemptColumns(sql)}
      from payment_attempts a
      where appid = ${appid} and ctime >= ${day} and ctime < ${day + DAY} and attempt_id > ${after}
        and trade_no in (select trade_no from trades where appid = ${appid} and ctime >= ${day - oldest} and ctime < ${day + DAY})
        and ${accountSql(sql)} = ${account}
      order by attempt_id
      limit ${limit}
    ) found
    left join ledger_entries l on l.reference = found."attemptId"::uuid and l.movement = 'captured'
    cross join lateral (
      select
        coalesce(sum(e.amount), 0)::bigint as returned,
        coalesce(sum(r.amount) filter (where r.state = 'owed'), 0)::bigint as owed
      from refunds r left join ledger_entries e on e.reference = r.refund_no and e.movement = 'refundReturned'
      where r.appid = found.appid and r.trade_no = found."tradeNo"::uuid and r.attempt_id = found."attemptId"::uuid
    ) r
    order by found."attemptId"`
}

/** Writes down what a comparison has found, in place of what an earlier one has. */
export async function finishReconciliation(
  tx: Tx,
  reconciliationId: string,
  {
    attempts,
    differences,
    now,
  }: { attempts: number; differences: readonly (Difference & { appid: string })[]; now: number },
): Promise<void> {
  await tx`delete from reconciliation_differences where reconciliation_id = ${reconciliationId}`
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
    update reconciliations
    set state = 'finished', attempts = ${attempts}, differences = ${differences.length}, mtime = ${now}
    where reconciliation_id = ${reconciliationId}`
}

const joined = (sql: Sql) => sql`
  reconciliations r join merchants m using (merchant_id)
  left join processor_accounts p on r.account = 'processor:' || replace(p.processor_account_id::text, '-', '')`

const columns = (sql: Sql) => sql`
  replace(r.reconciliation_id::text, '-', '') as "reconciliationId", m.appid,
  replace(r.merchant_id::text, '-', '') as "merchantId", r.account, p.name as "accountName", r.day, r.state, r.attempts,
  r.differences, r.ctime, r.mtime`
