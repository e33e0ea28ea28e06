import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { identityContext, type TestClock } from '../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import type { Context } from '../context.ts'
import { accountBySession, allowSetup, changePassword, pruneAccounts, setUp, signInAccount } from './index.ts'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
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

test('guessing at one account gets slower and slower, for the right password too, up to a quarter of an hour', async () => {
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
  // It begins anew once the right password was given.
  for (let guess = 0; guess < 5; guess++) expect(await attempt('ada', 'guess')).toBe('sign_in_failed')
})

test('a name that nobody has is held up in the same way, so that nothing tells which names exist', async () => {
  for (let guess = 0; guess < 6; guess++) expect(await attempt('nobody', 'guess')).toBe('sign_in_failed')
  expect(await attempt('nobody', 'guess')).toBe(1)
})

test('guesses at the same moment all count', async () => {
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => attempt('ada', 'guess')))
  expect(outcomes.filter((outcome) => outcome === 'sign_in_failed')).toHaveLength(6)
  expect(outcomes.filter((outcome) => outcome === 1)).toHaveLength(14)
})

test('one address is held up over all accounts, an IPv6 customer as one; another is not', async () => {
  for (let guess = 0; guess < 31; guess++) {
    expect(await attempt(`user${guess}`, 'guess', `2001:db8:1:2::${guess + 1}`)).toBe('sign_in_failed')
  }
  expect(await attempt('ada', password, '2001:db8:1:2:ffff::1')).toBe(1)
  expect(await attempt('ada', password, '2001:db8:1:3::1')).toBe('in')
})

test('people who sign in with the right password do not hold up their address', async () => {
  for (let person = 0; person < 40; person++) expect(await attempt('ada', password)).toBe('in')
})

test('failures are forgotten after a day without one', async () => {
  for (let guess = 0; guess < 5; guess++) await attempt('ada', 'guess')
  context.clock.time += DAY + 1
  for (let guess = 0; guess < 5; guess++) expect(await attempt('ada', 'guess')).toBe('sign_in_failed')
  context.clock.time += DAY + 1
  await pruneAccounts(context)
  expect(await database.sql`select from sign_in_failures`).toHaveLength(0)
})

test('a stolen session does not help to guess the password', async () => {
  const [row] = await database.sql<{ accountId: string }[]>`
    select replace(account_id::text, '-', '') as "accountId" from accounts`
  const thief = { kind: 'account', accountId: row!.accountId, administrator: true, via: 'session' } as const
  const guess = () =>
    changePassword(context, thief, { current: 'guess', password: 'a new password' }).catch(({ code }) => code)
  const outcomes = []
  for (let number = 0; number < 7; number++) outcomes.push(await guess())
  expect(outcomes).toEqual([...Array(6).fill('password_wrong'), 'rate_limited'])
})

test('a sign-in that is under way when the password is replaced begins no session', async () => {
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

test('a flood of sign-ins is turned away beyond what is worked on and what waits', async () => {
  const flood = Array.from({ length: 200 }, (_, number) => attempt(`flood${number}`, 'guess', `10.0.${number}.1`))
  const outcomes = await Promise.all(flood)
  expect(outcomes.filter((outcome) => outcome === 'sign_in_failed').length).toBeGreaterThanOrEqual(52)
  expect(outcomes).toContain(1)
  expect(await attempt('ada', password)).toBe('in')
})

test('a session ends a week after its last use, and after 30 days in any case; the sandbox’s clock has no say', async () => {
  const { token } = await signInAccount(context, { kind: 'anyone' }, { username: 'ada', password })
  context.clock.ahead = 365 * DAY
  for (let week = 0; week < 4; week++) {
    expect(await accountBySession(context, token)).toMatchObject({ administrator: true })
    context.clock.time += 7 * DAY - 1
  }
  expect(await accountBySession(context, token)).toBeDefined()
  context.clock.time += 2 * DAY + 4
  expect(await accountBySession(context, token)).toBeUndefined()
  context.clock.ahead = 0
  expect(await accountBySession(context, sessionToken)).toBeUndefined()

  const idle = await signInAccount(context, { kind: 'anyone' }, { username: 'ada', password })
  context.clock.time += 7 * DAY
  expect(await accountBySession(context, idle.token)).toBeUndefined()
  await pruneAccounts(context)
  expect(await database.sql`select from account_sessions`).toHaveLength(0)
})
