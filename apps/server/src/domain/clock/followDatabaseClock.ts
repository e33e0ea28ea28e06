import { second } from '@souk/contract'
import { OffsetClock } from '../../kernel/clock.ts'
import type { Context } from '../context.ts'
import { findDatabaseTime } from './store.ts'

/** Interval of comparisons in ms. */
export const comparisonInterval = 15 * second

/**
 * Sets the domain clock of this process to the database's clock, so that all processes agree on what is due. Smaller
 * differences than the query allows to measure are ignored.
 */
export async function followDatabaseClock({ sql, clock }: Pick<Context, 'sql' | 'clock'>): Promise<void> {
  if (!(clock instanceof OffsetClock)) return
  const began = performance.now()
  const databaseTime = await findDatabaseTime(sql)
  const uncertainty = (performance.now() - began) / 2
  const skew = Math.round(databaseTime + uncertainty - Date.now())
  if (Math.abs(skew - clock.skew) > uncertainty) clock.skew = skew
}
