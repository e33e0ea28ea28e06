import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { Context, SendMessage } from '../../context.ts'

/** The result of one request. `duration` and `retryAfter` in ms. */
export type SendResult = Awaited<ReturnType<SendMessage>>

/** The schedule of a stored message. Times in ms of the domain clock. */
export interface Scheduled {
  /** The host of a callback or the endpoint of an event. If it does not respond, all its messages are paused. */
  receiver: string
  /** `dead`: all scheduled attempts failed; it can be replayed. */
  state: 'pending' | 'delivered' | 'dead'
  /** All attempts. */
  attempts: number
  /** The attempts of the schedule alone, which decide the next delay. */
  scheduledAttempts: number
  /** Time of the next attempt, or when the one in progress counts as lost; null if none follows. */
  nextAttempt: number | null
  /** The trace that it belongs to (W3C Trace Context). */
  traceparent: string | null
}

/** The result of an attempt. `duration` in ms. Without a response `status` is null and `error` says why. */
export interface Attempt {
  time: number
  duration: number
  acknowledged: boolean
  status: number | null
  reply: string | null
  error: string | null
}

/** A message after an attempt, and the attempt. */
export interface Outcome<M> {
  message: M
  attempt: Attempt
}

/** A range of UUIDs, from `from` up to, but without, `to`. */
export interface IdRange {
  /** The partition that has them. */
  partition: string
  from: string
  to: string
}

/** Times until which messages are due, ms of the domain clock. */
export interface Due {
  firstAttempts: number
  retries: number
  /** The result of `findPendingIds`, so that a search or claim reads few partitions. */
  ids?: readonly IdRange[] | undefined
}

/** A receiver with due messages. */
export interface DueReceiver {
  receiver: string
  /** True if one of them has not been tried yet. */
  hasFirstAttempts: boolean
}

export type QueueName = 'callback' | 'event'

/**
 * Messages of one kind that are delivered at least once (ADR 292): where they are stored and how they are sent. The
 * dispatcher decides when (ADR 307).
 */
export interface OutboundQueue<M extends Scheduled> {
  /** Name in tables, metrics and logs. */
  name: QueueName
  idOf(message: M): string
  /** Returns ranges that contain the ids of all pending messages, if these are partitioned. */
  findPendingIds?(sql: Sql): Promise<readonly IdRange[]>
  /** Returns whether a message is pending, due or not. */
  existsPending(sql: Sql, ids: readonly IdRange[] | undefined): Promise<boolean>
  /** Lists receivers with due messages, except those that are paused at `now`. */
  listDueReceivers(sql: Sql, due: Due, now: number): Promise<DueReceiver[]>
  /**
   * Claims due messages until `until`: of each receiver at most its number in `rooms`, first attempts before retries,
   * those that have been due longest first. Skips messages that are locked.
   */
  claim(tx: Tx, rooms: ReadonlyMap<string, number>, due: Due, until: number): Promise<M[]>
  /** Locks messages until the transaction ends, and returns those that have not been deleted, as they are now. */
  lock(tx: Tx, messages: readonly M[]): Promise<M[]>
  /** Stores messages after an attempt, and the attempts. */
  record(tx: Tx, outcomes: readonly Outcome<M>[]): Promise<void>
  /** Signs and sends a message. */
  send: (context: Context<'sendMessage' | 'vault'>, message: M) => Promise<SendResult>
  /** Returns whether a response acknowledges the message. */
  acknowledges(status: number, reply: string): boolean
  /** Called in a transaction before attempts. */
  announce?(tx: Tx, messages: readonly M[]): Promise<void>
  /** Called after an attempt has been recorded. */
  afterAttempt?: (context: Context<'sendMessage' | 'vault'>, message: M, attempt: Attempt) => Promise<void>
}
