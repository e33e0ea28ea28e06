import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { minute, refreshTokenGrant, second, tokenExchangeGrant } from '@souk/contract'
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { untilWaiting } from '../locks.ts'
import { startOidcProvider, type TestProvider } from '../oidcProvider.ts'
import { startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
let provider: TestProvider
const servers: Server[] = []

beforeAll(async () => {
  ;[souk, provider] = await Promise.all([startTestSouk(), startOidcProvider()])
  await add({ issuer: provider.issuer, audience: 'souk' })
})
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})
afterAll(() => Promise.all([souk.stop(), provider.stop()]))

const add = (issuer: object) => souk.console('POST', '/console/v1/issuers', issuer)

interface Answer {
  status: number
  body: Record<string, string> & { expires_in: number }
  headers: Headers
}

async function post(path: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${souk.url}/host/v1/${path}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
  })
  return { status: response.status, body: (await response.json()) as Answer['body'], headers: response.headers }
}

const exchange = (subjectToken: string) =>
  post('token', {
    grant_type: tokenExchangeGrant,
    subject_token: subjectToken,
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  })
const refresh = (token: string) => post('token', { grant_type: refreshTokenGrant, refresh_token: token })
const me = (token: string | undefined) => souk.json(token ?? '', 'GET', '/host/v1/me')

/** Claims of a token that is valid for five minutes. */
function claims(more: JWTPayload = {}): JWTPayload {
  const now = Math.floor(Date.now() / second)
  return { iss: provider.issuer, aud: 'souk', sub: 'employee-1', iat: now, exp: now + 300, ...more }
}

const countUsers = async () =>
  (await souk.context.sql<[{ count: number }]>`select count(*)::int as count from users`)[0].count

/** Serves the same response to every request. */
async function serve(handle: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer({}, handle)
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('token exchange', () => {
  test('creates the user at the first exchange, and updates what later tokens say', async () => {
    const profile = {
      name: 'Layla Haddad',
      email: 'layla@corp.example',
      phone_number: '+966 50 071 8294',
      locale: 'ar',
    }
    const { status, body, headers } = await exchange(await provider.sign(claims(profile)))
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      access_token: expect.stringMatching(/^souk_host_/),
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: 900,
      refresh_token: expect.stringMatching(/^souk_refresh_/),
    })
    const first = (await me(body.access_token)).body
    expect(first).toMatchObject({
      nickName: 'Layla Haddad',
      email: 'layla@corp.example',
      country: '+966',
      phone: '500718294',
    })

    for (const email_verified of [false, 'false']) {
      const later = await exchange(
        await provider.sign(claims({ name: 'Layla H.', email: 'else@x.example', email_verified })),
      )
      expect((await me(later.body.access_token)).body).toMatchObject({ ...first, nickName: 'Layla H.' })
    }
    const other = await exchange(await provider.sign(claims({ sub: 'employee-2' })))
    expect((await me(other.body.access_token)).body).not.toMatchObject({ uid: first.uid })
  })

  test('ends the access token after 15 minutes, and the refresh token after 30 idle days', async () => {
    const { body } = await exchange(await provider.sign(claims({ sub: 'idle' })))
    souk.clock.offset += 15 * minute
    expect((await me(body.access_token)).status).toBe(401)
    const renewed = await refresh(body.refresh_token!)
    expect((await me(renewed.body.access_token)).status).toBe(200)
    souk.clock.offset += 30 * 24 * 60 * minute
    expect(await refresh(renewed.body.refresh_token!)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', code: 'refresh_token_invalid' },
    })
    souk.clock.offset = 0
  })

  test('ends the sign-in when a refresh token is used twice, also at the same time', async () => {
    const { body } = await exchange(await provider.sign(claims({ sub: 'copied' })))
    const next = await refresh(body.refresh_token!)
    expect(await refresh(body.refresh_token!)).toMatchObject({ status: 400, body: { code: 'refresh_token_reused' } })
    expect((await refresh(next.body.refresh_token!)).body.code).toBe('refresh_token_invalid')
    expect((await me(next.body.access_token)).status).toBe(401)

    const again = (await exchange(await provider.sign(claims({ sub: 'copied' })))).body
    const both = await Promise.all([refresh(again.refresh_token!), refresh(again.refresh_token!)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  test('revokes a sign-in by either token, and says nothing about unknown ones', async () => {
    for (const kind of ['access_token', 'refresh_token'] as const) {
      const { body } = await exchange(await provider.sign(claims({ sub: 'leaving' })))
      expect(await post('revoke', { token: body[kind]!, token_type_hint: kind })).toMatchObject({
        status: 200,
        body: {},
      })
      expect((await me(body.access_token)).status).toBe(401)
      expect((await refresh(body.refresh_token!)).body.code).toBe('refresh_token_invalid')
    }
    expect((await post('revoke', { token: 'unknown' })).status).toBe(200)
  })

  test('accepts each token id once while it is valid', async () => {
    const token = await provider.sign(claims({ jti: 'once' }))
    expect((await exchange(token)).status).toBe(200)
    expect(await exchange(token)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', code: 'token_replayed' },
    })
    const both = await provider.sign(claims({ jti: 'both' }))
    const statuses = (await Promise.all([exchange(both), exchange(both)])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 400])
  })

  test('rejects disabled users', async () => {
    const { body } = await exchange(await provider.sign(claims({ sub: 'suspended' })))
    await souk.context.sql`update users set disabled_time = 1 where subject = 'suspended'`
    expect((await exchange(await provider.sign(claims({ sub: 'suspended' })))).body.code).toBe('user_disabled')
    expect((await refresh(body.refresh_token!)).body.code).toBe('user_disabled')
  })

  test('refreshes while its user is disabled, without a deadlock', async () => {
    const { sql } = souk.context
    const { body } = await exchange(await provider.sign(claims({ sub: 'leaver' })))
    const [user] = await sql<[{ uid: number }]>`select uid from users where subject = 'leaver'`
    const { uid } = user
    let refreshing: Promise<Answer> | undefined
    // As disableHostUser does, with a pause after its lock.
    await sql.begin(async (tx) => {
      await tx`select from users where uid = ${uid} for update`
      refreshing = refresh(body.refresh_token!)
      await untilWaiting(sql, 1)
      await tx`delete from host_sessions where uid = ${uid}`
      await tx`delete from host_refresh_tokens where uid = ${uid}`
    })
    expect((await refreshing)?.body.code).toBe('refresh_token_invalid')
  })

  test('ends while its user is disabled, without a deadlock', async () => {
    const { sql } = souk.context
    await exchange(await provider.sign(claims({ sub: 'left' })))
    const [user] = await sql<[{ uid: number }]>`select uid from users where subject = 'left'`
    const { uid } = user
    let disabling: ReturnType<typeof souk.console> | undefined
    // As revokeToken and a logout of the provider do, with a pause after their first lock.
    await sql.begin(async (tx) => {
      await tx`select from host_refresh_tokens where uid = ${uid} for update`
      disabling = souk.console('POST', `/console/v1/users/${uid}/disable`, {})
      await untilWaiting(sql, 1)
      await tx`delete from host_sessions where uid = ${uid}`
    })
    expect((await disabling)?.body).toMatchObject({ uid, state: 'disabled' })
  })

  test('fetches keys when they are needed, and once a minute for unknown ones', async () => {
    const own = await startOidcProvider()
    await add({ issuer: own.issuer, audience: 'souk' })
    const sign = () => own.sign(claims({ iss: own.issuer }))
    for (let n = 0; n < 3; n++) expect((await exchange(await sign())).status).toBe(200)
    expect(own.countKeyRequests()).toBe(1)
    await own.rotateKey()
    for (let n = 0; n < 3; n++) expect((await exchange(await sign())).body.code).toBe('token_signature_invalid')
    expect(own.countKeyRequests()).toBe(1)
    await own.stop()
  })

  test('continues in an outage of the issuer with the keys that are known', async () => {
    const own = await startOidcProvider()
    await add({ issuer: own.issuer, audience: 'souk' })
    const exp = Math.floor(Date.now() / second) + 3600
    const sign = () => own.sign(claims({ iss: own.issuer, exp }))
    expect((await exchange(await sign())).status).toBe(200)
    await own.stop()
    souk.clock.stop()
    souk.clock.advance(16 * minute)
    // The first finds that the discovery document can no longer be read.
    for (let n = 0; n < 2; n++) expect((await exchange(await sign())).status).toBe(200)
    const unknown = await own.sign(claims({ iss: own.issuer, exp }), { kid: 'unknown' })
    expect((await exchange(unknown)).body).toMatchObject({ code: 'issuer_unavailable' })
    souk.clock.resume()
  })

  test('reads keys at the address that the discovery document names now', async () => {
    let place = 'one'
    const { publicKey, privateKey } = await generateKeyPair('RS256')
    const jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'RS256' }
    const url = await serve((request, response) => {
      const document = request.url === `/${place}` ? { keys: [jwk] } : { issuer: url, jwks_uri: `${url}/${place}` }
      response.end(JSON.stringify(document))
    })
    const sign = () => {
      const body = claims({ iss: url, exp: Math.floor(Date.now() / second) + 3600 })
      return new SignJWT(body).setProtectedHeader({ alg: 'RS256', kid: jwk.kid }).sign(privateKey)
    }
    await add({ issuer: url, audience: 'souk' })
    expect((await exchange(await sign())).status).toBe(200)
    ;[place, jwk.kid] = ['two', 'key-2']
    souk.clock.stop()
    souk.clock.advance(16 * minute)
    expect((await exchange(await sign())).status).toBe(200)
    souk.clock.resume()
  })

  test.each([
    ['RS256', 'a public key'],
    ['ES256', 'a public key'],
    ['EdDSA', 'a public key'],
  ])('verifies %s with %s in PEM', async (algorithm) => {
    const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true })
    const iss = `urn:backend:${algorithm}`
    const added = await add({ issuer: iss, audience: 'souk', pem: await exportSPKI(publicKey) })
    expect(added.body).toMatchObject({ algorithms: [algorithm], jwksUrl: null })
    const token = await new SignJWT(claims({ iss })).setProtectedHeader({ alg: algorithm }).sign(privateKey)
    expect((await exchange(token)).status).toBe(200)
  })
})

describe('bad tokens are rejected with their error, and create nothing:', () => {
  const rsaPem = async () => exportSPKI((await generateKeyPair('RS256', { extractable: true })).publicKey)
  const past = Math.floor(Date.now() / second) - 3600

  test.each<[string, string, string, () => Promise<string> | string]>([
    ['not a JWT', 'invalid_request', 'token_malformed', () => 'a.b.c'],
    [
      'of an unknown issuer',
      'invalid_grant',
      'token_issuer_unknown',
      () => provider.sign(claims({ iss: 'https://evil.example' })),
    ],
    [
      'for another audience',
      'invalid_grant',
      'token_audience_wrong',
      () => provider.sign(claims({ aud: ['else', 'other'] })),
    ],
    ['without a signature', 'invalid_grant', 'token_algorithm_refused', () => new UnsecuredJWT(claims()).encode()],
    [
      'with a symmetric signature by the public key',
      'invalid_grant',
      'token_algorithm_refused',
      async () => new SignJWT(claims()).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(await rsaPem())),
    ],
    ['expired', 'invalid_grant', 'token_time_invalid', () => provider.sign(claims({ exp: past }))],
    ['not yet valid', 'invalid_grant', 'token_time_invalid', () => provider.sign(claims({ nbf: past + 7200 }))],
    [
      'without an end',
      'invalid_grant',
      'token_claim_missing',
      () => provider.sign({ iss: provider.issuer, aud: 'souk', sub: 'x' }),
    ],
    [
      'without a subject',
      'invalid_grant',
      'token_claim_missing',
      () => provider.sign({ iss: provider.issuer, aud: 'souk', exp: Math.floor(Date.now() / second) + 60 }),
    ],
    ['with an empty subject', 'invalid_grant', 'token_claim_missing', () => provider.sign(claims({ sub: '' }))],
    ['with U+0000 in a claim', 'invalid_request', 'token_malformed', () => provider.sign(claims({ name: 'a\0b' }))],
    [
      'signed by another key',
      'invalid_grant',
      'token_signature_invalid',
      async () => {
        const { privateKey } = await generateKeyPair('RS256')
        return new SignJWT(claims()).setProtectedHeader({ alg: 'RS256', kid: 'key-1' }).sign(privateKey)
      },
    ],
  ])('%s', async (_name, error, code, token) => {
    const before = await countUsers()
    const answer = await exchange(await token())
    expect(answer).toMatchObject({
      status: 400,
      body: { error, code, error_description: expect.stringMatching(/\.$/), requestId: expect.any(String) },
    })
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await countUsers()).toBe(before)
  })

  test.each<[string, () => Promise<string>]>([
    [
      'is down',
      async () => {
        const url = await serve(() => {})
        servers.pop()!.close()
        return url
      },
    ],
    ['responds with 2 MB', () => serve((_request, response) => response.end(' '.repeat(2_000_000)))],
    [
      'redirects in a loop',
      () => serve((request, response) => response.writeHead(302, { Location: request.url! }).end()),
    ],
    [
      'has the discovery document of another',
      () => serve((_request, response) => response.end('{"issuer":"https://x"}')),
    ],
  ])('of an issuer that %s', async (_name, start) => {
    const issuer = await start()
    await add({ issuer, audience: 'souk' })
    const before = await countUsers()
    const token = await provider.sign(claims({ iss: issuer }))
    const answer = await exchange(token)
    expect(answer).toMatchObject({
      status: 503,
      body: { error: 'temporarily_unavailable', code: 'issuer_unavailable' },
    })
    expect(answer.headers.get('retry-after')).toBe('60')
    expect(await countUsers()).toBe(before)
  })

  test.each<[string, Record<string, string>, string, string]>([
    ['an unknown grant', { grant_type: 'password' }, 'unsupported_grant_type', 'grant_type_unsupported'],
    ['no grant', {}, 'invalid_request', 'parameter_missing'],
    ['no token', { grant_type: tokenExchangeGrant }, 'invalid_request', 'parameter_missing'],
    [
      'an unknown refresh token',
      { grant_type: refreshTokenGrant, refresh_token: 'x' },
      'invalid_grant',
      'refresh_token_invalid',
    ],
  ])('a request with %s', async (_name, form, error, code) => {
    expect(await post('token', form)).toMatchObject({ status: 400, body: { error, code } })
  })

  test('a request in JSON', async () => {
    const answer = await souk.json('', 'POST', '/host/v1/token', { grant_type: tokenExchangeGrant })
    expect(answer).toMatchObject({ status: 415, body: { error: 'invalid_request', code: 'body_unsupported' } })
  })
})

describe('issuers', () => {
  test.each([
    ['both jwksUrl and pem', { jwksUrl: 'https://x.example/jwks', pem: 'x' }, 'parameter_invalid'],
    ['a key that is none', { pem: 'not a key' }, 'parameter_invalid'],
    ['no https', { issuer: 'http://id.example' }, 'parameter_invalid'],
    ['credentials in the URL', { jwksUrl: 'https://a:b@x.example/jwks' }, 'parameter_invalid'],
    ['a symmetric algorithm', { algorithms: ['HS256'] }, 'parameter_invalid'],
    ['an unknown property', { claims: { age: 'age' } }, 'parameter_invalid'],
    ['too much tolerance', { clockTolerance: 301 }, 'parameter_invalid'],
  ])('with %s are rejected', async (_name, more, code) => {
    const answer = await add({ issuer: 'https://id.example', audience: 'souk', ...more })
    expect(answer).toMatchObject({ status: 400, body: { code } })
  })

  test('are at most 100, also if several are added at once', async () => {
    const { sql } = souk.context
    const issuer = 'https://many.example'
    await sql`
      insert into issuers (issuer_id, issuer, audience, algorithms, claims, clock_tolerance, ctime)
      select gen_random_uuid(), ${issuer}, number, algorithms, claims, clock_tolerance, ctime
      from (select * from issuers limit 1) one, generate_series((select count(*) from issuers), 98) number`
    const answers = await sql.begin(async (tx) => {
      await tx`lock table audit_log in exclusive mode`
      const started = ['souk', 'other'].map((audience) => add({ issuer, audience }))
      await untilWaiting(sql, 2)
      return [Promise.all(started)]
    })
    expect((await answers[0])!.map(({ body }) => body.code ?? 'added').sort()).toEqual([
      'added',
      'issuer_limit_reached',
    ])
    await sql`delete from issuers where issuer = ${issuer}`
  })

  test('are unique by name and audience, and end their sessions when removed', async () => {
    const own = await startOidcProvider()
    const { body } = await add({ issuer: own.issuer, audience: 'souk' })
    expect((await add({ issuer: own.issuer, audience: 'souk' })).body.code).toBe('issuer_exists')
    const token = await own.sign(claims({ iss: own.issuer }))
    const session = (await exchange(token)).body.access_token
    const path = `/console/v1/issuers/${body.issuerId}`
    expect((await souk.console('DELETE', path)).body).toBe(true)
    expect((await me(session)).status).toBe(401)
    expect((await exchange(token)).body.code).toBe('token_issuer_unknown')
    expect((await souk.console('DELETE', path)).body.code).toBe('issuer_not_found')
    await own.stop()
  })
})

describe('pages of other origins', () => {
  const page = 'https://app.example'
  const preflight = (origin: string, path = '/host/v1/me') =>
    fetch(souk.url + path, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'authorization',
      },
    })

  test('may call the host API if an administrator has allowed their origin, and no other surface', async () => {
    const { body } = await souk.console('PATCH', '/console/v1/platform-settings', { allowedOrigins: [page] })
    expect(body).toMatchObject({ allowedOrigins: [page] })
    await expect.poll(async () => (await preflight(page)).status, { timeout: 30_000 }).toBe(204)
    const answer = await preflight(page)
    expect(answer.headers.get('access-control-allow-origin')).toBe(page)
    expect(answer.headers.get('access-control-allow-headers')).toMatch(/Authorization/i)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    const refused = await fetch(`${souk.url}/host/v1/me`, { headers: { Origin: page } })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('access-control-allow-origin')).toBe(page)
    expect(refused.headers.get('vary')).toMatch(/Origin/)

    for (const [origin, path] of [
      ['https://evil.example', '/host/v1/me'],
      [`${page}.evil.example`, '/host/v1/me'],
      ['null', '/host/v1/me'],
      [page, '/console/v1/session'],
    ] as const) {
      expect((await preflight(origin, path)).headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test.each([
    '*',
    'https://app.example/',
    'http://app.example',
    'https://app.example/path',
    'null',
    'app.example',
    'https://*',
    'https://*.com',
    'https://*.co.uk',
    'https://*.github.io',
    'https://*.app.example',
    'https://app.*',
    'https://app.example;sandbox',
    "https://'none'",
    'https://app.example,other.example',
  ])('%s is not an origin', async (origin) => {
    const answer = await souk.console('PATCH', '/console/v1/platform-settings', { allowedOrigins: [origin] })
    expect(answer).toMatchObject({ status: 400, body: { code: 'parameter_invalid' } })
  })

  test.each(['https://app.example:8443', 'https://xn--mgbh0fb.example', 'https://192.0.2.1', 'https://[2001:db8::1]'])(
    '%s is an origin',
    async (origin) => {
      const answer = await souk.console('PATCH', '/console/v1/platform-settings', { allowedOrigins: [origin] })
      expect(answer).toMatchObject({ status: 200, body: { allowedOrigins: [origin] } })
    },
  )

  test('that earlier versions have stored, and that are none, have no effect', async () => {
    await souk.context.sql`
      update platform_settings set allowed_origins = ${['https://*.example', 'https://app.example']}::text[]`
    const policy = async () => (await fetch(`${souk.url}/host/embed/check`)).headers.get('content-security-policy')
    souk.clock.stop()
    souk.clock.advance(minute)
    expect(await policy()).toContain("frame-ancestors 'self' https://app.example;")
    souk.clock.resume()
  })
})
