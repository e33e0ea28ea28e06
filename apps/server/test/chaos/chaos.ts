import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { hour, minute } from '@souk/contract'
import {
  checkoutSecrets,
  checkoutSettings,
  type Payment,
  paytabsSecrets,
  paytabsSettings,
  seededRandom,
  stripeSecrets,
} from '@souk/fake-providers'
import { soukSandbox } from '../../../../packages/conformance/src/sandbox.ts'
import { Souk } from '../../../../packages/sdk/src/index.ts'
import { findOffset } from '../../src/domain/clock/store.ts'
import { connect, type Sql } from '../../src/kernel/db/pool.ts'
import { checkGuarantees, type GuaranteeReport } from './guarantees.ts'
import { KillableServer } from './killableServer.ts'
import { type ProxyTarget, randomKillPoint } from './killPoints.ts'
import { type RequestPhase, startProxy } from './proxy.ts'
import type { Received } from './receiver.child.ts'
import { amounts, Traffic } from './traffic.ts'

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

const names = ['checkout', 'stripe', 'paytabs'] as const
type Name = (typeof names)[number]

/** Maximum lifetime of each server before it is killed, in ms. */
const maxLifetime = { answering: 2_000, working: 25_000 }
/** Maximum step of the domain clock at each start of the answering server, in ms. */
const maxClockStep = minute
/** Timeout for everything to become final, ms of real time. */
const settleTimeout = 300_000

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
  const { providers, receiver, ...externals } = await startExternals()

  const servers: KillableServer[] = []
  const onPhase = (target: ProxyTarget) => async (phase: RequestPhase) => {
    const continues = await Promise.all(servers.map((server) => server.onRequest(target, phase)))
    return continues.every(Boolean)
  }
  const front = await startProxy(() => servers[0]?.url, onPhase('front'))
  const backend = await startProxy(() => receiver, onPhase('receiver'))
  const [checkout, stripe, paytabs] = await Promise.all(
    names.map((name) => startProxy(() => providers[name], onPhase('providers'))),
  )
  const proxies = { checkout: checkout!, stripe: stripe!, paytabs: paytabs! }

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
    const urls = { checkout: proxies.checkout.url, stripe: proxies.stripe.url, paytabs: proxies.paytabs.url }
    const { app, session, accounts } = await createApp(front.url, adminToken, urls)
    for (const name of names) {
      await control(providers[name], 'webhookUrl', `${front.url}/webhooks/${accounts[name]}`)
      await injectFaults(providers[name], seed)
    }
    for (const channel of ['souk_user', 'souk_callback']) {
      await sql.listen(channel, () => {
        for (const server of servers) server.onCommit()
      })
    }
    const traffic = new Traffic({
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

    for (const name of names) {
      await control(providers[name], 'setWebhookFaults', {})
      await control(providers[name], 'setRequestFaults', {})
      await control(providers[name], 'moveClock', 25 * hour)
    }
    await settleEverything(sql, forward, log)
    for (const trade of traffic.known.values()) await traffic.look(trade)

    const read = async (url: string) => (await fetch(url)).json()
    const books = new Map<string, Payment[]>()
    for (const name of names) {
      books.set(accounts[name], (await read(`${providers[name]}/_control/payments`)) as Payment[])
    }
    const received = (await read(`${receiver}/received`)) as Received[]
    const report = await checkGuarantees({ sql, ...app, known: traffic.known, received, books })
    const killed = Map.groupBy([...answering.kills, ...working.kills], (name) => name)
    const counts = [...killed].map(([name, { length }]) => [name, length] as const)
    return { ...report, kills: Object.fromEntries(counts), faults: traffic.faults }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await Promise.all([front, backend, ...Object.values(proxies)].map((it) => it.close()))
    await externals.end()
    await sql.end({ timeout: 1 })
    await rm(directory, { recursive: true, force: true })
  }
}

/** Calls a control method of a fake provider. */
function control(url: string, method: string, ...args: unknown[]): Promise<Response> {
  return fetch(`${url}/_control/${method}`, { method: 'POST', body: JSON.stringify(args) })
}

async function injectFaults(url: string, seed: number): Promise<void> {
  await control(url, 'setWebhookFaults', { seed, lossRate: 0.15, duplicateRate: 0.15, maxDelay: 600 })
  await control(url, 'setRequestFaults', { seed, errorRate: 0.02, dropBeforeRate: 0.02, dropAfterRate: 0.02 })
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

/** Starts the fake providers and the merchant's backend in processes that are not killed. */
async function startExternals() {
  const children = ['providers', 'receiver'].map((name) => fork(join(import.meta.dirname, `${name}.child.ts`)))
  const words = await Promise.all(children.map(async (child) => (await once(child, 'message'))[0]))
  return {
    providers: words[0] as Record<Name, string>,
    receiver: words[1] as string,
    async end() {
      await Promise.all(children.map(leave))
    },
  }

  async function leave(child: ChildProcess): Promise<void> {
    const gone = once(child, 'exit')
    child.disconnect()
    await gone
  }
}

/** Creates a mini app with a user, accounts at all providers, and rules that route payments by amount. */
async function createApp(front: string, adminToken: string, urls: Record<Name, string>) {
  const post = async (path: string, input: object, token = adminToken) => {
    const answer = await fetch(front + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    // biome-ignore lint/suspicious/noExplicitAny: each operation has its own result.
    return (await answer.json()) as any
  }
  const sandbox = soukSandbox(front, adminToken)
  const { appid, secret } = await sandbox.createApp('Tea House')
  const uid = await sandbox.createUser({ nickname: 'Layla' })
  const { session } = await post('/host/v1/sessions', { uid }, '')
  const souk = new Souk({ baseUrl: front, appid, secret })
  const { accessToken } = await souk.accessToken({ code: await sandbox.createCode(appid, uid, 'user.info') })
  const { openId } = await souk.userInfo(accessToken)

  const open = async (provider: string, settings: object, secrets: object): Promise<string> => {
    const account = { appid, provider, name: provider, settings, secrets }
    return (await post('/console/v1/provider-accounts', account)).providerAccountId
  }
  const checkout = await open('checkout', { ...checkoutSettings, baseUrl: urls.checkout }, checkoutSecrets)
  const stripe = await open('stripe', { baseUrl: urls.stripe }, stripeSecrets)
  const paytabs = await open('paytabs', { ...paytabsSettings, baseUrl: urls.paytabs }, paytabsSecrets)
  const inside = await open('sandbox', {}, {})
  const rule = (amountFrom: number, ...providerAccountIds: string[]) => ({
    amountFrom,
    amountTo: amountFrom + 99,
    providerAccountIds,
  })
  const rules = [
    rule(amounts.checkout, checkout, stripe),
    rule(amounts.stripe, stripe, paytabs),
    rule(amounts.paytabs, paytabs, checkout),
    { amountFrom: amounts.sandbox, providerAccountIds: [inside] },
  ]
  await post('/console/v1/routing', { appid, rules })
  return { app: { appid, secret, openId }, session, accounts: { checkout, stripe, paytabs } }
}

/** Moves the clock until everything is final, or the timeout ends. */
async function settleEverything(
  sql: Sql,
  forward: (ms: number) => Promise<void>,
  log: (text: string) => void,
): Promise<void> {
  const until = performance.now() + settleTimeout
  for (let pause = 2 * minute; performance.now() < until; pause = Math.min(pause * 2, 5 * hour)) {
    await forward(pause)
    // Delayed jobs wait in real time, so they are run now.
    await sql`
      select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker._private_jobs
      where locked_at is null and run_at > now()`
    const [left] = await sql<[Record<string, number>]>`
      select
        (select count(*)::int from trades where transaction_status = 1) as trades,
        (select count(*)::int from payment_attempts where state in ('created', 'pending', 'challenge', 'redirect')) as attempts,
        (select count(*)::int from callbacks where state = 'pending') as callbacks,
        (select count(*)::int from refunds where state = 'owed') as refunds`
    const pending = Object.entries(left).filter(([, count]) => count > 0)
    if (pending.length === 0) return
    log(`not final: ${pending.map(([name, count]) => `${count} ${name}`).join(', ')}`)
    await wait(300)
  }
}

/** Hashes a text to a seed (FNV-1a). */
function seedOf(text: string): number {
  return [...text].reduce((hash, letter) => Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193) >>> 0, 0x811c9dc5)
}
