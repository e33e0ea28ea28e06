import { day, hour } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { identityContext, type TestClock } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { sha256 } from '../../../kernel/crypto.ts'
import { Vault } from '../../../kernel/vault.ts'
import type { FullContext } from '../../context.ts'
import { setUp } from '../../operations/index.ts'
import { recordFailedSignIn } from './failedSignIns.ts'
import {
  accountBySession,
  allowSetup,
  changePassword,
  deviceLifetime,
  listAccounts,
  pruneAccounts,
  rememberDevice,
  signInAccount,
} from './index.ts'

const password = 'correct horse battery'

let database: FreshDatabase
let context: FullContext & { clock: TestClock }
let sessionToken: string

beforeAll(async () => {
  database = await freshDatabase()
  context = identityContext(database.sql)
  await allowSetup(context, 'token')
  const started = await setUp(context, { kind: 'anyone' }, { token: 'token', username: 'ada', name: 'Ada', password })
  sessionToken = started.token
})
afterAll(() => database.drop())
beforeEach(() => database.sql`delete from sign_in_failures`)

const attempt = (username: string, secret: string, address = '192.0.2.1', devices?: string) =>
  signInAccount(context, { kind: 'anyone', address, devices }, { username, password: secret }).then(
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

test('an account keeps its 100 newest sessions', async () => {
  const { sql } = database
  await sql`
    insert into account_sessions (token_hash, account_id, valid_until, ctime)
    select sha256(n::text::bytea), account_id, 9e12, n from accounts cross join generate_series(1, 120) n
    where username = 'ada'`
  expect(await attempt('ada', password)).toBe('in')
  const [found] = await sql`
    select count(*)::integer as count, bool_or(s.ctime > 1000) as has_new, min(s.ctime)::integer as oldest
    from account_sessions s join accounts using (account_id) where username = 'ada'`
  expect(found).toMatchObject({ count: 100, hasNew: true })
  expect(found!.oldest).toBeGreaterThan(20)
  await sql`delete from account_sessions where ctime <= 120`
})

test('pages of accounts have each once, in every order, and are searched', async () => {
  await database.sql`
    insert into accounts (account_id, username, name, language, password, administrator, ctime)
    select uuidv7(), 'person' || n, case when n % 2 = 0 then 'Person' else 'person ' || n end, 'en', '', false, 0
    from generate_series(1, 7) n`
  const list = (input: object) => listAccounts(context, { kind: 'admin' }, input)
  const all = (await list({ sort: 'ctime' })).items
  expect(all).toHaveLength(8)
  const byName = all.toSorted(
    (one, other) =>
      compare(one.name.toLowerCase(), other.name.toLowerCase()) || compare(one.accountId, other.accountId),
  )
  for (const [sort, expected] of [
    [undefined, all.toReversed()],
    ['-ctime', all.toReversed()],
    ['name', byName],
    ['-name', byName.toReversed()],
  ] as const) {
    const found: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await list({ limit: 3, total: true, ...(sort && { sort }), ...(cursor && { cursor }) })
      expect(page.total).toEqual({ count: 8, isCapped: false })
      found.push(...page.items.map(({ accountId }) => accountId))
      cursor = page.next
    } while (cursor)
    expect(found).toEqual(expected.map(({ accountId }) => accountId))
  }
  const namesOf = async (input: object) => (await list(input)).items.map(({ username }) => username)
  expect(await namesOf({ text: 'RSON 3' })).toEqual(['person3'])
  expect(await namesOf({ text: 'ada' })).toEqual(['ada'])
  expect(await namesOf({ username: 'Person4' })).toEqual(['person4'])
  await database.sql`delete from accounts where username like 'person%'`
})

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

test('delays attempts for unknown usernames in the same way, so that they cannot be told apart', async () => {
  for (let guess = 0; guess < 6; guess++) expect(await attempt('unknown', 'guess')).toBe('sign_in_failed')
  expect(await attempt('unknown', 'guess')).toBe(1)
})

test('counts concurrent attempts', async () => {
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => attempt('ada', 'guess')))
  expect(outcomes.filter((outcome) => outcome === 'sign_in_failed')).toHaveLength(6)
  expect(outcomes.filter((outcome) => outcome === 1)).toHaveLength(14)
})

test('rejects an attempt that waits for the failure which blocks it', async () => {
  const { sql } = database
  const subject = sha256('account ada')
  const later = context.clock.time + 8000
  let waiting: Promise<string | number> | undefined
  await sql.begin(async (tx) => {
    await tx`insert into sign_in_failures (subject, failures, blocked_until, mtime)
      values (${subject}, 9, ${later}, ${context.clock.time})`
    waiting = attempt('ada', password)
    await expect
      .poll(() => sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
      .toHaveLength(1)
  })
  expect(await waiting).toBe(8)
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

describe('a known device', () => {
  const lockOut = async () => {
    for (let guess = 0; guess < 6; guess++) await attempt('ada', 'guess', `198.51.100.${guess}`)
    expect(await attempt('ada', password)).toBe(1)
  }

  test('signs in although others have locked out the account and the address', async () => {
    const devices = rememberDevice(context, 'ada')
    await lockOut()
    for (let guess = 0; guess < 31; guess++) await attempt(`user${guess}`, 'guess')
    expect(await attempt('someone', 'guess')).toBe(1)
    expect(await attempt('ADA', password, '192.0.2.1', devices)).toBe('in')
    // The others gain no attempts by that.
    expect(await attempt('ada', 'guess', '203.0.113.1')).toBe(1)
  })

  test('has its own limit for wrong passwords', async () => {
    const [devices, others] = [rememberDevice(context, 'ada'), rememberDevice(context, 'ada')]
    for (let guess = 0; guess < 6; guess++) {
      expect(await attempt('ada', 'guess', '192.0.2.1', devices)).toBe('sign_in_failed')
    }
    expect(await attempt('ada', password, '192.0.2.1', devices)).toBe(1)
    expect(await attempt('ada', password, '192.0.2.1', others)).toBe('in')
    expect(await attempt('ada', password, '192.0.2.1')).toBe('in')
  })

  test('is known to the accounts that signed in from it only, the last five', async () => {
    let devices = rememberDevice(context, 'ada')
    for (const other of ['one', 'two', 'three', 'four']) devices = rememberDevice(context, other, devices)
    await lockOut()
    expect(await attempt('ada', password, '192.0.2.1', devices)).toBe('in')
    expect(await attempt('ada', password, '192.0.2.1', rememberDevice(context, 'five', devices))).toBe(1)
    expect(await attempt('ada', password, '192.0.2.1', rememberDevice(context, 'adam'))).toBe(1)
  })

  test('is unknown after its lifetime, or with a cookie that this installation did not create', async () => {
    const devices = rememberDevice(context, 'ada')
    const [id, validUntil, signature] = devices.split('.')
    const elsewhere = rememberDevice({ ...context, vault: new Vault(() => [Buffer.alloc(32, 9)]) }, 'ada')
    context.clock.time += deviceLifetime - 1
    await lockOut()
    const later = `${id}.${Number(validUntil) + 1}.${signature}`
    for (const forged of ['', '~', '..', `${id}.${validUntil}.`, later, `x${devices}`, elsewhere]) {
      expect(await attempt('ada', password, '192.0.2.1', forged)).toBe(1)
    }
    expect(await attempt('ada', password, '192.0.2.1', devices)).toBe('in')
    context.clock.time += 1
    await lockOut()
    expect(await attempt('ada', password, '192.0.2.1', devices)).toBe(1)
  })
})

test('records failed sign-ins with name and address, up to a limit', async () => {
  const [{ latest }] = await database.sql<[{ latest: number }]>`
    select coalesce(max(audit_id), 0)::integer as latest from audit_log`
  const failures = () => database.sql`
    select subject, address, detail from audit_log
    where action = 'account.signInFailed' and audit_id > ${latest} order by audit_id`
  await attempt('Ada', 'guess', '192.0.2.7')
  await attempt('unknown', 'guess', '192.0.2.8')
  await attempt('ada', password, '192.0.2.9')
  expect(await failures()).toEqual([
    { subject: 'ada', address: '192.0.2.7', detail: { reason: 'sign_in_failed' } },
    { subject: 'unknown', address: '192.0.2.8', detail: { reason: 'sign_in_failed' } },
  ])

  context.clock.time += hour
  const fail = (address: string, name = 'flood') =>
    recordFailedSignIn(context, { kind: 'anyone', address }, name, 'sign_in_failed')
  for (let failure = 0; failure < 1003; failure++) await fail(`192.0.2.${failure % 200}`)
  expect(await failures()).toHaveLength(1002)
  context.clock.time += hour
  await fail('192.0.2.1', 'next')
  expect((await failures()).at(-1)).toMatchObject({ subject: 'next', detail: { omitted: 3 } })
})

test('records failed sign-ins of others although one network has too many', async () => {
  context.clock.time += hour
  const subjects = async () =>
    (await database.sql`select subject from audit_log where action = 'account.signInFailed' order by audit_id`).map(
      ({ subject }) => subject,
    )
  const fail = (address: string, name: string) =>
    recordFailedSignIn(context, { kind: 'anyone', address }, name, 'sign_in_failed')
  const before = (await subjects()).length
  for (let failure = 0; failure < 1003; failure++) await fail(`2001:db8::${failure.toString(16)}`, 'flood')
  await fail('192.0.2.9', 'noticed')
  expect((await subjects()).slice(before)).toEqual([...Array(100).fill('flood'), 'noticed'])
})

test('forgets failures after a day without one', async () => {
  for (let guess = 0; guess < 5; guess++) await attempt('ada', 'guess')
  context.clock.time += day + 1
  for (let guess = 0; guess < 5; guess++) expect(await attempt('ada', 'guess')).toBe('sign_in_failed')
  context.clock.time += day + 1
  await pruneAccounts(context)
  expect(await database.sql`select from sign_in_failures`).toHaveLength(0)
})

test('limits password guesses through changePassword; other accounts cannot exhaust the limit', async () => {
  const [row] = await database.sql<{ accountId: string }[]>`
    select account_id from accounts`
  const { accountId } = row!
  const caller = { kind: 'account', accountId, administrator: true, via: 'session', session: 'token' } as const
  for (let guess = 0; guess < 6; guess++) await attempt('ada', 'guess')
  expect(await attempt('ada', password)).toBe(1)
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

test('does not change a password that is replaced during the change', async () => {
  const { sql } = database
  const [ada] = await sql<{ accountId: string; stored: string }[]>`
    select account_id, password as stored from accounts`
  const { accountId, stored } = ada!
  const caller = { kind: 'account', accountId, administrator: true, via: 'session', session: 'another' } as const
  const replaced = stored.replace(/.$/, '')
  let changing: Promise<unknown> | undefined
  await sql.begin(async (tx) => {
    await tx`update accounts set password = ${replaced}`
    const input = { current: password, password: 'seven quiet otters' }
    changing = changePassword(context, caller, input).catch(({ code }) => code)
    const waiting = () => sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(waiting).toHaveLength(1)
  })
  expect(await changing).toBe('password_wrong')
  expect(await sql`select password from accounts`).toEqual([{ password: replaced }])
  await sql`update accounts set password = ${stored}`
})

test('rejects sign-ins beyond the limit of running and waiting hashes, except from known devices', async () => {
  const flood = Array.from({ length: 200 }, (_, number) => attempt(`flood${number}`, 'guess', `10.0.${number}.1`))
  const known = attempt('ada', password, '10.1.0.1', rememberDevice(context, 'ada'))
  const outcomes = await Promise.all(flood)
  expect(outcomes.filter((outcome) => outcome === 'sign_in_failed').length).toBeGreaterThanOrEqual(51)
  expect(outcomes).toContain(1)
  expect(await known).toBe('in')
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
