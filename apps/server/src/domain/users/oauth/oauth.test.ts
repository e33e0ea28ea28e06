import { createHmac, createSecretKey, KeyObject, randomBytes } from 'node:crypto'
import { type BuiltInScope, builtInScopes, day, hour, minute, SoukError, second } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { identityContext } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { untilWaiting } from '../../../../test/locks.ts'
import type { App } from '../../app.ts'
import type { AdminCaller, AppCaller, HostUserCaller } from '../../caller.ts'
import { createApp, updateApp } from '../../miniApps/index.ts'
import { createUser, upsertOpenId } from '../identity/index.ts'
import {
  authenticateToken,
  createCode,
  dismissNotice,
  exchangeCode,
  getAuthCode,
  getConsent,
  listConsents,
  login,
  pruneOauth,
  readUserInfo,
  withdrawConsent,
} from './index.ts'

const admin: AdminCaller = { kind: 'admin' }
const profile = { avatar: 'https://a.example/l.png', email: 'layla@example.com', country: '+966', phone: '500000001' }
const week = (7 * day) / second

let database: FreshDatabase
let context: ReturnType<typeof identityContext>
let app: App
let uid: number
let user: HostUserCaller

beforeAll(async () => {
  database = await freshDatabase()
  context = identityContext(database.sql)
})
afterAll(() => database.drop())
beforeEach(async () => {
  context.clock.ahead = 0
  app = await newApp()
  uid = (await createUser(context, admin, { nickname: 'Layla', ...profile })).uid
  user = { kind: 'hostUser', uid, session: '' }
})

async function newApp(): Promise<App> {
  const { appid } = await createApp(context, admin, { name: 'Tea House' })
  return (await context.apps.find(appid))!
}

async function codeFor(scope: string, of = app): Promise<string> {
  return (await createCode(context, admin, { appid: of.appid, uid, scope })).code
}

/** Exchanges a code as the surface does after authentication, by default with a sign of its own. */
function exchange(code: string, scope = 'user.info', by = app, sign = randomBytes(32).toString('hex')) {
  const caller: AppCaller = { kind: 'app', app: by, sign }
  const authentication = { appid: by.appid, timestamp: context.clock.real(), sign }
  return exchangeCode(context, caller, { ...authentication, code, grantType: 'authorization_code', scope })
}

async function tokenFor(scope: string, of = app): Promise<string> {
  return (await exchange(await codeFor(scope, of), scope, of)).accessToken
}

async function userInfo(accessToken: string, appid?: string) {
  const caller = await authenticateToken(context, accessToken)
  return readUserInfo(context, caller, appid === undefined ? {} : { appid })
}

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
}

/** Creates a token with arbitrary claims and algorithm. */
function forge(
  claims: object,
  { alg = 'HS512', hash = 'sha512', key = KeyObject.from(context.vault.tokenKey(context.vault.keyId)) } = {},
): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg, typ: 'JWT' })}.${part(claims)}`
  return `${text}.${alg === 'none' ? '' : createHmac(hash, key).update(text).digest('base64url')}`
}

function soukError(code: string) {
  return expect.objectContaining({ name: SoukError.name, code })
}

describe('login codes', () => {
  test('neu.login() returns a code with user.info for 5 minutes without consent', async () => {
    const { code, expire } = await login(context, user, { appid: app.appid })
    expect(code).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(expire).toBe(300)
    expect((await getConsent(context, user, { appid: app.appid })).scopes).toEqual([])
    expect(await exchange(code, 'user.info,user.phone')).toMatchObject({
      expire: week,
      tokenType: 'bearer',
      scope: 'user.info',
    })
  })

  test('neu.login() gives name and picture, and the e-mail address only once the user has consented to it', async () => {
    const silent = async () =>
      userInfo((await exchange((await login(context, user, { appid: app.appid })).code)).accessToken)
    const known = { nickName: 'Layla', avatar: profile.avatar, country: null, phone: null }
    expect(await silent()).toMatchObject({ ...known, email: null })
    await getAuthCode(context, user, { appid: app.appid, scope: 'user.info', consent: true })
    expect(await silent()).toMatchObject({ ...known, email: profile.email })
    await withdrawConsent(context, user, { appid: app.appid })
    expect(await silent()).toMatchObject({ ...known, email: null })
  })

  test('a code of neu.login() does not permit user.email before consent', async () => {
    const { code } = await login(context, user, { appid: app.appid })
    await expect(exchange(code, 'user.email')).rejects.toEqual(soukError('scope_not_granted'))
    await getAuthCode(context, user, { appid: app.appid, scope: 'user.email', consent: true })
    expect(await userInfo((await exchange(code, 'user.email')).accessToken)).toMatchObject({ email: profile.email })
  })

  test('keeps the newest 200 codes of a user and mini app, so that logins cannot fill the table', async () => {
    const codes: string[] = []
    for (let n = 0; n < 202; n++) {
      context.clock.ahead++
      codes.push((await login(context, user, { appid: app.appid })).code)
    }
    const stored = await context.sql`select from login_codes where uid = ${uid} and appid = ${app.appid}`
    expect(stored).toHaveLength(200)
    await expect(exchange(codes[1]!)).rejects.toMatchObject({ code: 'code_unknown' })
    await expect(exchange(codes[2]!)).resolves.toBeDefined()
  })

  test('does not delete new codes in favor of those from before the clock was set back', async () => {
    const loginNow = async () => (await login(context, user, { appid: app.appid })).code
    context.clock.ahead = day
    for (let n = 0; n < 200; n++) await loginNow()
    context.clock.ahead = 0
    const codes = [await loginNow(), await loginNow()]
    for (const code of codes) await expect(exchange(code)).resolves.toBeDefined()
  })

  test('createCode without a scope returns the code of neu.login()', async () => {
    const { code } = await createCode(context, admin, { appid: app.appid, uid })
    expect(await userInfo((await exchange(code)).accessToken)).toMatchObject({ nickName: 'Layla', email: null })
    expect((await getConsent(context, user, { appid: app.appid })).scopes).toEqual([])
  })

  test('does not store the code in plain text', async () => {
    const code = await codeFor('user.info')
    const [row] = await database.sql<{ row: string }[]>`
      select c::text as row from login_codes c where appid = ${app.appid}`
    expect(row?.row).not.toContain(code)
    expect(row?.row).not.toContain(Buffer.from(code).toString('hex'))
  })

  test('rejects an app that is unknown, disabled or without the capability login', async () => {
    const { appid } = app
    const consented = { scope: 'user.info', consent: true }
    const attempts = (of: string) => [
      login(context, user, { appid: of }),
      getAuthCode(context, user, { appid: of, ...consented }),
      createCode(context, admin, { appid: of, uid }),
    ]
    for (const attempt of attempts('zzzzzzzzzzzzzzz')) await expect(attempt).rejects.toEqual(soukError('app_not_found'))
    await updateApp(context, admin, { appid, capabilities: ['payment'] })
    for (const attempt of attempts(appid)) await expect(attempt).rejects.toEqual(soukError('capability_missing'))
    await updateApp(context, admin, { appid, enabled: false })
    for (const attempt of attempts(appid)) await expect(attempt).rejects.toEqual(soukError('app_not_found'))
  })

  test('rejects createCode for a user that is unknown, disabled or erased, and cannot sign in', async () => {
    const attempt = (of: number) => createCode(context, admin, { appid: app.appid, uid: of })
    await expect(attempt(1)).rejects.toEqual(soukError('user_not_found'))
    await database.sql`update users set disabled_time = 1 where uid = ${uid}`
    await expect(attempt(uid)).rejects.toEqual(soukError('user_not_found'))
    await database.sql`update users set disabled_time = null, erased_time = 1 where uid = ${uid}`
    await expect(attempt(uid)).rejects.toEqual(soukError('user_not_found'))
  })
})

describe('the exchange', () => {
  test('accepts exactly one of 50 concurrent exchanges, whose token the others revoke', async () => {
    const code = await codeFor('user.info')
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => exchange(code)))
    const won = results.filter((result) => result.status === 'fulfilled')
    const lost = results.filter((result) => result.status === 'rejected')
    expect(won).toHaveLength(1)
    for (const { reason } of lost) expect(reason).toEqual(soukError('code_used'))
    await expect(userInfo(won[0]!.value.accessToken)).rejects.toEqual(soukError('access_token_invalid'))
  })

  test('revokes the issued token on reuse, but no other of the same user and app', async () => {
    const code = await codeFor('user.info')
    const { accessToken } = await exchange(code)
    const other = await tokenFor('user.info')
    await userInfo(accessToken)
    for (const _ of [1, 2]) await expect(exchange(code)).rejects.toEqual(soukError('code_used'))
    await expect(userInfo(accessToken)).rejects.toEqual(soukError('access_token_invalid'))
    expect(await userInfo(other)).toMatchObject({ nickName: 'Layla' })
  })

  test('answers the same signed request with the same token, however often and at whatever time', async () => {
    const [code, sign] = [await codeFor('user.info,user.phone'), randomBytes(32).toString('hex')]
    const repeat = () => exchange(code, 'user.phone', app, sign)
    const first = await repeat()
    context.clock.ahead += hour
    expect(await Promise.all(Array.from({ length: 20 }, repeat))).toEqual(Array(20).fill(first))
    expect(await userInfo(first.accessToken)).toMatchObject({ phone: '500000001' })
  })

  test('concurrent repetitions of a request issue one token', async () => {
    const [code, sign] = [await codeFor('user.info'), randomBytes(32).toString('hex')]
    const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(code, 'user.info', app, sign)))
    expect(new Set(answers.map(({ accessToken }) => accessToken)).size).toBe(1)
    expect(await userInfo(answers[0]!.accessToken)).toMatchObject({ nickName: 'Layla' })
  })

  test('does not repeat the answer once another request has revoked the token', async () => {
    const [code, sign] = [await codeFor('user.info'), randomBytes(32).toString('hex')]
    const repeat = () => exchange(code, 'user.info', app, sign)
    const { accessToken } = await repeat()
    await expect(exchange(code)).rejects.toEqual(soukError('code_used'))
    await expect(repeat()).rejects.toEqual(soukError('code_used'))
    await expect(userInfo(accessToken)).rejects.toEqual(soukError('access_token_invalid'))
  })

  test('lets another app not repeat the request', async () => {
    const [code, sign] = [await codeFor('user.info'), randomBytes(32).toString('hex')]
    await exchange(code, 'user.info', app, sign)
    await expect(exchange(code, 'user.info', await newApp(), sign)).rejects.toEqual(soukError('code_foreign'))
  })

  test('detects reuse and revokes the token even after the code would have expired', async () => {
    const code = await codeFor('user.info')
    const { accessToken } = await exchange(code)
    context.clock.ahead += hour
    await expect(exchange(code)).rejects.toEqual(soukError('code_used'))
    await expect(userInfo(accessToken)).rejects.toEqual(soukError('access_token_invalid'))
  })

  test('expires a code after 5 minutes of the domain clock', async () => {
    const [used, late] = [await codeFor('user.info'), await codeFor('user.info')]
    context.clock.ahead += 5 * minute - 1
    await exchange(used)
    context.clock.ahead += 1
    await expect(exchange(late)).rejects.toEqual(soukError('code_expired'))
  })

  test('lets another app neither use a code nor revoke its token', async () => {
    const other = await newApp()
    const code = await codeFor('user.info')
    await expect(exchange(code, 'user.info', other)).rejects.toEqual(soukError('code_foreign'))
    const { accessToken } = await exchange(code)
    await expect(exchange(code, 'user.info', other)).rejects.toEqual(soukError('code_foreign'))
    expect(await userInfo(accessToken)).toMatchObject({ nickName: 'Layla' })
  })

  test('rejects an unknown code', async () => {
    await expect(exchange('made-up')).rejects.toEqual(soukError('code_unknown'))
    const code = await codeFor('user.info')
    await expect(exchange(code.toUpperCase())).rejects.toEqual(soukError('code_unknown'))
  })

  test('rejects scopes beyond those of the code without using the code', async () => {
    const code = await codeFor('user.info')
    await expect(exchange(code, 'user.phone,user.unknown')).rejects.toEqual(
      expect.objectContaining({
        code: 'scope_not_granted',
        message: expect.stringContaining('The code includes user.info, but user.phone,user.unknown was requested.'),
      }),
    )
    const { accessToken } = await exchange(code)
    expect(await userInfo(accessToken)).toMatchObject({ nickName: 'Layla', phone: null })
  })

  test('grants those of the requested scopes that the code includes, and names them', async () => {
    const { accessToken, scope } = await exchange(await codeFor('user.info'), 'user.unknown,user.phone,user.info')
    expect(scope).toBe('user.info')
    expect(claimsOf(accessToken)).toMatchObject({ scope: 'user.info' })
    await codeFor('user.phone')
    expect(await userInfo(accessToken)).toMatchObject({ nickName: 'Layla', phone: null })
  })

  test('repeats a partly granted exchange with the same token, whatever the user consents to later', async () => {
    const { code } = await login(context, user, { appid: app.appid })
    const sign = 'a'.repeat(64)
    const first = await exchange(code, 'user.info,user.email,user.unknown', app, sign)
    await codeFor('user.email')
    expect(await exchange(code, 'user.info,user.email,user.unknown', app, sign)).toEqual(first)
    expect(first.scope).toBe('user.info')
  })

  test('issues a token with fewer scopes on request', async () => {
    const { accessToken } = await exchange(await codeFor('user.info,user.phone'), 'user.phone')
    expect(claimsOf(accessToken)).toMatchObject({ scope: 'user.phone' })
    expect(await userInfo(accessToken)).toMatchObject({ nickName: null, email: null, phone: '500000001' })
  })

  test('does not repeat the code in errors', async () => {
    const code = await codeFor('user.info')
    await exchange(code)
    const error: unknown = await exchange(code).catch((thrown) => thrown)
    expect(JSON.stringify(error) + (error as Error).message).not.toContain(code)
  })
})

describe('scopes', () => {
  const nothing = { nickName: null, avatar: null, email: null, country: null, phone: null }
  const info = { nickName: 'Layla', avatar: profile.avatar, email: profile.email }
  const phone = { country: '+966', phone: '500000001' }
  test.each([
    ['user.info', info],
    ['user.phone', phone],
    ['user.email', { email: profile.email }],
    ['user.info,user.phone', { ...info, ...phone }],
    ['user.phone,user.email', { ...phone, email: profile.email }],
    ['user.email,user.info,user.phone', { ...info, ...phone }],
  ])('%s includes exactly its fields besides openId and unionId', async (scope, shown) => {
    expect(await userInfo(await tokenFor(scope))).toEqual({
      openId: await upsertOpenId(database.sql, app.appid, uid),
      unionId: expect.stringMatching(/^[0-9a-f]{32}$/),
      attributes: {},
      ...nothing,
      ...shown,
    })
  })

  const covered: Record<BuiltInScope, BuiltInScope[]> = {
    'user.info': ['user.info', 'user.email'],
    'user.phone': ['user.phone'],
    'user.email': ['user.email'],
  }
  for (const carried of builtInScopes) {
    for (const requested of builtInScopes) {
      const granted = covered[carried].includes(requested)
      test(`a code with ${carried} ${granted ? 'permits' : 'does not permit'} a token with ${requested}`, async () => {
        const result = exchange(await codeFor(carried), requested)
        if (granted) await result
        else await expect(result).rejects.toEqual(soukError('scope_not_granted'))
      })
    }
  }

  test('gives different openIds per app and one unionId per project', async () => {
    const sibling = await newApp()
    const here = await userInfo(await tokenFor('user.info'))
    const there = await userInfo(await tokenFor('user.info', sibling))
    expect(here.openId).not.toBe(there.openId)
    expect(here.unionId).toBe(there.unionId)

    const projectId = '0190000000007000800000000000000c'
    await database.sql`
      insert into projects (project_id, name, ctime) values (${projectId}, 'Another owner', 0) on conflict do nothing`
    const foreign = await newApp()
    await database.sql`update apps set project_id = ${projectId} where appid = ${foreign.appid}`
    context.apps.forget(foreign.appid)
    expect((await userInfo(await tokenFor('user.info', foreign))).unionId).not.toBe(here.unionId)
  })
})

describe('the access token', () => {
  test('is an HS512 JWT with the documented claims in seconds of the domain clock', async () => {
    context.clock.ahead = 2 * hour + 999
    const token = await tokenFor('user.phone,user.info')
    expect(JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString())).toEqual({
      alg: 'HS512',
      typ: 'JWT',
      kid: context.vault.keyId,
    })
    const iat = Math.floor(context.clock.now() / 1000)
    expect(claimsOf(token)).toEqual({
      iat,
      nbf: iat,
      exp: iat + week,
      openId: await upsertOpenId(database.sql, app.appid, uid),
      clientId: app.appid,
      scope: 'user.info,user.phone',
      jti: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
  })

  test('is valid for its lifetime on the domain clock', async () => {
    const token = await tokenFor('user.info')
    context.clock.ahead += week * second - 1
    await userInfo(token)
    context.clock.ahead += 1
    await expect(userInfo(token)).rejects.toEqual(soukError('access_token_invalid'))
    context.clock.ahead = -1
    await expect(userInfo(token)).rejects.toEqual(soukError('access_token_invalid'))
  })

  test('is rejected if it was changed or issued elsewhere', async () => {
    const token = await tokenFor('user.info')
    const claims = claimsOf(token)
    await userInfo(forge(claims))
    const [header, body, signature] = token.split('.') as [string, string, string]
    const { exp, ...endless } = claims
    for (const bad of [
      forge({ ...claims, scope: 'user.phone' }, { key: createSecretKey(Buffer.alloc(64)) }),
      forge(claims, { alg: 'none' }),
      forge(claims, { alg: 'HS256', hash: 'sha256' }),
      forge(claims, { alg: 'HS384', hash: 'sha384' }),
      forge(endless),
      `${header}.${body}.${signature.slice(0, -4)}`,
      `${header}.${Buffer.from(JSON.stringify({ ...claims, scope: 'user.phone' })).toString('base64url')}.${signature}`,
      '',
      'x',
      '..',
      'a.b.c',
      `Bearer ${token}`,
    ]) {
      await expect(userInfo(bad)).rejects.toEqual(soukError('access_token_invalid'))
    }
  })

  test('is rejected with another appid', async () => {
    const token = await tokenFor('user.info')
    expect(await userInfo(token, app.appid)).toEqual(await userInfo(token))
    const { appid } = await newApp()
    await expect(userInfo(token, appid)).rejects.toEqual(soukError('access_token_invalid'))
  })

  test('is rejected while its app is disabled', async () => {
    const token = await tokenFor('user.info')
    await updateApp(context, admin, { appid: app.appid, enabled: false })
    await expect(userInfo(token)).rejects.toEqual(soukError('appid_invalid'))
    await updateApp(context, admin, { appid: app.appid, enabled: true })
    await userInfo(token)
  })
})

describe('consent', () => {
  const ask = (scope: string, consent: boolean) => getAuthCode(context, user, { appid: app.appid, scope, consent })
  const granted = async () => (await getConsent(context, user, { appid: app.appid })).scopes.toSorted()

  test('accumulates, while each code has exactly the requested scopes', async () => {
    await ask('user.phone', true)
    const { code, scope, expire } = await ask('user.email,user.info,user.info', true)
    expect({ scope, expire }).toEqual({ scope: 'user.info,user.email', expire: 300 })
    expect(await granted()).toEqual(['user.email', 'user.info', 'user.phone'])
    await expect(exchange(code, 'user.phone')).rejects.toEqual(soukError('scope_not_granted'))
  })

  test('is unchanged if the user declines, and no code is created', async () => {
    await ask('user.phone', true)
    await expect(ask('user.email', false)).rejects.toEqual(soukError('consent_refused'))
    expect(await granted()).toEqual(['user.phone'])
  })

  test('is per user and per app', async () => {
    await ask('user.phone', true)
    const other = await newApp()
    expect((await getConsent(context, user, { appid: other.appid })).scopes).toEqual([])
    const otherUser = { ...user, uid: (await createUser(context, admin, { nickname: 'Sam' })).uid }
    expect((await getConsent(context, otherUser, { appid: app.appid })).scopes).toEqual([])
  })

  test('invalidates unexchanged codes beyond user.info of that user and app when withdrawn', async () => {
    const elsewhere = await newApp()
    const revoked = (await ask('user.info,user.phone', true)).code
    const plain = (await login(context, user, { appid: app.appid })).code
    const foreign = await codeFor('user.phone', elsewhere)
    const token = await tokenFor('user.phone')
    expect(await withdrawConsent(context, user, { appid: app.appid })).toBe(true)

    expect(await granted()).toEqual([])
    await expect(exchange(revoked)).rejects.toEqual(soukError('code_expired'))
    await exchange(plain)
    await exchange(foreign, 'user.phone', elsewhere)
    expect(await userInfo(token)).toMatchObject({ phone: null })
    expect(await withdrawConsent(context, user, { appid: app.appid })).toBe(true)
  })

  test('withdrawal takes e-mail address and phone number from issued tokens at their next use', async () => {
    const token = await tokenFor('user.info,user.phone,user.email')
    const elsewhere = await tokenFor('user.info,user.phone', await newApp())
    expect(await userInfo(token)).toMatchObject({ email: profile.email, country: '+966', phone: '500000001' })
    await withdrawConsent(context, user, { appid: app.appid })
    expect(await userInfo(token)).toEqual({
      openId: expect.any(String),
      unionId: expect.any(String),
      attributes: {},
      nickName: 'Layla',
      avatar: profile.avatar,
      email: null,
      country: null,
      phone: null,
    })
    expect(await userInfo(elsewhere)).toMatchObject({ email: profile.email, phone: '500000001' })
  })

  test('lets a token read only what the user consents to now', async () => {
    const token = await tokenFor('user.info,user.phone')
    await withdrawConsent(context, user, { appid: app.appid })
    await ask('user.email', true)
    expect(await userInfo(token)).toMatchObject({ email: profile.email, phone: null })
  })

  test.each<[string, () => Promise<unknown>]>([
    ['given', () => ask('user.phone', true)],
    ['withdrawn', () => withdrawConsent(context, user, { appid: app.appid })],
    ['recorded by a first login', async () => login(context, user, { appid: (await newApp()).appid })],
    ['recorded by a first notice', async () => dismissNotice(context, user, { appid: (await newApp()).appid })],
  ])('that is %s while the user is being erased waits for that, and leaves nothing', async (_, act) => {
    const { sql } = database
    await ask('user.email', true)
    let done: Promise<unknown> | undefined
    await sql.begin(async (tx) => {
      await tx`select from users where uid = ${uid} for update`
      await tx`delete from login_codes where uid = ${uid}`
      done = act().catch((error: unknown) => error)
      await untilWaiting(sql, 1)
      await tx`delete from consents where uid = ${uid}`
      await tx`update users set erased_time = 1 where uid = ${uid}`
    })
    expect(await done).not.toBeInstanceOf(Error)
    expect(await sql`select from consents where uid = ${uid}`).toHaveLength(0)
  })

  test('to user.info and to user.email is the same consent', async () => {
    await ask('user.info', true)
    expect(await granted()).toEqual(['user.email', 'user.info'])
    await withdrawConsent(context, user, { appid: app.appid })
    await ask('user.email', true)
    expect(await granted()).toEqual(['user.email', 'user.info'])
  })

  test('lists the mini apps that know the user, from the first login on and after a withdrawal', async () => {
    const [other] = [await newApp(), await newApp()]
    const listed = async () => (await listConsents(context, user)).map(({ appid, scopes }) => [appid, scopes])
    expect(await listed()).toEqual([])
    await login(context, user, { appid: app.appid })
    await getAuthCode(context, user, { appid: other.appid, scope: 'user.phone', consent: true })
    const both = (consented: string[]) =>
      expect.arrayContaining([
        [app.appid, []],
        [other.appid, consented],
      ])
    expect(await listed()).toEqual(both(['user.phone']))
    await login(context, user, { appid: other.appid })
    expect(await listed()).toEqual(both(['user.phone']))
    await updateApp(context, admin, { appid: other.appid, enabled: false })
    await withdrawConsent(context, user, { appid: other.appid })
    expect(await listed()).toEqual(both([]))
  })

  test('remembers per user and app that the notice was dismissed', async () => {
    const { appid } = app
    const dismissed = async (as: HostUserCaller, of = appid) =>
      (await getConsent(context, as, { appid: of })).noticeDismissed
    await login(context, user, { appid })
    expect(await dismissed(user)).toBe(false)
    expect(await dismissNotice(context, user, { appid })).toBe(true)
    await ask('user.phone', true)
    await withdrawConsent(context, user, { appid })
    expect(await dismissed(user)).toBe(true)
    expect(await dismissed(user, (await newApp()).appid)).toBe(false)
    const otherUser = { ...user, uid: (await createUser(context, admin, { nickname: 'Sam' })).uid }
    expect(await dismissed(otherUser)).toBe(false)
    const missing = dismissNotice(context, user, { appid: 'zzzzzzzzzzzzzzz' })
    await expect(missing).rejects.toEqual(soukError('app_not_found'))
  })

  test('stays withdrawn when the clock of a sandbox is set back', async () => {
    const { code } = await ask('user.phone', true)
    context.clock.ahead = 2 * hour
    const later = await ask('user.phone', true)
    await withdrawConsent(context, user, { appid: app.appid })
    context.clock.ahead = 0
    for (const expired of [code, later.code]) {
      await expect(exchange(expired, 'user.phone')).rejects.toEqual(soukError('code_expired'))
    }
  })

  test('can be read and withdrawn for a disabled app, but not for an unknown one', async () => {
    await ask('user.phone', true)
    await updateApp(context, admin, { appid: app.appid, enabled: false })
    expect(await granted()).toEqual(['user.phone'])
    await withdrawConsent(context, user, { appid: app.appid })
    expect(await granted()).toEqual([])
    const missing = { appid: 'zzzzzzzzzzzzzzz' }
    await expect(getConsent(context, user, missing)).rejects.toEqual(soukError('app_not_found'))
    await expect(withdrawConsent(context, user, missing)).rejects.toEqual(soukError('app_not_found'))
  })

  test('leaves no valid code when granted and withdrawn concurrently', async () => {
    for (let round = 0; round < 40; round++) {
      const [granting] = await Promise.all([
        ask('user.phone', true),
        withdrawConsent(context, user, { appid: app.appid }),
      ])
      const works = await exchange(granting.code, 'user.phone').then(
        () => true,
        () => false,
      )
      expect(works).toBe((await granted()).length > 0)
      await withdrawConsent(context, user, { appid: app.appid })
    }
  })
})

describe('pruning', () => {
  test('keeps a code for a day after its expiry to detect reuse', async () => {
    const code = await codeFor('user.info')
    await exchange(code)
    context.clock.time += 5 * minute + day
    await pruneOauth(context)
    await expect(exchange(code)).rejects.toEqual(soukError('code_used'))
    context.clock.time += 1
    await pruneOauth(context)
    await expect(exchange(code)).rejects.toEqual(soukError('code_unknown'))
  })

  test('keeps a token revoked until it expires, even if a sandbox clock is moved and reset', async () => {
    const code = await codeFor('user.info')
    const { accessToken } = await exchange(code)
    await expect(exchange(code)).rejects.toEqual(soukError('code_used'))
    context.clock.ahead = 2 * week * second
    await pruneOauth(context)
    context.clock.ahead = 0
    await expect(userInfo(accessToken)).rejects.toEqual(soukError('access_token_invalid'))
    context.clock.time += week * second + 1
    await pruneOauth(context)
    expect(await database.sql`select from revoked_tokens where valid_until < ${context.clock.real()}`).toHaveLength(0)
  })
})
