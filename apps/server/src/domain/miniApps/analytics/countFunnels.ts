import { day } from '@souk/contract'
import type { Context } from '../../context.ts'
import { eventDays } from './countEvents.ts'
import { listCountedFunnels, lockFunnel, updateCountedDay, upsertFunnelDay } from './funnels.store.ts'
import { maxDelay } from './recordEvents.ts'

/** Job: counts the funnels of today, and of the days of which events arrived or that were not counted yet. */
export async function countFunnels({ sql, clock }: Context): Promise<void> {
  const now = clock.real()
  const today = Math.floor(now / day)
  // Reports of the last minutes can still arrive.
  const open = Math.floor((now - maxDelay) / day)
  for (const funnel of await listCountedFunnels(sql)) {
    const first = Math.max(today - eventDays + 1, Math.min(funnel.countedDay ?? 0, open))
    for (let dayNumber = first; dayNumber <= today; dayNumber++) {
      const isKept = await sql.begin(async (tx) => {
        if (!(await lockFunnel(tx, funnel.funnelId))) return false
        await upsertFunnelDay(tx, funnel, dayNumber)
        await updateCountedDay(tx, funnel.funnelId, Math.min(dayNumber, open))
        return true
      })
      if (!isKept) break
    }
  }
}
