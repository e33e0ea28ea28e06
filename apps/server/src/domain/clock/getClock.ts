import type { consoleOperations, ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { readOffset } from './store.ts'

type GetClock = typeof consoleOperations.getClock

/**
 * The time of the domain, and how far it is ahead of real time, both in ms.
 */
export async function getClock(context: Context, _caller: ConsoleCaller): Promise<ResultOf<GetClock>> {
  const offset = await readOffset(context.sql)
  return { now: context.clock.real() + offset, offset }
}
