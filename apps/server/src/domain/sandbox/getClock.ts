import { type consoleOperations, type ResultOf, SoukError } from '@souk/contract'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { readOffset } from './store.ts'

type GetClock = typeof consoleOperations.getClock

/**
 * The time of the domain, and how far it is ahead of real time, both in ms.
 *
 * @throws SoukError `sandbox_only`
 */
export async function getClock(context: Context, _caller: ConsoleCaller): Promise<ResultOf<GetClock>> {
  if (!context.settings.sandbox) throw new SoukError('sandbox_only')
  const offset = await readOffset(context.sql)
  return { now: context.clock.real() + offset, offset }
}
