import { day } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { identityContext, type TestClock } from '../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import type { Context } from '../context.ts'
import { accountBySession, allowSetup, changePassword, pruneAccounts, setUp, signInAccount } from './index.ts'

const password = 'correct horse battery'

let database: FreshDatabase
let context: Context & { clock: TestClock }
let sessionToken: string

beforeAll(async () => {
  database = await freshDatabase()
  context = identityContext(database.sql)
  await allowSetup(context, 'token')
  const begun = await setUp(context, { kind: 'anyone' }, { token: 'token', username: 'ada', name: 'Ada', password })
  sessionToken = begun.token
})
afterAll(() => database.drop())
beforeEach(() => database.sql`delete from sign_in_failures`)

const attempt = (username: string, secret: string, address = '192.0.2.1') =>
  signInAccount(context, { kind: 'anyone', address }, { username, password: secret }).then(
    () => 'in',
    (error: { code: string; data?: { retryAfter?: number } }) => error.data?.retryAfter ?? error.code,
  )

test('delays further attempts after failures, with the correct password too, up to 15 minutes', async () => {
  for (let guess = 0; guess < 5; guess++) expect(await attempt('ada', 'guess')).toBe('sign_in_failed')
  const waits = []
  for (let guess = 0; guess < 14; guess++) {
    expect(await attempt('ADA', 'guess', `192.0.2.${guess}`)).toBe('sign_in_failed')
    const wait = Number(await attempt('ada', password, '198.51.100.1'))
    waits.push(wait)
    context.clock.time += wait * 1000
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900])
  expect(await attempt('ada', password)).toBe('in')
  // A successful sign-in resets the count.
  for (let guess = 0; guess < 5; guess++) expect(await attempt('ada', 'guess')).toBe('sign_in_failed')
})

test('delays attempts for unknown usernames in the same way, so that they cannot be told apart', async () => {
  for (let guess = 0; guess < 6; guess++) expect(await attempt('unknown', 'guess')).toBe('sign_in_failed')
  expect(await attempt('unknown', 'guess')).toBe(1)
})

test('counts concurrent attempts', async () => {
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => attempt('ada', 'guess')))
  expect(outcomes.filter((outcome) => outcome === 'sign_in_failed')).toHaveLength(6)
  expect(outcomes.filter((outcome) => outcome === 1)).toHaveLength(14)
})

test('delays all attempts of one address or IPv6 /64 network, but not of another', async () => {
  for (let guess = 0; guess < 31; guess++) {
    expect(await attempt(`user${guess}`, 'guess', `2001:db8:1:2::${guess + 1}`)).toBe('sign_in_failed')
  }
  expect(await attempt('ada', password, '2001:db8:1:2:ffff::1')).toBe(1)
  expect(await attempt('ada', password, '2001:db8:1:3::1')).toBe('in')
})

test('does not count successful sign-ins against the address', async () => {
  for (let person = 0; person < 40; person++) expect(await attempt('ada', password)).toBe('in')
})

test('forgets failures after a day without one', async () => {
  for (let guess = 0; guess < 5; guess++) await attempt('ada', 'guess')
  context.clock.time += day + 1
  for (let guess = 0; guess < 5; guess++) expect(await attempt('ada', 'guess')).toBe('sign_in_failed')
  context.clock.time += day + 1
  await pruneAccounts(context)
  expect(await database.sql`select from sign_in_failures`).toHaveLength(0)
})

test('limits password guesses through changePassword', async () => {
  const [row] = await database.sql<{ accountId: string }[]>`
    select replace(account_id::text, '-', '') as "accountId" from accounts`
  const caller = { kind: 'account', accountId: row!.accountId, administrator: true, via: 'session' } as const
  const guess = () =>
    changePassword(context, caller, { current: 'guess', password: 'a new password' }).catch(({ code }) => code)
  const outcomes = []
  for (let number = 0; number < 7; number++) outcomes.push(await guess())
  expect(outcomes).toEqual([...Array(6).fill('password_wrong'), 'rate_limited'])
})

test('starts no session if the password is replaced during the sign-in', async () => {
  const { sql } = database
  const [before] = await sql<{ password: string }[]>`select password from accounts`
  let signingIn: Promise<unknown> | undefined
  await sql.begin(async (tx) => {
    await tx`update accounts set password = ${before!.password.replace(/.$/, '')}`
    signingIn = attempt('ada', password)
    const waiting = () => sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(waiting).toHaveLength(1)
  })
  expect(await signingIn).toBe('sign_in_failed')
  await sql`update accounts set password = ${before!.password}`
})

test('rejects sign-ins beyond the limit of running and waiting hashes', async () => {
  const flood = Array.from({ length: 200 }, (_, number) => attempt(`flood${number}`, 'guess', `10.0.${number}.1`))
  const outcomes = await Promise.all(flood)
  expect(outcomes.filter((outcome) => outcome === 'sign_in_failed').length).toBeGreaterThanOrEqual(52)
  expect(outcomes).toContain(1)
  expect(await attempt('ada', password)).toBe('in')
})

test('ends a session after a week without use and after 30 days at the latest, in real time', async () => {
  const { token } = await signInAccount(context, { kind: 'anyone' }, { username: 'ada', password })
  context.clock.ahead = 365 * day
  for (let week = 0; week < 4; week++) {
    expect(await accountBySession(context, token)).toMatchObject({ administrator: true })
    context.clock.time += 7 * day - 1
  }
  expect(await accountBySession(context, token)).toBeDefined()
  context.clock.time += 2 * day + 4
  expect(await accountBySession(context, token)).toBeUndefined()
  context.clock.ahead = 0
  expect(await accountBySession(context, sessionToken)).toBeUndefined()

  const idle = await signInAccount(context, { kind: 'anyone' }, { username: 'ada', password })
  context.clock.time += 7 * day
  expect(await accountBySession(context, idle.token)).toBeUndefined()
  await pruneAccounts(context)
  expect(await database.sql`select from account_sessions`).toHaveLength(0)
})
