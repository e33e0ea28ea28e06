import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { externalProviderNames, minute } from '@souk/contract'
import { seededRandom } from '@souk/fake-providers'
import { soukSandbox } from '../../../../packages/conformance/src/sandbox.ts'
import { findOffset } from '../../src/domain/operations/clock/store.ts'
import { connect } from '../../src/kernel/db/pool.ts'
import {
  addEventEndpoint,
  control,
  createApp,
  endProviderFaults,
  injectFaults,
  readRecords,
  seedOf,
  settleEverything,
  startExternals,
} from './externals.ts'
import { checkEvents, checkGuarantees, type GuaranteeReport } from './guarantees.ts'
import { KillableServer } from './killableServer.ts'
import { type ProxyTarget, randomKillPoint } from './killPoints.ts'
import { type RequestPhase, startProxy } from './proxy.ts'
import { Traffic } from './traffic.ts'

export interface ChaosOptions {
  /** URL of an empty or migrated database that nothing else uses. */
  databaseUrl: string
  kills: number
  seed: number
  log: (text: string) => void
}

export interface ChaosResult extends GuaranteeReport {
  /** Number of kills by kill point. */
  kills: Record<string, number>
  /** Unexpected responses of the servers. */
  faults: string[]
}

/** Maximum lifetime of each server before it is killed, in ms. */
const maxLifetime = { answering: 2_000, working: 25_000 }
/** Maximum step of the domain clock at each start of the answering server, in ms. */
const maxClockStep = minute
/**
 * Kills Souk `kills` times during traffic through three providers and the sandbox, waits until everything is final, and
 * checks the guarantees. Runs two servers, one that answers requests and runs jobs and one that only runs jobs; each is
 * killed at random points and restarted. The seed determines kill points and traffic, but not the timing.
 */
export async function chaos({ databaseUrl, kills, seed, log }: ChaosOptions): Promise<ChaosResult> {
  const began = performance.now()
  const seconds = () => `${Math.round((performance.now() - began) / 1_000)} s`
  const random = (name: string) => seededRandom(seedOf(`${seed} ${name}`))
  const directory = await mkdtemp(join(tmpdir(), 'souk-chaos-'))
  const sql = connect(databaseUrl, { applicationName: 'chaos' })
  const externals = await startExternals()
  const { providers, receiver } = externals

  const servers: KillableServer[] = []
  const onPhase = (target: ProxyTarget) => async (phase: RequestPhase) => {
    const continues = await Promise.all(servers.map((server) => server.onRequest(target, phase)))
    return continues.every(Boolean)
  }
  const front = await startProxy(() => servers[0]?.url, onPhase('front'))
  const backend = await startProxy(() => receiver, onPhase('receiver'))
  const proxies = await Promise.all(
    externalProviderNames.map(async (name) => {
      return [name, await startProxy(() => providers[name], onPhase('providers'))] as const
    }),
  )

  const env = {
    DATABASE_URL: databaseUrl,
    SOUK_PUBLIC_URL: front.url,
    SOUK_MASTER_KEY: randomBytes(32).toString('hex'),
    SOUK_RATE_LIMIT: '0',
    SOUK_LOG_LEVEL: 'error',
  }
  const answering = new KillableServer(sql, { dataDir: join(directory, 'answering'), env })
  const working = new KillableServer(sql, { dataDir: join(directory, 'working'), env: { ...env, SOUK_ROLE: 'worker' } })
  servers.push(answering, working)

  try {
    const [{ adminToken }] = await Promise.all([answering.start(), working.start()])
    const urls = Object.fromEntries(proxies.map(([name, { url }]) => [name, url])) as typeof providers
    const { app, session, accounts } = await createApp(front.url, adminToken, urls)
    await addEventEndpoint(front.url, adminToken, `${backend.url}/events`)
    for (const name of externalProviderNames) {
      await control(providers[name], 'webhookUrl', `${front.url}/webhooks/${accounts[name]}`)
      await injectFaults(providers[name], seed)
    }
    for (const channel of ['souk_user', 'souk_callback']) {
      await sql.listen(channel, () => {
        for (const server of servers) server.onCommit()
      })
    }
    const traffic = new Traffic({
      concurrency: 12,
      pause: { order: 30, retry: 20 },
      front: front.url,
      receiver: backend.url,
      adminToken,
      app,
      session,
      randomOf: random,
      ready: () => answering.ready(),
      now: async () => Date.now() + (await findOffset(sql)),
    })

    const { forward } = soukSandbox(front.url, adminToken)
    const progress = () => `${traffic.known.size} trades, ${seconds()}`
    await killRepeatedly(
      { answering, working },
      { kills, random, forward, log: (count) => log(`${count} kills, ${progress()}`) },
    )
    await traffic.stop()
    log(`${kills} kills, ${progress()}; waiting for final states`)

    await endProviderFaults(providers)
    await settleEverything(sql, forward, log)
    for (const trade of traffic.known.values()) await traffic.look(trade)

    const { books, received, events } = await readRecords(externals, accounts)
    const report = await checkGuarantees({ sql, ...app, known: traffic.known, received, books })
    report.violations.push(...(await checkEvents(sql, events)))
    const killed = Map.groupBy([...answering.kills, ...working.kills], (name) => name)
    const counts = [...killed].map(([name, { length }]) => [name, length] as const)
    return { ...report, kills: Object.fromEntries(counts), faults: traffic.faults }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await Promise.all([front, backend, ...proxies.map(([, proxy]) => proxy)].map((it) => it.close()))
    await externals.end()
    await sql.end({ timeout: 1 })
    await rm(directory, { recursive: true, force: true })
  }
}

interface KillOptions {
  kills: number
  random: (name: string) => () => number
  /** Moves the domain clock. */
  forward: (ms: number) => Promise<void>
  /** Reports progress every 25 kills. */
  log: (count: number) => void
}

/** Kills and restarts both servers until there have been `kills` kills. */
async function killRepeatedly(
  servers: Record<'answering' | 'working', KillableServer>,
  { kills, random, forward, log }: KillOptions,
): Promise<void> {
  let left = kills
  let done = 0
  const repeat = async (name: 'answering' | 'working') => {
    const draw = random(name)
    while (left-- > 0) {
      const [point, life, step] = [randomKillPoint(draw), draw(), draw()]
      // The server may be killed before it responds.
      if (name === 'answering') forward(1_000 + Math.floor(step * maxClockStep)).catch(() => {})
      await servers[name].killAt(point, maxLifetime[name] * (0.2 + 0.8 * life))
      if (++done % 25 === 0) log(done)
      await servers[name].start()
    }
  }
  await Promise.all([repeat('answering'), repeat('working')])
}
