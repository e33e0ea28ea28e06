import type { Clock } from './clock.ts'
import type { Tx } from './db/pool.ts'

/** Work that leaves a transaction: it exists if and only if the transaction commits, and runs at least once. */
export interface Job {
  /** The name under which `main` registered the handler. */
  name: string
  payload: Record<string, unknown>
  /** Domain time, ms; absent: at once. */
  at?: number
  /** A later job with the same key replaces an earlier one that has not begun. */
  key?: string
}

/** Adds a job within the caller's transaction. Its time is on the domain clock and is turned into real time here. */
export async function enqueue(tx: Tx, clock: Clock, job: Job): Promise<void> {
  const runAt = job.at === undefined ? null : new Date(job.at - (clock.now() - clock.real()))
  await tx`
    select graphile_worker.add_job(
      ${job.name}, ${tx.json(job.payload as never)}::json, run_at => ${runAt}, job_key => ${job.key ?? null}, max_attempts => 25)`
}

/** Channels over which server processes tell each other that something changed; payloads name it, and hold no secret. */
export type Channel = 'souk_app' | 'souk_clock' | 'souk_user' | 'souk_callback'

/** Tells every server process, when the transaction commits. Delivery is at most once: readers can always look again. */
export async function announce(tx: Tx, channel: Channel, payload: string): Promise<void> {
  await tx`select pg_notify(${channel}, ${payload})`
}

/** The same for many payloads, in one statement. */
export async function announceEach(tx: Tx, channel: Channel, payloads: readonly string[]): Promise<void> {
  await tx`select pg_notify(${channel}, payload) from unnest(${payloads as string[]}::text[]) as payload`
}
