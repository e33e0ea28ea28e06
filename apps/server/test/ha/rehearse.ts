import { setTimeout as wait } from 'node:timers/promises'
import { externalProviderNames, second } from '@souk/contract'
import { seededRandom } from '@souk/fake-providers'
import { soukSandbox } from '../../../../packages/conformance/src/sandbox.ts'
import { connect, type Sql } from '../../src/kernel/db/pool.ts'
import {
  addEventEndpoint,
  control,
  createApp,
  endProviderFaults,
  readRecords,
  seedOf,
  settleEverything,
  startExternals,
} from '../chaos/externals.ts'
import { checkEvents, checkGuarantees } from '../chaos/guarantees.ts'
import type { Received } from '../chaos/receiver.child.ts'
import { type KnownTrade, Traffic } from '../chaos/traffic.ts'
import { nextVersion } from '../upgrade/versions.ts'
import { type PlanOptions, planFaults } from './faults.ts'
import { countInjected, type Injected, Injector, quietPeriod, recoveryTimeout } from './injector.ts'
import { bringUp, command } from './installation.ts'
import { Observer } from './observer.ts'

export interface RehearsalOptions extends PlanOptions {
  /** True if all Souk processes are replaced by those of the next version, one after another. */
  upgrade: boolean
  /** Number of concurrent users. */
  users: number
  seed: number
  /** True if the installation stays up at the end. */
  keep: boolean
  /** Ends the faults early: the round is finished, and everything compared. */
  stop: AbortSignal
  log: (text: string) => void
}

export interface Rehearsal {
  /** Number of injected faults by kind; of kills, the number of killed programs. */
  injected: Record<string, number>
  /** From the first fault until the installation was whole after the last one, ms. */
  duration: number
  /** Responses that clients received: trades, final states and refunds. */
  acknowledged: number
  lost: number
  doubled: number
  /** Everything that contradicts a guarantee, with lost and doubled. */
  violations: string[]
  requests: number
  failedRequests: number
  /** Responses with status 500. */
  unexpected: string[]
  /** ms. */
  worstErrorWindow: number
  /** From a final state until the first attempt to deliver its callback, ms. */
  worstCallbackDelay: number
  figures: Record<string, number>
  faults: Injected[]
}

/** The migration of the next version, to which Souk is upgraded. */
const additions = 'create table next_version (id int primary key);'

/**
 * Brings the installation up, breaks it under load as planned, and compares what clients were told with the database,
 * the received callbacks and the records of the providers. Takes the installation down at the end unless `keep`.
 */
export async function rehearse(options: RehearsalOptions): Promise<Rehearsal> {
  const { log, seed } = options
  log('bringing the installation up')
  const installation = await bringUp()
  const observer = new Observer()
  const sql = connect(installation.databaseUrl, { applicationName: 'rehearsal' })
  const externals = await startExternals(installation.host)
  const next = options.upgrade ? await nextVersion('99.0.0', additions) : undefined
  try {
    const { providers, receiver } = externals
    const { url, adminToken } = installation
    const { app, session, accounts } = await createApp(url, adminToken, providers)
    await addEventEndpoint(url, adminToken, `${receiver}/events`)
    for (const name of externalProviderNames) {
      await control(providers[name], 'webhookUrl', `${url}/webhooks/${accounts[name]}`)
      // Providers themselves do not fail here: every error of a client is one of the installation.
      await control(providers[name], 'setWebhookFaults', { seed, lossRate: 0.15, duplicateRate: 0.15, maxDelay: 600 })
    }
    const traffic = new Traffic({
      front: url,
      receiver,
      adminToken,
      app,
      session,
      concurrency: options.users,
      pause: { order: 300, retry: 500 },
      fetch: observer.fetch,
      randomOf: (name) => seededRandom(seedOf(`${seed} ${name}`)),
      ready: async () => {},
      now: async () => Date.now(),
    })
    if (!(await observer.quiet(quietPeriod, recoveryTimeout))) throw new Error('The installation rejects payments.')
    const injector = new Injector({
      observer,
      log,
      stop: options.stop,
      nextVersion: next?.repository,
      acknowledged: () => countAcknowledged(traffic.known),
    })
    const began = performance.now()
    const faults = await injector.injectAll(planFaults(options))
    const duration = Math.round(performance.now() - began)
    await traffic.stop()
    log(`${traffic.known.size} trades; waiting for final states`)

    await waitForCallbacks(sql)
    const delays = await callbackDelays(sql, (await readRecords(externals, accounts)).received)
    await endProviderFaults(providers)
    await settleEverything(sql, soukSandbox(url, adminToken).forward, log)
    for (const trade of traffic.known.values()) await traffic.look(trade)

    const { books, received, events } = await readRecords(externals, accounts)
    const report = await checkGuarantees({ sql, ...app, known: traffic.known, received, books })
    return {
      injected: countInjected(faults),
      duration,
      acknowledged: countAcknowledged(traffic.known),
      ...report.counts,
      violations: [
        ...faults.filter(({ broken }) => broken).map(({ steps }) => `not healed after ${steps.join(', ')}`),
        ...report.violations,
        ...(await checkEvents(sql, events)),
      ],
      requests: observer.requests,
      failedRequests: observer.failures.length,
      unexpected: [...new Set(traffic.faults)],
      worstErrorWindow: Math.max(0, ...observer.windows(0, Infinity).map(({ from, to }) => Math.round(to - from))),
      worstCallbackDelay: Math.max(0, ...delays),
      figures: report.figures,
      faults,
    }
  } finally {
    await externals.end()
    await sql.end({ timeout: 1 })
    if (!options.keep) {
      await command('down')
      await next?.remove()
    }
  }
}

/** Waits until each pending callback has been attempted, at most a minute. */
async function waitForCallbacks(sql: Sql): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    const [row] = await sql<[{ waiting: number }]>`
      select count(*)::int as waiting from callbacks c where state = 'pending'
        and not exists (select from callback_attempts a where a.appid = c.appid and a.notify_id = c.notify_id)`
    if (row.waiting === 0) return
    await wait(second)
  }
}

/** Returns the time from each final state to the first attempt at its callback, in ms. */
async function callbackDelays(sql: Sql, received: readonly Received[]): Promise<number[]> {
  const first = new Map<string, number>()
  for (const { body, time } of received) {
    const notifyId = new URLSearchParams(body).get('notifyId') ?? ''
    if (!first.has(notifyId)) first.set(notifyId, time)
  }
  const rows = await sql<{ notifyId: string; ctime: number }[]>`
    select notify_id, ctime from callbacks`
  return rows.map(({ notifyId, ctime }) => (first.get(notifyId) ?? Date.now()) - ctime)
}

function countAcknowledged(known: ReadonlyMap<string, KnownTrade>): number {
  return [...known.values()].reduce(
    (sum, { reportedStatuses, refunds }) => sum + 1 + reportedStatuses.size + refunds.size,
    0,
  )
}
