import type { consoleOperations, ResultOf, SigningKeyState } from '@souk/contract'
import type { Rows, Sql, Tx } from '../../../kernel/db/pool.ts'

/** A signing key as the console shows it. */
export type SigningKey = ResultOf<typeof consoleOperations.listSigningKeys>['items'][number]

/** A signing key of an account, or of the admin token if `accountId` is null. */
export interface SigningKeyRow {
  keyId: string
  accountId: string | null
  state: SigningKeyState
}

/** Lists keys, newest first, of an account (null: of the admin token) or with an id. */
export function listKeyRows(
  sql: Sql | Tx,
  filter: {
    accountId?: string | null
    keyId?: string
    before?: { ctime: number; keyId: string } | undefined
    limit: number
  },
): Rows<SigningKey> {
  const { accountId, keyId, before, limit } = filter
  return sql<SigningKey[]>`
    select
      key_id, coalesce(a.name, 'admin') as owner, k.state, k.ctime, k.last_used_at
    from signing_keys k left join accounts a using (account_id)
    where true
      ${accountId === undefined ? sql`` : sql`and k.account_id is not distinct from ${accountId}`}
      ${keyId === undefined ? sql`` : sql`and key_id = ${keyId}`}
      ${before === undefined ? sql`` : sql`and (k.ctime, key_id) < (${before.ctime}, ${before.keyId})`}
    order by k.ctime desc, key_id desc limit ${limit}`
}

/** Locks the account until the transaction ends, so that its keys can be counted. */
export async function lockKeysOf(tx: Tx, accountId: string): Promise<void> {
  await tx`select from accounts where account_id = ${accountId} for no key update`
}

export async function countKeys(tx: Tx, accountId: string): Promise<number> {
  const [row] = await tx<[{ keys: number }]>`
    select count(*)::integer as keys from signing_keys where account_id = ${accountId} and state <> 'revoked'`
  return row.keys
}

export async function lockKey(tx: Tx, keyId: string): Promise<SigningKeyRow | undefined> {
  const [row] = await tx<SigningKeyRow[]>`
    select key_id, account_id, state
    from signing_keys where key_id = ${keyId} for update`
  return row
}

/** Returns false if the key exists. */
export async function insertKey(
  tx: Tx,
  key: { keyId: string; publicKey: Buffer; accountId: string | null },
  now: number,
): Promise<boolean> {
  const { count } = await tx`
    insert into signing_keys (key_id, public_key, account_id, state, ctime)
    values (${key.keyId}, ${key.publicKey}, ${key.accountId}, 'pending', ${now})
    on conflict do nothing`
  return count === 1
}

export async function updateKeyState(tx: Tx, keyId: string, state: SigningKeyState): Promise<void> {
  await tx`update signing_keys set state = ${state} where key_id = ${keyId}`
}

/** Returns false if the key has been revoked. */
export async function updateKeyUse(tx: Tx, keyId: string, now: number): Promise<boolean> {
  const { count } = await tx`
    update signing_keys set last_used_at = ${now} where key_id = ${keyId} and state <> 'revoked'`
  return count === 1
}
