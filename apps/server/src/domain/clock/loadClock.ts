import { type Clock, OffsetClock } from '../../kernel/clock.ts'
import type { Context } from '../context.ts'
import { findOffset } from './store.ts'

/**
 * Sets the clock of this process to the stored offset: at startup, and when another process may have moved it
 * (`souk_clock`). Does nothing in a live installation.
 */
export async function loadClock(context: Context): Promise<void> {
  if (context.settings.sandbox) setOffset(context.clock, await findOffset(context.sql))
}

/** Sets the clock of this process `offset` ms ahead of real time. */
export function setOffset(clock: Clock, offset: number): void {
  if (!(clock instanceof OffsetClock)) throw new TypeError('a sandbox requires an OffsetClock')
  clock.offset = offset
}
