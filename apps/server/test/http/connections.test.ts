import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { archiveOf, build } from '../archive.ts'
import { startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
const open: Socket[] = []

beforeAll(async () => {
  souk = await startTestSouk({
    connections: { max: 160, requestTimeout: 5000, idleTimeout: 3000, arrival: { grace: 2000, rate: 1024 } },
  })
})
afterAll(() => souk.stop())
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  // The server must have seen their end, or it would reject connections of the next test.
  await expect.poll(() => souk.countConnections()).toBeLessThan(5)
})

async function send(request: string | Buffer, { localAddress = '127.0.0.1', to = souk } = {}): Promise<Socket> {
  const { hostname, port } = new URL(to.url)
  const socket = connect({ port: Number(port), host: hostname, localAddress }).on('error', () => {})
  open.push(socket)
  await once(socket, 'connect')
  socket.write(request)
  return socket
}
const post = (path: string, length: number, type = 'application/json') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`

test('closes connections of requests that take too long to arrive', async () => {
  const heads = await send('GET / HTTP/1.1\r\nHost: ')
  const body = await send(post('/console/v1/session', 10_000))
  const drip = setInterval(() => {
    for (const socket of [heads, body]) socket.write(' ')
  }, 50)
  const answers = await Promise.all([heads, body].map((socket) => text(socket)))
  clearInterval(drip)
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408 /)
})

test('ends a body that arrives more slowly than the minimum rate, although it never pauses', async () => {
  const body = await send(post('/console/v1/session', 10_000))
  const drip = setInterval(() => body.write(' '), 50)
  const started = performance.now()
  expect(await text(body)).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s)
  clearInterval(drip)
  // Before the limit of the whole request.
  expect(performance.now() - started).toBeLessThan(4900)
})

test('closes silent connections before, in and after a request', async () => {
  const silent = [await send(''), await send('GET / HT'), await send(post('/console/v1/session', 10_000))]
  await Promise.all(silent.map((socket) => text(socket)))
})

test('closes connections of clients that do not read', async () => {
  const { appid } = (await souk.console('POST', '/console/v1/apps', { name: 'Tea House' })).body
  const form = new FormData()
  form.append('version', '1')
  const archive = await archiveOf(build('H5', { 'static/large.png': Buffer.alloc(45 * 1024 * 1024) }))
  form.append('fileData', new Blob([new Uint8Array(archive)]), 'release.tar.gz')
  const headers = { Authorization: `Bearer ${souk.adminToken}` }
  const uploaded = await fetch(`${souk.url}/console/v1/apps/${appid}/releases`, { method: 'POST', headers, body: form })
  const { url } = (await uploaded.json()) as { url: string }

  const before = await souk.countConnections()
  const reader = await send(
    `GET ${new URL(url, souk.url).pathname}static/large.png HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  )
  reader.pause()
  await expect.poll(() => souk.countConnections()).toBe(before + 1)
  await expect.poll(() => souk.countConnections()).toBe(before)
})

/** The addresses of clients on other machines, as the server sees them: only 127.0.0.1 and ::1 are this machine. */
const [here, away, elsewhere] = ['127.0.0.1', '127.0.0.2', '127.0.0.3']
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const statusOf = async (socket: Socket) => Number((await text(socket)).split(' ')[1])
const closing = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
/** Returns the status for a client that has no connection yet. */
const probe = async (path: string) => statusOf(await send(closing(path), { localAddress: '127.0.2.1' }))
const firstStatus = async (socket: Socket) => Number(String((await once(socket, 'data'))[0]).split(' ')[1])
const hold = (count: number, localAddress: string) =>
  Promise.all(Array.from({ length: count }, () => send('GET / HT', { localAddress })))

test('keeps connections for others if one client opens all that it can', async () => {
  await hold(160, away)
  // Of 160, a client can have ten. All others are kept for health checks, of which the newest stay.
  expect(await statusOf(await send(get('/host/v1/home'), { localAddress: away }))).toBe(503)
  expect(await statusOf(await send(get('/healthz'), { localAddress: away }))).toBe(200)
  expect(await statusOf(await send(closing('/host/v1/home'), { localAddress: elsewhere }))).toBe(401)
  expect(await statusOf(await send(closing('/host/v1/home'), { localAddress: here }))).toBe(401)
})

test('answers health checks, and this machine, if clients have opened all connections', async () => {
  await Promise.all(Array.from({ length: 30 }, (_, client) => hold(8, `127.0.1.${client}`)))
  await expect.poll(() => probe('/host/v1/home')).toBe(503)
  expect(await probe('/healthz')).toBe(200)
  expect(await probe('/readyz')).toBe(200)
  expect(await statusOf(await send(closing('/host/v1/home'), { localAddress: here }))).toBe(401)
  expect(await souk.countConnections()).toBeLessThanOrEqual(160 + 50 + 1)
})

test('limits the requests in progress of each client behind a trusted proxy', async () => {
  const proxied = await startTestSouk({ trustProxy: 1, connections: { max: 160 } })
  const request = post('/console/v1/session', 2)
  const from = (client: string, body: string) =>
    send(request.replace('\r\n', `\r\nX-Forwarded-For: ${client}\r\n`) + body, { to: proxied, localAddress: away })
  const sent = await Promise.all(Array.from({ length: 11 }, () => from('192.0.2.1', '{')))
  expect(await Promise.race(sent.map(firstStatus))).toBe(503)
  expect(await firstStatus(await from('192.0.2.2', '{}'))).toBe(400)
  for (const socket of open) socket.destroy()
  await proxied.stop()
})

describe('bodies', () => {
  const size = 60_000

  test('that are announced but not sent keep nobody from sending', async () => {
    const path = '/neuopenapi/file/upload'
    const silent = Array.from({ length: 60 }, (_, n) =>
      send(`${post(path, 2_000_000, 'multipart/form-data; boundary=x')}-`, { localAddress: `127.0.3.${n % 9}` }),
    )
    const imports = Array.from({ length: 9 }, () => send(`${post('/webhooks/x', 8_000_000)}{`))
    await Promise.all([...silent, ...imports])
    const answer = await souk.console('POST', '/console/v1/apps', { name: 'Tea House' })
    expect(answer.status).toBe(200)
    expect((await souk.raw('POST', '/console/v1/session', {}, { username: 'a', password: 'b' })).status).toBe(401)
  })

  test.each([
    ['/console/v1/session', 'application/json', /"code":"unavailable"/],
    ['/host/v1/token', 'application/x-www-form-urlencoded', /"error":"temporarily_unavailable"|"code":"unavailable"/],
    ['/neuopenapi/notify/sendNotify', 'application/x-www-form-urlencoded', /"responseHeader":.*"code":"unavailable"/],
  ])('of callers who are not known have a share of the memory per client, at %s', async (path, type, code) => {
    const [one, other] = ['127.0.0.1', '127.0.4.2']
    const head = post(path, size, type)
    const almost = Buffer.concat([Buffer.from(head), Buffer.alloc(size - 1, ' ')])
    // 2 MiB, of which a body of 60,000 bytes takes at most twice its size while it arrives.
    const sent = await Promise.all(Array.from({ length: 36 }, () => send(almost, { localAddress: one })))
    const refused = await Promise.any(
      sent.map(async (socket) => {
        const answer = await text(socket)
        if (!answer.startsWith('HTTP/1.1 503')) throw new Error(answer)
        return answer
      }),
    )
    expect(refused).toMatch(/retry-after: 5\r\n/i)
    expect(refused).toMatch(code)
    expect(
      await statusOf(
        await send(`${head.replace('\r\n', '\r\nConnection: close\r\n')}${' '.repeat(size)}`, { localAddress: other }),
      ),
    ).toBeLessThan(500)
    expect((await souk.console('POST', '/console/v1/apps', { name: 'Tea House' })).status).toBe(200)
  })
})
