import { setTimeout as wait } from 'node:timers/promises'
import { second } from '@souk/contract'
import { Alarm } from '../../../kernel/alarm.ts'
import type { Tx } from '../../../kernel/db/pool.ts'
import { notify } from '../../../kernel/outbox.ts'
import { traceJob } from '../../../kernel/tracing.ts'
import type { Context } from '../../context.ts'
import type { Due, IdRange, OutboundQueue, QueueName, Scheduled } from './queue.ts'
import { claimProbes, updateProbesToReleased } from './receivers.store.ts'
import { Recorder, toAttempt } from './record.ts'
import { type Delivery, Windows } from './windows.ts'

/**
 * Lease of an attempt, in ms: another process repeats the attempt afterwards. An attempt waits at most 5 s for others
 * of its receiver and 5 s for a connection, and then takes at most 5 s.
 */
const attemptLease = 20 * second

/**
 * A first attempt is due when it is stored. Tolerates processes whose clocks differ by this much, in ms, so that it
 * does not wait for the next search.
 */
const clockTolerance = second

/** Intervals of searches for due messages in ms, by mode. */
const searchIntervals: Record<Mode, number> = { watching: second, idle: 30 * second }
/** Searches take at most this part of the time, so that many failing receivers do not keep the database busy. */
const maxSearchShare = 0.05
/** Minimum time between claims in ms, so that deliveries that end together are replaced by one claim. */
const claimInterval = 5
/** Delay after the database could not be reached, in ms. */
const errorDelay = second
/** Maximum time that a claimed message waits for a request of its receiver to end, in ms: see {@link attemptLease}. */
const maxWait = 5 * second

/** Notifies the dispatchers of all processes, when the transaction commits, that a receiver has a due message. */
export async function notifyDue(tx: Tx, queue: QueueName, receiver: string): Promise<void> {
  await notify(tx, 'souk_delivery', `${queue} ${receiver}`)
}

/** A claimed message that waits until requests to its receiver end. `since` is a time of `performance.now()`. */
interface Waiting<M> {
  message: M
  delivery: Delivery
  since: number
}

/**
 * What a dispatcher waits for between two claims. In both modes a notification that a receiver has a due message makes
 * it claim at once.
 *
 * - `watching`: messages are pending or being delivered. It searches often, for retries that become due and for first
 *   attempts whose notification was lost.
 * - `idle`: no message was pending at the last search, and no notification has arrived since. Only lost
 *   notifications wait for the next search.
 */
type Mode = 'watching' | 'idle'

/**
 * Delivers the due messages of a queue until it is stopped. It claims, sends and records many at a time, and divides
 * the concurrent deliveries between receivers (ADR 307).
 */
export class Dispatcher<M extends Scheduled> {
  readonly #context: Context<'sendMessage' | 'stopping' | 'vault'>
  readonly #queue: OutboundQueue<M>
  readonly #windows = new Windows()
  readonly #recorder: Recorder<M>
  /** Receivers that may have due messages, by whether these include first attempts. */
  readonly #ready = new Map<string, boolean>()
  /** Messages that are claimed in advance, by receiver. */
  readonly #waiting = new Map<string, Waiting<M>[]>()
  readonly #running = new Set<Promise<void>>()
  readonly #alarm = new Alarm()
  #nextSearch = performance.now()
  #mode: Mode = 'watching'
  /** Result of the last search. A message that a replay makes pending elsewhere waits for the next search. */
  #ids: readonly IdRange[] | undefined

  constructor(context: Context<'sendMessage' | 'stopping' | 'vault'>, queue: OutboundQueue<M>) {
    this.#context = context
    this.#queue = queue
    this.#recorder = new Recorder(context, queue)
  }

  /** Delivers until the server stops. Resolves when the last delivery has ended. */
  async run(): Promise<void> {
    const { stopping, log } = this.#context
    stopping.addEventListener('abort', () => this.#alarm.wake(), { once: true })
    let isHealthy = true
    while (!stopping.aborted) {
      try {
        if (performance.now() >= this.#nextSearch) await this.#search()
        const claimed = await this.#claim()
        if (claimed === undefined) await this.#alarm.rest(this.#nextSearch - performance.now())
        else await wait(claimInterval)
        isHealthy = true
      } catch (error) {
        if (isHealthy) log.warn({ err: error, queue: this.#queue.name }, 'cannot claim deliveries')
        isHealthy = false
        this.#nextSearch = performance.now()
        await wait(errorDelay, undefined, { signal: stopping }).catch(() => {})
      }
    }
    await this.#finish()
  }

  /** Delivers everything that is due and returns when it is done. */
  async drain(): Promise<void> {
    const { stopping } = this.#context
    let isDone = false
    while (!isDone && !stopping.aborted) {
      await this.#search()
      isDone = true
      while (this.#ready.size > 0 && !stopping.aborted) {
        if (((await this.#claim()) ?? 0) > 0) isDone = false
        if (this.#running.size > 0) await Promise.race(this.#running)
      }
      await this.#finish()
    }
  }

  /** Waits for the deliveries that have been claimed. The end of one starts another that waits. */
  async #finish(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** Looks for due messages of a receiver immediately. */
  wake(receiver: string): void {
    this.#ready.set(receiver, true)
    this.searchSoon()
  }

  /** Ends the mode `idle`, because there may be pending messages. */
  searchSoon(): void {
    if (this.#mode === 'idle') {
      this.#nextSearch = Math.min(this.#nextSearch, performance.now() + searchIntervals.watching)
    }
    this.#mode = 'watching'
    this.#alarm.wake()
  }

  /** Finds all receivers with due messages. */
  async #search(): Promise<void> {
    const { sql, clock } = this.#context
    const began = performance.now()
    // A notification that arrives during the search ends this mode.
    this.#mode = 'idle'
    this.#ids = await this.#queue.findPendingIds?.(sql)
    if (await this.#queue.existsPending(sql, this.#ids)) {
      this.#mode = 'watching'
      const now = clock.now()
      const found = await this.#queue.listDueReceivers(sql, this.#dueAt(now), now)
      for (const { receiver, hasFirstAttempts } of found) this.#ready.set(receiver, hasFirstAttempts)
    }
    if (this.#running.size > 0) this.#mode = 'watching'
    const end = performance.now()
    this.#nextSearch = end + Math.max(searchIntervals[this.#mode], (end - began) / maxSearchShare)
  }

  /** Claims and starts deliveries, and returns their number; undefined if none may start now. */
  async #claim(): Promise<number | undefined> {
    const rooms = this.#windows.allocate(this.#ready)
    if (rooms.size === 0) return undefined
    const before = new Map([...rooms.keys()].map((receiver) => [receiver, this.#ready.get(receiver) ?? false]))
    // A notification that arrives during the claim adds the receiver again.
    for (const receiver of rooms.keys()) this.#ready.delete(receiver)
    const messages = await this.#claimMessages(rooms)
    const counts = new Map<string, number>()
    for (const message of messages) {
      counts.set(message.receiver, (counts.get(message.receiver) ?? 0) + 1)
      this.#add(message)
    }
    for (const [receiver, room] of rooms) {
      if (counts.get(receiver) === room && !this.#ready.has(receiver)) {
        this.#ready.set(receiver, before.get(receiver) ?? false)
      }
    }
    return messages.length
  }

  /** Removes receivers that are paused from `rooms`, and claims messages of the others. */
  async #claimMessages(rooms: Map<string, number>): Promise<M[]> {
    return this.#context.sql.begin((tx) => this.#claimIn(tx, rooms))
  }

  async #claimIn(tx: Tx, rooms: Map<string, number>): Promise<M[]> {
    const { name } = this.#queue
    const now = this.#context.clock.now()
    const until = now + attemptLease
    const restricted = await claimProbes(tx, name, [...rooms.keys()], { now, until })
    for (const [receiver, isProbe] of restricted) {
      if (isProbe) rooms.set(receiver, 1)
      else rooms.delete(receiver)
    }
    if (rooms.size === 0) return []
    const messages = await this.#queue.claim(tx, rooms, this.#dueAt(now), until)
    const claimed = new Set(messages.map(({ receiver }) => receiver))
    const unused = [...restricted].flatMap(([receiver, isProbe]) => (isProbe && !claimed.has(receiver) ? receiver : []))
    if (unused.length > 0) await updateProbesToReleased(tx, name, unused, now)
    if (messages.length > 0) await this.#queue.announce?.(tx, messages)
    return messages
  }

  #add(message: M): void {
    const { receiver } = message
    const waiting = this.#waiting.get(receiver) ?? []
    this.#waiting.set(receiver, waiting)
    waiting.push({ message, delivery: this.#windows.add(receiver), since: performance.now() })
    this.#startWaiting(receiver)
  }

  /** Starts as many of the messages that wait for a receiver as its window allows. */
  #startWaiting(receiver: string): void {
    const waiting = this.#waiting.get(receiver)
    if (waiting === undefined) return
    while (waiting.length > 0 && this.#windows.mayStart(receiver)) {
      const { message, delivery, since } = waiting.shift()!
      if (performance.now() - since < maxWait) this.#start(message, delivery)
      // Repeated when its lease ends, which could be during the attempt.
      else delivery.ended()
    }
    if (waiting.length === 0) this.#waiting.delete(receiver)
  }

  /** Gives up the messages that wait for a receiver, which may be paused. They are due again when their lease ends. */
  #dropWaiting(receiver: string): void {
    for (const { delivery } of this.#waiting.get(receiver) ?? []) delivery.ended()
    this.#waiting.delete(receiver)
  }

  #start(message: M, delivery: Delivery): void {
    delivery.started()
    const running = traceJob(`deliver ${this.#queue.name}`, message.traceparent, () => this.#deliver(message, delivery))
      .catch((error: unknown) => {
        // Repeated when its lease ends.
        this.#context.log.error(
          { err: error, queue: this.#queue.name, id: this.#queue.idOf(message) },
          'delivery failed',
        )
      })
      .finally(() => {
        delivery.ended()
        this.#startWaiting(message.receiver)
        this.#running.delete(running)
        this.#alarm.wake()
      })
    this.#running.add(running)
  }

  async #deliver(message: M, delivery: Delivery): Promise<void> {
    const context = this.#context
    const time = context.clock.now()
    const result = await this.#queue.send(context, message)
    if (!result.unsent) {
      this.#windows.observe(message.receiver, result.status === null ? null : result.duration)
      if (result.status === null) this.#dropWaiting(message.receiver)
    }
    const attempt = toAttempt(this.#queue, time, result)
    if (attempt.acknowledged) {
      // A failure waits until it is recorded, because it may pause the receiver.
      delivery.acknowledged()
      this.#startWaiting(message.receiver)
      this.#alarm.wake()
    }
    await this.#recorder.record({ message, attempt, result })
    await this.#queue.afterAttempt?.(context, message, attempt)
  }

  #dueAt(now: number): Due {
    return { firstAttempts: now + clockTolerance, retries: now, ids: this.#ids }
  }
}
