import { createServer as createHttpServer, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { callbackAcknowledged } from '@souk/contract'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { certificate, key } from '../../test/certificate.ts'
import { createEgress, EgressBusy } from '../kernel/egress.ts'
import { createDelivery, parseRetryAfter } from './index.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return (server.address() as AddressInfo).port
}

function deliveryWith(options: { timeout?: number; loopback?: boolean; maxConnections?: number } = {}) {
  const egress = createEgress({
    allowlist: ['pay.example', 'other.example'],
    loopback: options.loopback ?? true,
    ...(options.maxConnections === undefined ? {} : { maxConnections: options.maxConnections }),
    resolve: async (hostname) => {
      if (hostname === 'gone.example') throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
      return [{ address: '127.0.0.1', family: 4 }]
    },
  })
  closing.push(() => egress.close())
  const send = createDelivery(egress, options)
  return (request: Omit<Parameters<typeof send>[0], 'purpose'>) => send({ purpose: 'callback', ...request })
}

/** Sends a callback to a receiver with this listener. */
async function sendTo(listener: RequestListener, options: { timeout?: number } = {}) {
  const server = createHttpServer(listener)
  const port = await listen(server)
  closing.push(() => server.closeAllConnections())
  return deliveryWith(options)({ url: `http://localhost:${port}/notify`, headers: { 'x-test': '1' }, body: 'a=b' })
}

/** Sends a callback to a server that responds with these bytes, or closes the connection. */
async function sendToRaw(bytes: string | null) {
  const port = await listen(
    createTcpServer((socket) => {
      socket.once('data', () => (bytes === null ? socket.resetAndDestroy() : socket.end(bytes)))
      socket.on('error', () => {})
    }),
  )
  return deliveryWith()({ url: `http://127.0.0.1:${port}/notify`, headers: {}, body: 'a=b' })
}

describe('a response', () => {
  test('is returned with its status and its first 1,024 bytes', async () => {
    expect(await sendTo((_, answer) => answer.end('success'))).toEqual({
      status: 200,
      reply: 'success',
      error: null,
      duration: expect.any(Number),
      retryAfter: null,
    })
    const huge = await sendTo((_, answer) => answer.end('x'.repeat(5_000_000)))
    expect(huge).toMatchObject({ status: 200, error: null, reply: 'x'.repeat(1_024) })
  })

  test('"fail" is not an acknowledgement', async () => {
    const { status, reply } = await sendTo((_, answer) => answer.end(' FAIL\n'))
    expect(callbackAcknowledged(status ?? 0, reply ?? '')).toBe(false)
  })

  test('that redirects is not followed, and the error says so', async () => {
    let requests = 0
    const outcome = await sendTo((_, answer) => {
      requests++
      answer.writeHead(307, { location: '/elsewhere' }).end()
    })
    expect(outcome).toMatchObject({ status: 307, error: expect.stringContaining('redirect not followed (307)') })
    expect(requests).toBe(1)
  })

  test('with bytes that are not text can be stored as text', async () => {
    const { reply } = await sendTo((_, answer) => answer.end(Buffer.from([0x6f, 0x6b, 0x00, 0xff])))
    expect(reply).toBe('ok\uFFFD\uFFFD')
  })

  test('can delay the next attempt, in seconds or by date', async () => {
    const busy = (headers: Record<string, string>) => (_: unknown, answer: ServerResponse) =>
      answer.writeHead(503, headers).end()
    expect(await sendTo(busy({ 'retry-after': '120' }))).toMatchObject({ status: 503, retryAfter: 120_000 })
    // Relative to the receiver's own clock.
    const headers = { date: 'Sun, 06 Nov 1994 08:49:37 GMT', 'retry-after': 'Sun, 06 Nov 1994 08:50:07 GMT' }
    expect(await sendTo(busy(headers))).toMatchObject({ retryAfter: 30_000 })
  })
})

test.each([
  [undefined, null],
  ['0', 0],
  ['15', 15_000],
  ['-1', null],
  ['1.5', null],
  ['soon 1', null],
  ['99999999999', null],
  ['Thu, 01 Jan 1970 00:01:00 GMT', 20_000],
  ['Thu, 01 Jan 1970 00:00:10 GMT', 0],
])('Retry-After: %s is %s ms', (value, expected) => {
  expect(parseRetryAfter(value, 40_000)).toBe(expected)
})

describe('while all connections to a host are busy', () => {
  afterEach(() => void vi.useRealTimers())

  /** Starts a host that answers when the test says so, and sends callbacks to it over one connection. */
  async function busyHost() {
    const waiting: ServerResponse[] = []
    const server = createHttpServer((_, answer) => waiting.push(answer))
    const url = `http://localhost:${await listen(server)}/notify`
    closing.push(() => server.closeAllConnections())
    const deliver = deliveryWith({ maxConnections: 1 })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    return { waiting, send: () => deliver({ url, headers: {}, body: 'a=b' }) }
  }
  /** Waits in real time, since the test uses fake timers. */
  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise(setImmediate)
  }

  test('the 5 s of an attempt do not run: a host that answers after 3 s causes no timeouts', async () => {
    const { waiting, send } = await busyHost()
    const results = [send(), send()]
    for (let answered = 1; answered <= 2; answered++) {
      await until(() => waiting.length === answered)
      await vi.advanceTimersByTimeAsync(3_000)
      waiting[answered - 1]!.end('success')
      await results[answered - 1]
    }
    expect(await Promise.all(results)).toMatchObject([
      { status: 200, error: null },
      { status: 200, error: null },
    ])
  })

  test('an attempt that gets no connection within 5 s is not sent and not an attempt', async () => {
    const { waiting, send } = await busyHost()
    const first = send()
    await until(() => waiting.length === 1)
    // The second gets the connection when the first times out; the third has waited too long by then.
    const second = send()
    const third = expect(send()).rejects.toThrow(EgressBusy)
    await vi.advanceTimersByTimeAsync(5_000)
    await third
    expect(await first).toMatchObject({ status: null, error: 'timed out after 5 s' })
    await until(() => waiting.length === 2)
    waiting[1]!.end('success')
    expect(await second).toMatchObject({ status: 200 })
  })
})

describe('without a response, the error explains', () => {
  test('that nothing listens', async () => {
    const server = createTcpServer()
    const port = await listen(server)
    await new Promise((resolve) => server.close(resolve))
    expect(await deliveryWith()({ url: `http://127.0.0.1:${port}/`, headers: {}, body: '' })).toMatchObject({
      status: null,
      reply: null,
      error: `connection refused: nothing listens at 127.0.0.1:${port}`,
      retryAfter: null,
    })
  })

  test('that the time limit was exceeded', async () => {
    expect(await sendTo(() => {}, { timeout: 100 })).toMatchObject({ status: null, error: 'timed out after 0.1 s' })
    const unending = await sendTo((_, answer) => void answer.write('suc'), { timeout: 100 })
    expect(unending).toMatchObject({ status: null, error: 'timed out after 0.1 s' })
    expect(unending.duration).toBeGreaterThanOrEqual(95)
  })

  test.each([
    ['a connection reset', null, /closed the connection before/],
    ['an empty response', '', /closed the connection before/],
    ['a truncated body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nsuccess', /closed the connection before/],
    ['truncated headers', 'HTTP/1.1 200 OK\r\ncontent-le', /closed the connection before/],
    ['garbage', 'SSH-2.0-OpenSSH_9.6\r\n', /is not HTTP/],
    [
      'endless headers',
      `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`,
      /headers of the response are too large/,
    ],
  ])('%s', async (_, bytes, error) => {
    expect(await sendToRaw(bytes)).toMatchObject({ status: null, reply: null, error: expect.stringMatching(error) })
  })

  test('an unknown name, an address that is not allowed, an invalid URL', async () => {
    const send = deliveryWith({ loopback: false })
    const errorOf = async (url: string) => (await send({ url, headers: {}, body: '' })).error
    expect(await errorOf('https://gone.example/')).toBe('the host name of gone.example does not exist')
    expect(await errorOf('https://inside.example/')).toMatch(
      /^address not allowed: inside\.example resolves to a loopback address/,
    )
    expect(await errorOf('http://shop.example/')).toMatch(/^address not allowed: .* use https/)
    expect(await errorOf('not a url')).toMatch(/^address not allowed: .* not an absolute URL/)
  })

  test('an invalid certificate; a valid one is accepted', async () => {
    const server = createHttpsServer({ key, cert: certificate }, (_, answer) => answer.end('success'))
    const port = await listen(server)
    closing.push(() => server.closeAllConnections())
    const sendTo = (host: string) => deliveryWith()({ url: `https://${host}:${port}/`, headers: {}, body: '' })

    expect((await sendTo('pay.example')).error).toBe(`the certificate of pay.example:${port} is self-signed`)

    const trusted = getCACertificates()
    setDefaultCACertificates([...trusted, certificate])
    closing.push(() => setDefaultCACertificates(trusted))
    expect(await sendTo('pay.example')).toMatchObject({ status: 200, reply: 'success', error: null })
    expect((await sendTo('other.example')).error).toContain('is for another name')
  })

  test('a server without TLS', async () => {
    const server = createHttpServer((_, answer) => answer.end())
    const port = await listen(server)
    const { error } = await deliveryWith()({ url: `https://localhost:${port}/`, headers: {}, body: '' })
    expect(error).toMatch(/^TLS with localhost:\d+ failed/)
  })
})

test('rejects for errors that the receiver did not cause', async () => {
  const broken = createDelivery({
    allowsPrivate: () => false,
    explainInvalidEntry: () => null,
    refusal: () => undefined,
    request: () => Promise.reject(new TypeError('a bug in Souk')),
    close: () => Promise.resolve(),
  })
  await expect(broken({ purpose: 'callback', url: 'https://shop.example/', headers: {}, body: '' })).rejects.toThrow(
    'a bug in Souk',
  )
})
