import { canonicalString, parseForm, signParameters } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenAnswer, startTestSouk, type TestSouk } from '../souk.ts'

const detail = '/neuopenapi/pay/transactions/tradedetail'
const create = '/neuopenapi/pay/transactions/trade'
const token = '/neuopenapi/oauth/mini/accessToken'
const userInfo = '/neuopenapi/oauth/mini/user/info'
const tradeNo = '0'.repeat(32)

let souk: TestSouk
let app: { appid: string; secret: string }

beforeAll(async () => {
  souk = await startTestSouk()
  app = (await souk.console('POST', '/console/v1/apps', { name: 'Gate' })).body
})
afterAll(() => souk.stop())

/** Encodes a form in the given order, signed unless it contains `sign`. */
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

test('refuses thousands of parameters before it checks their sign', async () => {
  const names = (count: number) => Array.from({ length: count }, (_, index): [string, string] => [`p${index}`, ''])
  const body = (count: number) => new URLSearchParams([...fresh(), ['sign', 'a'.repeat(64)], ...names(count)])
  const reason = /at most 100 parameters/
  refused(await souk.send('POST', create, { body: body(5000) }), 400, 'parameter_malformed', reason)
  refused(await souk.send('GET', `${detail}?${body(500)}`), 400, 'parameter_malformed', reason)
  refused(await souk.send('POST', create, { body: body(97) }), 401, 'sign_mismatch', /sign/i)
})

test('checks appid, timestamp, sign, then names and values, in this order', async () => {
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
  wrong.timestamp = String(Date.now() + 360_000)
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
    /"surprise".*has appid/,
  )
  refused(
    await souk.send('POST', create, { body: form(fresh()) }),
    400,
    'parameter_missing',
    /outTradeNo, notifyUrl, amount, currency, openId/,
  )
})

test.each(['appid', 'timestamp', 'sign'])('reports a missing %s', async (name) => {
  const parameters: Record<string, string> = { appid: app.appid, timestamp: String(Date.now()), sign: 'x' }
  delete parameters[name]
  refused(
    await souk.send('GET', `${detail}?${new URLSearchParams(parameters)}`),
    400,
    'parameter_missing',
    new RegExp(name),
  )
})

test('names each invalid value with what is allowed', async () => {
  const values: [string, string][] = [
    ['outTradeNo', 'طلب-١'],
    ['amount', '0'],
    ['currency', 'EUR'],
    ['notifyUrl', 'https://shop.example/pay'],
    ['openId', 'X'],
  ]
  const answer = await souk.send('POST', create, { body: form([...fresh(), ...values]) })
  refused(answer, 400, 'parameter_invalid', /amount must be an integer number of cents from 1 to 99999999999/)
  refused(answer, 400, 'parameter_invalid', /outTradeNo must be 1 to 64 ASCII digits, letters/)
  expect(answer.data?.parameters).toEqual(expect.arrayContaining(['amount', 'currency', 'openId', 'outTradeNo']))
  for (const amount of ['1.5', '1e3', '0x10', ' 5', '-1', '100000000000', '99999999999999999999']) {
    const pairs = values.map(([name, value]): [string, string] => [name, name === 'amount' ? amount : value])
    const again = await souk.send('POST', create, { body: form([...fresh(), ...pairs]) })
    expect(again.data?.parameters, amount).toContain('amount')
  }
})

test('merges query string and body, and refuses a name in both', async () => {
  const pairs: [string, string][] = [...fresh(), ['tradeNo', tradeNo]]
  const sign = signParameters(pairs, app.secret)
  const query = new URLSearchParams([...pairs, ['sign', sign]])
  const close = '/neuopenapi/pay/transactions/tradeclose'
  refused(await souk.send('POST', `${close}?${query}`), 404, 'trade_not_found', /^Trade not found/)
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

test('accepts multipart forms, whose file part is neither signed nor a parameter', async () => {
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
  refused(await souk.send('POST', token, { body }), 400, 'parameter_unknown', /does not take a file/)
})

test('refuses invalid UTF-8, invalid escapes, control characters and repeated names first', async () => {
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

test('ignores a transmitted secret and adds a warning', async () => {
  const pairs: [string, string][] = [...fresh(), ['tradeNo', tradeNo]]
  const query = form([...pairs, ['secret', 'anything']])
  const answer = await souk.send('GET', `${detail}?${query}`)
  expect(answer.code).toBe('trade_not_found')
  expect(answer.headers.get('Warning')).toMatch(/Never send the secret/)
})

test('warns about a transmitted secret in errors too', async () => {
  const query = form([...fresh(), ['tradeNo', tradeNo], ['secret', app.secret], ['sign', '0'.repeat(64)]])
  const answer = await souk.send('GET', `${detail}?${query}`)
  expect(answer.code).toBe('sign_mismatch')
  expect(answer.headers.get('Warning')).toMatch(/Never send the secret/)
})

test('accepts appId as alias of appid, and both if they are equal', async () => {
  const pairs: [string, string][] = [
    ['appId', app.appid],
    ['timestamp', String(Date.now())],
    ['tradeNo', tradeNo],
  ]
  for (const more of [[], [['appid', app.appid]], [['appid', '']]] as [string, string][][]) {
    expect((await souk.send('GET', `${detail}?${form([...pairs, ...more])}`)).code).toBe('trade_not_found')
  }
  const other = pairs.map(([name, value]): [string, string] => [name, name === 'appId' ? 'another' : value])
  const answer = await souk.send('GET', `${detail}?${form([...other, ['appid', app.appid]])}`)
  refused(answer, 400, 'parameter_repeated', /appId is an alias of appid, and their values differ/)
  expect(answer.data).toEqual({ parameters: ['appid', 'appId'] })
})

test('refuses numbers with leading zeros, and timestamps that are not in milliseconds', async () => {
  const values = { outTradeNo: 'zeros', notifyUrl: 'https://shop.example/pay', currency: 'SAR', openId: 'f'.repeat(32) }
  for (const amount of ['007', '00', '-0']) {
    const answer = await souk.signed(app, 'POST', create, { ...values, amount })
    refused(answer, 400, 'parameter_invalid', /amount must be an integer number of cents/)
  }
  for (const [timestamp, says] of [
    [`${Math.floor(Date.now() / 1000)}`, /seconds/],
    [`${Date.now()}000`, /a finer unit/],
    [`${Date.now()}000000`, /a finer unit/],
    [`0${Date.now()}`, /as digits/],
  ] as const) {
    const answer = await souk.signed(app, 'GET', detail, { tradeNo, timestamp })
    refused(answer, 400, 'timestamp_not_milliseconds', /^timestamp must be milliseconds\. Send /)
    expect(answer.msg).toMatch(says)
  }
})

describe('multipart', () => {
  const upload = '/neuopenapi/file/upload'
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' }
  const part = (name: string, value: string, more = '') =>
    `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
  const signedParts = (pairs: [string, string][]) =>
    [...pairs, ['sign', signParameters(pairs, app.secret)] as const].map(([name, value]) => part(name, value)).join('')

  test('refuses a truncated body', async () => {
    const whole = `${signedParts(fresh())}${part('fileData', 'x'.repeat(50), '; filename="a.png"')}--x--\r\n`
    for (const cut of [8, 30, 100, whole.length - 200]) {
      refused(
        await souk.send('POST', upload, { headers, body: whole.slice(0, -cut) }),
        400,
        'parameter_malformed',
        /ends before its closing boundary|cannot be parsed/,
      )
    }
  })

  test('explains that fileData must be a file part', async () => {
    const body = `${signedParts(fresh())}${part('fileData', 'x')}--x--\r\n`
    for (const init of [{ headers, body }, { body: form([...fresh(), ['fileData', 'x']]) }]) {
      refused(await souk.send('POST', upload, init), 400, 'parameter_invalid', /fileData must be a file part/)
    }
  })

  test('accepts U+FFFD, and refuses invalid UTF-8 for any charset of the part', async () => {
    const pairs: [string, string][] = [...fresh(), ['code', 'a\uFFFDb'], ['grantType', 'authorization_code']]
    const body = `${signedParts(pairs)}--x--\r\n`
    expect((await souk.send('POST', token, { headers, body })).code).toBe('code_unknown')
    for (const charset of ['', '\r\nContent-Type: text/plain; charset=utf-8', '\r\nContent-Type: application/json']) {
      const bytes = Buffer.from(`${part('code', 'a\xFFb', charset)}--x--\r\n`, 'latin1')
      refused(await souk.send('POST', token, { headers, body: bytes }), 400, 'parameter_malformed', /code is not UTF-8/)
    }
  })

  test('refuses too large fields, too many parts and unknown names with a readable response', async () => {
    const cases: [string, string][] = [
      [part('title', 'x'.repeat(300_000)), 'body_too_large'],
      [part('title', 'x'.repeat(4_000_000)), 'body_too_large'],
      [Array.from({ length: 300 }, (_, n) => part(`a${n}`, 'x'.repeat(1000))).join(''), 'body_too_large'],
      [part('picture', 'x'.repeat(4_000_000), '; filename="a.png"'), 'parameter_unknown'],
      [part('constructor', 'x'), 'parameter_unknown'],
    ]
    for (const [parts, code] of cases) {
      expect((await souk.send('POST', upload, { headers, body: `${parts}--x--\r\n` })).code).toBe(code)
    }
  })
})

test('accepts an empty body of unknown length and any content type, and refuses others by their type', async () => {
  const close = '/neuopenapi/pay/transactions/tradeclose'
  const headers = { 'Content-Type': 'application/json' }
  const send = (...parts: string[]) =>
    souk.send('POST', `${close}?${form([...fresh(), ['tradeNo', tradeNo]])}`, {
      headers,
      body: new Blob(parts).stream(),
      duplex: 'half',
    })
  refused(await send(), 404, 'trade_not_found', /^Trade not found/)
  refused(await send('{}'), 415, 'body_unsupported', /Send application\/x-www-form-urlencoded/)
})

test('refuses a compressed body, and accepts the encoding identity', async () => {
  const body = form([...fresh(), ['tradeNo', tradeNo]])
  const close = '/neuopenapi/pay/transactions/tradeclose'
  const answer = await souk.send('POST', close, { body, headers: { 'Content-Encoding': 'gzip' } })
  refused(answer, 415, 'body_unsupported', /Content-Encoding/)
  expect((await souk.send('POST', close, { body, headers: { 'Content-Encoding': 'identity' } })).code).toBe(
    'trade_not_found',
  )
})

test('refuses openIds with white space, and logs skipped recipients', async () => {
  const user = (await souk.console('POST', '/console/v1/sandbox/users', { nickname: 'Layla' })).body
  const { code } = (await souk.console('POST', '/console/v1/sandbox/codes', { appid: app.appid, uid: user.uid })).body
  const grant = { code, grantType: 'authorization_code' }
  const { accessToken } = (await souk.signed(app, 'POST', token, grant)).response
  const { openId } = (await souk.send('GET', `${userInfo}?accessToken=${accessToken}`)).response
  const message = { notifyType: 1, title: 'T', text: 'T', navigateType: '1', language: 'en_US' }
  const send = (openIds: string) => souk.signed(app, 'POST', '/neuopenapi/notify/sendNotify', { ...message, openIds })
  for (const openIds of [`${openId}, ${openId}`, ` ${openId}`, `${openId} `]) {
    refused(await send(openIds), 400, 'parameter_invalid', /openIds must be .* no spaces/)
  }
  const { response, notDelivered } = await send(Array(501).fill(openId).join(','))
  expect([response, notDelivered]).toEqual([true, undefined])
  expect(await send(`${openId},${'f'.repeat(32)}`)).toMatchObject({
    response: true,
    notDelivered: { count: 1, reasons: { unknown: 1 } },
  })
  await souk.requestLog.flush()
  const { body } = await souk.console('GET', `/console/v1/requests?appid=${app.appid}&limit=2`)
  expect(body).toMatchObject([
    {
      operation: 'sendNotify',
      status: 200,
      code: null,
      reason: 'Skipped 1 of 2 openIds: unknown under this appid.',
    },
    { operation: 'sendNotify', status: 200, code: null, reason: null },
  ])
})

test('says that a repeated notification was not sent again', async () => {
  const user = (await souk.console('POST', '/console/v1/sandbox/users', { nickname: 'Omar' })).body
  const { code } = (await souk.console('POST', '/console/v1/sandbox/codes', { appid: app.appid, uid: user.uid })).body
  const { accessToken } = (await souk.signed(app, 'POST', token, { code, grantType: 'authorization_code' })).response
  const { openId } = (await souk.send('GET', `${userInfo}?accessToken=${accessToken}`)).response
  const message = { notifyType: '1', title: 'T', text: 'T', navigateType: '1', language: 'en_US', openIds: openId }
  const body = form([...fresh(), ...Object.entries(message)])
  const headers = { 'User-Agent': `souk-python/0.2.0 (CPython 3.11.2) ${app.secret}` }
  const send = () => souk.send('POST', '/neuopenapi/notify/sendNotify', { body, headers })
  const [first, second] = [await send(), await send()]
  expect([first.response, second.response]).toEqual([true, true])
  expect([first, second].map(({ headers }) => headers.get('Idempotent-Replayed'))).toEqual([null, 'true'])
  await souk.requestLog.flush()
  const { body: logged } = await souk.console('GET', `/console/v1/requests?appid=${app.appid}&limit=1`)
  expect(logged).toMatchObject([
    {
      reason: 'An earlier request had the same sign, so this one changed nothing.',
      client: 'souk-python/0.2.0 (CPython 3.11.2) ******',
    },
  ])
})

test('the request log never contains secrets, codes or tokens, in any way of sending them', async () => {
  const leaking = (await souk.console('POST', '/console/v1/apps', { name: 'Leaking' })).body
  const former = leaking.secret
  const { body: renewed } = await souk.console('POST', `/console/v1/apps/${leaking.appid}/secrets`, { overlap: 0 })
  const current = renewed.secret
  const everyByte = (text: string) => Buffer.from(text).toString('hex').replace(/../g, '%$&')
  await expect
    .poll(async () => (await souk.signed({ ...leaking, secret: current }, 'GET', detail, { tradeNo })).code)
    .toBe('trade_not_found')
  const common = { appid: leaking.appid, timestamp: String(Date.now()), code: 'c-1', accessToken: 't-1' }
  for (const secret of [former, current]) {
    for (const parameters of [
      { appSecret: secret, key: secret.toUpperCase() },
      { key: everyByte(secret), secret },
      { [secret]: 'x', [`x${secret.toUpperCase()}`]: secret },
      { code: secret, title: `"${secret}"` },
    ]) {
      const signless = { ...common, ...parameters }
      const query = new URLSearchParams({ ...signless, sign: 'f'.repeat(64) })
      expect((await souk.send('GET', `${detail}?${query}`)).code).toBe('sign_mismatch')
      // Correctly signed, they are refused by name.
      const named = await souk.signed({ ...leaking, secret: current }, 'GET', detail, signless)
      expect(named.code).toBe('parameter_unknown')
    }
  }
  const twice = `${current}&${current}`
  expect((await souk.send('GET', `${detail}?${twice}`)).code).toBe('parameter_repeated')
  await souk.requestLog.flush()
  const log = JSON.stringify((await souk.console('GET', '/console/v1/requests')).body)
  expect(log).toContain('canonicalString')
  expect(log).toContain('code=******')
  expect(log).not.toMatch(/c-1|t-1/)
  for (const secret of [former, current]) {
    for (const form of [secret, everyByte(secret)]) expect(log.toLowerCase()).not.toContain(form)
  }
})

test('a sandbox names the mistake of a wrong sign without revealing the secret or the correct sign', async () => {
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

test('treats a disabled app as unknown, and reports a missing capability', async () => {
  const other = (await souk.console('POST', '/console/v1/apps', { name: 'Other' })).body
  await souk.console('PATCH', `/console/v1/apps/${other.appid}`, { capabilities: ['login'] })
  await expect.poll(async () => (await souk.signed(other, 'GET', detail, { tradeNo })).code).toBe('capability_missing')
  const lacking = await souk.signed(other, 'GET', detail, { tradeNo })
  refused(lacking, 403, 'capability_missing', /^The user has not opened the open interface\./)
  await souk.console('PATCH', `/console/v1/apps/${other.appid}`, { enabled: false })
  await expect.poll(async () => (await souk.signed(other, 'GET', detail, { tradeNo })).code).toBe('appid_invalid')
})

test('accepts both secrets during the overlap of a rotation, then only the new one', async () => {
  const rotating = (await souk.console('POST', '/console/v1/apps', { name: 'Rotating' })).body
  const { body } = await souk.console('POST', `/console/v1/apps/${rotating.appid}/secrets`, { overlap: 60 })
  const renewed = { appid: rotating.appid, secret: body.secret }
  await expect.poll(async () => (await souk.signed(renewed, 'GET', detail, { tradeNo })).code).toBe('trade_not_found')
  expect((await souk.signed(rotating, 'GET', detail, { tradeNo })).code).toBe('trade_not_found')
  souk.clock.offset = 61_000
  expect((await souk.signed(rotating, 'GET', detail, { tradeNo })).code).toBe('sign_mismatch')
  souk.clock.offset = 0
})

test('reports unknown routes in the envelope', async () => {
  const wrongMethod = await souk.send('GET', create)
  refused(wrongMethod, 405, 'method_not_allowed', /Use POST/)
  expect(wrongMethod.headers.get('Allow')).toBe('POST')
  for (const [path, allow] of [
    [create, 'POST'],
    [detail, 'GET, POST'],
  ] as const) {
    for (const method of ['HEAD', 'OPTIONS']) {
      const answer = await fetch(souk.url + path, { method })
      expect([answer.status, answer.headers.get('Allow')]).toEqual([405, allow])
    }
  }
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

test('tells an app over its limit when to retry, and does not count unsigned requests against it', async () => {
  const limited = await startTestSouk({ rateLimit: 5 })
  limited.clock.stop()
  try {
    const mine = (await limited.console('POST', '/console/v1/apps', { name: 'Limited' })).body
    const unsigned = Array.from({ length: 30 }, () =>
      limited.signed({ ...mine, secret: 'wrong' }, 'GET', detail, { tradeNo }),
    )
    const codes = (await Promise.all(unsigned)).map(({ code }) => code)
    expect(codes.filter((code) => code === 'sign_mismatch')).toHaveLength(10)
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(20)
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => limited.signed(mine, 'GET', detail, { tradeNo })),
    )
    expect(answers.filter(({ code }) => code === 'trade_not_found')).toHaveLength(10)
    const refusals = answers.filter(({ code }) => code === 'rate_limited')
    expect(refusals).toHaveLength(2)
    expect(refusals[0]!.headers.get('Retry-After')).toBe('2')
    expect(answers[0]!.headers.get('RateLimit')).toMatch(/^"app";r=\d;t=2$/)

    limited.clock.advance(1_999)
    const early = await limited.signed(mine, 'GET', detail, { tradeNo })
    expect(early).toMatchObject({ code: 'rate_limited' })
    expect(early.headers.get('Retry-After')).toBe('1')
    limited.clock.advance(1)
    const later = await limited.signed(mine, 'GET', detail, { tradeNo })
    expect(later).toMatchObject({ code: 'trade_not_found' })
    expect(later.headers.get('RateLimit')).toBe('"app";r=9;t=2')
  } finally {
    await limited.stop()
  }
})

test('limits user info by the mini app of its token, and invalid tokens and signs by client IP', async () => {
  const limited = await startTestSouk({ rateLimit: 5 })
  limited.clock.stop()
  try {
    const { uid } = (await limited.console('POST', '/console/v1/sandbox/users', { nickname: 'Layla' })).body
    const tokenOfNewApp = async () => {
      const mine = (await limited.console('POST', '/console/v1/apps', { name: 'One of several' })).body
      const { code } = (await limited.console('POST', '/console/v1/sandbox/codes', { appid: mine.appid, uid })).body
      const grant = { code, grantType: 'authorization_code' }
      return (await limited.signed(mine, 'POST', token, grant)).response.accessToken
    }
    const [one, other] = [await tokenOfNewApp(), await tokenOfNewApp()]
    const ask = async (accessToken: string, times: number) => {
      const asked = Array.from({ length: times }, () => limited.send('GET', `${userInfo}?accessToken=${accessToken}`))
      const answers = await Promise.all(asked)
      return { limited: answers.filter(({ code }) => code === 'rate_limited').length, last: answers.at(-1)! }
    }
    expect(await ask('none', 12)).toMatchObject({ limited: 2, last: { code: 'rate_limited' } })
    expect((await ask('none&appid=a23456789012345&timestamp=1&sign=0', 1)).last.code).toBe('rate_limited')
    // The code exchange was the first of ten requests.
    const noisy = await ask(one, 12)
    expect(noisy.limited).toBe(3)
    expect(noisy.last.headers.get('RateLimit')).toMatch(/^"app";/)
    expect(await ask(other, 9)).toMatchObject({ limited: 0, last: { status: 200 } })
    expect((await ask('none', 1)).last.headers.get('RateLimit')).toMatch(/^"address";/)
  } finally {
    await limited.stop()
  }
})

test('refuses an unreachable notifyUrl when the trade is created', async () => {
  const live = await startTestSouk({ sandbox: false })
  try {
    const mine = (await live.console('POST', '/console/v1/apps', { name: 'Live' })).body
    const order = { outTradeNo: 'o-1', amount: 1, currency: 'SAR', openId: 'f'.repeat(32) }
    for (const host of ['localhost', '127.0.0.1', '10.0.0.1', '169.254.169.254', '[::1]']) {
      const answer = await live.signed(mine, 'POST', create, { ...order, notifyUrl: `https://${host}/x` })
      refused(answer, 400, 'notify_url_refused', /^notifyUrl is not acceptable\. .*which Souk does not connect to/)
    }
  } finally {
    await live.stop()
  }
})

test('refuses a too large body with a response, not by closing the connection', async () => {
  const body = new URLSearchParams({ a: 'x'.repeat(5_000_000) })
  const answers = await Promise.all(Array.from({ length: 10 }, () => souk.send('POST', create, { body })))
  for (const answer of answers) refused(answer, 413, 'body_too_large', /./)
})

test('reports an undecodable path in the envelope', async () => {
  refused(await souk.send('GET', '/neuopenapi/%ff'), 400, 'parameter_malformed', /path/)
  expect((await souk.console('GET', '/console/v1/%ff')).body.code).toBe('parameter_malformed')
})

test('logs neither unknown appids nor long values of requests without a valid sign', async () => {
  const limited = await startTestSouk({ rateLimit: 1 })
  try {
    const { appid } = (await limited.console('POST', '/console/v1/apps', { name: 'Flood' })).body
    const stored = 'x'.repeat(200_000)
    const flood = (body: Record<string, string>) => limited.send('POST', create, { body: new URLSearchParams(body) })
    for (let n = 0; n < 70; n++) await flood({ appid: stored })
    await flood({ appid, timestamp: String(Date.now()), sign: 'f'.repeat(64), description: stored })
    await limited.requestLog.close()
    const rows = await limited.context.sql<{ code: string; size: number; requests: number }[]>`
      select code, max(length(request_log::text)) as size, count(*)::int as requests from request_log group by code`
    expect(rows.reduce((sum, { requests }) => sum + requests, 0)).toBeLessThan(65)
    expect(rows.map(({ code }) => code)).toContain('rate_limited')
    for (const { code, size } of rows) expect(size, code).toBeLessThan(10_000)
    expect(limited.logged.length).toBeLessThan(80)
  } finally {
    await limited.stop()
  }
})

test('HTTP 200 can be forced for clients that only read the envelope', async () => {
  const lenient = await startTestSouk({ openApiAlways200: true })
  try {
    expect(await lenient.send('POST', token, { body: new URLSearchParams() })).toMatchObject({ http: 200, status: 400 })
  } finally {
    await lenient.stop()
  }
})

/** A token of no server. */
const tokenNaming = (clientId: string) => `e30.${Buffer.from(JSON.stringify({ clientId })).toString('base64url')}.x`

test('HTTP 200 can be forced or refused for each mini app', async () => {
  const lenient = await startTestSouk({ openApiAlways200: true })
  try {
    for (const [server, setting, http] of [
      [souk, true, () => 200],
      [souk, false, (status: number) => status],
      [souk, null, (status: number) => status],
      [lenient, false, (status: number) => status],
      [lenient, null, () => 200],
    ] as const) {
      const one = (await server.console('POST', '/console/v1/apps', { name: 'Raises' })).body
      await server.console('PATCH', `/console/v1/apps/${one.appid}`, { openApiAlways200: setting })
      expect((await server.console('GET', `/console/v1/apps/${one.appid}`)).body.openApiAlways200).toBe(setting)
      const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' }
      const answers = [
        await server.signed(one, 'GET', detail, { tradeNo }),
        await server.signed(one, 'POST', create, { surprise: 1 }),
        await server.send('POST', create, { body: new URLSearchParams({ appid: one.appid, sign: 'x' }) }),
        await server.send('POST', create, { headers: urlencoded, body: `a=%00&appid=${one.appid}` }),
        await server.send('POST', create, { headers: urlencoded, body: `appId=${one.appid}&appId=b` }),
        await server.send('GET', `${detail}?tradeNo=%ff&appid=${one.appid}&sign=`),
        await server.send('POST', `${create}?appid=${one.appid}`, {
          headers: { 'Content-Type': 'text/plain' },
          body: 'x',
        }),
        await server.send('PUT', `${detail}?appid=${one.appid}`),
        await server.send('POST', `/neuopenapi/nothing?appid=${one.appid}`),
        await server.send('GET', `${userInfo}?accessToken=${tokenNaming(one.appid)}`),
        await server.send('POST', userInfo, { body: new URLSearchParams({ accessToken: tokenNaming(one.appid) }) }),
      ]
      for (const answer of answers) {
        expect(answer.status, answer.msg).toBeGreaterThanOrEqual(400)
        expect(answer.http, answer.msg).toBe(http(answer.status))
      }
    }
    expect(
      await lenient.send('POST', create, { body: new URLSearchParams({ appid: 'nobody000000000' }) }),
    ).toMatchObject({
      http: 200,
      status: 401,
    })
  } finally {
    await lenient.stop()
  }
})

test('logs no secret, code, token, sign or phone number', async () => {
  const all = souk.logged.join('')
  expect(all).toContain('"code":"sign_mismatch"')
  expect(all).not.toContain(app.secret)
  expect(all).not.toMatch(/[0-9a-f]{64}/)
})

describe('a signed request that can be cut differently', () => {
  const language = 'en_US'
  const openIds = '0'.repeat(32)
  const send = (parameters: Record<string, string>, path = '/neuopenapi/notify/sendNotify') =>
    souk.send('POST', path, { body: form([...fresh(), ...Object.entries(parameters)]) })
  const message = { notifyType: '1', openIds, title: 'Order', text: 'Ready', navigateType: '1', language }

  test('is refused in both forms, and the error says what to change', async () => {
    const [appid, timestamp] = fresh()
    const hidden = `Wonurl=https://evil.example/`
    const text = `Hello timestamp=${timestamp![1]}title=${hidden}`
    refused(await send({ ...message, text }), 400, 'parameters_ambiguous', /text contains "timestamp=".*write/)

    const signed: [string, string][] = Object.entries({ ...message, text })
    const stale: [string, string][] = [appid!, ['timestamp', '1700000000000'], ...signed]
    const recut = new URLSearchParams([
      appid!,
      timestamp!,
      ...Object.entries({
        ...message,
        text: 'Hello ',
        title: 'Won',
        url: 'https://evil.example/timestamp=1700000000000title=Order',
        sign: signParameters(stale, app.secret),
      }),
    ])
    expect(canonicalString(parseForm(`${recut}`), '')).toBe(canonicalString(stale, ''))
    const answer = await souk.send('POST', '/neuopenapi/notify/sendNotify', { body: recut })
    refused(answer, 400, 'parameters_ambiguous', /url contains "timestamp="|title="/)
  })

  test('with a callback address in the description is refused', async () => {
    const trade = {
      outTradeNo: 'o-1',
      amount: '1',
      currency: 'SAR',
      openId: openIds,
      notifyUrl: 'https://shop.example/',
    }
    refused(
      await send({ ...trade, description: 'Tea notifyUrl=https://evil.example/' }, create),
      400,
      'parameters_ambiguous',
      /description contains "notifyUrl="/,
    )
    const { code } = await send({ ...trade, description: 'notifyUrl of the shop', merchantId: '' }, create)
    expect(code).toBe('open_id_unknown')
  })

  test('is accepted if only one of the forms is valid', async () => {
    for (const [name, value] of [
      ['link', 'pages/a?title=x&text=y'],
      ['url', 'https://shop.example/?url=home&title=x'],
      ['text', 'Choose a title=King or a title=Queen'],
    ] as const) {
      expect((await send({ ...message, [name]: value })).code).toBe('recipients_unknown')
    }
  })
})

describe('a captured request', () => {
  const close = '/neuopenapi/pay/transactions/tradeclose'

  async function processingTrade(): Promise<string> {
    const user = (await souk.console('POST', '/console/v1/sandbox/users', { nickname: 'Omar' })).body
    const { code } = (await souk.console('POST', '/console/v1/sandbox/codes', { appid: app.appid, uid: user.uid })).body
    const grant = { code, grantType: 'authorization_code' }
    const { accessToken } = (await souk.signed(app, 'POST', token, grant)).response
    const { openId } = (await souk.send('GET', `${userInfo}?accessToken=${accessToken}`)).response
    const order = { outTradeNo: 'captured', amount: 1, currency: 'SAR', notifyUrl: 'https://shop.example/', openId }
    return (await souk.signed(app, 'POST', create, order)).response.tradeNo
  }

  test('that queries a trade does not close it', async () => {
    const query = form([...fresh(), ['tradeNo', await processingTrade()]])
    expect((await souk.send('GET', `${detail}?${query}`)).response.transactionStatus).toBe(1)
    refused(
      await souk.send('POST', `${close}?${query}`),
      409,
      'sign_reused',
      /used for tradedetail\..*another timestamp/,
    )
    refused(await souk.send('POST', close, { body: query }), 409, 'sign_reused', /tradedetail/)
    expect((await souk.send('GET', `${detail}?${query}`)).response.transactionStatus).toBe(1)

    const own = form([
      ['appid', app.appid],
      ['timestamp', String(Date.now() + 1)],
      ['tradeNo', query.get('tradeNo')!],
    ])
    expect((await souk.send('POST', close, { body: own })).response).toBe(true)
    expect((await souk.send('POST', close, { body: own })).response).toBe(true)
  })

  test('that failed is bound to its operation, too', async () => {
    const query = form([...fresh(), ['tradeNo', '1'.repeat(32)]])
    expect((await souk.send('GET', `${detail}?${query}`)).code).toBe('trade_not_found')
    expect((await souk.send('POST', `${close}?${query}`)).code).toBe('sign_reused')
  })

  test('that reads user info may be repeated', async () => {
    const query = form([...fresh(), ['accessToken', 'x']])
    for (const _ of [1, 2]) expect((await souk.send('GET', `${userInfo}?${query}`)).code).toBe('access_token_invalid')
  })
})
