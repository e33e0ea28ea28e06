import type { Sql, Tx } from '../../../kernel/db/pool.ts'

/** Public state of an API key. Times are real time in ms. */
export interface KeyRow {
  lastFour: string
  ctime: number
  lastUsedAt: number | null
  lastUsedFrom: string | null
}

/** The account that an API key belongs to. */
export interface KeyOwner {
  accountId: string
  administrator: boolean
  lastUsedAt: number | null
}

export async function findKey(sql: Sql | Tx, accountId: string): Promise<KeyRow | undefined> {
  const [row] = await sql<KeyRow[]>`
    select last_four, ctime, last_used_at, last_used_from
    from api_keys where account_id = ${accountId}`
  return row
}

type NewKey = { accountId: string; keyHash: Buffer; lastFour: string; ctime: number }

/** Stores a key and returns true, unless the account has one. Of concurrent calls only one succeeds. */
export async function insertKey(tx: Tx, key: NewKey): Promise<boolean> {
  const { count } = await tx`
    insert into api_keys (account_id, key_hash, last_four, ctime)
    values (${key.accountId}, ${key.keyHash}, ${key.lastFour}, ${key.ctime})
    on conflict (account_id) do nothing`
  return count === 1
}

/** Stores a key and replaces an earlier one. */
export async function upsertKey(tx: Tx, key: NewKey): Promise<void> {
  await tx`
    insert into api_keys (account_id, key_hash, last_four, ctime)
    values (${key.accountId}, ${key.keyHash}, ${key.lastFour}, ${key.ctime})
    on conflict (account_id) do update set
      key_hash = excluded.key_hash, last_four = excluded.last_four, ctime = excluded.ctime,
      last_used_at = null, last_used_from = null`
}

export async function deleteKey(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from api_keys where account_id = ${accountId}`
}

/** Returns the owners of keys by the hexadecimal SHA-256 of the key, without inactive accounts. */
export async function listKeyOwners(sql: Sql, hashes: readonly string[]): Promise<Map<string, KeyOwner>> {
  const rows = await sql<(KeyOwner & { hash: string })[]>`
    select
      encode(key_hash, 'hex') as hash, account_id, administrator, last_used_at
    from api_keys join accounts using (account_id)
    where key_hash = any(${hashes.map((hash) => `\\x${hash}`)}::text[]::bytea[]) and active`
  return new Map(rows.map(({ hash, ...owner }) => [hash, owner]))
}

/** Records a use unless one was recorded since `before`, so that only one of several processes writes. */
export async function updateLastUse(
  sql: Sql,
  keyHash: Buffer,
  use: { time: number; before: number; address: string | null },
): Promise<void> {
  await sql`
    update api_keys set last_used_at = ${use.time}, last_used_from = ${use.address}
    where key_hash = ${keyHash} and (last_used_at is null or last_used_at <= ${use.before})`
}
