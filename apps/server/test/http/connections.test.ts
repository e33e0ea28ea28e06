import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { archiveOf, build } from '../archive.ts'
import { startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
const open: Socket[] = []

beforeAll(async () => {
  souk = await startTestSouk({ connections: { max: 20, requestTimeout: 5000, idleTimeout: 3000 } })
})
afterAll(() => souk.stop())
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  // The server must have seen their end, or it would reject connections of the next test.
  await expect.poll(() => souk.countConnections()).toBeLessThan(5)
})

async function send(request: string): Promise<Socket> {
  const { hostname, port } = new URL(souk.url)
  const socket = connect(Number(port), hostname).on('error', () => {})
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

test('closes connections above the maximum immediately', async () => {
  const sockets = await Promise.all(Array.from({ length: 21 }, () => send('GET / HT')))
  await expect.poll(() => sockets.some((socket) => socket.closed)).toBe(true)
  expect(await souk.countConnections()).toBeLessThanOrEqual(20)
})

test('rejects bodies above the memory that a client may use, in the format of the surface', async () => {
  const filling = await Promise.all(
    Array.from({ length: 11 }, () =>
      send(post('/neuopenapi/file/upload', 3_000_000, 'multipart/form-data; boundary=x')),
    ),
  )
  const answers = await Promise.all(filling.map((socket) => text(socket)))
  const rejected = answers.filter((answer) => answer.startsWith('HTTP/1.1 503 '))
  expect(rejected).toHaveLength(1)
  expect(rejected[0]).toMatch(/retry-after: 5\r\n.*"code":"unavailable"/is)
})
