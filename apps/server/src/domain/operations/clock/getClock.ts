import type { consoleOperations, ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { findOffset, listMoves } from './store.ts'

type GetClock = typeof consoleOperations.getClock

/** Returns the time of the domain clock its offset to real time in ms, and its moves. */
export async function getClock(context: Context, _caller: ConsoleCaller): Promise<ResultOf<GetClock>> {
  const [offset, moves] = await Promise.all([findOffset(context.sql), listMoves(context.sql)])
  return { now: context.clock.real() + offset, offset, moves }
}
