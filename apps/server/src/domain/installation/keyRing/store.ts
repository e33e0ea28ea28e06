import type { KeyState } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { hex } from '../../../kernel/id.ts'
import { type SealContext, type SealedColumn, sealedColumns } from '../../../kernel/sealedColumns.ts'
import type { Sealed } from '../../../kernel/vault.ts'

/** A master key, without the key itself. Times are real time in ms. */
export interface MasterKey {
  keyId: string
  state: KeyState
  addedAt: number
  replacedAt: number | null
  retiredAt: number | null
}

/** A server process and the keys that it has. `seenAt` is in ms of the database's clock. */
export interface RingProcess {
  processId: string
  host: string
  pid: number
  source: 'file' | 'environment'
  keyIds: string[]
  currentKeyId: string
  seenAt: number
}

/** A sealed value that could not be decrypted. */
export interface UnreadableValue {
  context: SealContext
  keyId: string
  reason: 'missingKey' | 'damaged'
  foundAt: number
}

/** A row with a sealed value; `key` are the values of its primary key as texts. */
export interface SealedRow extends Sealed {
  key: string[]
  context: SealContext
}

/** Returns whether a server has started with this database. If none has, it contains nothing encrypted. */
export async function existsInstallation(sql: Sql): Promise<boolean> {
  const rows = await sql`select from installation`
  return rows.length > 0
}

/** Records environment and master key at the first start, and returns those of that start. */
export async function upsertInstallation(
  sql: Sql,
  { environment, keyId }: { environment: string; keyId: string },
): Promise<{ environment: string; keyId: string }> {
  await sql`
    insert into installation (environment, key_id) values (${environment}, ${keyId}) on conflict do nothing`
  await sql`
    insert into master_keys (key_id, added_at)
    select key_id, (extract(epoch from now()) * 1000)::bigint from installation on conflict do nothing`
  const [row] = await sql<[{ environment: string; keyId: string }]>`
    select environment, key_id from installation`
  return row
}

/** Returns the current key and the old ones that values are still sealed with, oldest first. */
export async function listNeededKeyIds(sql: Sql, currentKeyId: string): Promise<string[]> {
  const rows = await sql<{ keyId: string }[]>`
    select key_id from master_keys
    where retired_at is null and (replaced_at is not null or key_id = ${currentKeyId}) order by added_at`
  return rows.map(({ keyId }) => keyId)
}

/** Serializes all changes of the key ring, in the database and in files, until the transaction ends. */
export async function lockKeyRing(tx: Tx): Promise<void> {
  await tx`select from installation for update`
}

/** Lists the keys of the installation, oldest first. */
export async function listMasterKeys(sql: Sql | Tx): Promise<MasterKey[]> {
  return sql<MasterKey[]>`
    select
      m.key_id, added_at, replaced_at, retired_at,
      case
        when retired_at is not null then 'retired' when i.key_id is not null then 'current'
        when replaced_at is not null then 'old' else 'added'
      end as state
    from master_keys m left join installation i using (key_id)
    order by added_at, m.key_id`
}

export async function insertMasterKey(tx: Tx, keyId: string, now: number): Promise<void> {
  await tx`insert into master_keys (key_id, added_at) values (${keyId}, ${now})`
}

/** Makes a key the current one. */
export async function updateCurrentKey(tx: Tx, keyId: string, now: number): Promise<void> {
  await tx`update master_keys set replaced_at = ${now} where key_id = (select key_id from installation)`
  await tx`update installation set key_id = ${keyId}`
}

export async function updateRetired(tx: Tx, keyId: string, now: number): Promise<void> {
  await tx`update master_keys set retired_at = ${now} where key_id = ${keyId}`
}

/** Returns the number of sealed values by the id of their key. Reads all of them. */
export async function countSealedValues(sql: Sql | Tx): Promise<Map<string, number>> {
  // SQL: names of `sealedColumns`.
  const counts = Object.values(sealedColumns).map(
    ({ table }) => `select key_id, count(*)::int as count from ${table} where key_id is not null group by 1`,
  )
  const rows = await sql.unsafe<{ keyId: string; count: number }[]>(counts.join(' union all '))
  const total = new Map<string, number>()
  for (const { keyId, count } of rows) total.set(keyId, (total.get(keyId) ?? 0) + count)
  return total
}

/**
 * Locks the next values of a column that are not sealed with the key `current`, in the order of their primary keys,
 * without those that other transactions have locked.
 *
 * @param after the primary key of the last row of the previous batch
 */
export async function lockOldValues(
  tx: Tx,
  name: keyof typeof sealedColumns,
  { current, after, limit }: { current: string; after: readonly string[] | undefined; limit: number },
): Promise<SealedRow[]> {
  const { table, key }: SealedColumn = sealedColumns[name]
  const columns = Object.keys(key)
  const start = Object.entries(key).map(([, type], index) => `($${index + 2}::text)::${type}`)
  // SQL: names of `sealedColumns`, and a number.
  const rows = await tx.unsafe<{ key: string[]; keyId: string; ciphertext: Buffer }[]>(
    `select array[${columns.map((column) => `${column}::text`).join(', ')}] as key, key_id, ciphertext
     from ${table}
     where key_id <> $1 and ($2::text is null or (${columns.join(', ')}) > (${start.join(', ')}))
     order by ${columns.join(', ')} limit ${limit} for update skip locked`,
    [current, ...(after ?? columns.map(() => null))],
  )
  const types = Object.values(key)
  return rows.map((row) => ({
    ...row,
    context: `${name} ${row.key.map((value, index) => (types[index] === 'uuid' ? hex(value) : value)).join(' ')}`,
  }))
}

/** Replaces a sealed value that the transaction has locked. */
export async function updateSealedValue(
  tx: Tx,
  name: keyof typeof sealedColumns,
  key: readonly string[],
  { keyId, ciphertext }: Sealed,
): Promise<void> {
  const { table, key: columns }: SealedColumn = sealedColumns[name]
  const row = Object.entries(columns).map(([column, type], index) => `${column} = ($${index + 3}::text)::${type}`)
  // SQL: names of `sealedColumns`.
  await tx.unsafe(`update ${table} set key_id = $1, ciphertext = $2 where ${row.join(' and ')}`, [
    keyId,
    ciphertext,
    ...key,
  ])
}

export async function upsertUnreadable(tx: Tx, { context, keyId, reason, foundAt }: UnreadableValue): Promise<void> {
  await tx`
    insert into unreadable_values (context, key_id, reason, found_at)
    values (${context}, ${keyId}, ${reason}, ${foundAt})
    on conflict (context) do update
    set key_id = excluded.key_id, reason = excluded.reason, found_at = excluded.found_at`
}

/** Deletes the values that were not found unreadable again since `time`. */
export async function deleteUnreadableBefore(sql: Sql, time: number): Promise<void> {
  await sql`delete from unreadable_values where found_at < ${time}`
}

/** Lists values that could not be decrypted, at most `limit`, and how many there are. */
export async function listUnreadable(
  sql: Sql | Tx,
  limit: number,
): Promise<{ values: UnreadableValue[]; count: number; foundAt: number | null }> {
  const values = await sql<UnreadableValue[]>`
    select context, key_id, reason, found_at from unreadable_values order by context limit ${limit}`
  const [all] = await sql<[{ count: number; foundAt: number | null }]>`
    select count(*)::int as count, min(found_at) as found_at from unreadable_values`
  return { values, ...all }
}

/** Records that a process is alive, and its keys. */
export async function upsertProcess(sql: Sql, process: Omit<RingProcess, 'seenAt'>): Promise<void> {
  const { processId, host, pid, source, keyIds, currentKeyId } = process
  await sql`
    insert into key_ring_processes (process_id, host, pid, source, key_ids, current_key_id, seen_at)
    values (${processId}, ${host}, ${pid}, ${source}, ${keyIds}, ${currentKeyId}, now())
    on conflict (process_id) do update
    set key_ids = excluded.key_ids, current_key_id = excluded.current_key_id, seen_at = excluded.seen_at`
}

export async function deleteProcess(sql: Sql, processId: string): Promise<void> {
  await sql`delete from key_ring_processes where process_id = ${processId}`
}

/** Deletes processes that have not reported for `silence` ms. */
export async function deleteSilentProcesses(sql: Sql | Tx, silence: number): Promise<void> {
  await sql`delete from key_ring_processes where seen_at < now() - ${silence} * interval '1 millisecond'`
}

/** Lists the processes that have reported within `silence` ms. */
export async function listProcesses(sql: Sql | Tx, silence: number): Promise<RingProcess[]> {
  return sql<RingProcess[]>`
    select
      process_id, host, pid, source, key_ids, current_key_id,
      (extract(epoch from seen_at) * 1000)::float8 as seen_at
    from key_ring_processes
    where seen_at >= now() - ${silence} * interval '1 millisecond'
    order by host, pid, process_id`
}

/** Returns whether a job with this name waits or runs, and will be repeated if it fails. */
export async function existsQueuedJob(tx: Tx, name: string): Promise<boolean> {
  const rows = await tx`
    select from graphile_worker.jobs where task_identifier = ${name} and attempts < max_attempts limit 1`
  return rows.length > 0
}
