import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type ExternalProvider, externalProviderNames, hour, minute } from '@souk/contract'
import { fakeProviders, type Payment } from '@souk/fake-providers'
import { soukSandbox } from '../../../../packages/conformance/src/sandbox.ts'
import { Souk } from '../../../../packages/sdk/src/index.ts'
import type { Sql } from '../../src/kernel/db/pool.ts'
import type { Received, ReceivedEvent } from './receiver.child.ts'
import { amounts } from './traffic.ts'

/** The fake providers and the merchant's backend, in processes that are not killed. */
interface Externals {
  /** URLs of the fake providers. */
  providers: Record<ExternalProvider, string>
  /** URL of the receiver. */
  receiver: string
  end(): Promise<void>
}

/** Timeout for everything to become final, ms of real time. */
const settleTimeout = 300_000

/** Starts the fake providers and the merchant's backend on an address of this machine. */
export async function startExternals(host = '127.0.0.1'): Promise<Externals> {
  const children = ['providers', 'receiver'].map((name) => fork(join(import.meta.dirname, `${name}.child.ts`), [host]))
  const words = await Promise.all(children.map(async (child) => (await once(child, 'message'))[0]))
  return {
    providers: words[0] as Record<ExternalProvider, string>,
    receiver: words[1] as string,
    async end() {
      await Promise.all(children.map(leave))
    },
  }

  async function leave(child: ChildProcess): Promise<void> {
    const exited = once(child, 'exit')
    child.disconnect()
    await exited
  }
}

/** Subscribes the company's backend to trades. */
export async function addEventEndpoint(front: string, adminToken: string, url: string): Promise<void> {
  const answer = await fetch(`${front}/console/v1/event-endpoints`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url, types: ['trade.changed'] }),
  })
  if (!answer.ok) throw new Error(`the endpoint was not added: ${await answer.text()}`)
}

/** Calls a control method of a fake provider. */
export function control(url: string, method: string, ...args: unknown[]): Promise<Response> {
  return fetch(`${url}/_control/${method}`, { method: 'POST', body: JSON.stringify(args) })
}

export async function injectFaults(url: string, seed: number): Promise<void> {
  await control(url, 'setWebhookFaults', { seed, lossRate: 0.15, duplicateRate: 0.15, maxDelay: 600 })
  await control(url, 'setRequestFaults', { seed, errorRate: 0.02, dropBeforeRate: 0.02, dropAfterRate: 0.02 })
}

/** Ends the faults of the providers, and moves their clocks until every payment is decided. */
export async function endProviderFaults(providers: Externals['providers']): Promise<void> {
  for (const name of externalProviderNames) {
    await control(providers[name], 'setWebhookFaults', {})
    await control(providers[name], 'setRequestFaults', {})
    await control(providers[name], 'moveClock', 25 * hour)
  }
}

/** Reads what the providers and the merchant's backend have recorded. `accounts` are the providerAccountIds. */
export async function readRecords({ providers, receiver }: Externals, accounts: Record<ExternalProvider, string>) {
  const read = async (url: string) => (await fetch(url)).json()
  const books = new Map<string, Payment[]>()
  for (const name of externalProviderNames) {
    books.set(accounts[name], (await read(`${providers[name]}/_control/payments`)) as Payment[])
  }
  const received = (await read(`${receiver}/received`)) as Received[]
  const events = (await read(`${receiver}/events`)) as ReceivedEvent[]
  return { books, received, events }
}

/** Creates a mini app with a user, accounts at all providers, and rules that route payments by amount. */
export async function createApp(front: string, adminToken: string, urls: Record<ExternalProvider, string>) {
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
  const accounts = {} as Record<ExternalProvider, string>
  for (const name of externalProviderNames) {
    const { settings, secrets } = fakeProviders[name]
    accounts[name] = await open(name, { ...settings, baseUrl: urls[name] }, secrets)
  }
  const rules = [
    ...externalProviderNames.map((name, index) => {
      const next = externalProviderNames[(index + 1) % externalProviderNames.length]!
      const amountFrom = amounts[name]
      return { amountFrom, amountTo: amountFrom + 99, providerAccountIds: [accounts[name], accounts[next]] }
    }),
    { amountFrom: amounts.sandbox, providerAccountIds: [await open('sandbox', {}, {})] },
  ]
  await post('/console/v1/routing', { appid, rules })
  return { app: { appid, secret, openId }, session, accounts }
}

/** Moves the clock until everything is final, or the timeout ends. */
export async function settleEverything(
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
        (select count(*)::int from event_deliveries where state = 'pending') as events,
        (select count(*)::int from refunds where state = 'owed') as refunds`
    const pending = Object.entries(left).filter(([, count]) => count > 0)
    if (pending.length === 0) return
    log(`not final: ${pending.map(([name, count]) => `${count} ${name}`).join(', ')}`)
    await wait(300)
  }
}

/** Hashes a text to a seed (FNV-1a). */
export function seedOf(text: string): number {
  return [...text].reduce((hash, letter) => Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193) >>> 0, 0x811c9dc5)
}
