import { gunzipSync } from 'node:zlib'
import type { Operation } from '@souk/contract'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { sendJson } from './sendJson.ts'

/** Returns the response to a request with these headers. */
async function respond(result: unknown, headers: Record<string, string> = {}, operation: Partial<Operation> = {}) {
  const server = fastify()
  server.get('/', (request, reply) => sendJson(request, reply, operation as Operation, result))
  const response = await server.inject({ method: 'GET', url: '/', headers })
  await server.close()
  return response
}

const long = { items: Array.from({ length: 200 }, (_, index) => ({ name: `Shop ${index}` })) }
const gzip = { 'accept-encoding': 'gzip, br' }

test('compresses long responses for clients that accept that', async () => {
  const compressed = await respond(long, gzip)
  expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
  expect(JSON.parse(gunzipSync(compressed.rawPayload).toString())).toEqual(long)
  expect(compressed.rawPayload.length).toBeLessThan(JSON.stringify(long).length / 3)
  for (const headers of [{}, { 'accept-encoding': 'br' }, { 'accept-encoding': 'gzip;q=0' }] as Record<
    string,
    string
  >[]) {
    const plain = await respond(long, headers)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.json()).toEqual(long)
  }
  expect((await respond([1], gzip)).json()).toEqual([1])
})

test('only responses of revalidated operations may be kept, and are not sent again', async () => {
  const kept = await respond(long, gzip, { revalidated: true })
  expect(kept.headers['cache-control']).toBe('private, no-cache')
  const again = await respond(long, { 'if-none-match': String(kept.headers.etag) }, { revalidated: true })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  const changed = await respond([1], { 'if-none-match': String(kept.headers.etag) }, { revalidated: true })
  expect([changed.statusCode, changed.json()]).toEqual([200, [1]])
  const other = await respond(long, { 'if-none-match': String(kept.headers.etag) })
  expect([other.statusCode, other.headers.etag, other.headers['cache-control']]).toEqual([200, undefined, 'no-store'])
})
