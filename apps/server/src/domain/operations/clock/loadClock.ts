import { setTimeout as wait } from 'node:timers/promises'
import { type Clock, OffsetClock } from '../../../kernel/clock.ts'
import type { Context } from '../../context.ts'
import { findOffset } from './store.ts'

/**
 * Sets the clock of this process to the stored offset: at startup, and when another process may have moved it
 * (`souk_clock`). Does nothing in a live installation.
 */
export async function loadClock(context: Context): Promise<void> {
  if (context.settings.sandbox) setOffset(context.clock, await findOffset(context.sql))
}

/** Delay after the database could not be read, ms. */
const retryDelay = 500

/** Loads the clock as soon as the database can be read. Never rejects. */
export async function reloadClock(context: Context<'stopping'>): Promise<void> {
  while (!context.stopping.aborted) {
    try {
      return await loadClock(context)
    } catch (error) {
      context.log.warn({ reason: (error as Error).message }, 'the sandbox clock could not be read')
      await wait(retryDelay, undefined, { signal: context.stopping }).catch(() => {})
    }
  }
}

/** Sets the clock of this process `offset` ms ahead of real time. */
export function setOffset(clock: Clock, offset: number): void {
  if (!(clock instanceof OffsetClock)) throw new TypeError('a sandbox requires an OffsetClock')
  clock.offset = offset
}
