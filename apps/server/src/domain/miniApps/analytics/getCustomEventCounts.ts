import {
  type analyticsDays,
  type consoleOperations,
  customEventLimits,
  customEventRefusals,
  day,
  hour,
  type ParametersOf,
  type ResultOf,
} from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { type Funnel, listFunnelCounts, listFunnels } from './funnels.store.ts'
import { listCountsOfCustomEvent, listCustomNames } from './readCounts.store.ts'

type Operation = (typeof consoleOperations)['getCustomEventCounts']
type SeriesOperation = (typeof consoleOperations)['getCustomEventSeries']
type Result = ResultOf<Operation>
type FunnelCount = Awaited<ReturnType<typeof listFunnelCounts>>[number]

const defaultDays: (typeof analyticsDays)[number] = 30
/** Maximum number of names of a kind: those that can be declared, and as many that no longer are. */
const maxNames = 2 * customEventLimits.counted

/** Returns the counts of the custom events of a mini app, of their fields, of refused reports and of funnels. */
export async function getCustomEventCounts(
  { sql, clock }: Context,
  _caller: ConsoleCaller,
  { appid, days = defaultDays, releaseId }: ParametersOf<Operation>,
): Promise<Result> {
  const now = clock.real()
  const { span, from, to } = periodOf(now, days)
  const before = from - days * day
  // Funnels are counted per day.
  const daysTo = (Math.floor(now / day) + 1) * day
  const daysFrom = daysTo - days * day
  const [names, funnels, reached] = await Promise.all([
    listCustomNames(sql, { appid, span, releaseId, before, from, to }, maxNames),
    listFunnels(sql, appid),
    listFunnelCounts(sql, { appid, releaseId, from: daysFrom - days * day, to: daysTo }),
  ])
  const of = (kind: string) => names.filter((each) => each.kind === kind)
  return {
    events: of('custom').map(({ name, count, previous }) => ({ name, count, previous })),
    values: of('customValue').flatMap(({ name, count, previous }) => {
      const [, event = '', field = '', value = ''] = /^(\w+)\.(\w+)=(.*)$/s.exec(name) ?? []
      return event === '' ? [] : [{ event, field, value, count, previous }]
    }),
    sums: of('customSum').flatMap(({ name, count, previous }) => {
      const [event = '', field] = name.split('.')
      return field === undefined ? [] : [{ event, field, sum: count, previous }]
    }),
    refused: of('customRefused').map(({ name, count, previous }) => {
      const [first, refused = ''] = name.split(' ')
      const reason = customEventRefusals.find((each) => each === first) ?? 'event'
      return { reason, name: refused, count, previous }
    }),
    funnels: funnels.map((funnel) => ({
      ...funnel,
      ...reachedOf(
        funnel,
        reached.filter(({ funnelId }) => funnelId === funnel.funnelId),
        daysFrom,
      ),
    })),
  }
}

/** Returns how often a custom event of a mini app was reported per day, or per hour of the last 24 hours. */
export async function getCustomEventSeries(
  { sql, clock }: Context,
  _caller: ConsoleCaller,
  { appid, name, days = defaultDays, releaseId }: ParametersOf<SeriesOperation>,
): Promise<ResultOf<SeriesOperation>> {
  const { span, step, from, to } = periodOf(clock.real(), days)
  const counts = await listCountsOfCustomEvent(sql, { appid, span, releaseId, before: from, from, to }, name)
  const byStart = new Map(counts.map(({ start, count }) => [start, count]))
  const starts = Array.from({ length: (to - from) / step }, (_, index) => from + index * step)
  return { span, series: starts.map((start) => ({ start, count: byStart.get(start) ?? 0 })) }
}

/** Returns the last days up to the end of the current one, or the last 24 hours. Times are ms. */
function periodOf(now: number, days: number) {
  const [span, step] = days === 1 ? (['hour', hour] as const) : (['day', day] as const)
  const to = (Math.floor(now / step) + 1) * step
  return { span, step, from: to - days * day, to }
}

/** Adds up the days of a funnel in the period since `from` and in the one before. */
function reachedOf({ steps }: Funnel, counts: readonly FunnelCount[], from: number) {
  const add = (found: readonly FunnelCount[]) =>
    steps.map((_, step) => found.filter((each) => each.step === step).reduce((sum, { count }) => sum + count, 0))
  const isCurrent = ({ start }: FunnelCount) => start >= from
  const current = counts.filter(isCurrent)
  const days = [...Map.groupBy(current, ({ start }) => start)].map(([start, found]) => ({ start, reached: add(found) }))
  return { current: add(current), previous: add(counts.filter((each) => !isCurrent(each))), days }
}
