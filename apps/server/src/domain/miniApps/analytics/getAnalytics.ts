import { type analyticsDays, type consoleOperations, day, hour, type ParametersOf, type ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { launchBucket } from './counts.store.ts'
import {
  type CountOfPeriod,
  existsCollection,
  listCohorts,
  listCounts,
  listErrors,
  listLaunchTimes,
  listNames,
  listReleaseCounts,
  listTradeDays,
  listUserDays,
  type TradeDay,
  type UserDay,
} from './readCounts.store.ts'

type Operation = (typeof consoleOperations)['getAnalytics']
type Result = ResultOf<Operation>
type Totals = Omit<Result['current'], 'newUsers'>
type Count = CountOfPeriod & { kind: string }
type LaunchTime = CountOfPeriod & { bucket: number }

const defaultDays: (typeof analyticsDays)[number] = 30
/** Maximum number of pages, requests and errors. */
const maxNames = 50

/** Returns what happened in a mini app. Reads counts only, so that a year of a busy mini app is fast. */
export async function getAnalytics(
  { sql, clock }: Context,
  _caller: ConsoleCaller,
  { appid, days = defaultDays, releaseId }: ParametersOf<Operation>,
): Promise<Result> {
  const span = days === 1 ? 'hour' : 'day'
  const step = span === 'hour' ? hour : day
  const now = clock.real()
  const to = (Math.floor(now / step) + 1) * step
  const from = to - days * day
  const before = from - days * day
  const range = { appid, span, releaseId, before, from, to } as const
  // Trades have the time of the domain clock, which a sandbox can move.
  const tradesTo = (Math.floor(clock.now() / day) + 1) * day
  const tradesFrom = tradesTo - days * day

  const [collects, counts, launchTimes, names, errors, releases, users, cohorts, trades] = await Promise.all([
    existsCollection(sql, appid),
    listCounts(sql, range),
    listLaunchTimes(sql, range),
    listNames(sql, range, maxNames),
    listErrors(sql, range, maxNames),
    listReleaseCounts(sql, range),
    listUserDays(sql, appid, { from: before, to: Math.max(to, now) }),
    listCohorts(sql, appid, now),
    listTradeDays(sql, appid, { from: tradesFrom - days * day, to: tradesTo }),
  ])

  const periodOf = (start: number, end: number): Result['current'] => ({
    ...totalsOf(counts.filter(isIn(start, end)), launchTimes.filter(isIn(start, end))),
    newUsers: sum(users.filter(isIn(start, end)).map((each) => each.newUsers)),
  })
  const countsByStart = Map.groupBy(counts, ({ start }) => start)
  const launchesByStart = Map.groupBy(launchTimes, ({ start }) => start)
  const usersByStart = new Map(users.map((each) => [each.start, each]))
  const series = Array.from({ length: (to - from) / step }, (_, index) => {
    const start = from + index * step
    const { users: ofDay = 0, newUsers = 0 } = (span === 'day' && usersByStart.get(start)) || {}
    const totals = totalsOf(countsByStart.get(start) ?? [], launchesByStart.get(start) ?? [])
    return { start, ...totals, users: ofDay, newUsers }
  })
  const named = (kind: string) => names.filter((each) => each.kind === kind)
  const { weekUsers, monthUsers } = currentUsers(users, Math.floor(now / day) * day)

  return {
    collects,
    span,
    from,
    to,
    current: periodOf(from, to),
    previous: periodOf(before, from),
    series,
    weekUsers,
    monthUsers,
    cohorts,
    pages: named('page').map(({ name, count, previous }) => ({ page: name, count, previous })),
    cards: named('card').map(({ name, count, previous }) => ({ page: name, count, previous })),
    requests: named('request').map(({ name, count, previous }) => ({ request: name, count, previous })),
    failures: named('launchFailure').map(({ name, count, previous }) => ({ reason: name, count, previous })),
    errors,
    releases,
    funnel: {
      current: funnelOf(trades.filter(isIn(tradesFrom, tradesTo))),
      previous: funnelOf(trades.filter(isIn(tradesFrom - days * day, tradesFrom))),
    },
    money: moneyPerDay(trades.filter(isIn(tradesFrom, tradesTo)), tradesFrom, days),
  }
}

/** Returns the users of the last 7 and 30 days. They are counted every hour; those of today are known before. */
function currentUsers(users: readonly UserDay[], today: number) {
  const { users: ofToday = 0 } = users.find(({ start }) => start === today) ?? {}
  const counted = users.findLast(({ start, monthUsers }) => start >= today - day && monthUsers > 0)
  return {
    weekUsers: Math.max(counted?.weekUsers ?? 0, ofToday),
    monthUsers: Math.max(counted?.monthUsers ?? 0, ofToday),
  }
}

/** Selects what starts in a period; `end` is not part of it. */
const isIn = (start: number, end: number) => (each: { start: number }) => each.start >= start && each.start < end

/** Adds up the counts of one or more hours or days, and computes the percentiles of their launches. */
function totalsOf(counts: readonly Count[], launchTimes: readonly LaunchTime[]): Totals {
  const count = (kind: string) => sum(counts.filter((each) => each.kind === kind).map((each) => each.count))
  return {
    opens: count('open'),
    cardOpens: count('card'),
    launches: count('launch'),
    launchFailures: count('launchFailure'),
    pageViews: count('page'),
    errors: count('error'),
    failedRequests: count('request'),
    ...percentilesOf(launchTimes),
  }
}

function funnelOf(trades: readonly TradeDay[]): Result['funnel']['current'] {
  const add = (field: 'created' | 'opened' | 'tried' | 'paid') => sum(trades.map((each) => each[field]))
  return { created: add('created'), opened: add('opened'), tried: add('tried'), paid: add('paid') }
}

/** Returns each of the days since `from` for each currency in which something was paid. */
function moneyPerDay(trades: readonly TradeDay[], from: number, days: number): Result['money'] {
  const perCurrency = Map.groupBy(trades, ({ currency }) => currency)
  return [...perCurrency]
    .filter(([, found]) => found.some((each) => each.paid > 0))
    .flatMap(([currency, found]) => {
      const byStart = new Map(found.map((each) => [each.start, each]))
      return Array.from({ length: days }, (_, index) => {
        const start = from + index * day
        const { paid = 0, amount = 0 } = byStart.get(start) ?? {}
        return { start, currency, paid, amount }
      })
    })
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

/** Estimates percentiles from launches per bucket, as if they were spread evenly in their bucket. */
function percentilesOf(launches: readonly LaunchTime[]): { p50: number | null; p95: number | null } {
  const perBucket = new Map<number, number>()
  for (const { bucket, count } of launches) perBucket.set(bucket, (perBucket.get(bucket) ?? 0) + count)
  const buckets = [...perBucket].toSorted(([one], [other]) => one - other)
  const total = sum(buckets.map(([, count]) => count))
  const at = (share: number) => {
    let rest = share * total
    for (const [bucket, count] of buckets) {
      if (rest <= count) {
        const { from, to } = launchBucket(bucket)
        return Math.round(from + ((to - from) * rest) / count)
      }
      rest -= count
    }
    return null
  }
  return total === 0 ? { p50: null, p95: null } : { p50: at(0.5), p95: at(0.95) }
}
