import { second, tokenExchangeGrant } from '@souk/contract'
import type { JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pruneAttributes } from '../../src/domain/users/index.ts'
import { ProviderBrowser, startOidcProvider, type TestProvider } from '../oidcProvider.ts'
import { type JsonAnswer, startTestSouk, type TestSouk } from '../souk.ts'

const publicUrl = 'http://souk.test'
const grantType = 'authorization_code'
const titles = { en: 'QID number', 'zh-Hans': 'QID 号码', ar: 'رقم البطاقة الشخصية' }
const qid = { scope: 'user.qid', titles, fields: [{ name: 'qid', claim: 'qid_number' }], requiresConsent: true }
const tier = {
  scope: 'user.tier',
  titles: { en: 'Membership', 'zh-Hans': '会员等级', ar: 'العضوية' },
  fields: [{ name: 'tier', claim: 'tier' }],
  requiresConsent: false,
}

let souk: TestSouk
let provider: TestProvider
let app: { appid: string; secret: string }
let user: { uid: number; session: string }

beforeAll(async () => {
  ;[souk, provider] = await Promise.all([startTestSouk({ publicUrl }), startOidcProvider()])
  app = (await souk.console('POST', '/console/v1/apps', { name: 'Tea House' })).body
})
beforeEach(async () => {
  for (const scope of [qid, tier]) expect(await put(scope)).toMatchObject({ status: 200, body: scope })
  user = await newUser({ qid_number: '28463400123', tier: 3, unnamed: 'not stored' })
})
afterAll(() => Promise.all([souk.stop(), provider.stop()]))

const put = (definition: object) => souk.console('POST', '/console/v1/user-scopes', definition)
const remove = (scope: string) => souk.console('DELETE', `/console/v1/user-scopes/${scope}`)
const host = (
  method: string,
  path: string,
  input?: unknown,
  { session }: { session: string } = user,
): Promise<JsonAnswer> => souk.json(session, method, `/host/v1${path}`, input)

async function newUser(claims: object): Promise<{ uid: number; session: string }> {
  const { uid } = (await souk.console('POST', '/console/v1/sandbox/users', { nickname: 'Layla', claims })).body
  return { uid, session: (await souk.json('', 'POST', '/host/v1/sessions', { uid })).body.session }
}

const login = async (): Promise<string> => (await host('POST', `/apps/${app.appid}/login`, {})).body.code
const getAuthCode = (scope: string, by: { session: string } = user) =>
  host('POST', `/apps/${app.appid}/auth-code`, { scope, consent: true }, by)
const exchange = (code: string, scope: string, more: { timestamp?: number } = {}) =>
  souk.signed(app, 'POST', '/neuopenapi/oauth/mini/accessToken', { code, grantType, scope, ...more })
const infoOf = (accessToken: string) => souk.send('GET', `/neuopenapi/oauth/mini/user/info?accessToken=${accessToken}`)

/** Gets a code with the user's consent, and returns the access token for the same scopes. */
async function tokenFor(scope: string, by?: { session: string }): Promise<string> {
  const { body } = await getAuthCode(scope, by)
  return (await exchange(body.code, scope)).response.accessToken
}
const attributesOf = async (token: string) => (await infoOf(token)).response.attributes

describe('the console', () => {
  test('defines, replaces, lists and removes scopes', async () => {
    const changed = { ...qid, titles: { ...titles, en: 'Identity card' } }
    expect((await put(changed)).body).toEqual({ ...changed, ctime: expect.any(Number) })
    expect((await souk.console('GET', '/console/v1/user-scopes')).body).toMatchObject([changed, tier])
    expect((await remove('user.qid')).body).toBe(true)
    expect((await remove('user.qid')).body.code).toBe('user_scope_not_found')
    expect((await souk.console('GET', '/console/v1/user-scopes')).body).toMatchObject([tier])
  })

  test.each([
    [{ ...qid, scope: 'user.phone' }, 'scope'],
    [{ ...qid, scope: 'user.QID' }, 'scope'],
    [{ ...qid, scope: `user.${'q'.repeat(28)}` }, 'scope'],
    [{ ...qid, titles: { en: 'QID' } }, 'titles'],
    [{ ...qid, fields: [] }, 'fields'],
    [{ ...qid, fields: [{ name: '__proto__', claim: 'x' }] }, 'fields'],
    [{ ...qid, fields: [qid.fields[0], qid.fields[0]] }, 'fields'],
    [{ ...qid, fields: [{ name: 'tier', claim: 'other' }] }, 'fields'],
  ])('refuses a definition %#', async (definition, parameter) => {
    const { status, body } = await put(definition)
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'parameter_invalid' })
    expect(body.detail).toContain(parameter)
  })

  test('takes the scopes that published clients ask for, up to its limit', async () => {
    for (const name of ['qdi', 'epassport', 'mrzpassport']) {
      expect((await put({ ...qid, scope: `user.${name}` })).status).toBe(200)
    }
    for (let n = 0; n < 15; n++) expect((await put({ ...qid, scope: `user.more${n}` })).status).toBe(200)
    expect((await put({ ...qid, scope: 'user.more15' })).body.code).toBe('user_scope_limit_reached')
    expect((await put(qid)).status).toBe(200)
    await souk.context.sql`delete from user_scopes`
  })
})

describe('an access token', () => {
  test('reveals what the user consents to, from the next read on after a withdrawal and a new consent', async () => {
    const token = await tokenFor('user.info,user.qid')
    expect((await infoOf(token)).response).toMatchObject({
      nickName: 'Layla',
      phone: null,
      attributes: { qid: '28463400123', tier: null },
    })
    await host('DELETE', `/apps/${app.appid}/consent`)
    expect(await attributesOf(token)).toEqual({ qid: null, tier: null })
    await getAuthCode('user.qid')
    expect(await attributesOf(token)).toEqual({ qid: '28463400123', tier: null })
  })

  test('reveals what needs no consent, with neu.login() too', async () => {
    const { response } = await exchange(await login(), 'user.info,user.qid,user.tier')
    expect(response.scope).toBe('user.info,user.tier')
    expect(await attributesOf(response.accessToken)).toEqual({ qid: null, tier: '3' })
    await host('DELETE', `/apps/${app.appid}/consent`)
    expect(await attributesOf(response.accessToken)).toEqual({ qid: null, tier: '3' })
  })

  test('is for those of the requested scopes that the code includes, the same for a repetition', async () => {
    const { body } = await getAuthCode('user.nothing,user.qid,user.info')
    expect(body).toMatchObject({ scope: 'user.info,user.qid' })
    const refused = await exchange(body.code, 'user.phone,user.nothing')
    expect(refused).toMatchObject({ http: 403, code: 'scope_not_granted' })
    expect(refused.msg).toContain('user.info,user.qid')

    const sameRequest = () => exchange(body.code, 'user.qid,user.tier,user.nothing,user.info', { timestamp })
    const timestamp = souk.clock.real()
    const { response } = await sameRequest()
    expect(response.scope).toBe('user.info,user.qid')
    await remove('user.qid')
    expect((await sameRequest()).response).toEqual(response)
  })

  test('reveals nothing of a removed scope, nor of one that is defined again', async () => {
    const token = await tokenFor('user.qid')
    const { body } = await getAuthCode('user.qid,user.info')
    await remove('user.qid')
    expect(await attributesOf(token)).toEqual({ tier: null })
    expect((await exchange(body.code, 'user.qid,user.info')).response.scope).toBe('user.info')
    await put(qid)
    expect(await attributesOf(token)).toEqual({ qid: null, tier: null })
  })

  test('asks again when a scope reveals more, or needs consent from now on', async () => {
    const token = await tokenFor('user.qid,user.tier')
    await put({ ...qid, titles: { ...titles, en: 'Card' } })
    expect(await attributesOf(token)).toEqual({ qid: '28463400123', tier: '3' })
    await put({ ...qid, fields: [...qid.fields, { name: 'expiry', claim: 'qid_expiry' }] })
    await put({ ...tier, requiresConsent: true })
    expect(await attributesOf(token)).toEqual({ qid: null, expiry: null, tier: null })
  })
})

describe('the host', () => {
  test('lists scopes with the values of the user, and what a mini app may read', async () => {
    expect((await host('GET', '/scopes')).body).toEqual([
      { scope: 'user.qid', titles, requiresConsent: true, values: ['28463400123'] },
      { scope: 'user.tier', titles: tier.titles, requiresConsent: false, values: ['3'] },
    ])
    const scopes = async () => (await host('GET', `/apps/${app.appid}/consent`)).body.scopes
    expect(await scopes()).toEqual(['user.tier'])
    await getAuthCode('user.qid,user.tier')
    expect(await scopes()).toEqual(['user.qid', 'user.tier'])
    expect((await host('GET', '/consents')).body).toMatchObject([{ scopes: ['user.qid', 'user.tier'] }])
    await host('DELETE', `/apps/${app.appid}/consent`)
    expect(await scopes()).toEqual(['user.tier'])
  })

  test('fails only if it knows none of the scopes', async () => {
    const { status, body } = await getAuthCode('user.nothing,user.none')
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'scope_not_granted' })
    expect(body.detail).toContain('user.info,user.phone,user.email,user.qid,user.tier')
    expect((await getAuthCode('phone')).body.code).toBe('parameter_invalid')
  })

  test('lets a withdrawal end the codes that needed consent, but not those of neu.login()', async () => {
    const [silent, asked] = [await login(), (await getAuthCode('user.qid')).body.code]
    await host('DELETE', `/apps/${app.appid}/consent`)
    expect((await exchange(asked, 'user.qid')).code).toBe('code_expired')
    expect((await exchange(silent, 'user.tier')).response.scope).toBe('user.tier')
  })
})

describe('the identity provider', () => {
  /** Exchanges a token of the provider for a host session. */
  async function exchangeToken(claims: JWTPayload): Promise<{ session: string }> {
    const now = Math.floor(Date.now() / second)
    const token = await provider.sign({ iss: provider.issuer, aud: 'souk', iat: now, exp: now + 300, ...claims })
    const response = await fetch(`${souk.url}/host/v1/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: tokenExchangeGrant,
        subject_token: token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      }),
    })
    expect(response.status).toBe(200)
    return { session: ((await response.json()) as { access_token: string }).access_token }
  }

  beforeAll(() => souk.console('POST', '/console/v1/issuers', { issuer: provider.issuer, audience: 'souk' }))

  test('fills the fields at each token exchange; claims that are absent or not usable change nothing', async () => {
    const employee = await exchangeToken({ sub: 'employee-1', qid_number: ' 28463400999 ', tier: true, other: 'x' })
    const token = await tokenFor('user.qid,user.tier', employee)
    expect(await attributesOf(token)).toEqual({ qid: '28463400999', tier: 'true' })
    await exchangeToken({ sub: 'employee-1', qid_number: ['28463400998'], tier: 'gold' })
    await exchangeToken({ sub: 'employee-1', qid_number: '' })
    await exchangeToken({ sub: 'employee-1', qid_number: '2'.repeat(1025) })
    expect(await attributesOf(token)).toEqual({ qid: '28463400999', tier: 'gold' })
    const rows = await souk.context.sql`select from user_attributes where claim not in ('qid_number', 'tier')`
    expect(rows.length).toBe(0)
  })

  test('fills the fields at each sign-in', async () => {
    const redirectUrl = `${publicUrl}/host/signed-in`
    await provider.register({ client_id: 'host', token_endpoint_auth_method: 'none', redirect_uris: [redirectUrl] })
    const trusted = { issuer: provider.issuer, audience: 'host' }
    const { issuerId } = (await souk.console('POST', '/console/v1/issuers', trusted)).body
    await souk.console('POST', `/console/v1/issuers/${issuerId}/sign-in`, { name: 'Company', clientId: 'host' })
    await put({ ...tier, fields: [{ name: 'tier', claim: 'preferred_username' }] })
    provider.setClaims('sara', { preferred_username: 'sara.a' })
    const started = await souk.raw('POST', '/host/v1/sign-in', {}, { issuerId })
    const Cookie = started.headers.getSetCookie()[0]!.split(';')[0]!
    const response = (await new ProviderBrowser().signIn(started.body.url, 'sara')).search
    const signedIn = await souk.raw('POST', '/host/v1/sign-in/complete', { Cookie }, { response })
    expect(await attributesOf(await tokenFor('user.tier', signedIn.body))).toMatchObject({ tier: 'sara.a' })
  })
})

describe('values of a user', () => {
  const stored = () => souk.context.sql`select claim, value from user_attributes where uid = ${user.uid} order by claim`

  test('are exported and erased', async () => {
    const attributes = [
      { claim: 'qid_number', value: '28463400123' },
      { claim: 'tier', value: '3' },
    ]
    expect((await souk.console('POST', `/console/v1/users/${user.uid}/export`, {})).body).toMatchObject({ attributes })
    await souk.console('POST', `/console/v1/users/${user.uid}/erase`, {})
    expect(await stored()).toEqual([])
  })

  test('are deleted once no scope names their claim', async () => {
    await remove('user.qid')
    await pruneAttributes(souk.context)
    expect(await stored()).toEqual([{ claim: 'tier', value: '3' }])
  })
})
