import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import {
  AppendInterruptedError,
  type Clock,
  SoukApiError,
  SoukConnectionError,
  SoukPlatform,
  type SoukPlatformOptions,
} from './index.ts'

// Tested against the real server in apps/server/test/http/platformSdk.test.ts.

const apiKey = `souk_test_${'k'.repeat(36)}`
const datasetId = 'd'.repeat(32)

interface Received {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: { records: object[]; batchId: string }
}
type Respond = (response: ServerResponse, received: Received) => void

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** Starts a server that returns these responses in order, then repeats the last one. */
async function serve(...answers: Respond[]) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const url = new URL(request.url!, 'http://x')
    const one = {
      method: request.method!,
      url,
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
    received.push(one)
    answers[Math.min(received.length, answers.length) - 1]!(response, one)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  stops.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { received, baseUrl: `http://127.0.0.1:${port}` }
}

const json =
  (body: unknown, status = 200, headers = {}): Respond =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const problem = (status: number, code: string, headers = {}) =>
  json(
    { type: `urn:souk:error:${code}`, title: 'T', status, code, detail: 'The reason.', requestId: 'r1' },
    status,
    headers,
  )
const lost: Respond = (response) => void response.socket!.destroy()

const clock: Clock = { now: () => Date.now(), sleep: async () => {} }
const client = (options: Partial<SoukPlatformOptions> & { baseUrl: string }) =>
  new SoukPlatform({ apiKey, clock, ...options })

test('sends the key only in its header, or a token instead', async () => {
  const { received, baseUrl } = await serve(json({ items: [], next: null }))
  await client({ baseUrl }).datasets.list({ projectId: 'p'.repeat(32), limit: 5 })
  expect(received[0]!.headers).toMatchObject({ 'x-api-key': apiKey })
  expect(received[0]!.headers.authorization).toBeUndefined()
  expect(received[0]!.url.pathname + received[0]!.url.search).toBe(
    `/api/v1/datasets?projectId=${'p'.repeat(32)}&limit=5`,
  )
  await new SoukPlatform({ baseUrl, token: 'souk_token_x' }).datasets.list()
  expect(received[1]!.headers.authorization).toBe('Bearer souk_token_x')
  expect(received[1]!.headers['x-api-key']).toBeUndefined()
})

test('refuses invalid options immediately, without showing a key', () => {
  const broken = `${apiKey}\n${apiKey}`
  for (const options of [
    {},
    { apiKey: '' },
    { apiKey: `${apiKey}\n` },
    { apiKey: broken },
    { token: broken },
    { token: '…' },
    { apiKey, token: 'x' },
  ]) {
    const make = () => new SoukPlatform({ baseUrl: 'http://localhost:7070', ...options } as SoukPlatformOptions)
    expect(make).toThrow(TypeError)
    expect(make).not.toThrow(apiKey)
  }
  expect(() => client({ baseUrl: 'localhost:7070' })).toThrow(TypeError)
  expect(() => client({ baseUrl: 'http://localhost:7070/api/v1' })).toThrow('the URL before /api/v1')
})

test('refuses identifiers that fetch would resolve to the path of another operation', async () => {
  const { received, baseUrl } = await serve(json(true))
  for (const id of ['.', '..']) {
    await expect(client({ baseUrl }).datasets.deleteRecords(id, 'a=1')).rejects.toThrow(`datasetId is ${id}`)
  }
  expect(received).toEqual([])
})

test('formats conditions as a filter, quoted as needed', async () => {
  const { received, baseUrl } = await serve(json({ items: [], next: null }))
  await client({ baseUrl }).datasets.page(datasetId, {
    filter: [
      { field: 'title', operator: '=', value: 'a, "b"' },
      { field: 'due', operator: '>=', value: new Date(5) },
      { field: 'done', operator: '!=', value: null },
    ],
    fields: ['title', 'due'],
  })
  expect(Object.fromEntries(received[0]!.url.searchParams)).toEqual({
    filter: 'title="a, \\"b\\"",due>=5,done!=null',
    fields: 'title,due',
  })
})

test('fetches records page by page, only as needed', async () => {
  const { received, baseUrl } = await serve(
    json({ items: [{ n: 1 }, { n: 2 }], next: 'c1' }),
    json({ items: [{ n: 3 }], next: 'c2' }),
    json({ items: [], next: null }),
  )
  const seen: unknown[] = []
  for await (const { n } of client({ baseUrl }).datasets.records<{ n: number }>(datasetId, { filter: 'n>0' })) {
    seen.push(n)
    if (n === 3) break
  }
  expect(seen).toEqual([1, 2, 3])
  expect(received.map(({ url }) => url.searchParams.get('cursor'))).toEqual([null, 'c1'])
  expect(received.map(({ url }) => url.searchParams.get('filter'))).toEqual(['n>0', 'n>0'])
})

test('an error contains the details from Souk', async () => {
  const { baseUrl } = await serve(problem(403, 'permission_denied', { 'x-request-id': 'r1' }))
  const failure = await client({ baseUrl })
    .datasets.delete(datasetId)
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(SoukApiError)
  expect(failure).toMatchObject({
    operation: 'deleteDataset',
    status: 403,
    code: 'permission_denied',
    msg: 'The reason.',
    requestId: 'r1',
  })
})

test('recognizes responses that do not come from Souk', async () => {
  const html: Respond = (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
  const empty: Respond = (response) => void response.writeHead(502).end('')
  for (const answer of [html, empty, json(null), json([]), json('ok'), json({ status: 'ok' })]) {
    const { baseUrl } = await serve(answer)
    const platform = client({ baseUrl, maxRetries: 0 })
    const { datasets } = platform
    for (const calling of [
      platform.me(),
      datasets.iterate().next(),
      datasets.delete(datasetId),
      datasets.export(datasetId).next(),
    ]) {
      const failure = (await calling.catch((error: unknown) => error)) as Error
      expect(failure).toBeInstanceOf(SoukApiError)
      expect(failure.message).toContain('The response does not come from Souk')
      const advice = answer === empty ? 'A proxy in front of Souk limits requests' : `Check baseUrl ${baseUrl}`
      expect(failure.message).toContain(advice)
    }
  }
})

test('retries reads after temporary failures, but not a create that may have been processed', async () => {
  const reading = await serve(lost, problem(503, 'unavailable'), json({ items: [], next: null }))
  await client(reading).datasets.list()
  expect(reading.received).toHaveLength(3)
  const creating = await serve(lost)
  const dataset = { projectId: 'p'.repeat(32), name: 'x', fields: [{ name: 'a', type: 'string' as const }] }
  await expect(client(creating).datasets.create(dataset)).rejects.toThrow('check before you retry')
  expect(creating.received).toHaveLength(1)
})

test('retries an append with the same batchId, and uses one per batch', async () => {
  const { received, baseUrl } = await serve(
    json({ appended: 1000 }),
    lost,
    problem(429, 'rate_limited', { 'retry-after': '1' }),
    json({ appended: 500 }),
  )
  async function* records() {
    for (let n = 0; n < 1500; n++) yield { n }
  }
  expect(await client({ baseUrl }).datasets.append(datasetId, records())).toEqual({ appended: 1500 })
  expect(received.map(({ body }) => body.records.length)).toEqual([1000, 500, 500, 500])
  const ids = received.map(({ body }) => body.batchId)
  expect(new Set(ids.slice(1)).size).toBe(1)
  expect(ids[0]).not.toBe(ids[1])
})

test('splits large records into small batches, and reports the progress of a failed append', async () => {
  const { received, baseUrl } = await serve(
    (response, { body }) => json({ appended: body.records.length })(response, received[0]!),
    problem(400, 'parameter_invalid'),
  )
  const records = Array.from({ length: 300 }, () => ({ text: 'x'.repeat(20_000) }))
  const failure = await client({ baseUrl })
    .datasets.append(datasetId, records)
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(AppendInterruptedError)
  expect(failure).toMatchObject({ appended: received[0]!.body.records.length, cause: { code: 'parameter_invalid' } })
  expect(JSON.stringify(received[0]!.body).length).toBeLessThan(8 * 1024 * 1024)
})

const ndjson = { 'content-type': 'application/x-ndjson' }
const stream =
  (...pieces: (string | Buffer)[]): Respond =>
  async (response) => {
    response.writeHead(200, ndjson)
    for (const piece of pieces) {
      response.write(piece)
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  }

test('parses an export regardless of how the bytes are chunked', async () => {
  const bytes = Buffer.from('{"t":"中文"}\n{"t":"🙂"}\n{"t":""}\n')
  for (const size of [1, 2, 3, 1000]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    )
    const { baseUrl } = await serve(stream(...pieces))
    const seen: unknown[] = []
    for await (const { t } of client({ baseUrl }).datasets.export(datasetId)) seen.push(t)
    expect(seen).toEqual(['中文', '🙂', ''])
  }
})

test('throws for an incomplete export', async () => {
  let breakOff = () => {}
  const broken: Respond[] = [
    (response) => {
      response.writeHead(200, ndjson).write('{"n":1}\n')
      breakOff = () => response.destroy()
    },
    stream('{"n":1}\n{"n":'),
  ]
  for (const answer of broken) {
    const { baseUrl } = await serve(answer)
    const seen: unknown[] = []
    const reading = (async () => {
      for await (const record of client({ baseUrl }).datasets.export(datasetId)) {
        seen.push(record)
        breakOff()
      }
    })()
    await expect(reading).rejects.toBeInstanceOf(SoukConnectionError)
    expect(seen).toEqual([{ n: 1 }])
  }
})

test('leaving the loop or aborting the signal cancels an export at the server', async () => {
  for (const how of ['break', 'signal']) {
    const { promise: gone, resolve: closed } = Promise.withResolvers<void>()
    const { baseUrl } = await serve((response) => {
      response.on('close', closed)
      response.writeHead(200, ndjson).write('{"n":1}\n')
    })
    const leave = new AbortController()
    const reading = (async () => {
      for await (const _ of client({ baseUrl }).datasets.export(datasetId, {}, { signal: leave.signal })) {
        if (how === 'break') break
        leave.abort(new Error('enough'))
      }
    })()
    if (how === 'signal') await expect(reading).rejects.toThrow('enough')
    else await reading
    await gone
  }
})
