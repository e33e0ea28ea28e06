import type { Clock } from './clock.ts'
import type { Tx } from './db/pool.ts'

/** A job that is enqueued if and only if its transaction commits. It runs at least once. */
export interface Job {
  /** The name under which `main` registered the handler. */
  name: string
  payload: Record<string, unknown>
  /** Domain time to run at, ms; immediately if absent. */
  at?: number
  /** A job replaces an earlier one with the same key that has not started. */
  key?: string
}

/** Adds a job in the caller's transaction. Converts its time from the domain clock to real time. */
export async function enqueue(tx: Tx, clock: Clock, job: Job): Promise<void> {
  const runAt = job.at === undefined ? null : new Date(job.at - (clock.now() - clock.real()))
  await tx`
    select graphile_worker.add_job(
      ${job.name}, ${tx.json(job.payload as never)}::json, run_at => ${runAt}, job_key => ${job.key ?? null}, max_attempts => 25)`
}

/** Channels on which server processes notify each other of changes. Payloads contain identifiers, never secrets. */
export type Channel = 'souk_app' | 'souk_clock' | 'souk_user' | 'souk_callback'

/** Notifies all server processes when the transaction commits. Delivery is at most once. */
export async function notify(tx: Tx, channel: Channel, payload: string): Promise<void> {
  await tx`select pg_notify(${channel}, ${payload})`
}

/** Sends many notifications in one statement. */
export async function notifyEach(tx: Tx, channel: Channel, payloads: readonly string[]): Promise<void> {
  await tx`select pg_notify(${channel}, payload) from unnest(${payloads as string[]}::text[]) as payload`
}
