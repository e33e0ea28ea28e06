import type { Sql, Tx } from '../../../kernel/db/pool.ts'

/** A complete backup: time of its snapshot (real time, ms) and size of its file in bytes. */
export interface BackupRecord {
  time: number
  size: number
}

/** The last check that a backup can be restored. Times are real times, ms. */
export interface RestoreCheck {
  time: number
  /** Code of the error, or null if the check passed. */
  failure: string | null
  /** Time of the newest backup that passed a check, or null if none did. */
  backupTime: number | null
}

export async function findLastRestoreCheck(sql: Sql): Promise<RestoreCheck | undefined> {
  const [row] = await sql<RestoreCheck[]>`select time, failure, backup_time from last_restore_check`
  return row
}

/** Keeps the time of the newest backup that passed a check. */
export async function upsertLastRestoreCheck(tx: Tx, { time, failure, backupTime }: RestoreCheck): Promise<void> {
  await tx`
    insert into last_restore_check as last (time, failure, backup_time) values (${time}, ${failure}, ${backupTime})
    on conflict (is_only) do update set
      time = excluded.time, failure = excluded.failure,
      backup_time = greatest(last.backup_time, excluded.backup_time)`
}

export async function findLastBackup(sql: Sql): Promise<BackupRecord | undefined> {
  const [row] = await sql<BackupRecord[]>`select time, size from last_backup`
  return row
}

export async function upsertLastBackup(tx: Tx, { time, size }: BackupRecord): Promise<void> {
  await tx`
    insert into last_backup (time, size) values (${time}, ${size})
    on conflict (is_only) do update set time = excluded.time, size = excluded.size`
}
