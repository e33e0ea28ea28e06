import { day, hour } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { revokeSuspended } from '../../src/domain/console/index.ts'
import { addPasskey } from '../factors.ts'
import { ProviderBrowser, startOidcProvider, type TestProvider } from '../oidcProvider.ts'
import { type JsonAnswer, startTestSouk, type TestSouk } from '../souk.ts'

const publicUrl = 'http://souk.test'
const redirectUrl = `${publicUrl}/console/signed-on`
const clientId = 'souk-console'
const clientSecret = 'the secret of the console'
const suspensionDays = 7

let souk: TestSouk
let provider: TestProvider
let providerId: string
let tea: string
let coffee: string

beforeAll(async () => {
  provider = await startOidcProvider()
  await provider.register({ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUrl] })
  souk = await startTestSouk({ publicUrl })
  tea = await createProject('Tea')
  coffee = await createProject('Coffee')
  await addProvider()
})
afterAll(async () => {
  await provider.stop()
  await souk.stop()
})
beforeEach(() => souk.clock.resume())

async function createProject(name: string): Promise<string> {
  return (await souk.console('POST', '/console/v1/projects', { name })).body.projectId
}
async function addProvider(): Promise<void> {
  const { status, body } = await souk.console('POST', '/console/v1/sign-on/providers', {
    name: 'Example',
    issuer: provider.issuer,
    clientId,
    clientSecret,
    suspensionDays,
    roles: [
      { group: 'admins', role: 'administrator' },
      { group: 'tea', role: 'viewer', projectId: tea },
      { group: 'tea-owners', role: 'owner', projectId: tea },
      { group: 'coffee', role: 'editor', projectId: coffee },
    ],
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  providerId = body.providerId
}

type SignedOn = JsonAnswer & { cookie: string }

/** Signs a person in about whom the provider says `claims`. */
async function signOn(login: string, claims: object): Promise<SignedOn> {
  provider.setClaims(login, { ...claims })
  const started = await souk.raw('POST', '/console/v1/sign-on', {}, { providerId })
  const flow = started.headers.getSetCookie()[0]!.split(';')[0]!
  const { search } = await new ProviderBrowser().signIn(started.body.url, login)
  const answer = await souk.raw('POST', '/console/v1/sign-on/complete', { Cookie: flow }, { response: search })
  const session = answer.headers.getSetCookie().find((each) => each.startsWith('souk_session='))
  return { ...answer, cookie: session?.split(';')[0] ?? '' }
}

let people = 0

/** A person who has signed in with the groups tea and admins, and has an API key and a passkey. */
async function furnish(claims: object = { groups: ['admins', 'tea'] }) {
  const login = `person-${++people}`
  const session = await signOn(login, claims)
  const { accountId, username } = session.body.account
  const call = (method: string, path: string, input?: unknown) =>
    souk.raw(method, path, { Cookie: session.cookie, 'X-Souk-CSRF': session.body.csrfToken }, input as object)
  await souk.context
    .sql`update account_sessions set confirmed_at = ${souk.clock.real()} where account_id = ${accountId}`
  const { key } = (await call('POST', '/console/v1/api-key/show', {})).body
  const user = { ...session, accountId, username, password: '', csrf: '', call }
  const { phone } = await addPasskey(souk, user)
  const usePasskey = async () => {
    const options = (await souk.raw('POST', '/console/v1/session/passkey/options', {}, {})).body
    return souk.raw('POST', '/console/v1/session/passkey', {}, { passkey: phone.get(options) })
  }
  return {
    login,
    accountId,
    usePasskey,
    /** What the person can do with the credentials that were made before. */
    async access() {
      return {
        session: (await call('GET', '/console/v1/session')).status,
        key: (await souk.raw('GET', '/api/v1/projects', { 'X-API-Key': key })).status,
        passkey: (await usePasskey()).status,
      }
    },
  }
}
const everything = { session: 200, key: 200, passkey: 200 }
const nothing = { session: 401, key: 401, passkey: 403 }

/** Everything of an account that an answer of its provider could destroy. */
async function stored(accountId: string) {
  const { sql } = souk.context
  return {
    account: await sql`select administrator, enabled, suspended_time from accounts where account_id = ${accountId}`,
    roles:
      await sql`select project_id, role, given_role from project_members where account_id = ${accountId} order by 1`,
    keys: await sql`select key_hash from api_keys where account_id = ${accountId}`,
    passkeys: await sql`select credential_id from account_passkeys where account_id = ${accountId}`,
    sessions: await sql`select session_id from account_sessions where account_id = ${accountId} order by ctime limit 1`,
  }
}
const suspensionOf = async (accountId: string) => {
  const { body } = await souk.console('GET', '/console/v1/accounts?limit=200')
  return body.items.find((each: { accountId: string }) => each.accountId === accountId).suspension
}
const lastAction = async (accountId: string) => {
  const [row] = await souk.context.sql<{ action: string; actor: string; detail: object }[]>`
    select action, actor, detail from audit_log where subject = ${accountId} order by audit_id desc limit 1`
  return row
}

describe('an answer whose groups cannot be read changes nothing, and says what arrived', () => {
  const sources = {
    _claim_names: { groups: 'src1' },
    _claim_sources: { src1: { endpoint: 'https://graph.example/x' } },
  }
  test.each<[string, object, string]>([
    ['an overage of Entra', sources, '_claim_names'],
    ['an overage beside a list', { groups: ['tea'], ...sources }, '_claim_names'],
    ['an overage that is not an object', { _claim_names: 'groups' }, '_claim_names'],
    ['hasgroups', { hasgroups: true }, 'hasgroups'],
    ['hasgroups as a text', { hasgroups: 'true' }, 'hasgroups'],
    ['hasgroups with an empty list', { hasgroups: true, groups: [] }, 'hasgroups'],
    ['a number', { groups: 7 }, 'a number'],
    ['a boolean', { groups: true }, 'a boolean'],
    ['an object', { groups: { tea: true } }, 'an object'],
    ['a nested list', { groups: [['tea', 'admins']] }, 'a list with a list of texts'],
    ['a list with a number', { groups: ['other', 7] }, 'a list with a number, at position 2 of 2'],
    ['a list with an object', { groups: [{ name: 'tea' }] }, 'a list with an object'],
    ['a list with null', { groups: [null] }, 'a list with null'],
    ['a list with an empty text', { groups: [''] }, 'a list with an empty text'],
    ['text with commas', { groups: 'tea,admins' }, 'a text with separators'],
    ['text with commas and unknown groups', { groups: 'x,y' }, 'a text with separators'],
    ['text with semicolons', { groups: 'tea;admins' }, 'a text with separators'],
    ['text with spaces', { groups: 'tea admins' }, 'a text with several words'],
    ['text with JSON', { groups: '["tea","admins"]' }, 'a text that contains JSON'],
    ['text with an object', { groups: '{"groups":["tea"]}' }, 'a text that contains JSON'],
    ['a list with text with commas', { groups: ['tea, admins'] }, 'a list with a text with separators'],
    ['a list with JSON', { groups: ['["tea"]'] }, 'a list with a text that contains JSON'],
    ['a path that ends in a mapped group', { groups: ['/company/tea'] }, 'a list with a path'],
    ['a text that is such a path', { groups: '/company/tea' }, 'a list with a path'],
  ])('%s', async (_name, claims, found) => {
    const person = await shared()
    const before = await stored(person.accountId)
    const answer = await signOn(person.login, { ...claims, name: 'An employee' })
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'sign_on_groups_unreadable', data: { claim: 'groups', found: expect.stringContaining(found) } },
    })
    // Types and positions only: names of groups can be personal data.
    expect(JSON.stringify(answer.body)).not.toMatch(/company|admins|employee|graph/)
    expect(await stored(person.accountId)).toEqual(before)
    expect(await person.access()).toEqual(everything)
  })

  let person: ReturnType<typeof furnish> | undefined
  const shared = () => (person ??= furnish())
})

test.each<[string, unknown]>([
  ['a list', ['tea', 'admins', 'other']],
  ['paths of the top level', ['/tea', '/admins', '/other/place']],
  ['a list with names that contain commas', ['CN=x,OU=y', 'tea', 'admins']],
])('groups are read from %s', async (_name, groups) => {
  const { accountId } = (await signOn(`reader-${++people}`, { groups })).body.account
  const [row] = await souk.context.sql`
    select administrator, array(select role from project_members m where m.account_id = a.account_id) as roles
    from accounts a where account_id = ${accountId}`
  expect(row).toEqual({ administrator: true, roles: ['viewer'] })
})

test('one group is read from a text', async () => {
  expect((await signOn(`reader-${++people}`, { groups: 'tea' })).status).toBe(200)
  expect((await signOn(`reader-${++people}`, { groups: '/tea' })).status).toBe(200)
  expect((await signOn(`reader-${++people}`, { groups: 'Former Employees' })).body.code).toBe('sign_on_not_allowed')
})

describe('an answer without the claim suspends, and the next one with groups restores', () => {
  test.each<[string, object]>([
    ['absent', {}],
    ['null', { groups: null }],
    ['an empty text', { groups: '' }],
    ['under another name', { roles: ['tea'] }],
    ['absent, and hasgroups is false', { hasgroups: false }],
    ['absent, and other claims are elsewhere', { _claim_names: { address: 'src1' } }],
  ])('%s', async (_name, claims) => {
    const person = await furnish()
    const before = await stored(person.accountId)
    expect(await signOn(person.login, claims)).toMatchObject({
      status: 403,
      body: { code: 'sign_on_groups_missing', data: { claim: 'groups' } },
    })
    expect(await person.access()).toEqual(nothing)
    expect(await suspensionOf(person.accountId)).toMatchObject({ reason: 'claimMissing', deletionTime: null })
    expect(await lastAction(person.accountId)).toMatchObject({
      action: 'account.suspendSignOn',
      detail: { reason: 'claimMissing', claim: 'groups' },
    })

    // Time deletes nothing: nobody has said that the groups are lost.
    souk.clock.stop()
    souk.clock.advance(hour)
    await souk.context.sql`update accounts set suspended_time = 0 where account_id = ${person.accountId}`
    await revokeSuspended(souk.context)
    expect((await signOn(person.login, { groups: ['admins', 'tea'] })).status).toBe(200)
    expect(await stored(person.accountId)).toEqual(before)
    expect(await person.access()).toEqual(everything)
    expect(await suspensionOf(person.accountId)).toBeNull()
  })
})

describe('a list without a mapped group', () => {
  test.each<[string, unknown]>([
    ['of other groups', ['other']],
    ['that is empty', []],
  ])('%s suspends for the days of the provider, and revokes after that', async (_name, groups) => {
    const person = await furnish()
    const before = await stored(person.accountId)
    souk.clock.stop()
    const now = souk.clock.real()
    expect((await signOn(person.login, { groups })).body.code).toBe('sign_on_not_allowed')
    expect(await person.access()).toEqual(nothing)
    expect(await suspensionOf(person.accountId)).toEqual({
      reason: 'groupsLost',
      claim: 'groups',
      since: now,
      deletionTime: now + suspensionDays * day,
    })

    souk.clock.advance(suspensionDays * day - hour)
    // A repeated answer does not postpone the deletion, and an answer that says nothing does not cancel it.
    await signOn(person.login, { groups })
    await signOn(person.login, {})
    await revokeSuspended(souk.context)
    expect(await stored(person.accountId)).toMatchObject({ roles: before.roles, keys: before.keys })
    expect(await suspensionOf(person.accountId)).toMatchObject({ reason: 'groupsLost', since: now })

    souk.clock.advance(hour)
    await revokeSuspended(souk.context)
    expect(await stored(person.accountId)).toEqual({
      account: [{ administrator: false, enabled: true, suspendedTime: null }],
      roles: [],
      keys: [],
      passkeys: [],
      sessions: [],
    })
    expect(await lastAction(person.accountId)).toMatchObject({
      action: 'account.revokeSignOn',
      actor: 'system',
      detail: { issuer: provider.issuer, administrator: false, since: now },
    })
  })

  test('is followed by a return before the deletion, which restores key and roles as they were', async () => {
    const person = await furnish()
    const before = await stored(person.accountId)
    await signOn(person.login, { groups: ['other'] })
    expect((await signOn(person.login, { groups: ['tea', 'admins'] })).status).toBe(200)
    expect(await stored(person.accountId)).toEqual(before)
    expect(await person.access()).toEqual(everything)
    const actions = await souk.context.sql<{ action: string }[]>`
      select action from audit_log where subject = ${person.accountId} and action <> 'account.signIn'
      order by audit_id desc limit 3`
    expect(actions.map(({ action }) => action)).toEqual(['account.signOn', 'account.restore', 'account.suspendSignOn'])
  })

  test('replaces a missing claim as the reason, and the deletion is counted from it', async () => {
    const person = await furnish()
    await signOn(person.login, {})
    souk.clock.stop()
    souk.clock.advance(hour)
    const now = souk.clock.real()
    await signOn(person.login, { groups: ['other'] })
    expect(await suspensionOf(person.accountId)).toMatchObject({
      reason: 'groupsLost',
      deletionTime: now + suspensionDays * day,
    })
    // A list that cannot be read changes nothing here either.
    await signOn(person.login, { groups: 7 })
    expect(await suspensionOf(person.accountId)).toMatchObject({ reason: 'groupsLost' })
  })

  test('that has one mapped group left takes the roles of the others, and leaves invitations', async () => {
    const person = await furnish({ groups: ['tea-owners', 'coffee'] })
    await furnish({ groups: ['tea-owners'] })
    const count = async () =>
      (await souk.console('GET', `/console/v1/projects/${tea}/invitations`)).body.items.length as number
    const others = await count()
    await souk.context.sql`
      insert into invitations (invitation_id, project_id, token_hash, role, invited_by, valid_until, ctime)
      values (gen_random_uuid(), ${tea}, sha256(${person.accountId}::bytea), 'viewer', ${person.accountId},
        ${souk.clock.real() + day}, 0)`
    expect(await count()).toBe(others + 1)
    await signOn(person.login, { groups: ['coffee'] })
    expect(await count()).toBe(others)
    await signOn(person.login, { groups: ['tea-owners', 'coffee'] })
    expect(await count()).toBe(others + 1)
  })
})

describe('a role that a person has given', () => {
  const roleIn = async (projectId: string, accountId: string) => {
    const [row] = await souk.context.sql<{ role: string }[]>`
      select role from project_members where project_id = ${projectId} and account_id = ${accountId}`
    return row?.role
  }

  test('stays in a project that the provider maps, and groups raise it', async () => {
    const { login, accountId } = await furnish({ groups: ['coffee'] })
    await signOn(login, { groups: ['coffee', 'tea'] })
    const path = `/console/v1/projects/${tea}/members/${accountId}`
    expect((await souk.console('PATCH', path, { role: 'editor' })).status).toBe(200)
    await signOn(login, { groups: ['coffee', 'tea'] })
    expect(await roleIn(tea, accountId)).toBe('editor')
    await signOn(login, { groups: ['coffee'] })
    expect(await roleIn(tea, accountId)).toBe('editor')
    await signOn(login, { groups: ['coffee', 'tea-owners'] })
    expect(await roleIn(tea, accountId)).toBe('owner')
    await signOn(login, { groups: ['coffee'] })
    expect(await roleIn(tea, accountId)).toBe('editor')
  })
})

describe('a suspended account', () => {
  test('is not an owner or administrator on whom others rely, and gets no mail', async () => {
    const { sql } = souk.context
    const person = await furnish()
    await furnish()
    const admins = async () =>
      (await sql<{ count: number }[]>`select count(*)::int from accounts where administrator and active`)[0]!.count
    const before = await admins()
    await signOn(person.login, {})
    expect(await admins()).toBe(before - 1)
  })

  test('is restored by an administrator, once', async () => {
    const person = await furnish()
    await furnish()
    await signOn(person.login, { groups: ['other'] })
    const restore = () => souk.console('POST', `/console/v1/accounts/${person.accountId}/restore`)
    expect(await restore()).toMatchObject({ status: 200, body: true })
    expect(await person.access()).toEqual(everything)
    expect(await restore()).toMatchObject({ status: 200, body: false })
    expect(await lastAction(person.accountId)).toMatchObject({ action: 'account.signIn' })
  })

  test('stays suspended when its provider is removed and added again, and cannot get a password meanwhile', async () => {
    const person = await furnish()
    await furnish()
    await signOn(person.login, { groups: ['other'] })
    await souk.console('DELETE', `/console/v1/sign-on/providers/${providerId}`)
    const link = await souk.console('POST', `/console/v1/accounts/${person.accountId}/password-reset`)
    expect(link.body.code).toBe('account_suspended')
    await addProvider()
    expect((await person.access()).key).toBe(401)
  })

  test('that is the last administrator may still sign in with its passkey, and keeps it', async () => {
    const { sql } = souk.context
    const person = await furnish()
    await sql`update accounts set administrator = false where account_id <> ${person.accountId}`
    await signOn(person.login, { groups: ['other'] })
    expect(await person.access()).toEqual({ ...nothing, passkey: 200 })
    const { headers } = await person.usePasskey()
    const cookie = headers.getSetCookie().find((each) => each.startsWith('souk_session='))!
    const session = await souk.raw('GET', '/console/v1/session', { Cookie: cookie.split(';')[0]! })
    expect(session.body.account).toMatchObject({ administrator: true })

    souk.clock.stop()
    souk.clock.advance(suspensionDays * day)
    await revokeSuspended(souk.context)
    expect(await stored(person.accountId)).toMatchObject({
      account: [{ administrator: true, suspendedTime: null }],
      keys: [],
      passkeys: [{}],
    })
  })
})
