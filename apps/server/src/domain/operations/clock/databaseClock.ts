import { setTimeout as wait } from 'node:timers/promises'
import { SoukError, second } from '@souk/contract'
import { explainWrongClock, OffsetClock } from '../../../kernel/clock.ts'
import type { Context } from '../../context.ts'
import { findDatabaseTime } from './store.ts'

/** Interval of comparisons in ms. */
const comparisonInterval = 5 * second

/**
 * Compares the clock of this process with the database's and lets the domain clock follow it, so that all processes
 * agree on what is due. Allows for the time that the query takes.
 */
export async function compareClocks({ sql, clock }: Pick<Context, 'sql' | 'clock'>): Promise<void> {
  if (!(clock instanceof OffsetClock)) return
  const began = performance.now()
  const databaseTime = await findDatabaseTime(sql)
  const uncertainty = (performance.now() - began) / 2
  clock.compare(databaseTime + uncertainty, uncertainty)
}

/** Compares the clocks once, for a command. @throws SoukError `unavailable` if they differ */
export async function requireRightClock(context: Pick<Context, 'sql' | 'clock'>): Promise<void> {
  await compareClocks(context)
  if (context.clock.isWrong()) throw new SoukError('unavailable', explainWrongClock(context.clock))
}

/** Work that can be stopped, and waits for what is running. */
export interface Stoppable {
  stop(): Promise<void>
}

/**
 * Compares the clocks at once and then regularly, until it is stopped. Logs once when they differ and once when they
 * agree again.
 */
export class DatabaseClock {
  readonly #context: Pick<Context, 'sql' | 'clock' | 'log'>
  readonly #interval: number
  readonly #stopping = new AbortController()
  readonly #followers = new Set<() => void>()
  #isWrong = false

  /** @param interval time between comparisons, ms */
  constructor(context: Pick<Context, 'sql' | 'clock' | 'log'>, interval = comparisonInterval) {
    this.#context = context
    this.#interval = interval
  }

  async start(): Promise<void> {
    await this.#compare()
    void this.#compareUntilStopped()
  }

  stop(): void {
    this.#stopping.abort()
  }

  /** Runs work whenever the clock is right: stops it when the clock becomes wrong, and then starts it again. */
  async runWhileRight(start: () => Promise<Stoppable>): Promise<Stoppable> {
    const { clock, log } = this.#context
    let running: Stoppable | undefined
    let isStopped = false
    const follow = async () => {
      if (isStopped || clock.isWrong() === (running === undefined)) return
      if (running === undefined) {
        running = await start()
      } else {
        const stopped = running
        running = undefined
        await stopped.stop()
      }
    }
    let following = follow()
    await following
    const followInTurn = () => {
      following = following.then(follow).catch((error: Error) => {
        log.warn({ reason: error.message }, 'the work that a wrong clock stopped could not be started again')
      })
    }
    this.#followers.add(followInTurn)
    return {
      stop: async () => {
        isStopped = true
        this.#followers.delete(followInTurn)
        await following
        await running?.stop()
      },
    }
  }

  async #compareUntilStopped(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await wait(this.#interval, undefined, { signal }).catch(() => {})
      // Without the database nothing happens anyway.
      if (!signal.aborted) await this.#compare().catch(() => {})
    }
  }

  async #compare(): Promise<void> {
    const { clock, log } = this.#context
    await compareClocks(this.#context)
    if (clock.isWrong() !== this.#isWrong) {
      this.#isWrong = clock.isWrong()
      const seconds = clock.difference / second
      if (this.#isWrong) log.error({ difference: seconds }, explainWrongClock(clock))
      else log.info({ difference: seconds }, 'the clocks of this process and the database agree again')
    }
    for (const follow of this.#followers) follow()
  }
}
