import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { minute, signParameters } from '@souk/contract'
import { checkoutSecrets, checkoutSettings, type FakeProvider, startCheckout } from '@souk/fake-providers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { inherited } from './commandLine.ts'
import { type Collector, type ReceivedSpan, startCollector } from './otlpCollector.ts'
import { type RunningServer, startServer } from './server.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const callerSpanId = '00f067aa0ba902b7'

let collector: Collector
let provider: FakeProvider
let server: RunningServer
/** The answer of `/metrics` when all requests had been made. */
let prometheus: string
/** The callback that the merchant received. */
let callback: IncomingMessage
/** Values that must not be in traces and metrics: secrets, personal data and identifiers of users and trades. */
const confidential = new Set<string>()

/** Pays a trade at a provider. The payer's return is the request that settles it, and has a trace of the test's. */
beforeAll(async () => {
  collector = await startCollector()
  provider = await startCheckout()
  provider.setWebhookFaults({ hold: true })
  const merchant = createServer((request, response) => {
    callback = request
    response.end('success')
  }).listen(0, '127.0.0.1')
  await once(merchant, 'listening')
  server = await startServer({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer collector-token',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    },
  })
  try {
    await payTrade(`http://127.0.0.1:${(merchant.address() as AddressInfo).port}/merchant-token`)
    await vi.waitFor(
      async () => {
        prometheus = await readMetrics()
        expect(prometheus).toContain('souk_callback_attempts_total{acknowledged="true"} 1')
      },
      { timeout: minute },
    )
  } finally {
    // Exports everything.
    await server.stop()
    merchant.close()
    await provider.close()
  }
})
afterAll(() => collector?.close())

const readMetrics = async () => (await fetch(`${server.url}/metrics`)).text()
const inTrace = (name: string): ReceivedSpan => {
  const found = collector.spans.find((span) => span.trace === traceId && span.name === name)
  if (!found) throw new Error(`no ${name} in ${collector.spans.map((span) => span.name).join(', ')}`)
  return found
}
/** Returns the names from a span up to the request. */
function ancestry({ name, parent }: ReceivedSpan): string[] {
  const found = collector.spans.find(({ id }) => id === parent)
  return found ? [name, ...ancestry(found)] : [name]
}

test('request, statements, provider call and callback of a payment are one trace', () => {
  const request = inTrace('GET /host/v1/return/:attemptId')
  expect(request).toMatchObject({
    kind: 'SERVER',
    parent: callerSpanId,
    attributes: {
      'http.request.method': 'GET',
      'http.route': '/host/v1/return/:attemptId',
      'http.response.status_code': 303,
      'souk.request_id': expect.any(String),
    },
  })
  expect(ancestry(inTrace('GET checkout'))).toEqual(['GET checkout', request.name])
  expect(inTrace('GET checkout')).toMatchObject({
    kind: 'CLIENT',
    attributes: { 'http.request.method': 'GET', 'server.address': 'localhost', 'http.response.status_code': 200 },
  })
  expect(ancestry(inTrace('insert callbacks'))).toEqual(['insert callbacks', 'transaction', request.name])
  expect(inTrace('insert callbacks')).toMatchObject({
    kind: 'CLIENT',
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': 'insert callbacks' },
  })
  expect(ancestry(inTrace('POST callback'))).toEqual(['POST callback', 'deliver callback', 'transaction', request.name])
  expect(inTrace('deliver callback').kind).toBe('CONSUMER')
})

test('every span of the trace has its parent in the trace', () => {
  const spans = collector.spans.filter(({ trace }) => trace === traceId)
  const ids = new Set([callerSpanId, ...spans.map(({ id }) => id)])
  expect(spans.filter(({ parent }) => !ids.has(parent))).toEqual([])
  expect(spans.length).toBeGreaterThan(15)
})

test('traces and metrics contain no secrets, no personal data and no values of parameters', () => {
  expect(confidential.size).toBeGreaterThan(12)
  const leaked = [...confidential].filter((value) => collector.received.some((text) => text.includes(value)))
  expect(leaked).toEqual([])
})

test('health checks, metrics and housekeeping are not traced', () => {
  const roots = collector.spans.filter(({ parent }) => parent === '')
  expect(new Set(roots.map(({ kind }) => kind))).toEqual(new Set(['SERVER', 'CONSUMER']))
  expect(roots.filter(({ name }) => /readyz|healthz|metrics/.test(name))).toEqual([])
})

test('merchants do not learn of traces', () => {
  const names = Object.keys(callback.headers)
  expect(names).toContain('content-type')
  expect(names.filter((name) => /trace|baggage/.test(name))).toEqual([])
})

test('OpenTelemetry exports the metrics of Prometheus', () => {
  const names = [...prometheus.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!)
  const empty = names.filter((name) => !new RegExp(`^${name}(_count)?[{ ]`, 'm').test(prometheus))
  expect([...collector.metrics.keys()].sort()).toEqual(names.filter((name) => !empty.includes(name)).sort())

  expect(collector.metrics.get('souk_callback_attempts_total')).toEqual({
    name: 'souk_callback_attempts_total',
    description: 'Attempts to deliver a payment result callback, by whether it was acknowledged',
    points: [expect.objectContaining({ attributes: { acknowledged: 'true' }, value: 1 })],
  })
  const { points } = collector.metrics.get('souk_outgoing_request_duration_seconds')!
  const calls = points.find(({ attributes }) => attributes.purpose === 'callback')!
  expect(calls).toMatchObject({ count: 1, bounds: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20] })
  expect(calls.buckets).toHaveLength(11)
  expect(calls.buckets!.reduce((a, b) => a + b)).toBe(1)
})

test('the standard variables of OpenTelemetry add headers and attributes of the process', () => {
  expect(collector.headers.map(({ authorization }) => authorization)).toEqual(
    collector.headers.map(() => 'Bearer collector-token'),
  )
  expect(collector.resource).toMatchObject({ 'service.name': 'souk', 'deployment.environment.name': 'test' })
})

test('the SDK of OpenTelemetry is not loaded without its setting', async () => {
  expect(await loadedPackages({})).not.toContain('@opentelemetry/sdk-trace')
  expect(await loadedPackages({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })).toContain('@opentelemetry/sdk-trace')
})

/** Starts a server that cannot create its data directory, and returns the packages that it has loaded until then. */
async function loadedPackages(env: Record<string, string>): Promise<string[]> {
  const hook = `import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) })`
  const main = join(import.meta.dirname, '../src/main.ts')
  const args = ['--conditions=souk-source', '--import', `data:text/javascript,${encodeURIComponent(hook)}`, main]
  const child = execFile(process.execPath, args, {
    env: { ...inherited, SOUK_DATA_DIR: '/dev/null/souk', ...env },
    maxBuffer: 10_000_000,
  })
  let urls = ''
  child.stdout!.on('data', (text: string) => {
    urls += text
  })
  await once(child, 'close')
  expect(child.exitCode).toBe(1)
  return [...new Set([...urls.matchAll(/node_modules\/((?:@[^/\s]+\/)?[^/\s]+)/g)].map(([, name]) => name!))]
}

/** Creates a trade and pays it with a card at the provider's page. */
async function payTrade(notifyUrl: string): Promise<void> {
  const demo = JSON.parse(await readFile(join(server.dataDir, 'demo.json'), 'utf8'))
  const { appid, secret } = demo as { appid: string; secret: string }
  const [{ uid }] = demo.users as [{ uid: number }]
  const account = { appid, provider: 'checkout', name: 'Card', secrets: checkoutSecrets }
  const settings = { ...checkoutSettings, baseUrl: provider.url }
  await call('POST', '/console/v1/provider-accounts', { ...account, settings }, server.adminToken)
  const { session } = await call('POST', '/host/v1/sessions', { uid })
  const { code } = await call('POST', `/host/v1/apps/${appid}/login`, {}, session)
  const app = { appid, secret }
  const grant = { code, grantType: 'authorization_code', scope: 'user.info' }
  const { accessToken } = await signed(app, 'oauth/mini/accessToken', grant)
  const info = await fetch(`${server.url}/neuopenapi/oauth/mini/user/info?accessToken=${accessToken}`)
  const { response: user } = (await info.json()) as { response: { openId: string; nickName: string } }
  const order = { outTradeNo: 'order-of-layla', description: 'Two coffees', amount: 1250, currency: 'SAR' }
  const { tradeNo } = await signed(app, 'pay/transactions/trade', { ...order, notifyUrl, openId: user.openId })
  await call('POST', `/host/v1/trades/${tradeNo}/payments`, { payMethod: 'card' }, session)
  const payment = provider.payments()[0]!
  provider.pay(payment.reference)
  await fetch(`${payment.redirectUrls.success}?cko-session-id=session-of-layla`, {
    redirect: 'manual',
    headers: {
      traceparent: `00-${traceId}-${callerSpanId}-01`,
      tracestate: 'vendor=state-of-caller',
      baggage: 'user=baggage-of-caller',
    },
  })
  for (const each of [
    ...[secret, server.adminToken, session, code, accessToken, ...Object.values(checkoutSecrets), 'collector-token'],
    ...[user.openId, user.nickName, tradeNo, payment.reference, order.outTradeNo, order.description, appid],
    ...['merchant-token', 'session-of-layla', 'state-of-caller', 'baggage-of-caller'],
  ]) {
    confidential.add(String(each))
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each operation has its own result; a wrong access fails the test.
async function call(method: string, path: string, body: object, token = ''): Promise<any> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
  const answer = await fetch(server.url + path, { method, headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  return answer.json()
}

async function signed(
  { appid, secret }: { appid: string; secret: string },
  path: string,
  own: Record<string, string | number>,
): Promise<Record<string, string>> {
  const parameters = Object.entries({ appid, timestamp: Date.now(), ...own })
  const body = new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, String(value)]))
  body.append('sign', signParameters(parameters, secret))
  const answer = await fetch(`${server.url}/neuopenapi/${path}`, { method: 'POST', body })
  if (!answer.ok) throw new Error(`POST ${path}: ${await answer.text()}`)
  return ((await answer.json()) as { response: Record<string, string> }).response
}
