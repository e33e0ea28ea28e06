import { type consoleOperations, day, type ParametersOf, type ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { appidsOf } from '../../miniApps/index.ts'
import { listUnacknowledged } from '../../money/index.ts'
import { findWaiting, listHealth, listWrongSigns, type ReleaseHealth } from './store.ts'

type Operation = (typeof consoleOperations)['listIncidents']
type Incidents = ResultOf<Operation>
type FailingReceiver = Incidents['receivers'][number]

/** Maximum number of incidents of a kind. */
const limit = 10
const maxReceivers = 50
const maxCallbacks = 1000
const maxRequests = 100
const maxReleases = 20

/** Days after its publication in which a release can fail, and days before it that it is compared with. */
const watchedDays = 30
const comparedDays = 7
/** Openings from which failures say something, the least failures per opening, and how many times as many are worse. */
const minOpens = 20
const minFailures = 0.01
const worseFactor = 1.5

/** Lists what is wrong or waits in a project. */
export async function listIncidents(
  context: Context,
  _caller: ConsoleCaller,
  { projectId }: ParametersOf<Operation>,
): Promise<Incidents> {
  const { sql, clock } = context
  const appids = await appidsOf(context, projectId, undefined)
  const [unacknowledged, wrongSigns, health, waiting] = await Promise.all([
    listUnacknowledged(sql, appids, { limit: maxReceivers, scanned: maxCallbacks }),
    listWrongSigns(sql, projectId, { from: clock.real() - day, maxRequests, limit }),
    listHealth(sql, projectId, {
      now: clock.real(),
      publishedAfter: clock.now() - watchedDays * day,
      counted: day,
      compared: comparedDays * day,
      limit: maxReleases,
    }),
    findWaiting(sql, projectId),
  ])
  return {
    receivers: groupByHost(unacknowledged).slice(0, limit),
    wrongSigns,
    releases: health
      .filter(isWorse)
      .slice(0, limit)
      .map(({ opensBefore: _, failuresBefore: __, ...release }) => release),
    ...waiting,
  }
}

/** A host is one incident, however many mini apps and callbacks it concerns. */
function groupByHost(rows: Awaited<ReturnType<typeof listUnacknowledged>>): FailingReceiver[] {
  const hosts = [...Map.groupBy(rows, ({ host }) => host)].map(([host, ofHost]) => {
    const byApp = Map.groupBy(ofHost, ({ appid }) => appid)
    const counted = ofHost.filter(({ state }) => state !== null)
    const paid = new Map<string, number>()
    for (const { currency, paid: sum } of counted) {
      if (currency !== null && sum !== null) paid.set(currency, (paid.get(currency) ?? 0) + sum)
    }
    return {
      host,
      since: Math.min(...ofHost.map(({ failingSince }) => failingSince)),
      receivers: [...byApp].map(([appid, [row]]) => ({
        appid,
        failingSince: row!.failingSince,
        disabled: row!.disabled,
      })),
      callbacks: counted.reduce((sum, { count }) => sum + (count ?? 0), 0),
      states: (['pending', 'dead'] as const).filter((state) => counted.some((row) => row.state === state)),
      oldest: counted.length === 0 ? null : Math.min(...counted.map(({ oldest }) => oldest ?? 0)),
      paid: [...paid]
        .map(([currency, amount]) => ({ currency, amount }) as FailingReceiver['paid'][number])
        .toSorted((one, other) => other.amount - one.amount),
    }
  })
  // Of a host whose callbacks were acknowledged elsewhere, nothing is left to do.
  return hosts.filter(({ callbacks, receivers }) => callbacks > 0 || receivers.some(({ disabled }) => disabled))
}

function isWorse({ opens, failures, opensBefore, failuresBefore }: ReleaseHealth): boolean {
  const share = failures / Math.max(1, opens)
  return opens >= minOpens && share > minFailures && share > (failuresBefore / Math.max(1, opensBefore)) * worseFactor
}
