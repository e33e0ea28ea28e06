import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Collector, startCollector } from '../../test/otlpCollector.ts'
import { createLog } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { startTelemetry } from './telemetry.ts'
import { enter, SpanKind, summarize, traced, traceJob, traceStatement, withTrace } from './tracing.ts'

/** One batch that is being exported, and the queue behind it. */
const maxUnsent = 512 + 2048

let collector: Collector
let metrics: Metrics
let logged: string[]
let telemetry: ReturnType<typeof startTelemetry>

beforeEach(async () => {
  collector = await startCollector()
  metrics = createMetrics()
  logged = []
  const log = createLog('warn', { write: (line) => logged.push(line) })
  telemetry = startTelemetry({ endpoint: collector.url, sampling: 1, log, metrics })
})
afterEach(async () => {
  await telemetry.stop()
  await collector.close()
})

const request = (traceparent?: string) => enter('GET /', { kind: SpanKind.SERVER, traceparent, attributes: {} })!
const failures = async () => (await metrics.telemetryFailures.get()).values[0]!.value

test('a collector that does not respond costs bounded memory and delays no work', async () => {
  const responses: { end(): unknown }[] = []
  collector.answer = (response) => responses.push(response)
  for (let i = 0; i < 10_000; i++) request().span.end()
  await expect.poll(() => responses.length).toBeGreaterThan(0)
  for (let i = 0; i < 10_000; i++) request().span.end()

  collector.answer = (response) => response.end()
  for (const response of responses) response.end()
  await expect.poll(() => collector.spans.length).toBe(maxUnsent)
  await telemetry.stop()
  expect(collector.spans).toHaveLength(maxUnsent)
})

test('the server stops although the collector does not respond', async () => {
  const responses: { end(): unknown }[] = []
  collector.answer = (response) => responses.push(response)
  request().span.end()
  await telemetry.stop()
  expect(collector.spans.map(({ name }) => name)).toEqual(['GET /'])
  for (const response of responses) response.end()
})

test('failed exports are counted, and one an hour is logged without the response', async () => {
  collector.answer = (response) => response.writeHead(400).end('details of the request')
  for (let i = 0; i < 512; i++) request().span.end()
  await expect.poll(failures).toBe(1)
  for (let i = 0; i < 512; i++) request().span.end()
  await expect.poll(failures).toBe(2)
  expect(logged).toEqual([expect.stringContaining('could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT')])
  expect(logged[0]).not.toContain('details')
})

test('an error marks its span by its code or name, never by its message', async () => {
  const fail = (error: Error) => async () => Promise.reject(error)
  const { span, run } = request()
  await run(() => traced('by code', fail(Object.assign(new Error('Layla'), { code: '23505' })))).catch(() => {})
  await run(() => traced('by name', fail(new TypeError('Layla')))).catch(() => {})
  span.end()
  await telemetry.stop()
  const types = collector.spans.map(({ name, attributes }) => [name, attributes['error.type']])
  expect(types).toEqual([
    ['by code', '23505'],
    ['by name', 'TypeError'],
    ['GET /', undefined],
  ])
  expect(collector.received.join()).not.toContain('Layla')
})

test('work outside a request or a job has no span', async () => {
  expect(await traced('housekeeping', async (span) => span)).toBeUndefined()
  expect(withTrace({ id: 1 })).toEqual({ id: 1 })
})

test('a job continues the trace of the request that enqueued it', async () => {
  const { span, run } = request('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01')
  const payload = run(() => withTrace({ id: 1 }))
  span.end()
  expect(payload).toEqual({
    id: 1,
    traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-${span.spanContext().spanId}-01`,
  })
  await traceJob('job', payload.traceparent, async () => {})
  await telemetry.stop()
  expect(collector.spans.map(({ name, parent }) => [name, parent])).toEqual([
    ['GET /', '00f067aa0ba902b7'],
    ['job', span.spanContext().spanId],
  ])
})

test.each(['', 'nonsense', '00-00000000000000000000000000000000-00f067aa0ba902b7-01', `00-${'f'.repeat(99)}`])(
  'the invalid traceparent %j starts a trace',
  (traceparent) => {
    expect(request(traceparent).span.spanContext().traceId).not.toMatch(/^[0f]+$/)
  },
)

test('a trace that the caller does not record is not recorded by Souk either', async () => {
  request('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00').span.end()
  request().span.end()
  await telemetry.stop()
  expect(collector.spans).toHaveLength(1)
})

test('without an export, statements and jobs pass through unchanged, and work starts immediately', async () => {
  await telemetry.stop()
  const run = () => {}
  expect(traceStatement(run, 'select 1')).toBe(run)
  const payload = { id: 1 }
  expect(withTrace(payload)).toBe(payload)
  const work = Promise.resolve()
  expect(traced('work', () => work)).toBe(work)
  expect(traceJob('job', undefined, () => work)).toBe(work)
  expect(enter('GET /', { kind: SpanKind.SERVER, traceparent: undefined, attributes: {} })).toBeUndefined()
})

test.each([
  ['select * from trades where id = ?', 'select trades'],
  ['\n  select count(*)::int as count from accounts where enabled', 'select accounts'],
  ['select graphile_worker.add_job(?, ?::json)', 'select graphile_worker.add_job'],
  ['select pg_notify(?, payload) from unnest(?::text[]) as payload', 'select pg_notify'],
  ['select id from callbacks order by id for update skip locked', 'select callbacks'],
  ['select * from trades where a is not distinct from ?', 'select trades'],
  ['select exists (select from claim)', 'select claim'],
  ['insert into users (name) values (?) on conflict (name) do update set name = ?', 'insert users'],
  ['with due as (select id from jobs for update) update callbacks set state = ?', 'update callbacks'],
  ['with old as (delete from codes returning 1) select count(*) from old', 'delete codes'],
  ['with recent as (select 1) select * from recent', 'select recent'],
  ["copy (select x from trades where name = 'Layla') to stdout", 'copy trades'],
  ['commit', 'commit'],
  ['', ''],
])('the summary of %j is %j', (statement, summary) => {
  expect(summarize(statement)).toBe(summary)
})
