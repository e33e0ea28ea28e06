import { day, hour } from '@souk/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findExpired, type Retention } from './retention.ts'

const at = (text: string) => ({ time: Date.parse(text) })
/** Returns the backups that are kept when the last of `times` was made, as dates. */
function keep(times: readonly string[], retention: Partial<Retention>): string[] {
  const backups = times.map((time) => at(time))
  const expired = new Set(findExpired(backups, backups.at(-1)!.time, { daily: 0, weekly: 0, monthly: 0, ...retention }))
  return times.filter((_, index) => !expired.has(backups[index]!))
}

test('days, weeks and months keep their newest backup', () => {
  const nights = Array.from({ length: 100 }, (_, index) =>
    new Date(Date.UTC(2026, 7, 24, 2) + index * day).toISOString().slice(0, 10),
  )
  expect(nights.at(-1)).toBe('2026-12-01')
  expect(keep(nights, { daily: 3 })).toEqual(['2026-11-29', '2026-11-30', '2026-12-01'])
  // Sundays end the weeks before.
  expect(keep(nights, { weekly: 3 })).toEqual(['2026-11-22', '2026-11-29', '2026-12-01'])
  expect(keep(nights, { monthly: 3 })).toEqual(['2026-10-31', '2026-11-30', '2026-12-01'])
  expect(keep(nights, {})).toEqual(['2026-12-01'])
  const twice = ['2026-11-29T02:00Z', '2026-11-30T02:00Z', '2026-11-30T14:00Z', '2026-12-01T02:00Z']
  expect(keep(twice, { daily: 2 })).toEqual(['2026-11-30T14:00Z', '2026-12-01T02:00Z'])
})

test('days without a backup do not count', () => {
  const times = ['2026-01-01', '2026-01-02', '2026-11-30', '2026-12-01']
  expect(keep(times, { daily: 3 })).toEqual(['2026-01-02', '2026-11-30', '2026-12-01'])
})

test('backups that were made with a clock ahead stay, and take no places', () => {
  const backups = [at('2099-01-01'), at('2099-01-02'), at('2026-11-30'), at('2026-12-01')]
  expect(findExpired(backups, backups[3]!.time, { daily: 2, weekly: 0, monthly: 0 })).toEqual([])
})

const count = fc.nat({ max: 12 })
const retentions = fc.record({ daily: count, weekly: count, monthly: count })
const hours = fc.array(fc.nat({ max: 3 * 365 * 24 }), { minLength: 1, maxLength: 200 })
const backupsOf = (values: number[]) => values.map((each) => ({ time: Date.UTC(2026, 0, 1) + each * hour }))

test('the newest is never expired, no more than the retention allows is kept, and a second run expires nothing', () => {
  fc.assert(
    fc.property(hours, retentions, (values, retention) => {
      const backups = backupsOf(values)
      const newest = Math.max(...backups.map(({ time }) => time))
      const expired = findExpired(backups, newest, retention)
      const kept = backups.filter((backup) => !expired.includes(backup))
      expect(kept.map(({ time }) => time)).toContain(newest)
      const { daily, weekly, monthly } = retention
      expect(new Set(kept.map(({ time }) => time)).size).toBeLessThanOrEqual(Math.max(1, daily + weekly + monthly))
      expect(findExpired(kept, newest, retention)).toEqual([])
    }),
  )
})

test('a longer retention never keeps less', () => {
  fc.assert(
    fc.property(hours, retentions, retentions, (values, retention, more) => {
      const backups = backupsOf(values)
      const newest = Math.max(...backups.map(({ time }) => time))
      const longer: Retention = {
        daily: retention.daily + more.daily,
        weekly: retention.weekly + more.weekly,
        monthly: retention.monthly + more.monthly,
      }
      const expired = new Set(findExpired(backups, newest, retention))
      for (const backup of findExpired(backups, newest, longer)) expect(expired).toContain(backup)
    }),
  )
})

test('pruning after each backup keeps the same as pruning once', () => {
  fc.assert(
    fc.property(hours, retentions, (values, retention) => {
      const backups = backupsOf([...new Set(values)].sort((a, b) => a - b))
      const newest = backups.at(-1)!.time
      let kept: { time: number }[] = []
      for (const backup of backups) {
        kept.push(backup)
        const expired = findExpired(kept, backup.time, retention)
        kept = kept.filter((each) => !expired.includes(each))
      }
      const expired = findExpired(backups, newest, retention)
      expect(kept).toEqual(backups.filter((backup) => !expired.includes(backup)))
    }),
  )
})
