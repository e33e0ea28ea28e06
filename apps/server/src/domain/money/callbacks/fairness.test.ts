import { minute, second } from '@souk/contract'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { admin, createTradeFixture, type TradeFixture } from '../../../../test/tradeFixture.ts'
import type { Sql } from '../../../kernel/db/pool.ts'
import { EgressBusy } from '../../../kernel/egress.ts'
import { newId } from '../../../kernel/id.ts'
import type { FullContext, SendMessage } from '../../context.ts'
import { deliverDueCallbacks, listCallbacks, searchCallbacks, startCallbackDelivery } from './index.ts'
import { claimCallbacks } from './store.ts'

type Request = Parameters<SendMessage>[0]
type Result = Awaited<ReturnType<SendMessage>>

const acknowledged: Result = { status: 200, reply: 'success', error: null, duration: 3, retryAfter: null }
const timedOut: Result = { ...acknowledged, status: null, reply: null, error: 'timed out', duration: 5_000 }

let database: FreshDatabase
let fixture: TradeFixture
let stopping: AbortController
/** Hosts that do not respond until `release`. */
let hanging: Map<string, ((result: Result) => void)[]>
let sent: string[]
const cleanUps: (() => unknown)[] = []

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.sql`truncate callbacks, delivery_receivers cascade`
  fixture = await createTradeFixture(database.sql)
  stopping = new AbortController()
  fixture.context.stopping = stopping.signal
  hanging = new Map()
  sent = []
  fixture.context.sendMessage = send
})
afterEach(async () => {
  stopping.abort()
  for (const host of hanging.keys()) release(host, timedOut)
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function send({ url }: Request): Promise<Result> {
  const { host } = new URL(url)
  sent.push(url)
  const waiting = hanging.get(host)
  return waiting ? new Promise((resolve) => waiting.push(resolve)) : acknowledged
}

/** Ends the requests to a host that are in progress. Returns their number. */
function release(host: string, result: Result): number {
  const waiting = hanging.get(host)?.splice(0) ?? []
  for (const resolve of waiting) resolve(result)
  return waiting.length
}

const sentTo = (host: string) => sent.filter((url) => new URL(url).host === host).length
const statesOf = (host: string) => database.sql<{ state: string; attempts: number }[]>`
  select state, attempts from callbacks where notify_url like ${`%//${host}/%`} order by notify_id`

/** Stores due callbacks of as many paid trades. */
async function queue(count: number, notifyUrl: string, scheduledAttempts = 0): Promise<void> {
  const { appid } = fixture.app.app
  const notifyIds = Array.from({ length: count }, () => newId())
  await database.sql`
    insert into callbacks
      (appid, notify_id, trade_no, notify_url, fields, state, scheduled_attempts, next_attempt, ctime, mtime)
    select ${appid}, notify_id, gen_random_uuid(), ${notifyUrl}::text || number,
      ${database.sql.json({ appid, notifyId: 'n' })}::jsonb, 'pending', ${scheduledAttempts},
      ${fixture.context.clock.now() - minute}::bigint + number, 0, 0
    from unnest(${notifyIds}::uuid[]) with ordinality as given (notify_id, number)`
}

/** Counts the statements and transactions of a context. */
function counting(context: FullContext) {
  const counts = { statements: 0, transactions: 0, searches: 0 }
  const sql = new Proxy(context.sql, {
    apply(target, self, args: [TemplateStringsArray]) {
      // Fragments start with other words.
      if (/^\s*(with|insert|update|delete)\b/.test(args[0]?.[0] ?? '')) counts.statements++
      if (args[0]?.[0]?.includes('pg_inherits')) counts.searches++
      return Reflect.apply(target as never, self, args)
    },
    get(target, name: keyof Sql) {
      if (name !== 'begin') return target[name]
      return (work: Parameters<Sql['begin']>[0]) => {
        counts.transactions++
        return target.begin(work)
      }
    },
  })
  return { counts, context: { ...context, sql } }
}

test('2,000 due at a hanging host: another merchant is served at once, and the host is paused after a few attempts', async () => {
  await queue(2_000, 'http://hanging.example/')
  hanging.set('hanging.example', [])
  cleanUps.push(await startCallbackDelivery(fixture.context))
  await expect.poll(() => sentTo('hanging.example')).toBe(2)

  const trade = await fixture.create({ notifyUrl: 'http://localhost:8080/other' })
  await fixture.pay(trade, 'succeeded')
  await expect.poll(async () => (await statesOf('localhost:8080'))[0]?.state).toBe('delivered')
  expect(sentTo('hanging.example')).toBe(2)

  // Each attempt without a response halves the number of concurrent ones; the fifth pauses the host.
  for (const failures of [2, 3, 4, 5]) {
    release('hanging.example', timedOut)
    const failed = async () => (await database.sql`select failures from delivery_receivers`)[0]?.failures
    await expect.poll(failed).toBe(failures)
    if (failures < 5) await expect.poll(() => hanging.get('hanging.example')?.length).toBe(1)
  }
  expect(sentTo('hanging.example')).toBe(5)
  const [receiver] = await database.sql`select * from delivery_receivers`
  expect(receiver).toMatchObject({ receiver: 'hanging.example', probing: false })
  expect(receiver!.pausedUntil).toBe(fixture.context.clock.now() + 15 * second)
})

test('2,000 due at a paused host cost one query per search, and no transaction', async () => {
  await queue(2_000, 'http://hanging.example/')
  const now = fixture.context.clock.now()
  await database.sql`insert into delivery_receivers values ('callback', 'hanging.example', ${now}, 5, ${now + minute}, false)`
  const { counts, context } = counting(fixture.context)
  await deliverDueCallbacks(context)
  expect(counts).toEqual({ statements: 1, transactions: 0, searches: 1 })
})

test('a list of callbacks shows when a paused host gets its next probe', async () => {
  await queue(1, 'http://Hanging.example/')
  await queue(1, 'http://other.example/')
  const now = fixture.context.clock.now()
  await database.sql`insert into delivery_receivers values ('callback', 'hanging.example', ${now}, 5, ${now + minute}, false)`
  const { appid } = fixture.app.app
  const { projectId } = (await fixture.context.apps.find(appid))!
  const { items } = await searchCallbacks(fixture.context, admin, { projectId })
  const listed = await listCallbacks(fixture.context, admin, { appid })
  for (const callbacks of [items, listed]) {
    const probes = callbacks.map(({ notifyUrl, pausedUntil }) => [new URL(notifyUrl).host, pausedUntil])
    expect(Object.fromEntries(probes)).toEqual({ 'hanging.example': now + minute, 'other.example': null })
  }
})

test('a paused host gets one probe from all processes, and everything once it responds', async () => {
  await queue(20, 'http://hanging.example/')
  hanging.set('hanging.example', [])
  const { clock } = fixture.context
  const now = clock.now()
  await database.sql`insert into delivery_receivers values ('callback', 'hanging.example', ${now}, 5, ${now}, false)`
  const deliverEverywhere = () => Promise.all([1, 2, 3].map(() => deliverDueCallbacks(fixture.context)))
  let delivering = deliverEverywhere()
  await expect.poll(() => sentTo('hanging.example')).toBe(1)
  release('hanging.example', timedOut)
  await delivering
  clock.ahead += 14 * second
  await deliverEverywhere()
  expect(sentTo('hanging.example')).toBe(1)

  hanging.delete('hanging.example')
  clock.ahead += second
  delivering = deliverEverywhere()
  await delivering
  await deliverEverywhere()
  expect(await database.sql`select from delivery_receivers`).toHaveLength(0)
  expect((await statesOf('hanging.example')).filter(({ state }) => state === 'delivered')).toHaveLength(20)
  expect(sentTo('hanging.example')).toBe(21)
})

test('the probe of a process that died is repeated within 30 s', async () => {
  await queue(1, 'http://hanging.example/')
  const { clock } = fixture.context
  const now = clock.now()
  await database.sql`insert into delivery_receivers values ('callback', 'hanging.example', ${now}, 5, ${now}, false)`
  await deliverDueCallbacks({ ...fixture.context, sendMessage: () => Promise.reject(new Error('killed')) })
  expect(await database.sql`select from delivery_receivers where probing`).toHaveLength(1)
  clock.ahead += 29 * second
  await deliverDueCallbacks(fixture.context)
  expect(await statesOf('hanging.example')).toEqual([{ state: 'delivered', attempts: 1 }])
})

test('a dispatcher that has nothing to deliver does not look for receivers, and repeats a failed attempt when it is due', async () => {
  const { counts, context } = counting(fixture.context)
  cleanUps.push(await startCallbackDelivery(context))
  await expect.poll(() => counts.searches).toBe(1)
  expect(counts.statements).toBe(0)
  hanging.set('localhost:8080', [])
  await fixture.pay(await fixture.create({ notifyUrl: 'http://localhost:8080/once' }), 'succeeded')
  await expect.poll(() => release('localhost:8080', timedOut)).toBe(1)
  await expect.poll(() => statesOf('localhost:8080')).toMatchObject([{ state: 'pending', attempts: 1 }])
  fixture.context.clock.ahead += 15 * second
  await expect.poll(() => sentTo('localhost:8080'), { timeout: 10 * second }).toBe(2)
})

test('a pause does not last after the clock was set back', async () => {
  await queue(1, 'http://hanging.example/')
  const now = fixture.context.clock.now()
  await database.sql`
    insert into delivery_receivers values ('callback', 'hanging.example', ${now}, 5, ${now + 60 * minute}, false)`
  await deliverDueCallbacks(fixture.context)
  expect(await statesOf('hanging.example')).toMatchObject([{ state: 'delivered' }])
})

test('first attempts are claimed before retries of the same host, then those that have been due longest', async () => {
  await queue(3, 'http://shop.example/retry', 1)
  await queue(3, 'http://shop.example/first')
  await queue(3, 'http://other.example/first')
  const now = fixture.context.clock.now()
  const claim = async (room: number) => {
    const rooms = new Map([['shop.example', room]])
    const due = { firstAttempts: now, retries: now }
    const claimed = await database.sql.begin((tx) => claimCallbacks(tx, rooms, due, now + minute))
    return claimed.map(({ notifyUrl }) => new URL(notifyUrl).pathname).sort()
  }
  expect(await claim(2)).toEqual(['/first1', '/first2'])
  expect(await claim(3)).toEqual(['/first3', '/retry1', '/retry2'])
  expect(await claim(3)).toEqual(['/retry3'])
})

test('callbacks are claimed and recorded many at a time', async () => {
  await queue(500, 'http://shop.example/')
  const { counts, context } = counting(fixture.context)
  await deliverDueCallbacks(context)
  expect((await statesOf('shop.example')).filter(({ state }) => state === 'delivered')).toHaveLength(500)
  expect(counts.transactions).toBeLessThan(150)
})

test('a message that was not sent because all connections were busy is repeated, and no attempt is recorded', async () => {
  await queue(1, 'http://shop.example/')
  await deliverDueCallbacks({ ...fixture.context, sendMessage: () => Promise.reject(new EgressBusy('busy')) })
  expect(await statesOf('shop.example')).toEqual([{ state: 'pending', attempts: 0 }])
  fixture.context.clock.ahead += 20 * second
  await deliverDueCallbacks(fixture.context)
  expect(await statesOf('shop.example')).toEqual([{ state: 'delivered', attempts: 1 }])
})

test('messages that wait for a host that stops responding are not sent, and are due again when their lease ends', async () => {
  await queue(600, 'http://shop.example/')
  const { context } = fixture
  context.sendMessage = (request) => (sent.length < 200 ? send(request) : send(request).then(() => timedOut))
  await deliverDueCallbacks(context)
  const delivered = async () => (await statesOf('shop.example')).filter(({ state }) => state === 'delivered').length
  expect(await delivered()).toBe(200)
  expect(sent.length - 200).toBeLessThan(100)
  const [{ leased }] = await database.sql<[{ leased: number }]>`
    select count(*)::int as leased from callbacks where attempts = 0 and next_attempt > ${context.clock.now()}`
  expect(leased).toBeGreaterThan(0)

  context.sendMessage = send
  context.clock.ahead += 20 * second
  await deliverDueCallbacks(context)
  await deliverDueCallbacks(context)
  expect(await delivered()).toBe(600)
})
