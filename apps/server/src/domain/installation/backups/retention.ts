import { day } from '@souk/contract'

/** How many days, weeks and months with a backup keep their newest one. All in UTC; weeks start on Monday. */
export interface Retention {
  daily: number
  weekly: number
  monthly: number
}

/** 1970-01-01 was a Thursday. */
const daysSinceMonday = 3

const periods: Record<keyof Retention, (time: number) => number | string> = {
  daily: (time) => Math.floor(time / day),
  weekly: (time) => Math.floor((Math.floor(time / day) + daysSinceMonday) / 7),
  monthly: (time) => new Date(time).toISOString().slice(0, 7),
}

/**
 * Returns the backups that no rule keeps. The one of `newest` is always kept, and so are later ones: they were made
 * with a wrong clock, and must not take the places of others.
 *
 * Days, weeks and months without a backup do not count, so that an installation that was off loses nothing.
 */
export function findExpired<T extends { time: number }>(
  backups: readonly T[],
  newest: number,
  retention: Retention,
): T[] {
  const past = backups.filter(({ time }) => time <= newest).sort((a, b) => b.time - a.time)
  const kept = new Set([newest])
  for (const rule of ['daily', 'weekly', 'monthly'] as const) {
    const seen = new Set<number | string>()
    for (const { time } of past) {
      const period = periods[rule](time)
      if (seen.has(period)) continue
      if (seen.size >= retention[rule]) break
      seen.add(period)
      kept.add(time)
    }
  }
  return past.filter(({ time }) => !kept.has(time))
}
