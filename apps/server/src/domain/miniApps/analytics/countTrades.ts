import { day } from '@souk/contract'
import type { Context } from '../../context.ts'
import { upsertTradeCounts } from './trades.store.ts'

/** Days in which trades can still be opened and paid. */
const openDays = 8

/** Job: counts the trades created today, which change most. */
export async function countTodaysTrades({ sql, clock, settings }: Context): Promise<void> {
  await upsertTradeCounts(sql, { from: Math.floor(clock.now() / day), sandbox: settings.sandbox })
}

/** Job: counts the trades of all days that can still change, day by day: one statement about all could time out. */
export async function countRecentTrades({ sql, clock, settings }: Context): Promise<void> {
  const { sandbox } = settings
  const today = Math.floor(clock.now() / day)
  for (let past = today - openDays; past < today; past++)
    await upsertTradeCounts(sql, { from: past, to: past + 1, sandbox })
  await upsertTradeCounts(sql, { from: today, sandbox })
}
