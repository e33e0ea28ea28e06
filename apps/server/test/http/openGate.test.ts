import { canonicalString, signParameters } from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenAnswer, startTestSouk, type TestSouk } from '../souk.ts'

const detail = '/neuopenapi/pay/transactions/tradedetail'
const create = '/neuopenapi/pay/transactions/trade'
const token = '/neuopenapi/oauth/mini/accessToken'
const tradeNo = '0'.repeat(32)

let souk: TestSouk
let app: { appid: string; secret: string }

beforeAll(async () => {
  souk = await startTestSouk()
  app = (await souk.console('POST', '/console/v1/apps', { name: 'Gate' })).body
})
afterAll(() => souk.stop())

/** A form in the order given, signed over its own pairs unless `sign` is among them. */
function form(pairs: [string, string][], secret = app.secret): URLSearchParams {
  const body = new URLSearchParams(pairs)
  if (!body.has('sign')) body.append('sign', signParameters(pairs, secret))
  return body
}

const fresh = (): [string, string][] => [
  ['appid', app.appid],
  ['timestamp', String(Date.now())],
]

function refused(answer: OpenAnswer, status: number, code: string, msg: RegExp): void {
  expect(answer).toMatchObject({ http: status, status, code, response: null })
  expect(answer.msg).toMatch(msg)
  expect(answer.headers.get('X-Request-Id')).toMatch(/^[0-9a-f]{32}$/)
}

test('the checks stand in their order: appid, timestamp, sign, then names and values', async () => {
  const wrong = { appid: 'nobody000000000', timestamp: '1', sign: 'x', surprise: '1' }
  refused(await souk.send('POST', create, { body: new URLSearchParams(wrong) }), 401, 'appid_invalid', /^Invalid appid/)
  wrong.appid = app.appid
  refused(
    await souk.send('POST', create, { body: new URLSearchParams(wrong) }),
    400,
    'timestamp_not_milliseconds',
    /^timestamp must be milliseconds/,
  )
  wrong.timestamp = String(Date.now() - 301_000)
  refused(
    await souk.send('POST', create, { body: new URLSearchParams(wrong) }),
    401,
    'timestamp_out_of_window',
    /^Request timeout\..*behind/,
  )
  wrong.timestamp = String(Date.now() + 301_000)
  refused(
    await souk.send('POST', create, { body: new URLSearchParams(wrong) }),
    401,
    'timestamp_out_of_window',
    /ahead/,
  )
  wrong.timestamp = String(Date.now())
  refused(
    await souk.send('POST', create, { body: new URLSearchParams(wrong) }),
    401,
    'sign_mismatch',
    /^Failed to verify signature\./,
  )
  refused(
    await souk.send('POST', create, { body: form([...fresh(), ['surprise', '1']]) }),
    400,
    'parameter_unknown',
    /"surprise".*knows appid/,
  )
  refused(
    await souk.send('POST', create, { body: form(fresh()) }),
    400,
    'parameter_missing',
    /outTradeNo, notifyUrl, amount, currency, openId/,
  )
})

test.each(['appid', 'timestamp', 'sign'])('a request without %s says so', async (name) => {
  const parameters: Record<string, string> = { appid: app.appid, timestamp: String(Date.now()), sign: 'x' }
  delete parameters[name]
  refused(
    await souk.send('GET', `${detail}?${new URLSearchParams(parameters)}`),
    400,
    'parameter_missing',
    new RegExp(name),
  )
})

test('each wrong value is named with what is allowed', async () => {
  const values: [string, string][] = [
    ['outTradeNo', 'order 1'],
    ['amount', '0'],
    ['currency', 'EUR'],
    ['notifyUrl', 'https://shop.example/pay'],
    ['openId', 'X'],
  ]
  const answer = await souk.send('POST', create, { body: form([...fresh(), ...values]) })
  refused(answer, 400, 'parameter_invalid', /amount must be a whole number of cents from 1 to 99999999999/)
  expect(answer.data?.parameters).toEqual(expect.arrayContaining(['amount', 'currency', 'openId', 'outTradeNo']))
  for (const amount of ['1.5', '1e3', '0x10', ' 5', '-1', '100000000000', '99999999999999999999']) {
    const pairs = values.map(([name, value]): [string, string] => [name, name === 'amount' ? amount : value])
    const again = await souk.send('POST', create, { body: form([...fresh(), ...pairs]) })
    expect(again.data?.parameters, amount).toContain('amount')
  }
})

test('query string and body are one set, and a name in both is refused', async () => {
  const pairs: [string, string][] = [...fresh(), ['tradeNo', tradeNo]]
  const sign = signParameters(pairs, app.secret)
  const query = new URLSearchParams([...pairs, ['sign', sign]])
  const close = '/neuopenapi/pay/transactions/tradeclose'
  refused(await souk.send('POST', `${close}?${query}`), 404, 'trade_not_found', /^There is no such trade/)
  refused(
    await souk.send('POST', `${close}?tradeNo=${tradeNo}`, { body: new URLSearchParams(fresh()) }),
    400,
    'parameter_missing',
    /sign/,
  )
  refused(
    await souk.send('POST', `${close}?${query}`, { body: new URLSearchParams({ tradeNo }) }),
    400,
    'parameter_repeated',
    /tradeNo/,
  )
})

test('a form may be multipart, and its file part is neither signed nor a parameter', async () => {
  const pairs: [string, string][] = [
    ...fresh(),
    ['code', 'no-such-code'],
    ['grantType', 'authorization_code'],
    ['scope', 'user.info'],
  ]
  const body = new FormData()
  for (const [name, value] of pairs) body.append(name, value)
  body.append('sign', signParameters(pairs, app.secret))
  refused(await souk.send('POST', token, { body }), 400, 'code_unknown', /^The code is unknown/)
  body.append('fileData', new Blob(['x']), 'x.png')
  refused(await souk.send('POST', token, { body }), 400, 'parameter_unknown', /takes no file/)
})

test('bytes that are not UTF-8, broken escapes, control characters and repeated names are refused before anything else', async () => {
  const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const cases: [string, string][] = [
    ['appid=%ff', 'parameter_malformed'],
    ['appid=%c0%af', 'parameter_malformed'],
    ['appid=%zz', 'parameter_malformed'],
    ['appid=a%00b', 'parameter_control_character'],
    ['appid=a%0Ab', 'parameter_control_character'],
    ['appid=a&appid=b', 'parameter_repeated'],
  ]
  for (const [body, code] of cases)
    expect((await souk.send('POST', token, { body, headers: urlencoded })).code, body).toBe(code)
})

test('a transmitted secret has no say and is answered with a warning', async () => {
  const pairs: [string, string][] = [...fresh(), ['tradeNo', tradeNo]]
  const query = form([...pairs, ['secret', 'anything']])
  const answer = await souk.send('GET', `${detail}?${query}`)
  expect(answer.code).toBe('trade_not_found')
  expect(answer.headers.get('Warning')).toMatch(/Never send the secret/)
})

test('appId is understood for appid, but not beside it', async () => {
  const pairs: [string, string][] = [
    ['appId', app.appid],
    ['timestamp', String(Date.now())],
    ['tradeNo', tradeNo],
  ]
  expect((await souk.send('GET', `${detail}?${form(pairs)}`)).code).toBe('trade_not_found')
  expect((await souk.send('GET', `${detail}?${form([...pairs, ['appid', app.appid]])}`)).code).toBe(
    'parameter_repeated',
  )
})

test('a sandbox names the mistake of a wrong sign, in the answer and in the request log, and never the secret or the right sign', async () => {
  const pairs: [string, string][] = [...fresh(), ['tradeNo', tradeNo]]
  const right = signParameters(pairs, app.secret)
  const answer = await souk.send('GET', `${detail}?${form([...pairs, ['sign', right.toUpperCase()]])}`)
  refused(answer, 401, 'sign_mismatch', /^Failed to verify signature\. .*lower/i)
  await souk.requestLog.flush()
  const { body } = await souk.console('GET', `/console/v1/requests?appid=${app.appid}&failed=true&limit=1`)
  expect(body[0]).toMatchObject({ operation: 'tradedetail', status: 401, code: 'sign_mismatch' })
  expect(body[0].diagnosis.canonicalString).toBe(canonicalString(pairs, '******'))
  expect(JSON.stringify([answer.msg, answer.data, body])).not.toContain(right)
  expect(JSON.stringify([answer.msg, answer.data, body])).not.toContain(app.secret)
})

test('an app that is disabled is as unknown, and one without the capability is told so', async () => {
  const other = (await souk.console('POST', '/console/v1/apps', { name: 'Other' })).body
  await souk.console('PATCH', `/console/v1/apps/${other.appid}`, { capabilities: ['login'] })
  await expect.poll(async () => (await souk.signed(other, 'GET', detail, { tradeNo })).code).toBe('capability_missing')
  const lacking = await souk.signed(other, 'GET', detail, { tradeNo })
  refused(lacking, 403, 'capability_missing', /^The user has not opened the open interface\./)
  await souk.console('PATCH', `/console/v1/apps/${other.appid}`, { enabled: false })
  await expect.poll(async () => (await souk.signed(other, 'GET', detail, { tradeNo })).code).toBe('appid_invalid')
})

test('both secrets hold while a rotation overlaps, and the old one alone fails after it', async () => {
  const rotating = (await souk.console('POST', '/console/v1/apps', { name: 'Rotating' })).body
  const { body } = await souk.console('POST', `/console/v1/apps/${rotating.appid}/secrets`, { overlap: 60 })
  const renewed = { appid: rotating.appid, secret: body.secret }
  await expect.poll(async () => (await souk.signed(renewed, 'GET', detail, { tradeNo })).code).toBe('trade_not_found')
  expect((await souk.signed(rotating, 'GET', detail, { tradeNo })).code).toBe('trade_not_found')
  souk.clock.offset = 61_000
  expect((await souk.signed(rotating, 'GET', detail, { tradeNo })).code).toBe('sign_mismatch')
  souk.clock.offset = 0
})

test('what the open API does not know is answered in its own envelope', async () => {
  const wrongMethod = await souk.send('GET', create)
  refused(wrongMethod, 405, 'method_not_allowed', /takes POST/)
  expect(wrongMethod.headers.get('Allow')).toBe('POST')
  refused(
    await souk.send('POST', create, { body: '{}', headers: { 'Content-Type': 'application/json' } }),
    415,
    'body_unsupported',
    /./,
  )
  refused(await souk.send('POST', '/neuopenapi/nothing'), 404, 'route_unknown', /./)
  refused(
    await souk.send('POST', create, { body: new URLSearchParams({ a: 'x'.repeat(300_000) }) }),
    413,
    'body_too_large',
    /./,
  )
})

test('over its limit an app hears when to come back, and an unsigned flood does not use it up', async () => {
  const limited = await startTestSouk({ rateLimit: 5 })
  try {
    const mine = (await limited.console('POST', '/console/v1/apps', { name: 'Limited' })).body
    const flood = Array.from({ length: 30 }, () =>
      limited.signed({ ...mine, secret: 'wrong' }, 'GET', detail, { tradeNo }),
    )
    for (const answer of await Promise.all(flood)) expect(answer.code).toBe('sign_mismatch')
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => limited.signed(mine, 'GET', detail, { tradeNo })),
    )
    expect(answers.filter(({ code }) => code === 'trade_not_found')).toHaveLength(10)
    const refusals = answers.filter(({ code }) => code === 'rate_limited')
    expect(refusals).toHaveLength(2)
    expect(refusals[0]!.headers.get('Retry-After')).toMatch(/^[12]$/)
    expect(answers[0]!.headers.get('RateLimit')).toMatch(/^"app";r=\d+;t=\d+$/)
  } finally {
    await limited.stop()
  }
})

test('HTTP 200 can be forced for clients that read the envelope only', async () => {
  const lenient = await startTestSouk({ openApiAlways200: true })
  try {
    expect(await lenient.send('POST', token, { body: new URLSearchParams() })).toMatchObject({ http: 200, status: 400 })
  } finally {
    await lenient.stop()
  }
})

test('no secret, code, token, sign or phone number of all this was logged', async () => {
  const all = souk.logged.join('')
  expect(all).toContain('"code":"sign_mismatch"')
  expect(all).not.toContain(app.secret)
  expect(all).not.toMatch(/[0-9a-f]{64}/)
})
