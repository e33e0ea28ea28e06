import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { openOperations } from '@souk/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { exampleResponse } from '../../contract/src/examples.ts'

const spans = new InMemorySpanExporter()
const received: IncomingHttpHeaders[] = []

/** Refuses the first request, and answers the second one. */
const server = createServer((request, response) => {
  const isFirst = received.push(request.headers) === 1
  const refusal = { responseHeader: { status: 503, code: 'overloaded', msg: 'Later.' }, response: null }
  response.writeHead(isFirst ? 503 : 200, { 'X-Request-Id': 'r-1', 'Content-Type': 'application/json' })
  response.end(JSON.stringify(isFirst ? refusal : exampleResponse(openOperations.tradedetail)))
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  vi.stubEnv('SOUK_URL', `http://127.0.0.1:${(server.address() as { port: number }).port}`)
  vi.stubEnv('SOUK_APPID', 'aaaaaaaaaaaaaaa')
  vi.stubEnv('SOUK_SECRET', '0'.repeat(48))
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  vi.unstubAllEnvs()
})

test('the recipe for OpenTelemetry records a span per attempt, and continues it at the server', async () => {
  const { souk } = await import('../recipes/tracing.ts')
  await souk.tradedetail('0'.repeat(32))
  const [first, second] = spans.getFinishedSpans()
  expect(first).toMatchObject({
    name: 'souk tradedetail',
    attributes: {
      'http.request.method': 'GET',
      'http.request.resend_count': 0,
      'url.template': '/neuopenapi/pay/transactions/tradedetail',
      'http.response.status_code': 503,
      'error.type': 'overloaded',
      'souk.request_id': 'r-1',
    },
  })
  expect(second?.attributes).toMatchObject({ 'http.request.resend_count': 1, 'http.response.status_code': 200 })
  expect(second?.attributes).not.toHaveProperty('error.type')
  expect(received.map(({ traceparent }) => String(traceparent).split('-').slice(1, 3))).toEqual(
    spans.getFinishedSpans().map((span) => [span.spanContext().traceId, span.spanContext().spanId]),
  )
})

test.each(['tracing', 'certificates'])('the recipe %s is quoted in the README', (name) => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read(`../recipes/${name}.ts`)}\`\`\`\n`)
})
