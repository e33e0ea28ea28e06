import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import pLimit from 'p-limit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { archiveOf, build } from './archive.ts'
import { type RunningServer, startServer } from './server.ts'

const MB = 1024 * 1024
/** Limit of the growth. Ten uploads at once that are not bounded would add 450 MB. */
const bound = 250 * MB
/** Almost the largest release, which takes 46 KB packed. */
const large = 45 * MB
let server: RunningServer
let appid: string

beforeAll(async () => {
  server = await startServer({ isBundled: false })
  appid = (await call<{ appid: string }>('apps', JSON.stringify({ name: 'Tea House' }))).appid
})
afterAll(() => server.stop())

async function call<T>(path: string, body: string | FormData): Promise<T> {
  const headers = {
    Authorization: `Bearer ${server.adminToken}`,
    // Packing takes so long that the server may close a kept connection at the moment of the next request.
    Connection: 'close',
    ...(typeof body === 'string' && { 'Content-Type': 'application/json' }),
  }
  const answer = await fetch(`${server.url}/console/v1/${path}`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return answer.json() as Promise<T>
}

const pack = (files: Record<string, Buffer>) => archiveOf(build('H5', files))

let uploads = 0

async function upload(archive: Buffer): Promise<{ url: string }> {
  const form = new FormData()
  form.append('version', `1.${uploads++}`)
  form.append('fileData', new Blob([new Uint8Array(archive)]), 'release.tar.gz')
  return call(`apps/${appid}/releases`, form)
}

async function send(head: string, body = ''): Promise<Socket> {
  const { hostname, port } = new URL(server.url)
  // The server may close it while the body is being sent.
  const socket = connect(Number(port), hostname).on('error', () => {})
  await once(socket, 'connect')
  socket.write(`${head}\r\nHost: 127.0.0.1\r\n`)
  socket.write(body)
  return socket
}

/** Returns by how many bytes the resident set of the server grows at most during `work`. */
async function growthDuring(work: () => Promise<unknown>): Promise<number> {
  const status = (field: 'VmRSS' | 'VmHWM') =>
    Number(new RegExp(`${field}:\\s*(\\d+) kB`).exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) * 1024
  const before = status('VmRSS')
  // Resets the peak.
  writeFileSync(`/proc/${server.pid}/clear_refs`, '5')
  await work()
  return status('VmHWM') - before
}

test.runIf(process.platform === 'linux').each([
  ['uploads of small archives with large files', uploadInParallel],
  ['clients that do not read their responses', () => readNothing(32)],
  ['clients that do not read what is decompressed for them', () => readNothing(32, 'static/large.js')],
  ['bodies that never end', () => sendSlowly(400)],
])('the server takes at most 250 MB more memory for %s', async (_what, work) => {
  expect(await growthDuring(work)).toBeLessThan(bound)
})

async function uploadInParallel(): Promise<void> {
  const archives: Buffer[] = []
  for (let number = 0; number < 5; number++) {
    const image = Buffer.alloc(large)
    image.writeUInt8(number)
    archives.push(await pack({ 'static/large.png': image }))
  }
  // Two of each content, which is stored once. As many at once as a caller may have in progress.
  await pLimit(4).map([...archives, ...archives], upload)
}

async function readNothing(count: number, path = 'static/large.png'): Promise<void> {
  const { url } = await upload(await pack({ [path]: Buffer.alloc(large) }))
  const readers = Array.from({ length: count }, async () => {
    const socket = await send(`GET ${new URL(url, server.url).pathname}${path} HTTP/1.1`, '\r\n')
    // The first bytes show that the server has found the file.
    const [start] = (await once(socket, 'data')) as [Buffer]
    socket.pause()
    expect(String(start)).toMatch(/^HTTP\/1\.1 200/)
    return socket
  })
  for (const socket of await Promise.all(readers)) socket.destroy()
}

async function sendSlowly(count: number): Promise<void> {
  const size = 2 * MB
  const part = `--x\r\nContent-Disposition: form-data; name="fileData"; filename="a.png"\r\n\r\n${randomBytes(size / 2).toString('hex')}`
  const head = `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${size + 1000}\r\n\r\n`
  const senders = Array.from({ length: count }, async () => {
    const socket = await send('POST /neuopenapi/file/upload HTTP/1.1', `${head}${part}`)
    if (socket.writableLength > 0) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
    return socket
  })
  for (const socket of await Promise.all(senders)) socket.destroy()
}
