import { minute } from '@souk/contract'
import type { Sql, Tx } from '../../kernel/db/pool.ts'

/** Inserts the sign of a request. Returns false if it is used; waits for a concurrent request to commit or fail. */
export async function insertUsedSign(
  tx: Tx,
  { appid, sign, content }: { appid: string; sign: Buffer; content: string | null },
  now: number,
): Promise<boolean> {
  const { count } = await tx`
    insert into used_signs (appid, sign, time, content) values (${appid}, ${sign}, ${now}, ${content})
    on conflict do nothing`
  return count === 1
}

/** Returns whether a sign was used for this content. */
export async function existsUsedSign(
  tx: Tx,
  { appid, sign, content }: { appid: string; sign: Buffer; content: string | null },
): Promise<boolean> {
  const rows = await tx`
    select from used_signs where appid = ${appid} and sign = ${sign} and content is not distinct from ${content}::uuid`
  return rows.length > 0
}

/** Channel on which `claimForOperation` tells all processes `<first 16 digits of the sign> <operation>`. */
export const signChannel = 'souk_sign'

/** A sign and the operation that it was first used for. */
export interface BoundSign {
  sign: string
  operation: string
}

/**
 * Binds signs to their operations for all processes. A sign that is already bound stays so, but is contested if that is
 * another operation: two processes have accepted it for both.
 */
export async function upsertBoundSigns(sql: Sql, signs: readonly BoundSign[], now: number): Promise<void> {
  // In the order of signs, so that two processes cannot wait for each other.
  await sql`
    insert into bound_signs as known (sign, operation, time)
    select distinct on (1) ('x' || left(sign, 16))::bit(64)::bigint, operation, ${now}::bigint
    from unnest(${signs.map(({ sign }) => sign)}::text[], ${signs.map(({ operation }) => operation)}::text[])
      as used (sign, operation)
    order by 1
    on conflict (sign) do update set contested_by = excluded.operation where known.operation <> excluded.operation`
}

/** Time without a report after which a process has ended (`key_ring_processes`). */
const silence = minute

/**
 * Binds a sign to an operation unless it is bound to another one, and returns the one that it is bound to. `isShared`:
 * other processes are running, which may have accepted the sign and not said so yet.
 */
export async function claimForOperation(
  sql: Sql,
  { sign, operation }: BoundSign,
  now: number,
): Promise<{ operation: string; isShared: boolean }> {
  const start = sign.slice(0, 16)
  const [bound] = await sql<[{ operation: string; isShared: boolean }]>`
    with bound as (
      insert into bound_signs as known (sign, operation, time)
      values (('x' || ${start}::text)::bit(64)::bigint, ${operation}, ${now})
      on conflict (sign) do update set operation = known.operation
      returning operation
    )
    select operation, pg_notify(${signChannel}, ${`${start} `}::text || operation) is null as notified,
      (select count(*) > 1 from key_ring_processes where seen_at > now() - ${silence} * interval '1 millisecond')
        as is_shared
    from bound`
  return bound
}

/** Returns the other operation that a sign was used for, or null. */
export async function findContestant(sql: Sql, sign: string): Promise<string | null> {
  const [found] = await sql<{ contestedBy: string | null }[]>`
    select contested_by from bound_signs
    where sign = ('x' || ${sign.slice(0, 16)}::text)::bit(64)::bigint`
  return found?.contestedBy ?? null
}

/** Deletes the signs that were used before a time. */
export async function deleteUsedSigns(sql: Sql, before: number): Promise<void> {
  await sql`delete from used_signs where time < ${before}`
  await sql`delete from bound_signs where time < ${before}`
}
