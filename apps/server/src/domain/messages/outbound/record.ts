import { retryDelay } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { Context } from '../../context.ts'
import type { Verdict } from './breaker.ts'
import type { Attempt, OutboundQueue, QueueName, Scheduled, SendResult } from './queue.ts'
import { recordVerdicts, verdictOf } from './receivers.ts'

/** A claimed message whose attempt is over. */
export interface Sent<M> {
  message: M
  attempt: Attempt
  result: SendResult
}

const maxBatch = 256

/** Converts the result of an attempt that started at `time`. */
export function toAttempt<M extends Scheduled>(
  queue: OutboundQueue<M>,
  time: number,
  { status, reply, error, duration }: Omit<SendResult, 'retryAfter'>,
): Attempt {
  return {
    time,
    duration: Math.round(duration),
    acknowledged: status !== null && queue.acknowledges(status, reply ?? ''),
    status,
    // PostgreSQL cannot store NUL in text.
    reply: reply?.replaceAll('\0', '\ufffd') ?? null,
    error,
  }
}

/** Records scheduled attempts. While one batch is written, the next is collected. */
export class Recorder<M extends Scheduled> {
  readonly #context: Context<'sendMessage' | 'vault'>
  readonly #queue: OutboundQueue<M>
  #waiting: { sent: Sent<M>; resolve: () => void; reject: (reason: unknown) => void }[] = []
  #isWriting = false

  constructor(context: Context<'sendMessage' | 'vault'>, queue: OutboundQueue<M>) {
    this.#context = context
    this.#queue = queue
  }

  /** Resolves when the attempt is recorded. */
  record(sent: Sent<M>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ sent, resolve, reject })
      if (!this.#isWriting) void this.#write()
    })
  }

  async #write(): Promise<void> {
    this.#isWriting = true
    // Collects attempts that end in the same turn.
    await new Promise(setImmediate)
    while (this.#waiting.length > 0) {
      const batch = this.#takeBatch()
      const all = batch.map(({ sent }) => sent)
      const isWritten = await recordScheduled(this.#context, this.#queue, all).then(
        () => true,
        () => false,
      )
      // One that cannot be recorded must not prevent the others.
      for (const { sent, resolve, reject } of batch) {
        if (isWritten) resolve()
        else await recordScheduled(this.#context, this.#queue, [sent]).then(resolve, reject)
      }
    }
    this.#isWriting = false
  }

  /** Takes at most one attempt per message, since the second is counted after the first. */
  #takeBatch() {
    const ids = new Set<string>()
    const batch = this.#waiting.filter(({ sent }) => {
      const id = this.#queue.idOf(sent.message)
      if (ids.has(id) || ids.size === maxBatch) return false
      ids.add(id)
      return true
    })
    this.#waiting = this.#waiting.filter((each) => !batch.includes(each))
    return batch
  }
}

/** Records attempts of the schedule in one transaction. */
async function recordScheduled<M extends Scheduled>(
  context: Context,
  queue: OutboundQueue<M>,
  all: readonly Sent<M>[],
): Promise<void> {
  const now = context.clock.now()
  const died = await context.sql.begin(async (tx) => {
    const messages = all.map(({ message }) => message)
    const stored = new Map((await queue.lock(tx, messages)).map((message) => [queue.idOf(message), message]))
    const outcomes = all.flatMap(({ message, attempt, result }) => {
      const before = stored.get(queue.idOf(message))
      return before ? [{ before, message: advanceSchedule(before, attempt, result.retryAfter, now), attempt }] : []
    })
    await Promise.all([queue.record(tx, outcomes), recordVerdicts(tx, queue.name, verdictsOf(all), now)])
    return outcomes.filter(({ before, message }) => before.state === 'pending' && message.state === 'dead').length
  })
  context.metrics.deadDeliveries.inc({ queue: queue.name }, died)
  for (const { attempt } of all) countAttempt(context, queue.name, attempt)
}

/**
 * Records an attempt outside the schedule. An acknowledgement counts for every way of delivery. `result` is
 * left out if the message was not sent to its receiver.
 */
export async function recordUnscheduled<M extends Scheduled>(
  context: Context,
  queue: OutboundQueue<M>,
  tx: Tx,
  { message, attempt, result }: Omit<Sent<M>, 'result'> & { result?: SendResult },
): Promise<void> {
  const [locked] = await queue.lock(tx, [message])
  if (locked === undefined) return
  const delivered = { state: 'delivered', nextAttempt: null } as const
  const after = { ...locked, attempts: locked.attempts + 1, ...(attempt.acknowledged && delivered) }
  await queue.record(tx, [{ message: after, attempt }])
  if (result) await recordVerdicts(tx, queue.name, verdictsOf([{ message, attempt, result }]), context.clock.now())
  countAttempt(context, queue.name, attempt)
}

function countAttempt(context: Context, queue: QueueName, { acknowledged }: Attempt): void {
  context.metrics[`${queue}Attempts` as const].inc({ acknowledged: String(acknowledged) })
}

/** Returns what these attempts say about each receiver. */
function verdictsOf<M extends Scheduled>(all: readonly Sent<M>[]): Map<string, Verdict[]> {
  const verdicts = new Map<string, Verdict[]>()
  for (const { message, attempt, result } of all) {
    const verdict = verdictOf(result, attempt.acknowledged)
    if (verdict) verdicts.set(message.receiver, [...(verdicts.get(message.receiver) ?? []), verdict])
  }
  return verdicts
}

/** Returns a message after a scheduled attempt. In the meantime, it may have been acknowledged or marked as dead. */
function advanceSchedule<M extends Scheduled>(
  message: M,
  { acknowledged }: Attempt,
  retryAfter: number | null,
  now: number,
): M {
  const scheduledAttempts = message.scheduledAttempts + 1
  const counted = { ...message, attempts: message.attempts + 1, scheduledAttempts }
  if (acknowledged) return { ...counted, state: 'delivered', nextAttempt: null }
  if (message.state !== 'pending') return { ...counted, nextAttempt: null }
  const delay = retryDelay(scheduledAttempts, Math.random(), retryAfter ?? 0)
  return delay === null ? { ...counted, state: 'dead', nextAttempt: null } : { ...counted, nextAttempt: now + delay }
}
