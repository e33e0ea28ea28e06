import type { consoleOperations, ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { findOffset } from './store.ts'

type GetClock = typeof consoleOperations.getClock

/** Returns the time of the domain clock and its offset to real time, in ms. */
export async function getClock(context: Context, _caller: ConsoleCaller): Promise<ResultOf<GetClock>> {
  const offset = await findOffset(context.sql)
  return { now: context.clock.real() + offset, offset }
}
