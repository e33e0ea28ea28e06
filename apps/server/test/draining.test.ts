import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from './database.ts'
import { type RunningServer, startServer } from './server.ts'

let database: FreshDatabase
let server: RunningServer

beforeAll(async () => {
  database = await freshDatabase()
  server = await startServer({ env: { DATABASE_URL: database.url, SOUK_DRAIN_DELAY: '5' }, isBundled: false })
})
afterAll(async () => {
  await server.stop()
  await database.drop()
})

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  return socket.on('error', () => {})
}

test('a server that stops is taken out of a balancer before it refuses connections, and refuses late requests', async () => {
  const get = (path: string) => fetch(`${server.url}${path}`)
  expect((await get('/readyz')).headers.get('connection')).toBe('keep-alive')
  // Open before the server stops listening: one with a request in progress, the others without one.
  const [slow, toOpenApi, toConsole] = [await open(), await open(), await open()]
  slow.write(
    'POST /console/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n',
  )
  const stopped = server.stop()
  // Says how long the process manager must wait.
  await expect.poll(() => server.log()).toContain('"drainDelay":5,"msg":"stopping"')

  await expect.poll(async () => (await get('/readyz')).status).toBe(503)
  const served = await get('/healthz')
  expect([served.status, served.headers.get('connection')]).toEqual([200, 'close'])

  const outcome = () =>
    open().then(
      () => 'accepted',
      ({ code }) => code,
    )
  await expect.poll(outcome).toBe('ECONNREFUSED')
  toOpenApi.write('GET /neuopenapi/trade/mini/tradedetail HTTP/1.1\r\nHost: localhost\r\n\r\n')
  toConsole.write('GET /console/v1/session HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [envelope, problem] = await Promise.all([text(toOpenApi), text(toConsole)])
  expect(envelope).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nconnection: close\r\n[\s\S]*"responseHeader":/i)
  expect(problem).toMatch(/^HTTP\/1\.1 503 [\s\S]*application\/problem\+json[\s\S]*"code":"unavailable"/i)
  expect(problem).toMatch(/\r\nconnection: close\r\n/i)
  slow.write('{}')
  expect(await text(slow)).toMatch(/^HTTP\/1\.1 400 /)
  await stopped
})
