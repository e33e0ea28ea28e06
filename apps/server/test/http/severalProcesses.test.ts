import { signParameters } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { pruneUsedSigns } from '../../src/domain/usedSigns.ts'
import { startTestSouk, type TestSouk } from '../souk.ts'

const detail = '/neuopenapi/pay/transactions/tradedetail'
const close = '/neuopenapi/pay/transactions/tradeclose'
const tradeNo = '1'.repeat(32)

/** Two server processes of one installation. */
let one: TestSouk
let other: TestSouk
let app: { appid: string; secret: string }
let lastTimestamp = 0

beforeAll(async () => {
  one = await startTestSouk({ rateLimit: 20 })
  other = await startTestSouk({ rateLimit: 20, database: one.database })
  app = (await one.console('POST', '/console/v1/apps', { name: 'Shared' })).body
})
afterAll(async () => {
  await other.stop()
  await one.stop()
})
beforeEach(async () => {
  for (const { clock } of [one, other]) clock.stop()
  // Limits of the tests before are over.
  lastTimestamp = Math.max(one.clock.real(), lastTimestamp + 10_000)
  for (const { clock } of [one, other]) clock.advance(lastTimestamp - clock.real())
})

/** The parameters of a trade's query or close, signed. */
function signed(): string {
  const own: [string, string][] = [
    ['appid', app.appid],
    ['timestamp', String(++lastTimestamp)],
    ['tradeNo', tradeNo],
  ]
  return new URLSearchParams([...own, ['sign', signParameters(own, app.secret)]]).toString()
}

/** Waits until the database knows as many signs. */
const untilBound = (count: number) =>
  expect.poll(async () => (await one.database.sql`select from bound_signs`).length).toBe(count)

test('a sign that queried a trade at one process does not close it at another', async () => {
  const query = signed()
  expect((await one.send('GET', `${detail}?${query}`)).code).toBe('trade_not_found')
  await untilBound(1)
  const answer = await other.send('POST', `${close}?${query}`)
  expect(answer).toMatchObject({ status: 409, code: 'sign_reused', msg: expect.stringContaining('tradedetail') })
  expect((await other.send('GET', `${detail}?${query}`)).code).toBe('trade_not_found')
})

test('a sign that closed a trade at one process does not query it at another', async () => {
  const query = signed()
  expect((await one.send('POST', `${close}?${query}`)).code).toBe('trade_not_found')
  expect((await other.send('POST', `${close}?${query}`)).code).toBe('trade_not_found')
  const third = signed()
  expect((await one.send('POST', `${close}?${third}`)).code).toBe('trade_not_found')
  await expect.poll(async () => (await other.send('GET', `${detail}?${third}`)).code).toBe('sign_reused')
})

test('a process that starts later knows the signs that were used before', async () => {
  const query = signed()
  expect((await one.send('GET', `${detail}?${query}`)).code).toBe('trade_not_found')
  await untilBound(4)
  const later = await startTestSouk({ database: one.database })
  try {
    expect((await later.send('POST', `${close}?${query}`)).code).toBe('sign_reused')
  } finally {
    await later.stop()
  }
})

test('a process that stops tells the others first', async () => {
  const stopped = await startTestSouk({ database: one.database })
  const query = signed()
  expect((await stopped.send('GET', `${detail}?${query}`)).code).toBe('trade_not_found')
  await stopped.stop()
  expect((await other.send('POST', `${close}?${query}`)).code).toBe('sign_reused')
})

test('signs are forgotten once their timestamps are no longer accepted', async () => {
  one.clock.advance(16 * 60_000)
  await pruneUsedSigns(one.context)
  expect(await one.database.sql`select from bound_signs`).toHaveLength(0)
})

test('two processes together admit as many sign-ins of an address as one', async () => {
  const ask = (souk: TestSouk) => souk.raw('GET', '/host/v1/sign-in', {})
  const answers = await Promise.all([one, other].flatMap((souk) => Array.from({ length: 30 }, () => ask(souk))))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(40)
  expect(answers.filter(({ body }) => body.code === 'rate_limited')).toHaveLength(20)
})

test('two processes together admit at most a twentieth more requests of a mini app than one', async () => {
  const ask = (souk: TestSouk) => souk.send('GET', `${detail}?${signed()}`)
  const answers = await Promise.all([one, other].flatMap((souk) => Array.from({ length: 45 }, () => ask(souk))))
  const admitted = answers.filter(({ code }) => code === 'trade_not_found').length
  expect(admitted).toBeGreaterThanOrEqual(40)
  expect(admitted).toBeLessThanOrEqual(42)
})
