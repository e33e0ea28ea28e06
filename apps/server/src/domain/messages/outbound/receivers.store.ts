import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { type FailingReceiver, failureLimit, longestPause } from './breaker.ts'
import type { QueueName } from './queue.ts'

/**
 * Returns SQL that is true if a row of `delivery_receivers` is paused at `now`. Implausibly late ends were set before
 * a sandbox's clock was set back, and do not count.
 */
const isPausedRow = (sql: Sql | Tx, now: number) => sql`
  failures >= ${failureLimit} and paused_until > ${now} and paused_until <= ${now + longestPause}`

/** Returns SQL that is true if a receiver is paused at `now`. `receiver` is an expression. */
export const isPaused = (sql: Sql | Tx, queue: QueueName, receiver: ReturnType<Sql>, now: number) => sql`
  exists (select from delivery_receivers r where r.queue = ${queue} and r.receiver = ${receiver}
    and ${isPausedRow(sql, now)})`

/** Selects when a paused receiver gets its next probe, as a subquery. `receiver` is an expression. */
export const nextProbe = (sql: Sql | Tx, queue: QueueName, receiver: ReturnType<Sql>) => sql`
  (select r.paused_until from delivery_receivers r
  where r.queue = ${queue} and r.receiver = ${receiver} and r.failures >= ${failureLimit})`

/**
 * Returns which of these receivers are restricted: `true` if this transaction may make a probe, `false` if the receiver
 * is paused. A probe that is claimed counts as lost at `until`.
 */
export async function claimProbes(
  tx: Tx,
  queue: QueueName,
  receivers: readonly string[],
  { now, until }: { now: number; until: number },
): Promise<Map<string, boolean>> {
  const rows = await tx<{ receiver: string; isProbe: boolean }[]>`
    with free as (
      select receiver from delivery_receivers
      where queue = ${queue} and receiver = any(${receivers as string[]}::text[]) and failures >= ${failureLimit}
        and not (${isPausedRow(tx, now)})
      for update skip locked
    ), claimed as (
      update delivery_receivers set paused_until = ${until}, probing = true
      where queue = ${queue} and receiver in (select receiver from free) returning receiver
    )
    select receiver, receiver in (select receiver from claimed) as is_probe from delivery_receivers
    where queue = ${queue} and receiver = any(${receivers as string[]}::text[]) and failures >= ${failureLimit}`
  return new Map(rows.map(({ receiver, isProbe }) => [receiver, isProbe]))
}

/** Releases probes for which no message was due. */
export async function updateProbesToReleased(
  tx: Tx,
  queue: QueueName,
  receivers: readonly string[],
  now: number,
): Promise<void> {
  await tx`
    update delivery_receivers set paused_until = ${now}, probing = false
    where queue = ${queue} and receiver = any(${receivers as string[]}::text[])`
}

/** Locks the failing ones of these receivers until the transaction ends. */
export async function lockFailing(tx: Tx, queue: QueueName, receivers: readonly string[]): Promise<FailingReceiver[]> {
  return tx<FailingReceiver[]>`
    select receiver, failing_since, failures, paused_until from delivery_receivers
    where queue = ${queue} and receiver = any(${receivers as string[]}::text[]) order by receiver for update`
}

/** Stores failing receivers. */
export async function upsertFailing(tx: Tx, queue: QueueName, failing: readonly FailingReceiver[]): Promise<void> {
  const sorted = failing.toSorted((a, b) => (a.receiver < b.receiver ? -1 : 1))
  await tx`
    insert into delivery_receivers as r (queue, receiver, failing_since, failures, paused_until, probing)
    select ${queue}, receiver, "failingSince", failures, "pausedUntil", false
    from jsonb_to_recordset(${tx.json(sorted as never)}) as failing
      (receiver text, "failingSince" bigint, failures integer, "pausedUntil" bigint)
    on conflict (queue, receiver) do update
    set failures = excluded.failures, paused_until = excluded.paused_until, probing = false`
}

export async function deleteReceivers(tx: Tx, queue: QueueName, receivers: readonly string[]): Promise<void> {
  await tx`
    delete from delivery_receivers where queue = ${queue} and receiver = any(${receivers as string[]}::text[])`
}

/** Counts failing receivers by state, as a subquery: paused, with a probe in progress, or neither. */
export const receiversByState = (sql: Sql, now: number) => sql`
  (select json_build_object(
    'failing', count(*) filter (where failures < ${failureLimit}),
    'paused', count(*) filter (where failures >= ${failureLimit} and not (probing and paused_until > ${now})),
    'probing', count(*) filter (where probing and paused_until > ${now}))
  from delivery_receivers)`
