import { hour, type Operation, operations, second } from '@souk/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type FurnishedProject, furnish } from '../furnishedProject.ts'
import { startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
let project: FurnishedProject

beforeAll(async () => {
  souk = await startTestSouk()
  const { body } = await souk.console('POST', '/console/v1/projects', { name: 'Tea' })
  project = await furnish(souk, body.projectId)
})
afterAll(() => souk.stop())
afterEach(async () => {
  souk.clock.compare(Date.now(), 0)
  souk.clock.offset = 0
})

/** Tells the process that the clock of the database is `ahead` ms behind its own. */
const setClock = (ahead: number) => souk.clock.compare(Date.now() - ahead, 0)

const urlOf = ({ path }: Operation) => path.replace(/\{\w+\}/g, 'f'.repeat(32))
const refused = operations.filter(({ id, surface }) => surface !== 'ops' && id !== 'examine')

describe.each([3 * hour, -3 * hour])('a process whose clock is %i ms ahead', (ahead) => {
  test.each(refused.map((operation) => [operation.id, operation] as const))('refuses %s', async (_id, operation) => {
    setClock(ahead)
    const response = await fetch(souk.url + urlOf(operation), { method: operation.method })
    const body = (await response.json()) as { code?: string; responseHeader?: { code: string } }
    expect([response.status, body.code ?? body.responseHeader!.code]).toEqual([503, 'unavailable'])
    expect(response.headers.get('retry-after')).toBe('10')
  })

  test.each([
    ['GET', '/mini/a/b/index.html'],
    ['GET', '/local-pages/a/b/hybrid/html/a.html'],
    ['GET', '/files/avatars/4c.svg'],
    ['POST', '/webhooks/stripe/f'],
    ['GET', '/console/'],
    ['GET', '/npm/a'],
  ])('refuses %s %s', async (method, path) => {
    setClock(ahead)
    expect((await fetch(souk.url + path, { method })).status).toBe(503)
  })

  test('is not ready, and says why', async () => {
    expect((await souk.raw('GET', '/readyz', {})).status).toBe(200)
    setClock(ahead)
    const { status, body } = await souk.raw('GET', '/readyz', {})
    const direction = ahead > 0 ? 'ahead of' : 'behind'
    expect([status, body.code]).toEqual([503, 'unavailable'])
    expect(body.detail).toContain(`The clock of this process is 10,800 s ${direction} the clock of the database.`)
    expect((await souk.raw('GET', '/healthz', {})).status).toBe(200)
    const metrics = await (await fetch(`${souk.url}/metrics`)).text()
    expect(metrics).toContain(`\nsouk_clock_offset_seconds ${ahead / second}`)
    setClock(0)
    expect((await souk.raw('GET', '/readyz', {})).status).toBe(200)
  })

  test('answers the checks of the installation, which name the clock', async () => {
    setClock(ahead)
    const { status, body } = await souk.console('GET', '/console/v1/doctor')
    expect(status).toBe(200)
    const { state, found } = body.find(({ check }: { check: string }) => check === 'clock')
    expect(state).toBe('error')
    expect(found).toContain('10,800 s')
  })
})

test('a trade that is due is not expired by reading it with a wrong clock', async () => {
  const tradeNo = await project.newTrade()
  const statusOf = async () =>
    (await souk.context.sql`select transaction_status as status from trades where trade_no = ${tradeNo}`)[0]!.status
  const read = () => souk.console('GET', `/console/v1/trades/${tradeNo}`)
  souk.clock.offset = 30 * hour
  setClock(3 * hour)
  expect((await read()).status).toBe(503)
  expect(await statusOf()).toBe(1)
  setClock(0)
  expect((await read()).status).toBe(200)
  expect(await statusOf()).toBe(4)
})

test('the clock of a sandbox may be moved', async () => {
  expect((await souk.console('POST', '/console/v1/sandbox/clock', { forward: 30 * hour })).status).toBe(200)
  expect((await souk.raw('GET', '/readyz', {})).status).toBe(200)
  expect((await souk.console('POST', '/console/v1/sandbox/clock', { reset: true })).status).toBe(200)
})
