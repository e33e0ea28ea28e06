import type { consoleOperations, ResultOf } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'

/** A scope of user data that the operator has defined. */
export type UserScope = ResultOf<typeof consoleOperations.putUserScope>

const columns = (sql: Sql | Tx) => sql`scope, titles, fields, requires_consent, ctime`

/** Returns the scopes that the operator has defined, by name. */
export async function listUserScopeRows(sql: Sql | Tx): Promise<UserScope[]> {
  return sql<UserScope[]>`select ${columns(sql)} from user_scopes order by scope`
}

/** Returns the scopes that the operator has defined, which do not change before the transaction ends. */
export async function lockUserScopes(tx: Tx): Promise<UserScope[]> {
  return tx<UserScope[]>`select ${columns(tx)} from user_scopes order by scope for share`
}

/** Serializes changes of scopes until the transaction ends, so that they see each other. */
export async function lockScopeChanges(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext('user_scopes'))`
}

export async function upsertUserScope(tx: Tx, scope: UserScope): Promise<void> {
  await tx`
    insert into user_scopes (scope, titles, fields, requires_consent, ctime)
    values (${scope.scope}, ${tx.json(scope.titles)}, ${tx.json(scope.fields)}, ${scope.requiresConsent}, ${scope.ctime})
    on conflict (scope) do update set
      titles = excluded.titles, fields = excluded.fields, requires_consent = excluded.requires_consent`
}

/** Returns false if there is none. */
export async function deleteUserScope(tx: Tx, scope: string): Promise<boolean> {
  const { count } = await tx`delete from user_scopes where scope = ${scope}`
  return count > 0
}

/** Removes a scope from all consents. */
export async function updateConsentsWithout(tx: Tx, scope: string): Promise<void> {
  await tx`update consents set scopes = array_remove(scopes, ${scope}) where ${scope} = any(scopes)`
}

/** Returns the claims that scopes name. */
export async function listClaims(tx: Tx): Promise<string[]> {
  const rows = await tx<{ claim: string }[]>`
    select distinct field->>'claim' as claim from user_scopes, jsonb_array_elements(fields) field`
  return rows.map(({ claim }) => claim)
}

export async function upsertUserAttributes(
  tx: Tx,
  uid: number,
  attributes: readonly { claim: string; value: string }[],
): Promise<void> {
  await tx`
    insert into user_attributes (uid, claim, value)
    select ${uid}, * from unnest(
      ${attributes.map(({ claim }) => claim)}::text[], ${attributes.map(({ value }) => value)}::text[])
    on conflict (uid, claim) do update set value = excluded.value where user_attributes.value <> excluded.value`
}

/** Returns the values of a user by claim. */
export async function findUserAttributes(sql: Sql, uid: number): Promise<Map<string, string>> {
  const rows = await sql<{ claim: string; value: string }[]>`
    select claim, value from user_attributes where uid = ${uid}`
  return new Map(rows.map(({ claim, value }) => [claim, value]))
}

/** Deletes what providers have said about a user besides its profile. */
export async function deleteUserAttributes(tx: Tx, uid: number): Promise<void> {
  await tx`delete from user_attributes where uid = ${uid}`
}

/** Deletes a batch of values that no scope names any more. Returns whether there may be more. */
export async function deleteUnusedAttributes(sql: Sql): Promise<boolean> {
  const batchSize = 10_000
  const { count } = await sql`
    delete from user_attributes where (uid, claim) in (
      select uid, claim from user_attributes where claim not in (
        select field->>'claim' from user_scopes, jsonb_array_elements(fields) field)
      limit ${batchSize})`
  return count === batchSize
}
