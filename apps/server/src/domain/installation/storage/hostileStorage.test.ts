import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createObjectStorage, type ObjectStorage } from '../../../kernel/objectStorage.ts'
import { partSize } from './content.ts'
import { openContent } from './openContent.ts'

/** Contents that are read at once, and as a stream. */
const contents = [randomBytes(10_000), randomBytes(3 * partSize)]
const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')

/** What the storage answers for an object. */
let answer: (response: ServerResponse, content: Buffer) => void
let sent = 0
let server: Server
let objects: ObjectStorage

beforeAll(async () => {
  server = createServer(({ url }, response) => {
    const content = contents.find((each) => url?.endsWith(hashOf(each)))
    response.on('error', () => {})
    if (content) answer(response, content)
    else response.writeHead(200).end('another place')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/souk/`
  objects = createObjectStorage({ url, region: 'r', accessKeyId: 'a', secretAccessKey: 's' })
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await objects.close()
})

/** Reads a content as a request does. */
async function read(content: Buffer): Promise<Buffer> {
  const stored = {
    table: 'files',
    id: '0'.repeat(32),
    size: content.length,
    start: null,
    object: hashOf(content),
  } as const
  const opened = await openContent({ sql: undefined as never, objects, log: pino({ level: 'silent' }) }, stored)
  return Buffer.isBuffer(opened) ? opened : buffer(opened)
}

/** Sends bytes until the client has enough. */
function sendForever(response: ServerResponse): void {
  const part = Buffer.alloc(256 * 1024)
  const write = () => {
    while (!response.destroyed) {
      sent += part.length
      if (!response.write(part)) return void response.once('drain', write)
    }
  }
  response.writeHead(200)
  write()
}

test('a content is what was stored', async () => {
  answer = (response, content) => response.end(content)
  for (const content of contents) expect((await read(content)).equals(content)).toBe(true)
})

test.each<[string, typeof answer]>([
  ['another content of the same size', (response, content) => response.end(randomBytes(content.length))],
  ['one changed bit', (response, content) => response.end(content.with(-1, content.at(-1)! ^ 1))],
  ['nothing', (response) => response.end()],
  ['the beginning', (response, content) => response.end(content.subarray(0, -1))],
  ['more', (response, content) => response.end(Buffer.concat([content, Buffer.from('x')]))],
  ['the content twice', (response, content) => response.end(Buffer.concat([content, content]))],
  ['a part', (response, content) => response.writeHead(206).end(content.subarray(0, 100))],
  ['a redirect', (response) => response.writeHead(302, { location: '/elsewhere' }).end()],
  [
    'a compressed content',
    (response, content) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(content)),
  ],
  ['an error as a success', (response) => response.end('<Error><Code>NoSuchKey</Code></Error>')],
  ['a missing object', (response) => response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')],
  ['a forbidden object', (response) => response.writeHead(403).end('x'.repeat(100_000))],
  [
    'a length that is too large',
    (response, content) =>
      response.writeHead(200, { 'content-length': content.length + 1 }).write(content, () => response.destroy()),
  ],
  ['no content', (response) => response.writeHead(204).end()],
  ['bytes without an end', sendForever],
])('a storage that answers with %s is found out', async (_, wrong) => {
  answer = wrong
  for (const content of contents) {
    sent = 0
    await expect(read(content)).rejects.toMatchObject({
      code: expect.stringMatching(/^storage_(damaged|unavailable)$/),
    })
    // Buffers of both ends hold a few megabytes at most.
    expect(sent).toBeLessThan(64_000_000)
  }
})
