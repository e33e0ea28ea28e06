import { minute } from '@souk/contract'
import { quoteIdentifier } from '../../../kernel/db/identifiers.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { Session } from '../../../kernel/db/session.ts'

/** A partition that was written to a file. Times in ms of real time. */
export interface Archive {
  partition: string
  table: string
  /** Range of the times in the keys of the rows. */
  from: number
  to: number
  /** Name in the folder of archives. */
  file: string
  /** Bytes of the file. */
  size: number
  /** SHA-256 of the file, lowercase hex. */
  sha256: string
  rows: number
  archivedAt: number
  /** Set while the partition is attached again. */
  restoredAt: number | null
}

const columns = (sql: Sql | Tx) => sql`
  partition, table_name as table, from_time as from, to_time as to, file, size, encode(sha256, 'hex') as sha256, rows,
  archived_at, restored_at`

/** Lists the archives, oldest rows first. */
export async function listArchives(sql: Sql): Promise<Archive[]> {
  return sql<Archive[]>`select ${columns(sql)} from archives order by from_time, partition`
}

/** Finds the archive of a table's rows whose keys have this time. */
export async function findArchive(sql: Sql | Tx, table: string, time: number): Promise<Archive | undefined> {
  const [row] = await sql<Archive[]>`
    select ${columns(sql)} from archives
    where table_name = ${table} and from_time <= ${time} and to_time > ${time} and restored_at is null`
  return row
}

export async function upsertArchive(session: Session, archive: Archive): Promise<void> {
  const { partition, table, from, to, file, size, sha256, rows, archivedAt } = archive
  await session.run(
    `insert into archives (partition, table_name, from_time, to_time, file, size, sha256, rows, archived_at)
    values ($1, $2, $3, $4, $5, $6, decode($7, 'hex'), $8, $9)
    on conflict (partition) do update set file = excluded.file, size = excluded.size, sha256 = excluded.sha256,
      rows = excluded.rows, archived_at = excluded.archived_at, restored_at = null`,
    [partition, table, from, to, file, size, sha256, rows, archivedAt],
  )
}

export async function updateArchiveToRestored(session: Session, partition: string, now: number): Promise<void> {
  await session.run('update archives set restored_at = $2 where partition = $1', [partition, now])
}

/** Number of unfinished trades or callbacks in a range. */
interface Unfinished {
  trades: number
  attempts: number
  refunds: number
  callbacks: number
}

/**
 * Counts what can still change a trade or a callback whose number is in the range. Each is found in an index of
 * unfinished rows.
 */
export async function countUnfinished(session: Session, from: string, to: string): Promise<Unfinished> {
  const within = (column: string) => `${column} >= '${from}'::uuid and ${column} < '${to}'::uuid`
  // SQL: columns named here, and digits.
  const [row] = await session.run<Record<keyof Unfinished, string>>(`
    select
      (select count(*) from all_trades where transaction_status = 1 and ${within('trade_no')}) as trades,
      (select count(*) from payment_attempts
        where state in ('created', 'pending', 'challenge', 'redirect') and ${within('trade_no')}) as attempts,
      (select count(*) from refunds where state = 'owed' and ${within('trade_no')}) as refunds,
      (select count(*) from callbacks
        where state = 'pending' and (${within('trade_no')} or ${within('notify_id')})) as callbacks`)
  const { trades, attempts, refunds, callbacks } = row!
  return {
    trades: Number(trades),
    attempts: Number(attempts),
    refunds: Number(refunds),
    callbacks: Number(callbacks),
  }
}

/**
 * Removes finished trades of a partition from the kept sums of trades, or adds them again. They must not change until
 * the transaction ends.
 */
export async function insertTradeChanges(session: Session, partition: string, sign: -1 | 1): Promise<void> {
  // SQL: quoted.
  await session.run(
    `insert into trade_changes (appid, time, status, currency, count, amount, refunded)
    select appid, ctime - ctime % ${15 * minute}, transaction_status, currency, $1 * count(*), $1 * sum(amount), 0
    from ${quoteIdentifier(partition)} where transaction_status <> 1
    group by 1, 2, 3, 4`,
    [sign],
  )
}

/** Does the same with the refunds of these trades, which must not change either. */
export async function insertRefundChanges(session: Session, partition: string, sign: -1 | 1): Promise<void> {
  // SQL: quoted.
  await session.run(
    `insert into trade_changes (appid, time, status, currency, count, amount, refunded)
    select trade.appid, ctime - ctime % ${15 * minute}, transaction_status, trade.currency, 0, 0, $1 * sum(refund.amount)
    from (select appid, trade_no, amount from refunds where initiator = 'operator' and state <> 'refused') refund
      join ${quoteIdentifier(partition)} trade on trade.appid = refund.appid and trade.trade_no = refund.trade_no
    where transaction_status = 2
    group by 1, 2, 3, 4`,
    [sign],
  )
}
