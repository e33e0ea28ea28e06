import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { day, hour, logoutEvent, minute, second, tokenExchangeGrant } from '@souk/contract'
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { untilWaiting } from '../locks.ts'
import { ProviderBrowser, startOidcProvider, type TestProvider } from '../oidcProvider.ts'
import { type JsonAnswer, startTestSouk, type TestSouk } from '../souk.ts'

const publicUrl = 'http://souk.test'
const clientId = 'souk-host'
const clientSecret = 'a secret: of /the client%'
const redirectUrl = `${publicUrl}/host/signed-in`

let souk: TestSouk
let provider: TestProvider
let issuerId: string
const servers: Server[] = []

beforeAll(async () => {
  provider = await startOidcProvider()
  await provider.register({
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [redirectUrl],
    post_logout_redirect_uris: [`${publicUrl}/host/sign-in`],
    backchannel_logout_uri: `${publicUrl}/host/v1/back-channel-logout`,
    backchannel_logout_session_required: true,
  })
  await provider.register({
    client_id: 'public',
    token_endpoint_auth_method: 'none',
    redirect_uris: [redirectUrl],
  })
  souk = await startTestSouk({ publicUrl })
  issuerId = await trust(provider.issuer)
  await enable(issuerId, { name: 'Example', clientId, clientSecret })
})
afterAll(async () => {
  for (const server of servers) server.close()
  await provider.stop()
  await souk.stop()
})

async function trust(issuer: string, more: object = {}): Promise<string> {
  const { status, body } = await souk.console('POST', '/console/v1/issuers', { issuer, audience: 'souk', ...more })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.issuerId
}

const enable = (issuer: string, client: object) =>
  souk.console('POST', `/console/v1/issuers/${issuer}/sign-in`, { name: 'Example', clientId, ...client })

/** Starts a sign-in as a page does, and returns the provider's page and the browser's cookie. */
async function start(issuer = issuerId): Promise<{ answer: JsonAnswer; url: string; cookie: string }> {
  const answer = await souk.raw('POST', '/host/v1/sign-in', {}, { issuerId: issuer })
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { answer, url: answer.body.url, cookie }
}
const complete = (cookie: string, response: string) =>
  souk.raw('POST', '/host/v1/sign-in/complete', cookie ? { Cookie: cookie } : {}, { response })

async function signIn(login: string, issuer = issuerId): Promise<JsonAnswer> {
  const { url, cookie } = await start(issuer)
  return complete(cookie, (await new ProviderBrowser().signIn(url, login)).search)
}
const me = (session: string) => souk.json(session, 'GET', '/host/v1/me')
async function countUsers(): Promise<number> {
  const [row] = await souk.context.sql<[{ count: number }]>`select count(*)::int as count from users`
  return row.count
}

/** Starts a server that behaves badly, and returns its URL. */
async function serve(handle: RequestListener): Promise<string> {
  const server = createServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a user of a company', () => {
  test('signs in with PKCE, state and nonce, and gets the profile that the provider has', async () => {
    provider.setClaims('layla', { name: 'Layla', email: 'layla@company.example', email_verified: true, locale: 'ar' })
    expect((await souk.raw('GET', '/host/v1/sign-in', {})).body).toEqual([{ issuerId, name: 'Example' }])

    const { answer, url, cookie } = await start()
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /; Max-Age=600; Path=\/host\/v1\/sign-in; HttpOnly; SameSite=Strict$/,
    )
    expect(Object.keys(answer.body)).toEqual(['url'])
    const asked = new URL(url)
    expect(asked.origin).toBe(provider.issuer)
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUrl,
      scope: 'openid profile email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })

    const returned = await new ProviderBrowser().signIn(url, 'layla')
    expect(returned.href).toContain(`${redirectUrl}?`)
    const signedIn = await complete(cookie, returned.search)
    expect(signedIn).toMatchObject({
      status: 200,
      body: { expire: (30 * day) / second, user: { nickName: 'Layla', email: 'layla@company.example' } },
    })
    expect(signedIn.headers.getSetCookie()[0]).toMatch(/^souk_sign_in=;/)
    expect((await me(signedIn.body.session)).body).toEqual(signedIn.body.user)
  })

  test('is the same user after each sign-in and each token exchange', async () => {
    const { uid } = (await signIn('sam')).body.user
    provider.setClaims('sam', { name: 'Sam the Second' })
    expect((await signIn('sam')).body.user).toMatchObject({ uid, nickName: 'Sam the Second' })
    expect((await me((await exchange('sam')).access_token)).body.uid).toBe(uid)
  })

  test('signs in at a provider that knows Souk as a public client', async () => {
    const own = await trust(provider.issuer, { audience: 'other' })
    await enable(own, { clientId: 'public' })
    expect((await signIn('public-layla', own)).status).toBe(200)
    await souk.console('DELETE', `/console/v1/issuers/${own}`)
  })

  test('signs out here and at the provider', async () => {
    const { session } = (await signIn('leaving')).body
    const { signOutUrl } = (await souk.json(session, 'DELETE', '/host/v1/sessions')).body
    expect((await me(session)).status).toBe(401)
    const url = new URL(signOutUrl)
    expect(url.origin + url.pathname).toBe(`${provider.issuer}/session/end`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: clientId,
      id_token_hint: expect.stringMatching(/^ey/),
      post_logout_redirect_uri: `${publicUrl}/host/sign-in`,
    })
    const { status } = await fetch(url)
    expect(status).toBe(200)
  })

  test('cannot sign in while disabled', async () => {
    await signIn('shut-out')
    await souk.context.sql`update users set disabled_time = 1 where subject = 'shut-out'`
    expect(await signIn('shut-out')).toMatchObject({ status: 400, body: { code: 'user_disabled' } })
  })

  test('loses the session when the issuer is removed', async () => {
    const own = await startOidcProvider()
    await own.register({ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUrl] })
    const issuer = await trust(own.issuer)
    await enable(issuer, { clientSecret })
    const { session } = (await signIn('temporary', issuer)).body
    expect((await me(session)).status).toBe(200)
    await souk.console('DELETE', `/console/v1/issuers/${issuer}`)
    expect((await me(session)).status).toBe(401)
    await own.stop()
  })
})

describe('a response that does not belong to the sign-in is rejected, and creates nothing:', () => {
  const returned = async () => {
    const started = await start()
    return { ...started, search: (await new ProviderBrowser().signIn(started.url, 'intruder')).searchParams }
  }

  test.each<[string, string, () => Promise<JsonAnswer>]>([
    [
      'with another state',
      'sign_in_state_wrong',
      async () => {
        const { cookie, search } = await returned()
        search.set('state', 'other')
        return complete(cookie, search.toString())
      },
    ],
    [
      'of a sign-in in another browser',
      'sign_in_not_started',
      async () => complete('', `${(await returned()).search}`),
    ],
    [
      'of another sign-in in this browser',
      'sign_in_state_wrong',
      async () => complete((await start()).cookie, `${(await returned()).search}`),
    ],
    [
      'with the name of another issuer',
      'sign_in_state_wrong',
      async () => {
        const { cookie, search } = await returned()
        search.set('iss', 'https://evil.example')
        return complete(cookie, search.toString())
      },
    ],
    [
      'with a made-up code',
      'authorization_code_refused',
      async () => {
        const { cookie, search } = await returned()
        search.set('code', 'made-up')
        return complete(cookie, search.toString())
      },
    ],
    ...['state', 'code', 'iss'].map((name): [string, string, () => Promise<JsonAnswer>] => [
      `with ${name} twice`,
      'authorization_response_invalid',
      async () => {
        const { cookie, search } = await returned()
        search.append(name, name === 'code' ? 'other' : search.get(name)!)
        return complete(cookie, search.toString())
      },
    ]),
    [
      'with neither code nor error',
      'authorization_response_invalid',
      async () => {
        const { cookie, search } = await returned()
        search.delete('code')
        return complete(cookie, search.toString())
      },
    ],
    [
      'after ten minutes',
      'sign_in_not_started',
      async () => {
        const { cookie, search } = await returned()
        souk.clock.stop()
        souk.clock.advance(10 * minute)
        const answer = await complete(cookie, search.toString())
        souk.clock.resume()
        return answer
      },
    ],
    [
      'with a cookie that is not from here',
      'sign_in_not_started',
      async () => complete('souk_sign_in=a.b', `${(await returned()).search}`),
    ],
    [
      'whose user pressed Cancel',
      'authorization_refused',
      async () => {
        const { cookie, search } = await returned()
        return complete(cookie, `?error=access_denied&iss=${search.get('iss')}&state=${search.get('state')}`)
      },
    ],
  ])('%s', async (_name, code, respond) => {
    const before = await countUsers()
    const answer = await respond()
    expect(answer.body.code).toBe(code)
    expect(await countUsers()).toBe(before)
  })

  test('that has been used before', async () => {
    const { url, cookie } = await start()
    const { search } = await new ProviderBrowser().signIn(url, 'rebecca')
    expect((await complete(cookie, search)).status).toBe(200)
    const again = { status: 400, body: { code: 'sign_in_not_started' } }
    expect(await complete(cookie, search)).toMatchObject(again)
    // Nor with another code, or by two requests at a time.
    const { search: other } = await new ProviderBrowser().signIn(url, 'rebecca')
    expect(other).not.toBe(search)
    expect(await complete(cookie, other)).toMatchObject(again)
    const twice = await start()
    const response = (await new ProviderBrowser().signIn(twice.url, 'rebecca')).search
    const answers = await Promise.all([complete(twice.cookie, response), complete(twice.cookie, response)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })
})

type SigningKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey']
/** An answer of a userinfo endpoint. `signed` makes a JWT. */
type UserInfo = (given: {
  url: string
  signed: (claims: JWTPayload, key?: SigningKey) => Promise<string>
}) => Promise<{ status?: number; type?: string; body: string }>

describe('an ID token is rejected, and creates nothing,', () => {
  /**
   * Serves a provider that answers every code with the ID token that `claims` and `sign` make, and requests for claims
   * with `userInfo`.
   */
  async function startFake(
    change: (claims: JWTPayload) => JWTPayload,
    sign?: (claims: JWTPayload) => Promise<string>,
    userInfo?: UserInfo,
  ) {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
    const jwk = { ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'fake', alg: 'RS256', use: 'sig' }
    let nonce = ''
    const url: string = await serve(async (request, response) => {
      const respond = (body: object) =>
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
      if (request.url === '/.well-known/openid-configuration') {
        return respond({
          issuer: url,
          jwks_uri: `${url}/jwks`,
          authorization_endpoint: `${url}/auth`,
          token_endpoint: `${url}/token`,
          ...(userInfo && { userinfo_endpoint: `${url}/userinfo` }),
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        })
      }
      if (request.url === '/jwks') return respond({ keys: [jwk] })
      if (request.url === '/userinfo') {
        const signed = (claims: JWTPayload, key = privateKey) =>
          new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'fake' }).sign(key)
        const { status = 200, type = 'application/json', body } = await userInfo!({ url, signed })
        return response.writeHead(status, { 'Content-Type': type }).end(body)
      }
      const now = Math.floor(Date.now() / second)
      const claims = change({ iss: url, aud: clientId, sub: 'forged', iat: now, exp: now + 60, nonce })
      const idToken = sign
        ? await sign(claims)
        : await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'fake' }).sign(privateKey)
      respond({ access_token: 'x', token_type: 'Bearer', id_token: idToken })
    })
    const issuer = await trust(url)
    await enable(issuer, { clientSecret })
    const started = await start(issuer)
    const { searchParams } = new URL(started.url)
    nonce = searchParams.get('nonce')!
    return complete(started.cookie, `?code=any&state=${searchParams.get('state')}`)
  }
  const past = Math.floor((Date.now() - hour) / second)

  test('unless it is valid', async () => {
    expect((await startFake((claims) => claims)).status).toBe(200)
    expect((await startFake((claims) => ({ ...claims, azp: clientId }))).status).toBe(200)
  })

  const jwt = 'application/jwt'
  const claims = { sub: 'forged', name: 'Claimed' }
  test.each<[string, number, string, UserInfo]>([
    ['JSON', 200, 'Claimed', async () => ({ body: JSON.stringify(claims) })],
    ['a signed JWT', 200, 'Claimed', async ({ signed }) => ({ type: jwt, body: await signed(claims) })],
    [
      'a signed JWT with issuer and audience',
      200,
      'Claimed',
      async ({ url, signed }) => ({
        type: `${jwt}; charset=utf-8`,
        body: await signed({ ...claims, iss: url, aud: [clientId, 'other'] }),
      }),
    ],
    [
      'a JWT that another key has signed',
      400,
      'token_signature_invalid',
      async ({ signed }) => ({ type: jwt, body: await signed(claims, (await generateKeyPair('RS256')).privateKey) }),
    ],
    [
      'a JWT without a signature',
      400,
      'token_algorithm_refused',
      async () => {
        const parts = [{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        return { type: jwt, body: `${parts.join('.')}.` }
      },
    ],
    [
      'a JWT of another issuer',
      400,
      'userinfo_invalid',
      async ({ signed }) => ({ type: jwt, body: await signed({ ...claims, iss: 'https://evil.example' }) }),
    ],
    [
      'a JWT for another client',
      400,
      'userinfo_invalid',
      async ({ signed }) => ({ type: jwt, body: await signed({ ...claims, aud: 'other' }) }),
    ],
    ['an encrypted JWT', 400, 'token_malformed', async () => ({ type: jwt, body: 'a.b.c.d.e' })],
    ['the claims of another user', 400, 'userinfo_invalid', async () => ({ body: '{"sub":"other"}' })],
    ['a page', 400, 'userinfo_invalid', async () => ({ type: 'text/html', body: '<p>Sorry</p>' })],
    ['a list', 400, 'userinfo_invalid', async () => ({ body: '[]' })],
    ['401', 403, 'userinfo_refused', async () => ({ status: 401, body: '{}' })],
    ['403', 403, 'userinfo_refused', async () => ({ status: 403, body: '{}' })],
    ['404', 403, 'userinfo_refused', async () => ({ status: 404, body: '' })],
    ['429', 503, 'issuer_unavailable', async () => ({ status: 429, body: '' })],
    ['500', 503, 'issuer_unavailable', async () => ({ status: 500, body: '' })],
  ])(
    'or its user has no valid claims: for a userinfo endpoint with %s the answer is %d %s',
    async (_name, status, result, answer) => {
      const before = await countUsers()
      const { status: answered, body } = await startFake((given) => given, undefined, answer)
      expect([answered, body.code ?? body.user.nickName]).toEqual([status, result])
      expect(await countUsers()).toBe(before + (status === 200 ? 1 : 0))
    },
  )

  test.each<[string, string, (claims: JWTPayload) => JWTPayload]>([
    ['with another nonce', 'id_token_nonce_wrong', (claims) => ({ ...claims, nonce: 'other' })],
    ['without a nonce', 'token_claim_missing', ({ nonce: _, ...claims }) => claims],
    ['for another audience', 'token_audience_wrong', (claims) => ({ ...claims, aud: 'other' })],
    ['for several audiences', 'token_audience_wrong', (claims) => ({ ...claims, aud: [clientId, 'other'] })],
    ['that another client has requested', 'token_audience_wrong', (claims) => ({ ...claims, azp: 'other' })],
    ['that a list of clients has requested', 'token_audience_wrong', (claims) => ({ ...claims, azp: [clientId] })],
    ['of another issuer', 'token_issuer_unknown', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['that has expired', 'token_time_invalid', (claims) => ({ ...claims, iat: past, exp: past + 60 })],
    ['without a subject', 'token_claim_missing', ({ sub: _, ...claims }) => claims],
    ['with U+0000 in a claim', 'token_malformed', (claims) => ({ ...claims, name: 'a\0b' })],
  ])('%s', async (_name, code, change) => {
    const before = await countUsers()
    expect((await startFake(change)).body.code).toBe(code)
    expect(await countUsers()).toBe(before)
  })

  test.each<[string, string, (claims: JWTPayload) => Promise<string>]>([
    [
      'with the client secret as its key',
      'token_algorithm_refused',
      (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(clientSecret)),
    ],
    [
      'without a signature',
      'token_algorithm_refused',
      async (claims) =>
        `${[{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`,
    ],
    [
      'signed by another key',
      'token_signature_invalid',
      async (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'RS256', kid: 'fake' })
          .sign((await generateKeyPair('RS256')).privateKey),
    ],
  ])('%s', async (_name, code, sign) => {
    const before = await countUsers()
    expect((await startFake((claims) => claims, sign)).body.code).toBe(code)
    expect(await countUsers()).toBe(before)
  })
})

describe('a provider', () => {
  /** Signs in at a provider with a valid discovery document, whose token endpoint is `handle`. */
  async function withTokenEndpoint(handle: RequestListener): Promise<JsonAnswer> {
    const url: string = await serve((request, response) => {
      if (request.url !== '/.well-known/openid-configuration') return handle(request, response)
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(
        JSON.stringify({
          issuer: url,
          jwks_uri: `${url}/jwks`,
          authorization_endpoint: `${url}/auth`,
          token_endpoint: `${url}/token`,
        }),
      )
    })
    const issuer = await trust(url)
    await enable(issuer, {})
    const started = await start(issuer)
    return complete(started.cookie, `?code=any&state=${new URL(started.url).searchParams.get('state')}`)
  }

  test.each<[string, () => Promise<JsonAnswer>]>([
    ['is down', () => withTokenEndpoint((request) => request.socket.destroy())],
    ['answers 2 MB', () => withTokenEndpoint((_request, response) => response.end(' '.repeat(2_000_000)))],
    [
      'redirects in a loop',
      () => withTokenEndpoint((request, response) => response.writeHead(302, { Location: request.url! }).end()),
    ],
    ['answers with a page', () => withTokenEndpoint((_request, response) => response.end('<p>Sorry</p>'))],
    [
      'rejects the client secret',
      () =>
        withTokenEndpoint((_request, response) =>
          response.writeHead(401, { 'Content-Type': 'application/json' }).end('{"error":"invalid_client"}'),
        ),
    ],
  ])('that %s starts no session', async (_name, respond) => {
    const before = await countUsers()
    const answer = await respond()
    expect(answer).toMatchObject({ status: 503, body: { code: 'issuer_unavailable' } })
    expect(answer.headers.get('retry-after')).toBe('60')
    expect(await countUsers()).toBe(before)
  })

  test('that is down is not asked again for a minute', async () => {
    let requests = 0
    let isDown = false
    const url: string = await serve((_request, response) => {
      requests++
      if (isDown) return response.writeHead(500).end()
      const document = { issuer: url, jwks_uri: `${url}/jwks`, authorization_endpoint: `${url}/auth` }
      response.end(JSON.stringify(document))
    })
    const issuer = await trust(url)
    await enable(issuer, {})
    isDown = true
    souk.clock.stop()
    souk.clock.advance(hour)
    for (let n = 0; n < 3; n++) {
      expect((await start(issuer)).answer).toMatchObject({ status: 503, body: { code: 'issuer_unavailable' } })
    }
    expect(requests).toBe(2)
    souk.clock.resume()
  })

  test('cannot send the browser to something that is not a web page', async () => {
    const url: string = await serve((_request, response) =>
      response.end(
        JSON.stringify({ issuer: url, jwks_uri: `${url}/jwks`, authorization_endpoint: 'javascript:alert(1)' }),
      ),
    )
    const issuer = await trust(url)
    await enable(issuer, {})
    expect((await start(issuer)).answer.body.code).toBe('issuer_unavailable')
  })
})

describe('a logout token', () => {
  const now = () => Math.floor(Date.now() / second)
  let tokens = 0
  const logoutClaims = (more: Record<string, unknown> = {}): JWTPayload => ({
    iss: provider.issuer,
    aud: clientId,
    iat: now(),
    exp: now() + 60,
    jti: `logout-${++tokens}`,
    events: { [logoutEvent]: {} },
    ...more,
  })
  const send = async (claims: JWTPayload) => post(await provider.sign(claims, { typ: 'logout+jwt' }))
  const post = (token: string) => postForm('back-channel-logout', { logout_token: token })

  test('ends the session of its user at the provider, and no other', async () => {
    const [one, other] = [await signIn('twice'), await signIn('twice')]
    const [{ sid }] = await souk.context.sql<[{ sid: string }]>`
      select provider_session as sid from host_sessions where provider_subject = 'twice' order by ctime limit 1`
    expect(await send(logoutClaims({ sub: 'twice', sid }))).toMatchObject({ status: 200, body: {} })
    expect((await me(one.body.session)).status).toBe(401)
    expect((await me(other.body.session)).status).toBe(200)
  })

  test('with a subject only ends all sessions of the user, including those of refresh tokens', async () => {
    const { session } = (await signIn('everywhere')).body
    const tokens = await exchange('everywhere')
    const others = (await signIn('someone else')).body.session
    expect((await send(logoutClaims({ sub: 'everywhere' }))).status).toBe(200)
    expect((await me(session)).status).toBe(401)
    expect((await me(tokens.access_token)).status).toBe(401)
    const refreshed = await postForm('token', { grant_type: 'refresh_token', refresh_token: tokens.refresh_token })
    expect(refreshed.body.code).toBe('refresh_token_invalid')
    expect((await me(others)).status).toBe(200)
  })

  test('with a session only ends the sign-ins of that session', async () => {
    const tokens = await exchange('bound', { sid: 'session-7' })
    const unbound = await exchange('bound')
    expect((await send(logoutClaims({ sid: 'session-7' }))).status).toBe(200)
    expect((await me(tokens.access_token)).status).toBe(401)
    expect((await me(unbound.access_token)).status).toBe(200)
  })

  test('is accepted once', async () => {
    const token = await provider.sign(logoutClaims({ sub: 'nobody' }))
    expect((await post(token)).status).toBe(200)
    expect(await post(token)).toMatchObject({ status: 400, body: { code: 'token_replayed' } })
  })

  test.each<[string, string, Record<string, unknown>]>([
    ['without its event', 'logout_token_invalid', { events: { other: {} } }],
    ['whose event is not an object', 'logout_token_invalid', { events: { [logoutEvent]: true } }],
    ['without events', 'token_claim_missing', { events: undefined }],
    ['with a nonce, as an ID token has', 'logout_token_invalid', { nonce: 'x' }],
    ['without a subject and a session', 'logout_token_invalid', { sub: undefined }],
    ['with a subject that is not a text', 'logout_token_invalid', { sid: 7 }],
    ['without an id', 'token_claim_missing', { jti: undefined }],
    ['without a time', 'token_claim_missing', { iat: undefined }],
    ['that has expired', 'token_time_invalid', { exp: now() - 3600 }],
    ['of another issuer', 'token_issuer_unknown', { iss: 'https://evil.example' }],
    ['for another audience', 'token_audience_wrong', { aud: 'other' }],
  ])('%s is rejected', async (_name, code, more) => {
    const { session } = (await signIn('stays')).body
    const answer = await send(logoutClaims({ sub: 'stays', ...more }))
    expect(answer).toMatchObject({ status: 400, body: { code, error: expect.any(String) } })
    expect((await me(session)).status).toBe(200)
  })

  test('signed by another key is rejected', async () => {
    const { privateKey } = await generateKeyPair('RS256')
    const token = await new SignJWT(logoutClaims({ sub: 'x' })).setProtectedHeader({ alg: 'RS256', kid: 'key-1' })
    expect((await post(await token.sign(privateKey))).body.code).toBe('token_signature_invalid')
  })

  test('cannot be exchanged for a session', async () => {
    const token = await provider.sign(logoutClaims({ sub: 'layla', aud: 'souk' }))
    expect((await exchangeToken(token)).body.code).toBe('token_malformed')
  })
})

test('sign-ins and tokens of an address are limited', async () => {
  const strict = await startTestSouk({ rateLimit: 2 })
  const form = { method: 'POST', body: new URLSearchParams({ token: 'unknown' }) }
  const answers = await Promise.all(Array.from({ length: 6 }, () => fetch(`${strict.url}/host/v1/revoke`, form)))
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(4)
  const refused = answers.find(({ status }) => status === 429)!
  expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable', code: 'rate_limited' })
  expect(refused.headers.get('retry-after')).toMatch(/^[12]$/)
  const lists = await Promise.all(Array.from({ length: 6 }, () => strict.raw('GET', '/host/v1/sign-in', {})))
  expect(lists.some(({ body }) => body.code === 'rate_limited')).toBe(true)
  await strict.stop()
})

describe('sign-in at an issuer', () => {
  test.each<[string, (issuer: string) => Promise<() => Promise<JsonAnswer>>, JsonAnswer['body']]>([
    [
      'a sign-in',
      async (issuer) => {
        await enable(issuer, { clientSecret })
        const { url, cookie } = await start(issuer)
        const { search } = await new ProviderBrowser().signIn(url, 'noor')
        return () => complete(cookie, search)
      },
      { code: 'issuer_not_found' },
    ],
    [
      'the exchange of a token',
      async () => {
        const exp = Math.floor(Date.now() / second) + 60
        const token = await provider.sign({ iss: provider.issuer, aud: 'removed', sub: 'noor', exp })
        return () => exchangeToken(token)
      },
      { code: 'token_issuer_unknown' },
    ],
    ['its own change', async (issuer) => () => enable(issuer, { clientSecret }), { code: 'issuer_not_found' }],
  ])('that is removed during %s is not found', async (_, prepare, body) => {
    const { sql } = souk.context
    const removed = await trust(provider.issuer, { audience: 'removed' })
    const act = await prepare(removed)
    let answer: Promise<JsonAnswer> | undefined
    await sql.begin(async (tx) => {
      await tx`delete from issuers where issuer_id = ${removed}`
      answer = act()
      await untilWaiting(sql, 1)
    })
    expect(await answer).toMatchObject({ body })
  })

  test('is shown with the addresses to register, and without the secret', async () => {
    const { body } = await souk.console('GET', '/console/v1/issuers')
    const found = body.find((issuer: { issuerId: string }) => issuer.issuerId === issuerId)
    expect(found.signIn).toEqual({
      name: 'Example',
      clientId,
      hasSecret: true,
      scopes: ['profile', 'email'],
      redirectUrl,
      signOutRedirectUrl: `${publicUrl}/host/sign-in`,
      backChannelLogoutUrl: `${publicUrl}/host/v1/back-channel-logout`,
    })
    const rows = await souk.context.sql<{ row: string }[]>`
      select c::text as row from issuer_clients c union all
      select detail::text from audit_log where action = 'issuer.enableSignIn'`
    for (const { row } of rows) expect(row).not.toContain(clientSecret)
  })

  test('can be disabled, which does not end sessions', async () => {
    const own = await trust(provider.issuer, { audience: 'third' })
    await enable(own, { clientSecret })
    const { session } = (await signIn('kept', own)).body
    expect((await souk.console('DELETE', `/console/v1/issuers/${own}/sign-in`)).body.signIn).toBeNull()
    expect((await start(own)).answer).toMatchObject({ status: 404, body: { code: 'issuer_not_found' } })
    expect((await me(session)).status).toBe(200)
    expect((await souk.json(session, 'DELETE', '/host/v1/sessions')).body).toEqual({ signOutUrl: null })
  })

  test('cannot be enabled while the provider is not reachable, or for an unknown issuer', async () => {
    const own = await trust('http://localhost:9')
    expect(await enable(own, {})).toMatchObject({ status: 503, body: { code: 'issuer_unavailable' } })
    expect((await enable('0'.repeat(32), {})).body.code).toBe('issuer_not_found')
  })

  test.each([{ scopes: ['a b'] }, { scopes: ['x', 'x'] }, { clientSecret: 7 }])('rejects %o', async (input) => {
    expect(await enable(issuerId, input)).toMatchObject({ status: 400, body: { code: 'parameter_invalid' } })
  })
})

async function postForm(path: string, form: Record<string, string>): Promise<JsonAnswer> {
  const answer = await fetch(`${souk.url}/host/v1/${path}`, { method: 'POST', body: new URLSearchParams(form) })
  return { status: answer.status, body: await answer.json(), headers: answer.headers }
}
const exchangeToken = (token: string) =>
  postForm('token', {
    grant_type: tokenExchangeGrant,
    subject_token: token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  })
async function exchange(sub: string, more: JWTPayload = {}): Promise<{ access_token: string; refresh_token: string }> {
  const exp = Math.floor(Date.now() / second) + 60
  return (await exchangeToken(await provider.sign({ iss: provider.issuer, aud: 'souk', sub, exp, ...more }))).body
}
