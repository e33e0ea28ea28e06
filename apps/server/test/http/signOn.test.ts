import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hour, minute, second } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allowSetup } from '../../src/domain/console/index.ts'
import { masterKeyId } from '../../src/kernel/vault.ts'
import { untilWaiting } from '../locks.ts'
import { ProviderBrowser, startOidcProvider, type TestProvider } from '../oidcProvider.ts'
import { type JsonAnswer, startTestSouk, type TestSouk } from '../souk.ts'

const publicUrl = 'http://souk.test'
const redirectUrl = `${publicUrl}/console/signed-on`
const clientId = 'souk-console'
const clientSecret = 'the secret of the console'

let souk: TestSouk
let provider: TestProvider
let projectId: string
let other: string
let providerId: string

beforeAll(async () => {
  provider = await startOidcProvider()
  await provider.register({ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUrl] })
  souk = await startTestSouk({ publicUrl })
  projectId = await createProject('Tea')
  other = await createProject('Coffee')
})
afterAll(async () => {
  await provider.stop()
  await souk.stop()
})
beforeEach(async () => {
  await souk.context.sql`update platform_settings set password_sign_in = true`
  await souk.context.sql`delete from sign_on_providers`
  providerId = await add({
    roles: [
      { group: 'admins', role: 'administrator' },
      { group: 'tea', role: 'viewer', projectId },
      { group: 'tea-owners', role: 'owner', projectId },
      { group: 'coffee', role: 'editor', projectId: other },
    ],
  })
})

async function createProject(name: string): Promise<string> {
  return (await souk.console('POST', '/console/v1/projects', { name })).body.projectId
}
const addRaw = (input: object = {}) =>
  souk.console('POST', '/console/v1/sign-on/providers', {
    name: 'Example',
    issuer: provider.issuer,
    clientId,
    clientSecret,
    ...input,
  })
async function add(input: object): Promise<string> {
  const { status, body } = await addRaw(input)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.providerId
}

async function start(input: object = {}) {
  const answer = await souk.raw('POST', '/console/v1/sign-on', {}, { providerId, ...input })
  return { answer, url: answer.body.url as string, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}
/** Signs a person in at a provider, and returns the completion of the sign-in as a function. */
async function prepare(login: string, groups: string[], at = provider, id = providerId) {
  at.setClaims(login, { groups })
  const { url, cookie } = await start({ providerId: id })
  const { search } = await new ProviderBrowser().signIn(url, login)
  return () => complete(cookie, search)
}
const complete = (cookie: string, response: string) =>
  souk.raw('POST', '/console/v1/sign-on/complete', { Cookie: cookie }, { response })

/** Signs a person on whose groups the provider says. */
async function signOn(login: string, groups: unknown, claims: object = {}): Promise<JsonAnswer & { cookie: string }> {
  provider.setClaims(login, { groups, ...claims })
  const { url, cookie } = await start()
  const answer = await complete(cookie, (await new ProviderBrowser().signIn(url, login)).search)
  const session = answer.headers.getSetCookie().find((each) => each.startsWith('souk_session='))
  return { ...answer, cookie: session?.split(';')[0] ?? '' }
}
const asSession = (
  { cookie, body }: { cookie: string; body: JsonAnswer['body'] },
  method: string,
  path: string,
  input?: object,
) => souk.raw(method, path, { Cookie: cookie, 'X-Souk-CSRF': body.csrfToken }, input)

async function rolesOf(accountId: string): Promise<Record<string, string>> {
  const rows = await souk.context.sql<{ name: string; role: string }[]>`
    select name, role from project_members join projects using (project_id) where account_id = ${accountId} order by name`
  return Object.fromEntries(rows.map(({ name, role }) => [name, role]))
}

describe('an account of a provider', () => {
  test('is created at its first sign-in with the roles of its groups, which each sign-in applies', async () => {
    const first = await signOn('layla', ['tea', 'tea-owners', 'unknown'], {
      name: 'Layla',
      preferred_username: 'Layla.Hassan',
      locale: 'ar-SA',
    })
    expect(first.body.account).toMatchObject({
      username: 'layla.hassan',
      name: 'Layla',
      language: 'ar',
      administrator: false,
    })
    const { accountId } = first.body.account
    expect(await rolesOf(accountId)).toEqual({ Tea: 'owner' })
    expect((await asSession(first, 'GET', '/console/v1/session')).status).toBe(200)

    const second = await signOn('layla', ['coffee', 'admins'])
    expect(second.body.account).toMatchObject({ accountId, administrator: true })
    // The last owner of a project stays.
    expect(await rolesOf(accountId)).toEqual({ Coffee: 'editor', Tea: 'owner' })
    await signOn('omar', ['tea-owners'])
    await signOn('sara', ['admins'])
    const third = await signOn('layla', 'tea')
    expect(third.body.account.administrator).toBe(false)
    expect(await rolesOf(accountId)).toEqual({ Tea: 'viewer' })
    const actions = await souk.context.sql<{ action: string }[]>`
      select distinct action from audit_log where subject = ${accountId} order by action`
    expect(actions.map(({ action }) => action)).toEqual([
      'account.create',
      'account.signIn',
      'account.signOn',
      'member.signOnRole',
    ])
  })

  test('keeps roles that the provider does not map', async () => {
    const { accountId } = (await signOn('nadia', ['tea'])).body.account
    const elsewhere = await createProject('Elsewhere')
    await souk.context.sql`
      insert into project_members (project_id, account_id, role, ctime) values (${elsewhere}, ${accountId}, 'editor', 0)`
    await signOn('nadia', ['coffee'])
    expect(await rolesOf(accountId)).toEqual({ Coffee: 'editor', Elsewhere: 'editor' })
  })

  test('does not take over an account with its user name', async () => {
    const own = await souk.setUp().catch(() => souk.join(projectId, 'owner'))
    const { account } = (await signOn('impostor', ['tea'], { preferred_username: own.username })).body
    expect(account.username).toBe(`${own.username}-2`)
    expect(account.accountId).not.toBe(own.accountId)
  })

  test('is created once by two sign-ins at a time', async () => {
    const both = await Promise.all([signOn('twin', ['tea']), signOn('twin', ['tea'])])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(new Set(both.map(({ body }) => body.account.accountId)).size).toBe(1)
  })

  test('signs in although the master key changes during the sign-in', async () => {
    const finish = await prepare('rotated', ['tea'])
    const { vault } = souk.context
    const [before, added] = [vault.keyId, randomBytes(32)]
    souk.masterKeys.push(added)
    vault.reload()
    vault.use(masterKeyId(added))
    expect((await finish()).status).toBe(200)
    vault.use(before)
  })

  test('is locked after its projects, as by operations on accounts', async () => {
    const { accountId } = (await signOn('orderly', ['tea'])).body.account
    const finish = await prepare('orderly', ['coffee'])
    const { sql } = souk.context
    const signedOn = await sql.begin(async (tx) => {
      await tx`select from projects where project_id = ${projectId} for no key update`
      const answer = finish()
      await untilWaiting(sql, 1)
      // Waits in a deadlock if the sign-in has locked the account already.
      await tx`select from accounts where account_id = ${accountId} for no key update`
      return [answer]
    })
    expect((await signedOn[0])?.status).toBe(200)
  })

  test('signs in while it is enabled', async () => {
    const { accountId } = (await signOn('leaver', ['tea'])).body.account
    await souk.console('PATCH', `/console/v1/accounts/${accountId}`, { enabled: false })
    expect(await signOn('leaver', ['tea'])).toMatchObject({ status: 403, body: { code: 'account_disabled' } })
  })

  test('without a mapped group is refused, and nothing is created', async () => {
    const [before] = await souk.context.sql`select count(*) from accounts`
    expect(await signOn('stranger', ['other'])).toMatchObject({ status: 403, body: { code: 'sign_on_not_allowed' } })
    expect(await signOn('stranger', { tea: true })).toMatchObject({ body: { code: 'sign_on_groups_unreadable' } })
    expect(await signOn('stranger', undefined)).toMatchObject({ body: { code: 'sign_on_groups_missing' } })
    const [after] = await souk.context.sql`select count(*) from accounts`
    expect(after).toEqual(before)
    const [row] = await souk.context.sql`
      select detail from audit_log where action = 'account.signInFailed' order by audit_id desc limit 1`
    expect(row?.detail).toMatchObject({ reason: 'sign_on_groups_missing' })
  })

  test('ends its session after twelve hours, and when the provider is removed', async () => {
    const session = await signOn('worker', ['tea'])
    const state = () => asSession(session, 'GET', '/console/v1/session').then(({ status }) => status)
    souk.clock.stop()
    souk.clock.advance(11 * hour)
    expect(await state()).toBe(200)
    souk.clock.advance(hour)
    expect(await state()).toBe(401)
    souk.clock.resume()
    await souk.console('DELETE', `/console/v1/sign-on/providers/${providerId}`)
    expect(await state()).toBe(401)
  })

  test('has no password while its provider exists, and gets one by a link after that', async () => {
    const { accountId } = (await signOn('clerk', ['tea'])).body.account
    const createLink = () => souk.console('POST', `/console/v1/accounts/${accountId}/password-reset`)
    expect(await createLink()).toMatchObject({ status: 409, body: { code: 'signs_on_at_provider' } })

    await souk.console('DELETE', `/console/v1/sign-on/providers/${providerId}`)
    const [first, second] = [await createLink(), await createLink()]
    expect([first.status, second.status]).toEqual([200, 200])
    const { token } = second.body
    const show = () => souk.raw('POST', '/console/v1/password-resets/show', {}, { token })
    expect((await show()).status).toBe(200)
    // A link is not a way around a provider that has come back.
    await add({})
    expect((await show()).body.code).toBe('password_reset_not_found')
    const reset = { token, password: 'a password of one’s own' }
    const used = await souk.raw('POST', '/console/v1/password-resets/use', {}, reset)
    expect(used.body.code).toBe('password_reset_not_found')
  })

  test('confirms its identity by a fresh sign-in at the provider', async () => {
    const { body, cookie } = await signOn('careful', ['admins'])
    expect(body.confirmationMethods).toEqual(['signOn'])
    const change = () => asSession({ body, cookie }, 'POST', '/console/v1/sign-on/passwords', { allowed: true })
    expect(await change()).toMatchObject({ body: { code: 'step_up_required', data: { methods: ['signOn'] } } })

    const { url, cookie: flow } = await start({ fresh: true })
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({ prompt: 'login', max_age: '0' })
    const fresh = await complete(flow, (await new ProviderBrowser().signIn(url, 'careful')).search)
    const session = fresh.headers.getSetCookie().find((each) => each.startsWith('souk_session='))!
    const confirmed = { body: fresh.body, cookie: session.split(';')[0]! }
    const path = '/console/v1/sign-on/passwords'
    expect((await asSession(confirmed, 'POST', path, { allowed: true })).status).toBe(200)
    souk.clock.stop()
    souk.clock.advance(11 * minute)
    expect((await asSession(confirmed, 'POST', path, { allowed: true })).body.code).toBe('step_up_required')
    souk.clock.resume()
  })
})

describe('a response is rejected', () => {
  test.each<[string, string, (search: URLSearchParams) => void]>([
    ['with another state', 'sign_in_state_wrong', (search) => search.set('state', 'other')],
    ['with a made-up code', 'authorization_code_refused', (search) => search.set('code', 'made-up')],
  ])('%s', async (_name, code, change) => {
    provider.setClaims('intruder', { groups: ['tea'] })
    const { url, cookie } = await start()
    const { searchParams } = await new ProviderBrowser().signIn(url, 'intruder')
    change(searchParams)
    expect((await complete(cookie, searchParams.toString())).body.code).toBe(code)
    expect(await souk.context.sql`select from accounts where sign_on_subject = 'intruder'`).toHaveLength(0)
  })

  test('that has been used before', async () => {
    provider.setClaims('again', { groups: ['tea'] })
    const { url, cookie } = await start()
    const { search } = await new ProviderBrowser().signIn(url, 'again')
    expect((await complete(cookie, search)).status).toBe(200)
    expect((await complete(cookie, search)).body.code).toBe('sign_in_not_started')
  })

  test('with the cookie of a host user', async () => {
    const issuer = await souk.console('POST', '/console/v1/issuers', { issuer: provider.issuer, audience: 'souk' })
    const path = `/console/v1/issuers/${issuer.body.issuerId}/sign-in`
    await souk.console('POST', path, { name: 'Example', clientId, clientSecret })
    const answer = await souk.raw('POST', '/host/v1/sign-in', {}, { issuerId: issuer.body.issuerId })
    const flow = answer.headers.getSetCookie()[0]!.split(';')[0]!.replace('souk_sign_in', 'souk_sign_on')
    expect((await complete(flow, '?code=x&state=y')).body.code).toBe('sign_in_not_started')
  })
})

describe('password sign-in', () => {
  const allow = (allowed: boolean) => souk.console('POST', '/console/v1/sign-on/passwords', { allowed })
  const signInWithPassword = () =>
    souk.raw('POST', '/console/v1/session', {}, { username: 'somebody', password: 'long enough now' })

  test('cannot be forbidden before an administrator has signed in at a provider that works', async () => {
    await souk.context.sql`update accounts set administrator = false where sign_on_issuer is not null`
    expect(await allow(false)).toMatchObject({ status: 409, body: { code: 'sign_on_not_working' } })
    await signOn('chief', ['admins'])
    await souk.context.sql`update sign_on_providers set issuer = 'http://localhost:9'`
    await souk.context.sql`update accounts set sign_on_issuer = 'http://localhost:9' where sign_on_subject = 'chief'`
    expect(await allow(false)).toMatchObject({ status: 409, body: { code: 'sign_on_not_working' } })
    await souk.context.sql`update accounts set sign_on_issuer = ${provider.issuer} where sign_on_subject = 'chief'`
  })

  test('is refused while it is forbidden, and so are links that set a password', async () => {
    await signOn('chief', ['admins'])
    const invitation = await souk.console('POST', `/console/v1/projects/${projectId}/invitations`, { role: 'viewer' })
    expect(await allow(false)).toMatchObject({ status: 200, body: false })
    expect((await souk.raw('GET', '/console/v1/sign-on', {})).body).toEqual({
      passwordSignIn: false,
      providers: [{ providerId, name: 'Example' }],
    })
    expect(await signInWithPassword()).toMatchObject({ status: 403, body: { code: 'password_sign_in_off' } })
    const join = { token: invitation.body.token, username: 'late', name: 'Late', password: 'long enough now' }
    const joined = await souk.raw('POST', '/console/v1/invitations/join', {}, join)
    expect(joined.body.code).toBe('password_sign_in_off')
    const removal = await souk.console('DELETE', `/console/v1/sign-on/providers/${providerId}`)
    expect(removal).toMatchObject({ status: 409, body: { code: 'sign_on_not_working' } })
    expect(await allow(true)).toMatchObject({ status: 200, body: true })
    expect((await signInWithPassword()).body.code).toBe('sign_in_failed')
  })

  test('has the set-up link as the way back, which works once, and only while it is forbidden', async () => {
    await signOn('chief', ['admins'])
    const token = `souk_setup_${'x'.repeat(43)}`
    const setUp = (username: string) =>
      souk.raw('POST', '/console/v1/setup', {}, { token, username, name: 'Rescuer', password: 'a long way back home' })
    expect(await allowSetup(souk.context, token)).toBe(false)
    await allow(false)
    expect(await allowSetup(souk.context, token)).toBe(true)
    const { status, body } = await setUp('rescuer')
    expect({ status, administrator: body.account?.administrator }).toEqual({ status: 200, administrator: true })
    expect((await setUp('rescuer2')).body.code).toBe('setup_closed')

    await allowSetup(souk.context, token)
    await allow(true)
    expect((await setUp('rescuer3')).body.code).toBe('setup_closed')
  })
})

describe('the last way to administer the installation is not removed', () => {
  let second: TestProvider
  let secondId: string

  beforeAll(async () => {
    second = await startOidcProvider()
    await second.register({ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUrl] })
  })
  afterAll(() => second.stop())
  beforeEach(async () => {
    secondId = await add({ issuer: second.issuer, roles: [{ group: 'admins', role: 'administrator' }] })
    await souk.context.sql`update accounts set administrator = false`
  })

  test('by two sign-ins without the group at once', async () => {
    const { sql } = souk.context
    const signIns = async (groups: string[]) => [
      await prepare('one', groups),
      await prepare('two', groups, second, secondId),
    ]
    for (const finish of await signIns(['admins'])) expect((await finish()).status).toBe(200)
    const leaving = await signIns(['tea'])
    const answers = await sql.begin(async (tx) => {
      await tx`select from accounts where administrator order by account_id for update`
      const started = leaving.map((finish) => finish())
      await untilWaiting(sql, 2)
      return [Promise.all(started)]
    })
    await answers[0]
    const able = await sql`select from accounts where administrator and (active or suspension_passkeys)`
    expect(able).toHaveLength(1)
  })

  test('by two removals of providers at once', async () => {
    const { sql } = souk.context
    expect((await (await prepare('one', ['admins']))()).status).toBe(200)
    expect((await (await prepare('two', ['admins'], second, secondId))()).status).toBe(200)
    await souk.console('POST', '/console/v1/sign-on/passwords', { allowed: false })
    const remove = (id: string) => souk.console('DELETE', `/console/v1/sign-on/providers/${id}`)
    const answers = await sql.begin(async (tx) => {
      await tx`lock table sign_on_providers in share mode`
      const started = [remove(providerId), remove(secondId)]
      await untilWaiting(sql, 2)
      return [Promise.all(started)]
    })
    expect((await answers[0])!.map(({ body }) => body.code ?? 'removed').sort()).toEqual([
      'removed',
      'sign_on_not_working',
    ])
  })
})

describe('providers', () => {
  test('are listed without their secret, which is encrypted', async () => {
    const { body } = await souk.console('GET', '/console/v1/sign-on/providers')
    expect(body).toMatchObject([{ providerId, clientId, hasSecret: true, redirectUrl, groupsClaim: 'groups' }])
    expect(JSON.stringify(body)).not.toContain(clientSecret)
    const rows = await souk.context.sql<{ row: string }[]>`
      select p::text as row from sign_on_providers p union all
      select detail::text from audit_log where action = 'signOn.addProvider'`
    for (const { row } of rows) expect(row).not.toContain(clientSecret)
  })

  test.each<[string, string, object]>([
    ['a second one of the issuer', 'sign_on_provider_exists', {}],
    ['one that cannot be reached', 'issuer_unavailable', { issuer: 'http://localhost:9' }],
    [
      'a role in an unknown project',
      'project_not_found',
      { roles: [{ group: 'x', role: 'owner', projectId: 'f'.repeat(32) }] },
    ],
    ['an owner of no project', 'parameter_invalid', { roles: [{ group: 'x', role: 'owner' }] }],
    [
      'an administrator of a project',
      'parameter_invalid',
      { roles: [{ group: 'x', role: 'administrator', projectId: 'f'.repeat(32) }] },
    ],
    ['an unknown role', 'parameter_invalid', { roles: [{ group: 'x', role: 'king' }] }],
  ])('%s is rejected', async (_name, code, input) => {
    expect((await addRaw(input)).body.code).toBe(code)
  })

  describe('whose issuer is written differently are rejected with what to use:', () => {
    let server: Server
    let url: string
    /** Issuers by the path of their discovery document. */
    let issuers: Record<string, unknown>
    const path = '/.well-known/openid-configuration'

    beforeAll(async () => {
      server = createServer((request, response) => {
        const found = Object.hasOwn(issuers, request.url!)
        response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' })
        response.end(JSON.stringify({ issuer: issuers[request.url!], jwks_uri: `${url}/keys` }))
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      issuers = {
        [path]: url,
        [`/slash${path}`]: `${url}/slash/`,
        [`/common${path}`]: `${url}/{tenantid}/v2.0`,
        [`/other${path}`]: 'https://id.example',
        [`/none${path}`]: undefined,
      }
    })
    afterAll(() => void server.close())

    test.each<[string, string, string, string]>([
      [
        'a slash too many',
        '/',
        'parameter_invalid',
        'names the issuer $url, which differs by the slash at its end. Use',
      ],
      ['a slash too few', '/slash', 'parameter_invalid', 'names the issuer $url/slash/, which differs by the slash at'],
      [
        'the discovery address',
        path,
        'parameter_invalid',
        'is the address of a discovery document. Use the issuer $url.',
      ],
      ['that of one with a slash', `/slash${path}`, 'parameter_invalid', 'Use the issuer $url/slash/.'],
      [
        'the address for all tenants',
        '/common',
        'parameter_invalid',
        'names the issuer $url/{tenantid}/v2.0, which is a',
      ],
      [
        'the discovery address for all tenants',
        `/common${path}`,
        'parameter_invalid',
        'it is the address for all tenants.',
      ],
      [
        'a placeholder',
        '/{tenantid}/v2.0',
        'parameter_invalid',
        '$url/{tenantid}/v2.0 has a placeholder. Write the id of',
      ],
      ['an alias', '/other', 'parameter_invalid', 'names the issuer https://id.example. Use it exactly.'],
      ['one without an issuer', '/none', 'parameter_invalid', 'names no issuer.'],
      [
        'an unknown address',
        '/unknown',
        'issuer_unavailable',
        `$url/unknown${path} responds with status 404. Check the`,
      ],
    ])('%s', async (_name, suffix, code, reason) => {
      const { body } = await addRaw({ issuer: url + suffix })
      expect(body.code).toBe(code)
      expect(body.detail).toContain(reason.replaceAll('$url', url))
    })

    test('also when users shall sign in at one', async () => {
      const add = (issuer: string) => souk.console('POST', '/console/v1/issuers', { issuer, audience: 'souk' })
      expect((await add(`${url}/{tenantid}`)).body.detail).toContain('has a placeholder')
      const { issuerId } = (await add(`${url}/`)).body
      const client = { name: 'Example', clientId, clientSecret }
      const { body } = await souk.console('POST', `/console/v1/issuers/${issuerId}/sign-in`, client)
      expect(body.detail).toContain(`names the issuer ${url}, which differs by the slash at its end.`)
    })
  })

  test('are at most 20, also if several are added at once', async () => {
    await souk.context.sql`
      insert into sign_on_providers (provider_id, name, issuer, client_id, scopes, groups_claim, roles, ctime)
      select gen_random_uuid(), name, issuer || number, client_id, scopes, groups_claim, roles, ctime
      from sign_on_providers, generate_series(1, 18) number`
    const others = await Promise.all([startOidcProvider(), startOidcProvider()])
    const answers = await souk.context.sql.begin(async (tx) => {
      await tx`lock table audit_log in exclusive mode`
      const started = others.map(({ issuer }) => addRaw({ issuer }))
      await untilWaiting(souk.context.sql, 2)
      return [Promise.all(started)]
    })
    expect((await answers[0])!.map(({ body }) => body.code ?? 'added').sort()).toEqual([
      'added',
      'sign_on_provider_limit_reached',
    ])
    await Promise.all(others.map((other) => other.stop()))
  })

  test('that do not map groups admit everyone, without rights', async () => {
    await souk.console('DELETE', `/console/v1/sign-on/providers/${providerId}`)
    providerId = await add({})
    const { account } = (await signOn('guest', [])).body
    expect(account.administrator).toBe(false)
    expect(await rolesOf(account.accountId)).toEqual({})
  })

  test('that fail are named by the doctor', async () => {
    const stateOf = async () => {
      const { body } = await souk.console('GET', '/console/v1/doctor')
      return body.find(({ check }: { check: string }) => check === 'signOn')
    }
    expect(await stateOf()).toMatchObject({ state: 'ok' })
    await souk.context.sql`update sign_on_providers set issuer = 'http://localhost:9'`
    expect(await stateOf()).toMatchObject({ state: 'error', found: expect.stringContaining('http://localhost:9') })
  })

  test('limit the sign-ins of an address or IPv6 /64 network, but not of another', async () => {
    const strict = await startTestSouk({ rateLimit: 2, trustProxy: 1 })
    const attempt = async (address: string) => {
      const headers = { 'X-Forwarded-For': address }
      const { body } = await strict.raw('POST', '/console/v1/sign-on', headers, { providerId: 'f'.repeat(32) })
      return body.code
    }
    const codes = await Promise.all(Array.from({ length: 6 }, (_, n) => attempt(`2001:db8:7::${n}`)))
    expect(codes).toContain('sign_on_provider_not_found')
    expect(codes).toContain('rate_limited')
    expect(await attempt('2001:db8:7:1::1')).toBe('sign_on_provider_not_found')
    await strict.stop()
  })
})

test('a sign-in is over after ten minutes', async () => {
  const { cookie } = await start()
  souk.clock.stop()
  souk.clock.advance(10 * minute + second)
  expect((await complete(cookie, '?code=x&state=y')).body.code).toBe('sign_in_not_started')
  souk.clock.resume()
})
