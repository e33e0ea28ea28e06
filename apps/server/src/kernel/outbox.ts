import type { Tx } from './db/pool.ts'
import { withTrace } from './tracing.ts'

/** A job that is enqueued if and only if its transaction commits. It runs at least once. */
export interface Job {
  /** The name under which a wing declares it. */
  name: string
  payload: Record<string, unknown>
  /** A job replaces an earlier one with the same key that has not started. */
  key?: string
  /** Jobs of the same queue run one after the other, across all servers. */
  queue?: string
}

/**
 * Adds a job in the caller's transaction, to run when that commits. The job continues the caller's trace. Work that is
 * due later belongs to recurring jobs and dispatchers, which follow the clock of a sandbox.
 */
export async function enqueue(tx: Tx, job: Job): Promise<void> {
  await tx`
    select graphile_worker.add_job(
      ${job.name}, ${tx.json(withTrace(job.payload) as never)}::json,
      job_key => ${job.key ?? null}, queue_name => ${job.queue ?? null}, max_attempts => 25)`
}

/**
 * Returns the queue of a job, one of 16 by its id. Many jobs that wait for payment providers share queues, so that they
 * leave room for others.
 */
export function sharedQueue(name: string, id: string): string {
  return `${name} ${id.at(-1)}`
}

/** Channels on which server processes notify each other of changes. Payloads contain identifiers, never secrets. */
export type Channel =
  | 'souk_app'
  | 'souk_clock'
  | 'souk_user'
  | 'souk_callback'
  | 'souk_list'
  | 'souk_inspection'
  | 'souk_delivery'
  | 'souk_keys'

/** Notifies all server processes when the transaction commits. Delivery is at most once. */
export async function notify(tx: Tx, channel: Channel, payload: string): Promise<void> {
  await tx`select pg_notify(${channel}, ${payload})`
}

/** What a host user's devices learn: the id of what has changed. A notification without one shows no banner. */
export type UserNews =
  | { uid: number; event: 'notification'; id?: string }
  | { uid: number; event: 'activity' | 'feedback' | 'card'; id: string }
  | { uid: number; event: 'trade'; id: string; appid: string }

/** Notifies the devices of host users when the transaction commits. */
export async function notifyUsers(tx: Tx, news: readonly UserNews[]): Promise<void> {
  await notifyEach(
    tx,
    'souk_user',
    news.map((each) => JSON.stringify(each)),
  )
}

/** Sends many notifications in one statement. */
export async function notifyEach(tx: Tx, channel: Channel, payloads: readonly string[]): Promise<void> {
  await tx`select pg_notify(${channel}, payload) from unnest(${payloads as string[]}::text[]) as payload`
}
