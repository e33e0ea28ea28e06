import { day } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { identityContext, type TestClock } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { sha256 } from '../../../kernel/crypto.ts'
import type { FullContext } from '../../context.ts'
import { setUp } from '../../operations/index.ts'
import { issueRecoveryCodes } from './factors/recoveryCodes.ts'
import {
  accountBySession,
  allowSetup,
  confirmSession,
  lockAccount,
  type StartedSession,
  startSession,
} from './index.ts'

let database: FreshDatabase
let context: FullContext & { clock: TestClock }
let account: StartedSession['session']['account']

beforeAll(async () => {
  database = await freshDatabase()
  context = identityContext(database.sql)
  await allowSetup(context, 'token')
  const password = 'correct horse battery'
  const { session } = await setUp(
    context,
    { kind: 'anyone' },
    { token: 'token', username: 'ada', name: 'Ada', password },
  )
  account = session.account
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.sql`truncate account_sessions, account_totp, account_recovery_codes`
})

const signIn = () =>
  context.sql.begin(async (tx) =>
    startSession(context, tx, (await lockAccount(tx, account.accountId))!, { kind: 'anyone' }),
  )
const signIns = (count: number): Promise<StartedSession[]> => Promise.all(Array.from({ length: count }, signIn))

/** Adds sessions, of which the first were used longest ago. */
async function addSessions(
  name: string,
  count: number,
  { pending = null, ended = false }: { pending?: 'secondFactor' | 'enrolment' | null; ended?: boolean } = {},
): Promise<void> {
  const now = context.clock.real()
  await database.sql`
    insert into account_sessions (token_hash, account_id, valid_until, ctime, last_used, pending)
    select sha256((${name} || n)::bytea), ${account.accountId}, ${ended ? now : now + day}, ${now - day}::bigint - n,
      ${now - day}::bigint + n, ${pending}
    from generate_series(1, ${count}::integer) n`
}

const requireTotp = () => database.sql`
  insert into account_totp (account_id, key_id, ciphertext, enabled, last_step, ctime)
  values (${account.accountId}, 'unused', '', true, 0, 0)`

async function has(token: string): Promise<boolean> {
  return (await accountBySession(context, token)) !== undefined
}

async function counts(): Promise<{ confirmed: number; pending: number }> {
  const [row] = await database.sql<[{ confirmed: number; pending: number }]>`
    select count(*) filter (where pending is null)::integer as confirmed,
      count(*) filter (where pending is not null)::integer as pending
    from account_sessions`
  return row
}

test('a sign-in of an account with 100 sessions ends the one that was used longest ago', async () => {
  await addSessions('s', 100)
  const { token } = await signIn()
  expect(await has(token)).toBe(true)
  expect(await counts()).toEqual({ confirmed: 100, pending: 0 })
  expect([await has('s1'), await has('s2')]).toEqual([false, true])
})

test('a sign-in deletes ended sessions, and no others in their place', async () => {
  await addSessions('s', 99)
  await addSessions('ended', 50, { ended: true })
  await signIn()
  expect(await has('s1')).toBe(true)
  expect(await counts()).toEqual({ confirmed: 100, pending: 0 })
})

test.each(['secondFactor', 'enrolment'] as const)('sign-ins that lack %s end no session with it', async (pending) => {
  await addSessions('s', 100)
  await addSessions('pending', 95, { pending })
  await requireTotp()
  const started = await signIns(20)
  expect(await counts()).toEqual({ confirmed: 100, pending: 100 })
  for (const { token } of started) expect(await has(token)).toBe(true)
  expect([await has('pending15'), await has('pending16')]).toEqual([false, true])
})

test('concurrent sign-ins and confirmations do not exceed the limit, and none of them ends another', async () => {
  await addSessions('s', 98)
  const confirmed = await signIns(2)
  await requireTotp()
  const pending = await signIns(3)
  const codes = await context.sql.begin((tx) => issueRecoveryCodes(tx, account.accountId))
  const confirm = async ({ token }: StartedSession, index: number) =>
    confirmSession(context, (await accountBySession(context, token))!, { recoveryCode: codes[index]! })
  const [, more] = await Promise.all([Promise.all(pending.map(confirm)), signIns(10)])
  expect(await counts()).toEqual({ confirmed: 100, pending: 10 })
  for (const { token } of [...confirmed, ...pending, ...more]) expect(await has(token)).toBe(true)
  expect([await has('s3'), await has('s4')]).toEqual([false, true])
  const rows = await database.sql`select from account_sessions where token_hash = ${sha256(pending[0]!.token)}`
  expect(rows).toHaveLength(1)
})
