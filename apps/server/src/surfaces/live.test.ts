import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Live, maxStreams, openEventStream } from './live.ts'

let server: FastifyInstance
let live: Live
let port: number
let streams: ReturnType<typeof openEventStream>[]
let errors: unknown[]
/** Requests of the current test. */
let requests: { received: number; closed: number }
/** Resolves when the server may open a stream. */
let opening: Promise<unknown>

beforeEach(async () => {
  live = new Live()
  streams = []
  errors = []
  // Responses of an earlier test may close during this one.
  const counts = { received: 0, closed: 0 }
  requests = counts
  opening = Promise.resolve()
  server = Fastify()
  server.get<{ Params: { caller: string } }>('/events/:caller', async (request, reply) => {
    reply.raw.once('close', () => counts.closed++)
    counts.received++
    await opening
    reply.raw.on('error', (error) => errors.push(error))
    streams.push(openEventStream(reply, live, request.params.caller))
  })
  await server.listen({ port: 0 })
  port = (server.server.address() as AddressInfo).port
})
afterEach(async () => {
  server.server.closeAllConnections()
  await server.close()
})

const requestOf = (caller: string) => `GET /events/${caller} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const request = requestOf('Layla')

test('events after the end of a stream are dropped, also while its response waits for an earlier one', async () => {
  connect(port, 'localhost')
    .on('error', () => {})
    .write(request + request)
  await expect.poll(() => streams.length).toBe(2)
  live.stop()
  for (const stream of streams) stream.send('news', {})
  await setImmediate()
  expect(errors).toEqual([])
})

test('a stream whose client left before it was opened is cleaned up', async () => {
  const checked = Promise.withResolvers<void>()
  opening = checked.promise
  const client = connect(port, 'localhost').on('error', () => {})
  client.write(request)
  await expect.poll(() => requests.received).toBe(1)
  client.destroy()
  await expect.poll(() => requests.closed).toBe(1)
  checked.resolve()
  await expect.poll(() => streams.length).toBe(1)
  let cleanedUp = false
  streams[0]!.onClose(() => {
    cleanedUp = true
  })
  expect(cleanedUp).toBe(true)
  expect(live.listenerCount('stopping')).toBe(0)
})

test('a stream that is opened after the server has begun to stop ends at once', async () => {
  const checked = Promise.withResolvers<void>()
  opening = checked.promise
  const client = connect(port, 'localhost')
  client.write(request)
  await expect.poll(() => requests.received).toBe(1)
  live.stop()
  checked.resolve()
  expect(await text(client)).toContain(': connected')
})

test('a caller that opens too many streams loses its oldest, and no other caller does', async () => {
  const ended: string[] = []
  const open = (caller: string) => {
    const client = connect(port, 'localhost').on('error', () => {})
    client.write(requestOf(caller))
    void text(client).then(() => ended.push(caller))
  }
  for (let count = 0; count < maxStreams; count++) {
    open('Layla')
    open('Sam')
  }
  await expect.poll(() => streams.length).toBe(2 * maxStreams)
  expect(ended).toEqual([])
  open('Layla')
  open('Layla')
  await expect.poll(() => ended).toEqual(['Layla', 'Layla'])
  expect(streams).toHaveLength(2 * maxStreams + 2)
})
