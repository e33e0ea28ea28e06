import { minute, SoukError } from '@souk/contract'
import type { Sql, Tx } from '../../kernel/db/pool.ts'
import type { AppCaller } from '../caller.ts'
import type { Context } from '../context.ts'

/**
 * Retention of used signs in real time. A timestamp may be 5 minutes ahead and is accepted until 5 minutes after it, 10
 * minutes in all; the rest allows for clock differences between servers.
 */
const retention = 15 * minute

/**
 * Claims the sign of a request in the caller's transaction, so that the request takes effect once (ADR 60). Returns
 * false if it is a repetition. Waits for a concurrent identical request to commit or fail.
 *
 * `content` is the id of what the request contains in addition to its signed parameters.
 * @throws SoukError `sign_reused` if the sign was used for other content
 */
export async function claimSign(
  { clock }: Pick<Context, 'clock'>,
  tx: Tx,
  { app, sign }: AppCaller,
  content: string | null = null,
): Promise<boolean> {
  const key = Buffer.from(sign, 'hex')
  const { count } = await tx`
    insert into used_signs (appid, sign, time, content) values (${app.appid}, ${key}, ${clock.real()}, ${content})
    on conflict do nothing`
  if (count === 1) return true
  const [same] = await tx`
    select from used_signs where appid = ${app.appid} and sign = ${key} and content is not distinct from ${content}::uuid`
  if (same) return false
  throw new SoukError('sign_reused', 'It was used for another file. Sign each upload with its own timestamp.')
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
export async function bindToOperations(
  { sql, clock }: Pick<Context, 'clock'> & { sql: Sql },
  signs: readonly BoundSign[],
): Promise<void> {
  // In the order of signs, so that two processes cannot wait for each other.
  await sql`
    insert into bound_signs as known (sign, operation, time)
    select distinct on (1) ('x' || left(sign, 16))::bit(64)::bigint, operation, ${clock.real()}::bigint
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
  { sql, clock }: Pick<Context, 'clock'> & { sql: Sql },
  { sign, operation }: BoundSign,
): Promise<{ operation: string; isShared: boolean }> {
  const start = sign.slice(0, 16)
  const [bound] = await sql<[{ operation: string; isShared: boolean }]>`
    with bound as (
      insert into bound_signs as known (sign, operation, time)
      values (('x' || ${start}::text)::bit(64)::bigint, ${operation}, ${clock.real()})
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
export async function findContestant({ sql }: { sql: Sql }, sign: string): Promise<string | null> {
  const [found] = await sql<{ contestedBy: string | null }[]>`
    select contested_by from bound_signs
    where sign = ('x' || ${sign.slice(0, 16)}::text)::bit(64)::bigint`
  return found?.contestedBy ?? null
}

/** Job: deletes the signs that are too old to be accepted again. */
export async function pruneUsedSigns({ sql, clock }: Context): Promise<void> {
  const before = clock.real() - retention
  await sql`delete from used_signs where time < ${before}`
  await sql`delete from bound_signs where time < ${before}`
}
