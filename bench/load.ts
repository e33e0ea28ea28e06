// The load generator, which runs in its own process. To use little CPU time, it speaks HTTP over plain sockets and
// signs all requests before the measurement starts.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { encodeForm, type ParameterPairs, signParameters } from '@souk/contract'

/** A load to generate. */
export interface Load {
  port: number
  connections: number
  seconds: number
  appid: string
  secret: string
  requests:
    | { kind: 'tradedetail'; tradeNos: string[] }
    | { kind: 'trade'; count: number; openId: string; notifyUrl: string }
    | { kind: 'accessToken'; codes: string[] }
    | { kind: 'codeGrant'; forms: string[] }
    | { kind: 'datasets'; keys: string[] }
  /** Sends a message when all requests are signed, and waits for `Go`, so that several generators start at once. */
  waits?: boolean
}

/** Starts a generator that waits. */
export type Go = 'go'

/**
 * The result. Latencies are in ms, and the processor time of the generator in seconds; `failure` is the first response
 * with a status other than 200.
 */
export interface Measured {
  perSecond: number
  p50: number
  p99: number
  processorTime: number
  failure: string | undefined
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const runId = process.pid.toString(36)
let orders = 0

process.on('message', async (load: Load | Go) => {
  if (load !== 'go') process.send?.(await run(load))
})

function signedRequests({ appid, secret, requests }: Load): Buffer[] {
  const sign = (own: [string, string | number][]) => {
    const pairs: ParameterPairs & [string, string | number][] = [['appid', appid], ['timestamp', Date.now()], ...own]
    return encodeForm([...pairs, ['sign', signParameters(pairs, secret, sha256)]])
  }
  const get = (path: string, query: string) =>
    Buffer.from(`GET ${path}?${query} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, 'latin1')
  const post = (path: string, form: string) =>
    Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`,
      'latin1',
    )
  switch (requests.kind) {
    case 'tradedetail':
      return requests.tradeNos.map((tradeNo) =>
        get('/neuopenapi/pay/transactions/tradedetail', sign([['tradeNo', tradeNo]])),
      )
    case 'trade':
      return Array.from({ length: requests.count }, () =>
        post(
          '/neuopenapi/pay/transactions/trade',
          sign([
            ['outTradeNo', `bench-${runId}-${++orders}`],
            ['notifyUrl', requests.notifyUrl],
            ['amount', 1250],
            ['currency', 'SAR'],
            ['openId', requests.openId],
          ]),
        ),
      )
    case 'accessToken':
      return requests.codes.map((code) =>
        post(
          '/neuopenapi/oauth/mini/accessToken',
          sign([
            ['code', code],
            ['grantType', 'authorization_code'],
            ['scope', 'user.info'],
          ]),
        ),
      )
    case 'codeGrant':
      return requests.forms.map((form) => post('/token', form))
    case 'datasets':
      return requests.keys.map((key) =>
        Buffer.from(
          `GET /api/v1/datasets HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n\r\n`,
          'latin1',
        ),
      )
  }
}

/** Sends requests in sequence on every connection until the time is over or all are sent. Reads are repeated. */
async function run(load: Load): Promise<Measured> {
  const requests = signedRequests(load)
  const sockets = await Promise.all(
    Array.from({ length: load.connections }, async () => {
      const socket = connect(load.port, '127.0.0.1').setNoDelay()
      await once(socket, 'connect')
      return socket
    }),
  )
  const latencies: number[] = []
  let next = 0
  let failure: string | undefined
  const repeats = load.requests.kind === 'tradedetail' || load.requests.kind === 'datasets'
  if (load.waits) {
    process.send?.('signed')
    await once(process, 'message')
  }
  const start = performance.now()
  const used = process.cpuUsage()
  const end = start + load.seconds * 1000
  const nextRequest = () => {
    if (performance.now() >= end || failure) return undefined
    if (repeats) return requests[next++ % requests.length]
    return requests[next++]
  }
  await Promise.all(
    sockets.map((socket) =>
      sendInSequence(socket, nextRequest, (latency) => latencies.push(latency)).catch((error: Error) => {
        failure ??= error.message
      }),
    ),
  )
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(used)
  for (const socket of sockets) socket.destroy()
  latencies.sort((a, b) => a - b)
  const percentile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
  return {
    perSecond: latencies.length / seconds,
    p50: percentile(0.5),
    p99: percentile(0.99),
    processorTime: (user + system) / 1_000_000,
    failure,
  }
}

/** Sends one request after another. `onResponse` gets the latency of each. */
function sendInSequence(
  socket: Socket,
  request: () => Buffer | undefined,
  onResponse: (latency: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0
    let received: Buffer | undefined
    const send = () => {
      const bytes = request()
      if (!bytes) return resolve()
      sentAt = performance.now()
      socket.write(bytes)
    }
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server closed a connection')))
    socket.on('data', (chunk: Buffer) => {
      received = received ? Buffer.concat([received, chunk]) : chunk
      const headEnd = received.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const head = received.toString('latin1', 0, headEnd)
      const length = /content-length: (\d+)/i.exec(head)?.[1]
      if (length === undefined) return reject(new Error(`A response has no Content-Length:\n${head}`))
      if (received.length < headEnd + 4 + Number(length)) return
      if (!head.startsWith('HTTP/1.1 200')) return reject(new Error(received.toString()))
      received = undefined
      onResponse(performance.now() - sentAt)
      send()
    })
    send()
  })
}
