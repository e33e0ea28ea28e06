import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type ExternalProvider, externalProviderNames, minute } from '@souk/contract'
import { fakeProviders } from '@souk/fake-providers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDelivery } from '../../src/delivery/index.ts'
import { expectedOf } from '../../src/domain/money/payments/adapters/expected.ts'
import { type ProviderAccount, providerOf } from '../../src/domain/money/payments/adapters/index.ts'
import { type Client, completeAuthorization, startAuthorization } from '../../src/domain/users/index.ts'
import { createEgress, type Egress } from '../../src/kernel/egress.ts'
import { newOpaqueId } from '../../src/kernel/id.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createMetrics, type Metrics } from '../../src/kernel/metrics.ts'
import { createObjectStorage } from '../../src/kernel/objectStorage.ts'
import { packageFolder, versionNumber } from '../../src/kernel/package.ts'
import { startTelemetry } from '../../src/kernel/telemetry.ts'
import { enter, SpanKind } from '../../src/kernel/tracing.ts'
import { Vault } from '../../src/kernel/vault.ts'
import { TestClock, testSettings } from '../context.ts'
import { type FreshDatabase, freshDatabase } from '../database.ts'

const publicUrl = 'https://souk.example.com'
const clientId = 'souk'
const userAgent = `Souk/${versionNumber} (+${publicUrl}/docs/)`

let server: Server
let url: string
let received: { path: string; headers: IncomingHttpHeaders }[]
/** Answers by path; others are `{}`. */
let answers: Record<string, unknown>
let egress: Egress
let database: FreshDatabase
let metrics: Metrics
let key: Awaited<ReturnType<typeof generateKeyPair>>

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = new URL(request.url!, url).pathname
    received.push({ path: `${request.method} ${path}`, headers: request.headers })
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[path] ?? {}))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  received = []
  answers = {}
  metrics = createMetrics()
  database = await freshDatabase()
  egress = createEgress({ allowlist: [], loopback: true, publicUrl, metrics })
  key = await generateKeyPair('RS256')
  for (const run of Object.values(kinds)) await run()
})
afterAll(async () => {
  await database.drop()
  await egress.close()
  server.closeAllConnections()
  server.close()
})

const send = (purpose: string) => async () => {
  const delivered = await createDelivery(egress)({ purpose, url: `${url}/${purpose}`, headers: {}, body: 'a=b' })
  expect(delivered.status).toBe(200)
}

const context = () => ({
  sql: database.sql,
  clock: new TestClock(),
  egress,
  log: createLog('silent'),
  settings: { ...testSettings().settings, publicUrl },
  vault: new Vault(() => [Buffer.alloc(32, 7)]),
})

/** Asks a provider for a payment. The answer is not one, which ends the attempt after its first request. */
const pay = (name: ExternalProvider) => async () => {
  const { settings, secrets } = fakeProviders[name]
  const account = { provider: name, settings: { ...settings, baseUrl: url }, secrets, providerAccountId: newOpaqueId() }
  const provider = providerOf(context() as never, account as ProviderAccount)
  const reference = { attemptId: newOpaqueId(), payNo: 'pay_1', tradeNo: newOpaqueId(), amount: 1, currency: 'SAR' }
  await provider.query(reference as never).catch(() => {})
}

/** Signs a user in, which reads discovery document and keys, and asks for tokens and claims. */
async function signIn(): Promise<void> {
  answers['/.well-known/openid-configuration'] = {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    userinfo_endpoint: `${url}/userinfo`,
    jwks_uri: `${url}/keys`,
  }
  answers['/keys'] = { keys: [{ ...(await exportJWK(key.publicKey)), kid: '1', alg: 'RS256' }] }
  answers['/userinfo'] = { sub: 'layla' }
  const now = { ...context(), clock: { real: Date.now, now: Date.now } } as never
  const provider = {
    providerId: newOpaqueId(),
    issuer: url,
    jwksUrl: null,
    pem: null,
    algorithms: ['RS256'] as const,
    clockTolerance: 0,
  }
  const client: Client = {
    provider,
    clientId,
    clientSecret: 'secret',
    scopes: [],
    redirectUrl: `${publicUrl}/signed-on`,
  }
  const { url: page, flow } = await startAuthorization(now, 'console', client)
  const { state, nonce } = Object.fromEntries(new URL(page).searchParams)
  const idToken = await new SignJWT({ nonce })
    .setProtectedHeader({ alg: 'RS256', kid: '1' })
    .setIssuer(url)
    .setAudience(clientId)
    .setSubject('layla')
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(key.privateKey)
  answers['/token'] = { access_token: 'a', token_type: 'Bearer', id_token: idToken }
  await completeAuthorization(now, 'console', client, { cookie: flow, response: `?code=1&state=${state}` })
}

async function storeObject(): Promise<void> {
  const objects = createObjectStorage(
    { url: `${url}/bucket/`, region: 'us-east-1', accessKeyId: 'id', secretAccessKey: 'secret' },
    { publicUrl },
  )
  await objects.put({ name: 'a', hash: '0'.repeat(64), size: 1, open: () => Buffer.from('a') })
  ;(await objects.get('a'))?.resume()
  await objects.delete('a')
  await objects.close()
}

async function exportTelemetry(): Promise<void> {
  const telemetry = startTelemetry({
    endpoint: `${url}/otlp`,
    publicUrl,
    sampling: 1,
    log: createLog('silent'),
    metrics,
  })
  enter('GET /', { kind: SpanKind.SERVER, traceparent: undefined, attributes: {} })!.span.end()
  await telemetry.stop()
}

/** One function per kind of request. */
const kinds: Record<string, () => Promise<void>> = {
  callback: send('callback'),
  event: send('event'),
  identity: signIn,
  ...Object.fromEntries(externalProviderNames.map((name) => [name, pay(name)])),
  doctor: async () => {
    const request = { purpose: 'doctor', url: `${url}/healthz`, method: 'GET', headers: {}, timeout: minute } as const
    await egress.request({ ...request, maxBytes: 100 })
  },
  objectStorage: storeObject,
  telemetry: exportTelemetry,
}

const queries = await Promise.all(
  externalProviderNames.map(async (name) => [name, [(await expectedOf(name)).queryRequest]] as const),
)
const expected: Record<string, string[]> = {
  callback: ['POST /callback'],
  event: ['POST /event'],
  identity: ['GET /.well-known/openid-configuration', 'POST /token', 'GET /keys', 'GET /userinfo'],
  ...Object.fromEntries(queries),
  doctor: ['GET /healthz'],
  objectStorage: ['PUT /bucket/a', 'GET /bucket/a', 'DELETE /bucket/a'],
  telemetry: ['POST /otlp/v1/traces', 'POST /otlp/v1/metrics'],
}

test('each kind of request has been received', () => {
  expect(received.map(({ path }) => path).sort()).toEqual(Object.values(expected).flat().sort())
})

test.each(Object.entries(expected).flatMap(([kind, paths]) => paths.map((path) => [kind, path])))(
  'requests of %s name Souk and what they accept: %s',
  (_, path) => {
    const { headers } = received.find((each) => each.path === path)!
    expect(headers.accept).toMatch(/^(\*\/\*|application\/.+)$/)
    // OpenTelemetry adds the name of its library.
    expect(headers['user-agent']!.replace(/ OTel-.*/, '')).toBe(userAgent)
  },
)

test('no other module of the server opens HTTP connections', () => {
  const client = /from 'undici'|from 'node:https?'|\bfetch\(|\bnew (EventSource|WebSocket)\(/
  const clients = globSync('src/**/*.ts', { cwd: packageFolder, exclude: ['**/*.test.ts'] }).filter((file) => {
    const code = readFileSync(join(packageFolder, file), 'utf8').replace(/^import type .*$/gm, '')
    return client.test(code)
  })
  expect(clients.sort()).toEqual(['src/kernel/egress.ts', 'src/kernel/objectStorage.ts'])
})

test('without a public URL, the version is named alone', async () => {
  const anonymous = createEgress({ allowlist: [], loopback: true })
  const headers = { 'User-Agent': 'library/1', Accept: 'text/plain' }
  await anonymous.request({ purpose: 'test', url: `${url}/x`, method: 'GET', headers, timeout: minute, maxBytes: 100 })
  await anonymous.close()
  expect(received.at(-1)!.headers).toMatchObject({ 'user-agent': `Souk/${versionNumber}`, accept: 'text/plain' })
})
