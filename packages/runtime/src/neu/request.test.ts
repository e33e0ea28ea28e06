import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Carrier } from '../carriers/carrier.ts'
import { setCarrier } from '../carriers/current.ts'
import { downloadFile, request } from './request.ts'
import { setTimeouts } from './timeouts.ts'
import { requestOf } from './transfer.ts'

// Constants of the build.
Object.assign(globalThis, { __SOUK_PLATFORM__: 'App', __SOUK_UNI_APP__: false })

let server: Server
let url: string
/** A server that never answers. */
const held: IncomingMessage[] = []

beforeAll(async () => {
  setCarrier({} as Carrier)
  server = createServer(async (incoming, answer) => {
    if (incoming.url === '/held') return void held.push(incoming)
    if (incoming.url === '/file') {
      return void answer.writeHead(200, { 'content-type': 'text/plain', 'content-length': '5' }).end('hello')
    }
    if (incoming.url === '/broken') return void answer.writeHead(500).end('{ broken')
    const { method, headers } = incoming
    answer.setHeader('content-type', 'application/json')
    answer.end(JSON.stringify({ method, url: incoming.url, type: headers['content-type'], body: await text(incoming) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

test('puts data into the query of a GET, and into the body of a POST by content type', async () => {
  const get = await request({
    url: `${url}/a?keep=1&name=old#part`,
    data: { name: 'ü &', list: [1, 2], none: undefined },
  })
  expect(get.statusCode).toBe(200)
  expect(get.data).toMatchObject({ method: 'GET', url: '/a?keep=1&name=%C3%BC+%26&list=%5B1%2C2%5D' })

  for (const method of [null, ''])
    expect((await request({ url, method: method as never })).data).toMatchObject({ method: 'GET' })
  const post = await request({ url: `${url}/b`, method: 'post', data: { a: 1 } })
  expect(post.data).toEqual({ method: 'POST', url: '/b', type: 'application/json', body: '{"a":1}' })

  const header = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const form = await request({ url: `${url}/c`, method: 'POST', header, data: { a: '1 2', b: { c: 3 } } })
  expect(form.data).toMatchObject({ type: header['Content-Type'], body: 'a=1+2&b=%7B%22c%22%3A3%7D' })

  const raw = await request({
    url: `${url}/d`,
    method: 'PUT',
    header: { 'content-type': 'text/plain' },
    data: 'as it is',
  })
  expect(raw.data).toMatchObject({ method: 'PUT', type: 'text/plain', body: 'as it is' })
})

test('resolves with any status, and keeps a response that is not JSON as text', async () => {
  const { statusCode, data } = await request({ url: `${url}/broken` })
  expect([statusCode, data]).toEqual([500, '{ broken'])
  const binary = await request({ url: `${url}/file`, responseType: 'arraybuffer' })
  expect(new TextDecoder().decode(binary.data)).toBe('hello')
  expect(binary.header['content-type']).toBe('text/plain')
  expect((await request({ url: `${url}/e`, dataType: 'text' })).data).toContain('"GET"')
})

test('fails a request without response after its timeout or abort', async () => {
  await expect(request({ url: `${url}/held`, timeout: 50 })).rejects.toThrow('timeout')
  const task = request({ url: `${url}/held` })
  task.abort()
  await expect(task).rejects.toThrow('abort')
})

test('fails if nothing listens at the address', async () => {
  await expect(request({ url: 'http://127.0.0.1:1' })).rejects.toThrow()
})

test('reports the progress of a download', async () => {
  const task = downloadFile({ url: `${url}/file` })
  const seen: unknown[] = []
  task.onHeadersReceived(({ statusCode }) => seen.push(statusCode))
  task.onProgressUpdate((event) => seen.push(event))
  const { statusCode, tempFilePath } = await task
  expect(statusCode).toBe(200)
  expect(await (await fetch(tempFilePath)).text()).toBe('hello')
  expect(seen).toEqual([200, { progress: 100, totalBytesWritten: 5, totalBytesExpectedToWrite: 5 }])
})

test('passes values on that fetch can send', () => {
  const body = new FormData()
  const { init } = requestOf({ url, method: 'POST', data: body })
  expect(init.body).toBe(body)
  expect(new Headers(init.headers).has('content-type')).toBe(false)
  const bytes = new Uint8Array([1])
  expect(requestOf({ url, method: 'POST', data: bytes }).init.body).toBe(bytes)
})

test('gives no reason if the server cannot be reached in H5 builds of uni-app projects, where apps would show it', async () => {
  const reach = () => request({ url: 'http://127.0.0.1:9/' }).catch(({ message }: Error) => message)
  expect(await reach()).not.toBe('')
  vi.stubGlobal('__SOUK_UNI_APP__', true)
  expect(await reach()).toBe('')
  vi.stubGlobal('__SOUK_UNI_APP__', false)
})

test('the timeouts of manifest.json are those of calls without one', async () => {
  onTestFinished(() => setTimeouts({}))
  setTimeouts({ request: 30, downloadFile: 40 })
  await expect(request({ url: `${url}/held` })).rejects.toThrow('timeout')
  await expect(downloadFile({ url: `${url}/held` })).rejects.toThrow('timeout')
  setTimeouts({ request: 60_000, downloadFile: 60_000 })
  await expect(request({ url: `${url}/held`, timeout: 20 })).rejects.toThrow('timeout')
})
