import { minute } from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleUser, startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
let layla: ConsoleUser

beforeAll(async () => {
  souk = await startTestSouk()
  layla = await souk.setUp()
})
afterAll(() => souk.stop())

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Signs an account in again and returns the cookie. */
async function signIn(user: ConsoleUser, userAgent: string): Promise<string> {
  const answer = await fetch(`${souk.url}/console/v1/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': userAgent },
    body: JSON.stringify({ username: user.username, password: user.password }),
  })
  return /souk_session=[^;]+/.exec(answer.headers.get('set-cookie') ?? '')![0]
}

const isSignedIn = async (cookie: string) =>
  (await fetch(`${souk.url}/console/v1/session`, { headers: { Cookie: cookie } })).ok
const sessions = async (user: ConsoleUser) => (await user.call('GET', '/console/v1/profile/sessions')).body

test('lists the sessions of the account with device, address and last use', async () => {
  const cookie = await signIn(layla, firefox)
  expect(await sessions(layla)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ browser: 'Firefox', system: 'Windows', address: '127.0.0.1', current: false }),
      expect.objectContaining({ current: true }),
    ]),
  )
  souk.clock.stop()
  souk.clock.advance(6 * minute)
  expect(await isSignedIn(cookie)).toBe(true)
  const [newest] = await sessions(layla)
  expect(newest.lastUsed).toBe(souk.clock.real())
})

test('ends one session, all other sessions, or, for administrators, all of an account, and none of another account', async () => {
  const omar = await souk.join(
    (await souk.console('POST', '/console/v1/projects', { name: 'Tea' })).body.projectId,
    'viewer',
  )
  await layla.call('DELETE', '/console/v1/profile/sessions')
  const [phone, laptop] = [await signIn(layla, 'phone'), await signIn(layla, 'laptop')]
  const [{ sessionId }] = await sessions(omar)
  expect((await layla.call('DELETE', `/console/v1/profile/sessions/${sessionId}`)).body.code).toBe('session_not_found')
  expect((await omar.call('DELETE', `/console/v1/accounts/${layla.accountId}/sessions`)).status).toBe(403)

  const other = (await sessions(layla)).find(({ current }: { current: boolean }) => !current)
  expect((await layla.call('DELETE', `/console/v1/profile/sessions/${other.sessionId}`)).body).toBe(true)
  expect([await isSignedIn(phone), await isSignedIn(laptop)].filter(Boolean)).toHaveLength(1)
  expect((await layla.call('DELETE', '/console/v1/profile/sessions')).body).toBe(1)
  expect([await isSignedIn(phone), await isSignedIn(laptop), await isSignedIn(layla.cookie)]).toEqual([
    false,
    false,
    true,
  ])

  expect((await layla.call('DELETE', `/console/v1/accounts/${omar.accountId}/sessions`)).body).toBe(1)
  expect(await isSignedIn(omar.cookie)).toBe(false)
})
