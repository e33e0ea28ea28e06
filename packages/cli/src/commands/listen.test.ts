import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { callbackBody, webhookHeaders } from '@souk/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isolated, run } from '../../test/command.ts'
import { version } from '../version.ts'

const appid = 'aaaaaaaaaaaaaaa'
const notifyId = '0123456789abcdef0123456789abcdef'
const secret = 'f'.repeat(48)
const body = callbackBody(
  {
    notifyId,
    notifyTime: 1,
    appid,
    merchantId: '1',
    tradeNo: '2',
    outTradeNo: 'order-1',
    transactionStatus: 2,
    failReasonType: -1,
    amount: 1250,
    currency: 'SAR',
    openId: '3',
    payType: null,
    payMethod: null,
    payNo: null,
    timestamp: 1,
  },
  secret,
)
const headers = {
  'content-type': 'application/x-www-form-urlencoded',
  ...webhookHeaders(notifyId, 1, body, [secret]),
}
const event = `event: callback\ndata: ${JSON.stringify({ notifyId, appid, headers, body })}\n\n`

const servers: Server[] = []
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

async function bodyOf(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

let souk: string
let streams: { url: string; stream: ServerResponse }[]
let reports: { url: string; body: unknown }[]
/** Reactions to a connecting listener. */
let onStream: (stream: ServerResponse) => unknown
let refuse: number | undefined
/** Number of next connections that break before an answer. */
let breaks: number
/** Number of next connections that a proxy answers. */
let badGateways: number
let interrupt: AbortController

beforeEach(async () => {
  streams = []
  reports = []
  refuse = undefined
  breaks = 0
  badGateways = 0
  interrupt = new AbortController()
  souk = await serve(async (request, response) => {
    if (request.method === 'POST') {
      reports.push({ url: request.url!, body: JSON.parse(await bodyOf(request)) })
      response.end('true')
      return interrupt.abort()
    }
    if (breaks > 0) {
      breaks -= 1
      return request.socket.destroy()
    }
    if (badGateways > 0) {
      badGateways -= 1
      return response.writeHead(502, { 'content-type': 'text/html' }).end('Bad Gateway')
    }
    if (refuse !== undefined) {
      response.writeHead(refuse, { 'content-type': 'application/problem+json' })
      return response.end(JSON.stringify({ code: 'app_not_found', detail: 'Mini app not found.' }))
    }
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.write(': connected\n\n')
    streams.push({ url: request.url!, stream: response })
    onStream(response)
  })
})

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(target: string, ...more: string[]) {
  const slept: number[] = []
  const printed = await run(['listen', '--forward-to', target, ...more], {
    ...isolated,
    serverUrl: async () => souk,
    adminToken: () => ({ token: 'admin-1', source: 'SOUK_ADMIN_TOKEN' }),
    sleep: async (ms) => void slept.push(ms),
    untilInterrupted: () => interrupt.signal,
  })
  return { ...printed, slept }
}

test('posts each callback as signed by Souk, prints a line and reports the acknowledgement', async () => {
  const received: unknown[] = []
  const backend = await serve(async (request, response) => {
    const { 'webhook-signature': signature, 'content-type': type, 'user-agent': userAgent, accept } = request.headers
    received.push({
      method: request.method,
      url: request.url,
      signature,
      type,
      userAgent,
      accept,
      body: await bodyOf(request),
    })
    response.end('success')
  })
  onStream = (stream) => stream.write(event)
  const { status, out, err } = await listen(`${backend.slice('http://'.length)}/souk/callback`)
  expect(received).toEqual([
    {
      method: 'POST',
      url: '/souk/callback',
      signature: headers['webhook-signature'],
      type: 'application/x-www-form-urlencoded',
      // Without the commit.
      userAgent: `Souk/${version.split('+')[0]} (+${souk}/docs/)`,
      accept: '*/*',
      body,
    },
  ])
  expect(reports).toEqual([
    { url: `/console/v1/callbacks/${notifyId}/attempts`, body: { status: 200, reply: 'success', duration: 0 } },
  ])
  expect(out).toBe(`✓ order-1 succeeded → 200 after 0 ms, notifyId ${notifyId}\n`)
  expect(err).toBe(`Forwarding callbacks from ${souk} to ${backend}/souk/callback. Press Ctrl-C to stop.\n`)
  expect(status).toBe(0)
})

test('forwards results of refunds to a URL of their own', async () => {
  const urls: unknown[] = []
  const backend = await serve((request, response) => {
    urls.push(request.url)
    response.end('success')
  })
  const refund = callbackBody(
    {
      notifyId,
      notifyTime: 1,
      appid,
      merchantId: '1',
      tradeNo: '2',
      outTradeNo: 'order-1',
      refundNo: '4',
      outRefundNo: 'refund-1',
      refundStatus: 3,
      failReason: 'closed',
      amount: 400,
      currency: 'SAR',
      openId: '3',
      timestamp: 1,
    },
    secret,
  )
  onStream = (stream) =>
    stream.write(`event: callback\ndata: ${JSON.stringify({ notifyId, appid, headers, body: refund })}\n\n`)
  const { out } = await listen(`${backend}/paid`, '--forward-refunds-to', `${backend}/refunded`)
  expect(out).toBe(`✓ order-1 refund failed → 200 after 0 ms, notifyId ${notifyId}\n`)
  expect(urls).toEqual(['/refunded'])
})

test('prints one JSON line per callback with --json, and filters by mini app', async () => {
  const backend = await serve((_, response) => response.writeHead(500).end('fail'))
  onStream = (stream) => stream.write(event)
  const { out } = await listen(backend, '--json', '--appid', appid)
  expect(streams[0]!.url).toBe(`/console/v1/listen?appid=${appid}`)
  expect(JSON.parse(out)).toEqual({
    notifyId,
    appid,
    acknowledged: false,
    status: 500,
    reply: 'fail',
    error: null,
    duration: 0,
  })
})

test('does not treat a redirect or the body fail as an acknowledgement', async () => {
  const redirecting = await serve((_, response) => response.writeHead(302, { location: souk }).end('moved'))
  onStream = (stream) => stream.write(event)
  expect((await listen(redirecting)).out).toContain('✗ order-1 succeeded → 302 moved')
  expect(reports[0]!.body).toMatchObject({ status: 302 })

  interrupt = new AbortController()
  const failing = await serve((_, response) => response.end('fail'))
  expect((await listen(failing)).out).toContain('✗ order-1 succeeded → 200 fail')
})

test('reports an unreachable backend as no response', async () => {
  const gone = await serve(() => {})
  const server = servers.pop()!
  await new Promise((resolve) => server.close(resolve))
  onStream = (stream) => stream.write(event)
  expect((await listen(gone)).out).toContain('✗ order-1 succeeded → no response: connection refused')
  expect(reports[0]!.body).toEqual({ error: 'connection refused', duration: 0 })
})

test('reconnects with growing delays', async () => {
  const backend = await serve((_, response) => response.end())
  onStream = (stream) => {
    if (streams.length > 1) return stream.write(event)
    breaks = 3
    return stream.end()
  }
  const { status, slept, err, out } = await listen(backend)
  expect(out).toContain('✓ order-1')
  expect(slept).toEqual([500, 1000, 2000, 4000])
  expect(err).toContain(
    'Lost the connection to Souk; retrying in 4 s.\nReconnected. Callbacks may have been sent meanwhile',
  )
  expect(status).toBe(0)
})

test('reconnects while a proxy answers for Souk', async () => {
  const backend = await serve((_, response) => response.end())
  onStream = (stream) => {
    if (streams.length > 1) return stream.write(event)
    badGateways = 2
    return stream.end()
  }
  const { status, slept, out } = await listen(backend)
  expect(out).toContain('✓ order-1')
  expect(slept).toEqual([500, 1000, 2000])
  expect(status).toBe(0)
})

test('says that callbacks may be missing after Souk has lost its database, and continues', async () => {
  const backend = await serve((_, response) => response.end())
  onStream = (stream) => stream.write(`event: resync\ndata: {}\n\n${event}`)
  const { err, out } = await listen(backend)
  expect(err).toContain('Callbacks may have been sent meanwhile: souk callbacks list')
  expect(out).toContain('✓ order-1')
  expect(streams).toHaveLength(1)
})

test('refuses a URL with a password, without showing it', async () => {
  const { status, err } = await listen('http://user:hidden@localhost:3000/souk/callback')
  expect([status, streams, err]).toEqual([2, [], expect.not.stringContaining('hidden')])
})

test('exits with 0 on Ctrl-C', async () => {
  onStream = () => interrupt.abort()
  expect((await listen('http://localhost:1')).status).toBe(0)
})

test('exits with 1 on an error of the server', async () => {
  refuse = 404
  const { status, err } = await listen('http://localhost:1', '--appid', appid)
  expect(status).toBe(1)
  expect(err).toContain('Mini app not found.')
})
