import { type Clock, OffsetClock } from '../../kernel/clock.ts'
import type { Context } from '../context.ts'
import { readOffset } from './store.ts'

/**
 * Sets this process's clock to what the installation's is at: at the start, and whenever another process may have moved
 * it (`souk_clock`). Does nothing where the installation is live.
 */
export async function loadClock(context: Context): Promise<void> {
  if (context.settings.sandbox) setOffset(context.clock, await readOffset(context.sql))
}

/** Moves the clock of this process to `offset` ms ahead of real time. */
export function setOffset(clock: Clock, offset: number): void {
  if (!(clock instanceof OffsetClock)) throw new TypeError('a sandbox runs on an OffsetClock')
  clock.offset = offset
}
