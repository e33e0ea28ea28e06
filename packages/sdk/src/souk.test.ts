import { createServer, type IncomingHttpHeaders } from 'node:http'
import { minute, openOperations, parseForm, signParameters } from '@souk/contract'
import { afterEach, expect, test } from 'vitest'
import {
  AmbiguousParametersError,
  type Clock,
  Souk,
  SoukApiError,
  SoukConnectionError,
  type SoukOptions,
  TradeStillProcessingError,
} from './index.ts'

const appid = 'aaaaaaaaaaaaaaa'
const secret = '0123456789abcdef0123456789abcdef0123456789abcdef'
const openId = '3123456789abcdef0123456789abcdef'
const tradeNo = '2123456789abcdef0123456789abcdef'
const start = 1_700_000_000_000

interface Received {
  method: string
  path: string
  query: Map<string, string>
  body: string
  form: Map<string, string>
  headers: IncomingHttpHeaders
}

/** `null` closes the connection without a response, `'silence'` never responds. */
type Answer = null | 'silence' | { status?: number; headers?: Record<string, string>; body?: unknown }

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** Starts a server that returns these responses in order, then repeats the last one. */
async function serve(...answers: Answer[]) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString('latin1')
    const [path = '', query = ''] = request.url!.split('?')
    const form = request.headers['content-type'] === 'application/x-www-form-urlencoded' ? parseForm(body) : new Map()
    received.push({ method: request.method!, path, query: parseForm(query), body, form, headers: request.headers })
    const answer = answers[Math.min(received.length, answers.length) - 1]!
    if (answer === 'silence') return
    if (answer === null) return void request.socket.destroy()
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? ok(true)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  stops.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { received, baseUrl: `http://127.0.0.1:${port}` }
}

/** Returns a URL at which nothing listens. */
async function closedAddress(): Promise<string> {
  const { baseUrl } = await serve({})
  await stops.pop()!()
  return baseUrl
}

const ok = (response: unknown) => ({ responseHeader: { status: 200, msg: 'OK' }, response })
const refusal = (status: number, code: string, data?: Record<string, unknown>): Answer => ({
  status,
  headers: { 'x-request-id': 'request-1' },
  body: { responseHeader: { status, msg: 'The reason.', code, ...(data ? { data } : {}) }, response: null },
})
const temporary = refusal(503, 'unavailable')
const token = { accessToken: 'a.b.c', expire: 604_800, tokenType: 'bearer', scope: 'user.info' }
const profile = {
  openId,
  nickName: 'Layla',
  avatar: null,
  email: null,
  country: null,
  phone: null,
  unionId: openId,
  attributes: {},
}
const trade = (transactionStatus: number): Answer => ({
  body: ok({
    tradeNo,
    appId: appid,
    merchantId: openId,
    merchantLogoUrl: null,
    merchantName: null,
    description: null,
    outTradeNo: 'order-1',
    timeExpire: start,
    amount: 1250,
    amountStrWithYuan: '12.50',
    currency: 'SAR',
    openId,
    payer: 1,
    notifySuccess: null,
    payType: null,
    payNo: null,
    payMethod: null,
    transactionFlow: 2,
    transactionStatus,
    failReasonType: -1,
    ctime: start,
    mtime: start,
  }),
})

/** Creates a clock whose sleeps end immediately, and which records their durations. */
function fastClock() {
  const slept: number[] = []
  let now = start
  const clock: Clock = {
    now: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted()
      slept.push(ms)
      now += ms
    },
  }
  return { clock, slept }
}

const client = (baseUrl: string, options: Partial<SoukOptions> = {}) =>
  new Souk({ baseUrl, appid, secret, clock: fastClock().clock, random: () => 1, ...options })

const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable('it should have failed'),
    (error) => error,
  )

const order = {
  outTradeNo: 'order-1',
  notifyUrl: 'https://shop.example/callback',
  amount: 1250,
  currency: 'SAR',
  openId,
} as const
const notification = {
  openIds: [openId, openId],
  title: 'T',
  text: 'مرحبا & 100%',
  navigateType: '1',
  language: 'ar_SA',
} as const

test('every operation of the open API is a method of the same name', () => {
  for (const name of Object.keys(openOperations)) {
    expect(client('http://localhost:7070')).toHaveProperty(name, expect.any(Function))
  }
})

test('posts the parameters of a form operation with appid, timestamp and a valid sign', async () => {
  const { received, baseUrl } = await serve({ body: ok({ outTradeNo: 'order-1', tradeNo }) })
  expect(await client(`${baseUrl}/`).trade({ ...order, description: 'Coffee & cake – 1 ريال' })).toEqual({
    outTradeNo: 'order-1',
    tradeNo,
  })
  const { method, path, form, query } = received[0]!
  expect(Number(form.get('timestamp'))).toBeGreaterThan(start - minute)
  expect([method, path, query.size]).toEqual(['POST', openOperations.trade.path, 0])
  expect(Object.fromEntries(form)).toEqual({
    outTradeNo: 'order-1',
    notifyUrl: 'https://shop.example/callback',
    amount: '1250',
    currency: 'SAR',
    openId,
    description: 'Coffee & cake – 1 ريال',
    appid,
    timestamp: form.get('timestamp'),
    sign: signParameters(form, secret),
  })
})

test('reports how many recipients a message does not reach, and why', async () => {
  const notDelivered = { count: 3, reasons: { off: 2, daily_limit: 1 } }
  const { baseUrl } = await serve(
    { body: { responseHeader: { status: 200, msg: 'OK', notDelivered }, response: true } },
    { body: ok(true) },
  )
  const found: unknown[] = []
  const souk = client(baseUrl, { onNotDelivered: async (reported) => void found.push(reported) })
  const message = { openIds: [openId], title: 'Paid', text: 'Thank you', navigateType: '1', language: 'en_US' } as const
  expect(await souk.sendNotify(message)).toBe(true)
  expect(await souk.sendNotify(message)).toBe(true)
  expect(found).toEqual([{ ...notDelivered, operation: 'sendNotify' }])
})

test('accessToken adds grantType and the default scope, and returns the token', async () => {
  const { received, baseUrl } = await serve({ body: ok(token) })
  expect(await client(baseUrl).accessToken({ code: 'abc' })).toEqual(token)
  expect(received[0]!.form.get('grantType')).toBe('authorization_code')
  expect(received[0]!.form.get('scope')).toBe('user.info')
})

test('userInfo sends only the access token', async () => {
  const { received, baseUrl } = await serve({ body: ok(profile) })
  expect(await client(baseUrl).userInfo('a.b.c')).toEqual(profile)
  expect(received[0]!.method).toBe('GET')
  expect([...received[0]!.query]).toEqual([['accessToken', 'a.b.c']])
})

test('tradedetail and tradeclose send their parameters in the query string, as specified', async () => {
  const { received, baseUrl } = await serve(trade(1), {})
  const souk = client(baseUrl)
  expect((await souk.tradedetail(tradeNo)).transactionStatus).toBe(1)
  expect(await souk.tradeclose(tradeNo)).toBe(true)
  expect(received.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['GET', openOperations.tradedetail.path, ''],
    ['POST', openOperations.tradeclose.path, ''],
  ])
  for (const { query } of received) expect(query.get('sign')).toBe(signParameters(query, secret))
})

test('joins lists with commas and omits undefined parameters', async () => {
  const { received, baseUrl } = await serve({})
  await client(baseUrl).sendNotify({ ...notification, link: undefined })
  const { form } = received[0]!
  expect(form.get('openIds')).toBe(`${openId},${openId}`)
  expect(form.get('notifyType')).toBe('1')
  expect(form.has('link')).toBe(false)
  expect(form.get('sign')).toBe(signParameters(form, secret))
})

test('fileUpload sends the file in the unsigned part fileData', async () => {
  const { received, baseUrl } = await serve({ body: ok({ url: 'http://localhost/files/1' }) })
  expect(await client(baseUrl).fileUpload(new Uint8Array([137, 80, 78, 71]), { name: 'logo.png' })).toEqual({
    url: 'http://localhost/files/1',
  })
  const { headers, body } = received[0]!
  expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  expect(body).toContain('name="fileData"; filename="logo.png"')
  const [, timestamp = ''] = /name="timestamp"\r\n\r\n(\d+)/.exec(body) ?? []
  const sign = signParameters(Object.entries({ appid, timestamp }), secret)
  expect(body).toContain(`name="sign"\r\n\r\n${sign}\r\n`)
})

test('never sends the secret', async () => {
  const { received, baseUrl } = await serve({})
  await client(baseUrl).sendNotify(notification)
  expect(JSON.stringify(received[0])).not.toContain(secret)
})

test('throws SoukApiError with all details of an error response', async () => {
  const { baseUrl } = await serve(refusal(409, 'out_trade_no_conflict', { fields: ['amount'] }))
  const error = await failureOf(client(baseUrl).trade(order))
  expect(error).toBeInstanceOf(SoukApiError)
  expect(error).toMatchObject({
    operation: 'trade',
    status: 409,
    code: 'out_trade_no_conflict',
    msg: 'The reason.',
    requestId: 'request-1',
    data: { fields: ['amount'] },
  })
  expect((error as Error).message).toBe(
    'trade failed: The reason. (status 409, code out_trade_no_conflict, request request-1)',
  )
})

test('uses the status of the envelope if the server always responds with HTTP 200', async () => {
  const { baseUrl } = await serve({ ...(refusal(404, 'trade_not_found') as object), status: 200 })
  expect(await failureOf(client(baseUrl).tradedetail(tradeNo))).toMatchObject({ status: 404, code: 'trade_not_found' })
})

test('advises to check baseUrl if the response is not an envelope', async () => {
  const { baseUrl } = await serve({ status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not here</h1>' })
  const error = (await failureOf(client(baseUrl).tradedetail(tradeNo))) as SoukApiError
  expect(error).toMatchObject({ status: 404, code: undefined })
  expect(error.message).toContain('text/html, starting with "<h1>Not here</h1>"')
  expect(error.message).toContain(`Check baseUrl ${baseUrl}`)
})

test.each([
  ['{"responseHeader":{"status":200,"msg":"ok"}}'],
  ['{"responseHeader":{"status":200,"msg":"ok"},"response":"ok"}'],
  ['{"status":"ok"}'],
  ['[]'],
  ['null'],
  [''],
])('recognizes that the response %s does not come from Souk', async (body) => {
  const { baseUrl } = await serve({ status: 200, headers: { 'content-type': 'application/json' }, body })
  const error = (await failureOf(client(baseUrl).tradedetail(tradeNo))) as SoukApiError
  expect(error).toMatchObject({ name: 'SoukApiError', status: 200, code: undefined })
  expect(error.message).toContain('The response does not come from Souk: application/json, ')
})

test('does not follow redirects with a signed request', async () => {
  const { received, baseUrl } = await serve({
    status: 301,
    headers: { location: 'https://elsewhere.example/' },
    body: '',
  })
  expect(await failureOf(client(baseUrl).tradedetail(tradeNo))).toMatchObject({ status: 301 })
  expect(received).toHaveLength(1)
})

test.each([
  ['sign_mismatch', { secret: 'demo-secret' }, undefined, 'has 11 characters; a Souk secret has 48'],
  ['sign_mismatch', { secret: 'demo secret' }, undefined, 'It contains white space.'],
  ['sign_mismatch', {}, undefined, `Check that the secret belongs to ${appid} at http://127.0.0.1`],
  ['appid_invalid', { appid: 'demo-appid' }, undefined, 'has 10 characters; a Souk appid has 15'],
  ['appid_invalid', {}, undefined, `Check that ${appid} exists and is enabled`],
  [
    'timestamp_out_of_window',
    {},
    { serverTime: start + 720_000 },
    'is 720 s behind the server’s; at most 300 s are allowed. Synchronize it with NTP.',
  ],
  ['timestamp_out_of_window', {}, { serverTime: start - 400_000 }, 'is 400 s ahead of the server’s'],
  ['timestamp_out_of_window', {}, { serverTime: start + 1000 }, 'The clocks agree, so the request was delayed'],
  ['code_used', {}, undefined, 'Exchange each code once'],
  ['open_id_unknown', {}, undefined, 'An openId is valid under one appid only'],
])('gives advice for %s with %o', async (code, options, data, expected) => {
  const { baseUrl } = await serve(refusal(401, code, data))
  const error = (await failureOf(client(baseUrl, options).sendNotify(notification))) as Error
  expect(error.message).toContain(expected)
  expect(error.message).not.toContain('secret' in options ? options.secret : secret)
})

test('uses the Date header to detect clock skew if the response has no server time', async () => {
  const { baseUrl } = await serve(refusal(401, 'timestamp_out_of_window'))
  expect(((await failureOf(client(baseUrl).tradedetail(tradeNo))) as Error).message).toMatch(
    /is \d+ s behind the server’s/,
  )
})

test('retries a temporary failure with a new timestamp and sign', async () => {
  const { received, baseUrl } = await serve(temporary, null, trade(2))
  const { clock, slept } = fastClock()
  expect(await client(baseUrl, { clock, appid: 'ccccccccccccccc' }).tradedetail(tradeNo)).toMatchObject({
    transactionStatus: 2,
  })
  expect(slept).toEqual([500, 1000])
  const [first, ...later] = received.map(({ query }) => Number(query.get('timestamp')))
  expect(later.map((timestamp) => timestamp - first!)).toEqual([500, 1500])
  expect(new Set(received.map(({ query }) => query.get('sign'))).size).toBe(3)
})

test('retries trade after a lost response, since outTradeNo makes it idempotent', async () => {
  const { received, baseUrl } = await serve(null, { body: ok({ outTradeNo: 'order-1', tradeNo }) })
  expect(await client(baseUrl).trade(order)).toMatchObject({ tradeNo })
  expect(received.map(({ form }) => form.get('outTradeNo'))).toEqual(['order-1', 'order-1'])
})

test('sendNotify retries the identical signed request', async () => {
  const { received, baseUrl } = await serve(temporary, null, {})
  await client(baseUrl).sendNotify(notification)
  expect(received).toHaveLength(3)
  expect(new Set(received.map(({ body }) => body)).size).toBe(1)
})

test('sendNotify is not retried when its sign could have expired', async () => {
  const { received, baseUrl } = await serve({
    ...(refusal(429, 'rate_limited') as object),
    headers: { 'retry-after': '20' },
  })
  const souk = client(baseUrl, { maxRetries: 100 })
  expect(await failureOf(souk.sendNotify(notification))).toMatchObject({ status: 429 })
  expect(received).toHaveLength(10)
})

test('two notifications with the same text in one millisecond have different signs', async () => {
  const { received, baseUrl } = await serve({})
  const souk = client(baseUrl)
  await Promise.all([souk.sendNotify(notification), souk.sendNotify(notification)])
  expect(new Set(received.map(({ form }) => form.get('sign'))).size).toBe(2)
})

test.each([
  ['no answer', null],
  ['503', temporary],
  ['502 from a proxy', { status: 502, body: 'Bad gateway' }],
])(
  'accessToken retries the identical signed request after %s, for another one would revoke the token',
  async (_, answer) => {
    const { received, baseUrl } = await serve(answer, { body: ok(token) })
    expect(await client(baseUrl).accessToken({ code: 'abc' })).toEqual(token)
    expect(received).toHaveLength(2)
    expect(received[0]!.body).toBe(received[1]!.body)
  },
)

test('accessToken is retried if it was not processed: rate limited or not connected', async () => {
  const { received, baseUrl } = await serve(refusal(429, 'rate_limited'), { body: ok(token) })
  const nowhere = await closedAddress()
  let connections = 0
  const souk = client(baseUrl, {
    fetch: (url, init) => fetch(++connections === 1 ? url.replace(baseUrl, nowhere) : url, init),
  })
  expect(await souk.accessToken({ code: 'abc' })).toEqual(token)
  expect([connections, received.length]).toEqual([3, 2])
})

test('names an unreachable server and sets notSent', async () => {
  const error = await failureOf(client(await closedAddress()).trade(order))
  expect(error).toBeInstanceOf(SoukConnectionError)
  expect(error).toMatchObject({ notSent: true, message: expect.stringContaining('Check that Souk is running') })
})

test('honors Retry-After in seconds and as a date of the server’s clock', async () => {
  const limited = (after: string) => ({
    ...(refusal(429, 'rate_limited') as object),
    headers: { 'retry-after': after, date: 'Thu, 15 Jan 2026 06:30:00 GMT' },
  })
  const { baseUrl } = await serve(limited('7'), limited('Thu, 15 Jan 2026 06:30:09 GMT'), trade(1))
  const { clock, slept } = fastClock()
  await client(baseUrl, { clock }).tradedetail(tradeNo)
  expect(slept).toEqual([7000, 9000])
})

test('leaves a Retry-After of minutes to the caller', async () => {
  const { received, baseUrl } = await serve({
    ...(refusal(429, 'rate_limited') as object),
    headers: { 'retry-after': '600' },
  })
  expect(await failureOf(client(baseUrl).tradedetail(tradeNo))).toMatchObject({ status: 429, retryAfter: 600_000 })
  expect(received).toHaveLength(1)
})

test('does not retry permanent errors', async () => {
  const { received, baseUrl } = await serve(refusal(400, 'parameter_invalid'), refusal(409, 'out_trade_no_conflict'))
  await failureOf(client(baseUrl).tradedetail(tradeNo))
  expect(received).toHaveLength(1)
  await failureOf(client(baseUrl).trade(order))
  expect(received).toHaveLength(2)
})

test('maxRetries limits the retries of a client and of a call', async () => {
  const { received, baseUrl } = await serve(temporary)
  await failureOf(client(baseUrl).tradedetail(tradeNo))
  expect(received).toHaveLength(3)
  await failureOf(client(baseUrl).tradedetail(tradeNo, { maxRetries: 0 }))
  expect(received).toHaveLength(4)
})

test('throws SoukConnectionError after the timeout', async () => {
  const { baseUrl } = await serve('silence')
  const error = await failureOf(client(baseUrl).tradedetail(tradeNo, { timeout: 30, maxRetries: 0 }))
  expect(error).toBeInstanceOf(SoukConnectionError)
  expect((error as Error).message).toContain('none within 30 ms')
})

test('rejects with the reason of an aborted signal, before and during a call', async () => {
  const { baseUrl } = await serve('silence')
  expect(await failureOf(client(baseUrl).tradedetail(tradeNo, { signal: AbortSignal.abort('gone') }))).toBe('gone')
  const abort = new AbortController()
  const waiting = failureOf(client(baseUrl).tradedetail(tradeNo, { signal: abort.signal }))
  abort.abort('left')
  expect(await waiting).toBe('left')
})

test('waitForTrade polls with growing intervals until the status is not 1', async () => {
  const { received, baseUrl } = await serve(trade(1), trade(1), trade(1), trade(2))
  const { clock, slept } = fastClock()
  expect(await client(baseUrl, { clock }).waitForTrade(tradeNo)).toMatchObject({ transactionStatus: 2 })
  expect(slept).toEqual([1000, 1500, 2250])
  expect(received).toHaveLength(4)
})

test('waitForTrade survives temporary failures and ends at an error', async () => {
  const { baseUrl } = await serve(temporary, temporary, temporary, temporary, null, trade(6))
  expect(await client(baseUrl).waitForTrade(tradeNo)).toMatchObject({ transactionStatus: 6 })
  const unknown = await serve(refusal(404, 'trade_not_found'))
  expect(await failureOf(client(unknown.baseUrl).waitForTrade(tradeNo))).toMatchObject({ code: 'trade_not_found' })
})

test('waitForTrade times out after a last poll and returns the last state', async () => {
  const { baseUrl } = await serve(trade(1))
  const { clock, slept } = fastClock()
  const error = await failureOf(client(baseUrl, { clock }).waitForTrade(tradeNo, { timeout: 4000 }))
  expect(error).toBeInstanceOf(TradeStillProcessingError)
  expect(error).toMatchObject({ tradeNo, trade: { transactionStatus: 1 } })
  expect(slept.reduce((sum, ms) => sum + ms)).toBe(4000)
})

test('waitForTrade does not prolong its timeout by retries', async () => {
  const { received, baseUrl } = await serve({ status: 503, headers: { 'retry-after': '20' }, body: '' })
  const { clock, slept } = fastClock()
  const error = await failureOf(client(baseUrl, { clock }).waitForTrade(tradeNo, { timeout: 4000 }))
  expect(error).toMatchObject({ name: 'TradeStillProcessingError', cause: { status: 503 } })
  expect(slept).toEqual([4000])
  expect(received).toHaveLength(2)
})

test('waitForTrade rejects with the reason of its signal', async () => {
  const { baseUrl } = await serve(trade(1))
  const abort = new AbortController()
  const clock: Clock = {
    now: () => start,
    sleep: async (_, signal) => {
      abort.abort('left')
      signal?.throwIfAborted()
    },
  }
  expect(await failureOf(client(baseUrl, { clock }).waitForTrade(tradeNo, { signal: abort.signal }))).toBe('left')
})

test.each([
  [{ secret: `${secret}\n` }, 'secret has surrounding white space or a line break'],
  [{ secret: '' }, 'secret is empty'],
  [{ appid: undefined as unknown as string }, 'appid is undefined'],
  [{ baseUrl: 'localhost:7070' }, 'baseUrl must be an http or https URL'],
  [
    { baseUrl: 'http://user:hidden@localhost:7070' },
    'baseUrl contains a user name or a password, which Souk does not use',
  ],
  [{ baseUrl: 'http://localhost:7070/neuopenapi/' }, 'the URL before /neuopenapi'],
  [{ baseUrl: 'HTTP://user:hidden@localhost:7070' }, 'baseUrl contains a user name or a password'],
  [{ baseUrl: 'ftp://user:hidden@localhost' }, 'not …@localhost'],
  [{ baseUrl: 'http://user:hid/den@localhost' }, 'not …@localhost'],
  [{ baseUrl: 'user:hidden@localhost:7070' }, 'not …@localhost:7070'],
])('refuses invalid options immediately: %o', (options, expected) => {
  expect(() => new Souk({ baseUrl: 'http://localhost:7070', appid, secret, ...options })).toThrow(expected)
})

test('does not send a request whose signature would be valid for other parameters', async () => {
  const { received, baseUrl } = await serve({})
  const souk = new Souk({ baseUrl, appid, secret })
  const message = { openIds: [openId], title: 'Order', navigateType: '1', language: 'en_US' } as const
  const recut = `See timestamp=${start}title=Wonurl=https://evil.example/`
  const refused = souk.sendNotify({ ...message, text: recut })
  await expect(refused).rejects.toThrow(AmbiguousParametersError)
  await expect(refused).rejects.toMatchObject({ code: 'parameters_ambiguous', parameter: 'text' })
  const trade = {
    outTradeNo: 'order-1',
    notifyUrl: 'https://shop.example/',
    amount: 1,
    currency: 'SAR',
    openId,
  } as const
  await expect(souk.trade({ ...trade, description: 'Tea notifyUrl=https://evil.example/' })).rejects.toThrow(
    'description contains "notifyUrl="',
  )
  expect(received).toEqual([])

  await souk.sendNotify({ ...message, text: 'Title = title', link: 'pages/a?title=x' })
  expect(received).toHaveLength(1)
})

test('requests of all clients of a mini app at the same time have their own timestamps', async () => {
  const { received, baseUrl } = await serve(trade(1), { body: ok(true) }, trade(1))
  const clock: Clock = { ...fastClock().clock, now: () => start }
  const [one, other] = [new Souk({ baseUrl, appid, secret, clock }), new Souk({ baseUrl, appid, secret, clock })]
  await one.tradedetail(tradeNo)
  await other.tradeclose(tradeNo)
  await one.tradedetail(tradeNo)
  await other.tradedetail(tradeNo)
  const [first, ...later] = received.map(({ query }) => Number(query.get('timestamp')))
  expect(later.map((timestamp) => timestamp - first!)).toEqual([1, 2, 3])
})

const reused = refusal(409, 'sign_reused')
const replayed: Answer = { headers: { 'idempotent-replayed': 'true' } }

test('signs again what Souk did not execute because another request had the same sign', async () => {
  const { received, baseUrl } = await serve(reused, reused, {})
  expect(await client(baseUrl, { maxRetries: 0 }).tradeclose(tradeNo)).toBe(true)
  expect(new Set(received.map(({ query }) => query.get('sign'))).size).toBe(3)
})

test('gives up after five other requests with the same sign', async () => {
  const { received, baseUrl } = await serve(reused)
  expect(await failureOf(client(baseUrl).tradeclose(tradeNo))).toMatchObject({ status: 409, code: 'sign_reused' })
  expect(received).toHaveLength(6)
})

test('signs a notification again that was taken for that of another process', async () => {
  const { received, baseUrl } = await serve(replayed, {})
  expect(await client(baseUrl).sendNotify(notification)).toBe(true)
  expect(new Set(received.map(({ form }) => form.get('sign'))).size).toBe(2)
})

test('does not send a notification again that an earlier attempt may have sent', async () => {
  const { received, baseUrl } = await serve(null, replayed)
  expect(await client(baseUrl).sendNotify(notification)).toBe(true)
  expect(received).toHaveLength(2)
})

test('signs with the present time again after a clock was set back', async () => {
  const { received, baseUrl } = await serve({ body: ok(true) }, trade(1), { body: ok(true) })
  let time = start + 3_600_000
  const clock: Clock = { ...fastClock().clock, now: () => time }
  const souk = new Souk({ baseUrl, appid: 'bbbbbbbbbbbbbbb', secret, clock })
  await souk.tradeclose(tradeNo)
  time = start
  await souk.tradedetail(tradeNo)
  await souk.tradeclose(tradeNo)
  const [first, ...later] = received.map(({ query }) => Number(query.get('timestamp')))
  expect(later.map((timestamp) => first! - timestamp)).toEqual([3_600_000, 3_599_999])
})
