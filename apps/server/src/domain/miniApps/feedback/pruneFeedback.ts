import { day } from '@souk/contract'
import type { Context } from '../../context.ts'
import { deleteOldMessages } from './store.ts'

/** Retention of messages after their last change, in ms. */
const retention = 730 * day
const batchSize = 1_000

/** Job: deletes old messages with their answers. */
export async function pruneFeedback({ sql, clock, stopping }: Context<'stopping'>): Promise<void> {
  const time = clock.now() - retention
  while (!stopping.aborted) {
    if ((await deleteOldMessages(sql, time, batchSize)) < batchSize) return
  }
}
