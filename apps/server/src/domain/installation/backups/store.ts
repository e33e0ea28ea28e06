import type { Sql, Tx } from '../../../kernel/db/pool.ts'

/** A complete backup: time of its snapshot (real time, ms) and size of its file in bytes. */
export interface BackupRecord {
  time: number
  size: number
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
