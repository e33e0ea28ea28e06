import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { type Check, topic } from '../check.ts'
import { type MiniApp, unique } from '../context.ts'
import { expectError, expectSuccess } from '../expect.ts'
import { minute, second } from '../time.ts'
import { canonicalString, encode, type OperationName, type Pairs, pairsOf, sha256, withSign } from '../wire.ts'
import { activity } from './activities.ts'
import { notification } from './notifications.ts'

const check = topic('authentication')

/** Returns the pairs of a trade before signing. */
const unsigned = (app: MiniApp, changes = {}): [string, string][] =>
  pairsOf({ appid: app.appid, timestamp: Date.now(), ...app.tradeParameters(changes) })

/** Checks that a wrong sign is rejected and that the response reveals neither the right sign nor the secret. */
const wrongSign = (id: string, title: string, make: (pairs: Pairs, secret: string) => string): Check =>
  check(`sign-${id}`, '4.1', `a sign with ${title} is rejected`, async (context) => {
    const app = await context.app()
    // Values that reveal wrong encoding and wrong handling of empty values.
    const pairs = unsigned(app, { description: 'a b/ü', merchantId: '' })
    const sign = make(pairs, app.secret)
    const right = sha256(canonicalString(pairs, app.secret))
    assert.notEqual(sign, right)
    const reply = await app.send('trade', [...pairs, ['sign', sign]])
    expectError(reply, { status: 401, code: 'sign_mismatch', message: /^Failed to verify signature\./ })
    assert.ok(!reply.text.includes(right), 'the response contains the right sign')
    assert.ok(!reply.text.includes(app.secret), 'the response contains the secret')
  })

const sorted = (pairs: Pairs) => [...pairs].sort(([a], [b]) => (a < b ? -1 : 1))
const joined = (pairs: Pairs, separator = '') => pairs.map(([name, value]) => `${name}=${value}`).join(separator)
const withSecret = (pairs: Pairs, secret: string): Pairs => sorted([...pairs, ['secret', secret]])

/**
 * Checks the sort order of names. Unknown parameters are signed too: with the right order the error is
 * `parameter_unknown`, with another one `sign_mismatch`.
 */
const sortsAs = (id: string, title: string, names: string[], wrongOrder: (a: string, b: string) => number): Check =>
  check(`sort-${id}`, '4.1', title, async (context) => {
    const app = await context.app()
    const pairs = unsigned(app).concat(names.map((name) => [name, 'x']))
    expectError(await app.send('trade', withSign(pairs, app.secret)), { status: 400, code: 'parameter_unknown' })
    const other = [...pairs, ['secret', app.secret] as [string, string]].sort(([a], [b]) => wrongOrder(a, b))
    assert.notEqual(joined(other), canonicalString(pairs, app.secret))
    const reply = await app.send('trade', [...pairs, ['sign', sha256(joined(other))]])
    expectError(reply, { status: 401, code: 'sign_mismatch' })
  })

/** Checks that a text is signed and stored unchanged. */
const textCheck = (id: string, value: string): Check =>
  check(`text-${id}`, '4.1', `${JSON.stringify(value)} is signed as UTF-8 and stored unchanged`, async (context) => {
    const app = await context.app()
    for (const transport of ['form', 'multipart'] as const) {
      const outTradeNo = unique()
      const reply = await app.call('trade', app.tradeParameters({ description: value, outTradeNo }), transport)
      const { tradeNo } = expectSuccess(reply) as { tradeNo: string }
      assert.equal((await app.detail(tradeNo)).description, value)
    }
  })

/** The capability that each operation requires, and parameters that pass authentication. */
const capabilityCases: {
  capability: string
  operation: OperationName
  parameters(app: MiniApp): Record<string, string | number>
}[] = [
  {
    capability: 'login',
    operation: 'accessToken',
    parameters: () => ({ code: 'x', grantType: 'authorization_code', scope: 'user.info' }),
  },
  { capability: 'payment', operation: 'trade', parameters: (app) => app.tradeParameters() as Record<string, string> },
  { capability: 'payment', operation: 'tradedetail', parameters: () => ({ tradeNo: '0'.repeat(32) }) },
  { capability: 'payment', operation: 'tradeclose', parameters: () => ({ tradeNo: '0'.repeat(32) }) },
  {
    capability: 'refund',
    operation: 'refund',
    parameters: () => ({ tradeNo: '0'.repeat(32), outRefundNo: 'refund', amount: 1 }),
  },
  { capability: 'refund', operation: 'refunddetail', parameters: () => ({ refundNo: '0'.repeat(32) }) },
  {
    capability: 'notification',
    operation: 'sendNotify',
    parameters: (app) => notification(app) as Record<string, string>,
  },
  { capability: 'activity', operation: 'sendActivity', parameters: (app) => activity(app) as Record<string, string> },
  { capability: 'file', operation: 'fileUpload', parameters: () => ({}) },
]
const allCapabilities = [...new Set(capabilityCases.map(({ capability }) => capability))]

const timestampCase = (id: string, title: string, offset: number, inWindow: boolean): Check =>
  check(`timestamp-${id}`, '4.1', title, async (context) => {
    const app = await context.app()
    const tradeNo = await app.createTrade()
    const reply = await app.call('tradedetail', { timestamp: Date.now() + offset, tradeNo })
    if (inWindow) return void expectSuccess(reply)
    const { responseHeader } = expectError(reply, {
      status: 401,
      code: 'timestamp_out_of_window',
      message: /^Request timeout\./,
    })
    const serverTime = Number(/\b\d{13}\b/.exec(responseHeader.msg)?.[0])
    assert.ok(Math.abs(serverTime - Date.now()) < minute, 'the message does not have the server time')
  })

const timestampValue = (value: string | number | undefined, codes: string[]): Check =>
  check(
    `timestamp-value-${value}`,
    '4.1',
    `the timestamp ${value} is rejected: not in milliseconds`,
    async (context) => {
      const app = await context.app()
      const reply = await app.call('tradedetail', { timestamp: value, tradeNo: '0'.repeat(32) })
      expectError(reply, { status: 400, code: codes, message: 'timestamp' })
    },
  )

/** appid, timestamp and sign (open-api §4.1, open-api §5.2, open-api §8), and capabilities (open-api §7). */
export const authentication: Check[] = [
  check('published-vector', '4.1', 'this suite computes the published test vector', async () => {
    const pairs = pairsOf({
      appid: 'demo-appid',
      code: 'abc123',
      grantType: 'authorization_code',
      scope: 'user.info',
      timestamp: 1700000000000,
    })
    const expected = '964bd40923c2f8911560c18cb06f580d3d26436378c11edff3f0691e4db00242'
    assert.equal(sha256(canonicalString(pairs, 'demo-secret')), expected)
  }),

  check('appid-missing', '4.1', 'appid is required', async (context) => {
    const app = await context.app()
    for (const appid of [undefined, '']) {
      const reply = await app.call('tradedetail', { appid, tradeNo: '0'.repeat(32) })
      expectError(reply, { status: 400, code: 'parameter_missing', message: 'appid' })
    }
  }),
  check('appid-unknown', '4.1', 'an unknown appid of any form is rejected with 401', async (context) => {
    const app = await context.app()
    for (const appid of ['abcdefghijklmno', 'x', app.appid.toUpperCase(), `${app.appid} `, '*']) {
      const reply = await app.call('tradedetail', { appid, tradeNo: '0'.repeat(32) })
      expectError(reply, { status: 401, code: 'appid_invalid', message: /^Invalid appid/ })
    }
  }),
  check(
    'appid-disabled',
    '5.2',
    'a disabled mini app is rejected like an unknown one until it is enabled again',
    async (context) => {
      const app = await context.newApp()
      const tradeNo = await app.createTrade()
      await context.sandbox.updateApp(app.appid, { enabled: false })
      expectError(await app.call('tradedetail', { tradeNo }), { status: 401, code: 'appid_invalid' })
      await context.sandbox.updateApp(app.appid, { enabled: true })
      expectSuccess(await app.call('tradedetail', { tradeNo }))
    },
  ),
  check('appid-of-another', '5.2', 'one mini app cannot sign for another', async (context) => {
    const app = await context.app()
    const other = await context.newApp()
    const reply = await app.call('tradedetail', { appid: other.appid, tradeNo: '0'.repeat(32) })
    expectError(reply, { status: 401, code: 'sign_mismatch' })
  }),

  check('timestamp-missing', '4.1', 'timestamp is required', async (context) => {
    const app = await context.app()
    for (const timestamp of [undefined, '']) {
      const reply = await app.call('tradedetail', { timestamp, tradeNo: '0'.repeat(32) })
      expectError(reply, { status: 400, code: 'parameter_missing', message: 'timestamp' })
    }
  }),
  timestampCase('now', 'the current timestamp is accepted', 0, true),
  timestampCase('old', 'a timestamp 4:50 minutes old is accepted', -4 * minute - 50 * second, true),
  timestampCase('early', 'a timestamp 4:50 minutes ahead is accepted', 4 * minute + 50 * second, true),
  timestampCase('too-old', 'a timestamp 5:10 minutes old is rejected', -5 * minute - 10 * second, false),
  timestampCase('too-early', 'a timestamp 5:10 minutes ahead is rejected', 5 * minute + 10 * second, false),
  timestampCase('day-old', 'a timestamp of yesterday is rejected', -1440 * minute, false),
  timestampValue(1_700_000_000, ['timestamp_not_milliseconds']),
  timestampValue('1700000000000000', ['timestamp_not_milliseconds']),
  timestampValue('01700000000000', ['timestamp_not_milliseconds']),
  ...['now', '1.7e12', '-1', '2026-01-01T00:00:00Z', '0x18bcfe56800', '１７０００００００００００'].map((value) =>
    timestampValue(value, ['timestamp_not_milliseconds']),
  ),
  check('timestamp-real', '8', 'the request window uses real time, not the sandbox clock', async (context) => {
    const app = await context.app()
    const tradeNo = await app.createTrade()
    await context.sandbox.forward(10 * minute)
    expectSuccess(await app.call('tradedetail', { tradeNo }))
  }),

  check('sign-missing', '4.1', 'sign is required', async (context) => {
    const app = await context.app()
    const pairs = unsigned(app)
    for (const sent of [pairs, [...pairs, ['sign', ''] as const]]) {
      expectError(await app.send('trade', sent), { status: 400, code: 'parameter_missing', message: 'sign' })
    }
  }),
  wrongSign('random', 'random digits', () => sha256('other')),
  wrongSign('short', 'too few digits', (pairs, secret) => sha256(canonicalString(pairs, secret)).slice(0, 63)),
  wrongSign('upper-case', 'upper-case letters', (pairs, secret) =>
    sha256(canonicalString(pairs, secret)).toUpperCase(),
  ),
  wrongSign('not-hex', 'characters that are not hexadecimal', () => 'z'.repeat(64)),
  wrongSign('other-secret', 'the wrong secret', (pairs) => sha256(canonicalString(pairs, 'f'.repeat(48)))),
  wrongSign('no-secret', 'the secret left out', (pairs) => sha256(joined(sorted(pairs)))),
  wrongSign('secret-space', 'a line break after the secret', (pairs, secret) =>
    sha256(canonicalString(pairs, `${secret}\n`)),
  ),
  wrongSign('secret-last', 'the secret appended last', (pairs, secret) =>
    sha256(`${joined(sorted(pairs))}secret=${secret}`),
  ),
  wrongSign('secret-first', 'the secret put first', (pairs, secret) =>
    sha256(`secret=${secret}${joined(sorted(pairs))}`),
  ),
  wrongSign('ampersand', '& between the pairs', (pairs, secret) => sha256(joined(withSecret(pairs, secret), '&'))),
  wrongSign('encoded', 'URL-encoded values', (pairs, secret) =>
    sha256(encode(withSecret(pairs, secret)).replaceAll('&', '')),
  ),
  wrongSign('unsorted', 'unsorted pairs', (pairs, secret) => sha256(joined([...pairs, ['secret', secret]]))),
  wrongSign('no-empty', 'empty values left out', (pairs, secret) =>
    sha256(
      canonicalString(
        pairs.filter(([, value]) => value !== ''),
        secret,
      ),
    ),
  ),
  wrongSign('null', 'null for an empty value', (pairs, secret) =>
    sha256(
      canonicalString(
        pairs.map(([name, value]) => [name, value === '' ? 'null' : value]),
        secret,
      ),
    ),
  ),
  wrongSign('hmac', 'HMAC instead of SHA-256', (pairs, secret) =>
    createHmac('sha256', secret)
      .update(joined(sorted(pairs)))
      .digest('hex'),
  ),
  wrongSign('md5', 'MD5 instead of SHA-256', (pairs, secret) =>
    createHash('md5').update(canonicalString(pairs, secret)).digest('hex'),
  ),
  wrongSign('sha1', 'SHA-1 instead of SHA-256', (pairs, secret) =>
    createHash('sha1').update(canonicalString(pairs, secret)).digest('hex'),
  ),
  wrongSign('base64', 'base64 instead of hexadecimal', (pairs, secret) =>
    createHash('sha256').update(canonicalString(pairs, secret)).digest('base64'),
  ),
  wrongSign('latin1', 'Latin-1 instead of UTF-8', (pairs, secret) =>
    createHash('sha256')
      .update(Buffer.from(canonicalString(pairs, secret), 'latin1'))
      .digest('hex'),
  ),
  wrongSign('two-timestamps', 'a different timestamp than the one sent', (pairs, secret) =>
    sha256(
      canonicalString(
        pairs.map(([name, value]) => [name, name === 'timestamp' ? `${Number(value) + 1}` : value]),
        secret,
      ),
    ),
  ),

  sortsAs('locale', 'names sort by character code, not by locale', ['Zeta', 'alpha', 'Beta'], (a, b) =>
    a.localeCompare(b, 'en'),
  ),
  sortsAs('code-unit', 'names sort by UTF-16 code unit, not by code point', ['😀', '｡x'], (a, b) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  ),
  sortsAs('prefix', 'a name sorts before longer names that start with it', ['amount2', 'amount-'], (a, b) =>
    `${a}=` < `${b}=` ? -1 : 1,
  ),

  check('any-order', '4.1', 'the order in which parameters are sent does not matter', async (context) => {
    const app = await context.app()
    expectSuccess(await app.send('trade', app.sign(app.tradeParameters()).reverse()))
  }),
  check('empty-value', '4.1', 'an empty value is part of the canonical string', async (context) => {
    const app = await context.app()
    expectSuccess(await app.call('trade', app.tradeParameters({ merchantId: '', description: null, timeExpire: '' })))
  }),
  check('list', '4.1', 'a list is signed as its items joined with commas, in the order sent', async (context) => {
    const app = await context.app()
    const other = await app.newUser()
    const openIds = [other.openId, app.user.openId]
    expectSuccess(await app.call('sendNotify', notification(app, { openIds })))
    const pairs = pairsOf({ appid: app.appid, timestamp: Date.now(), ...notification(app, { openIds }) })
    for (const written of [
      `[${openIds.join(',')}]`,
      openIds.join(', '),
      JSON.stringify(openIds),
      openIds.toReversed().join(','),
    ]) {
      const signed = withSign(
        pairs.map(([name, value]) => [name, name === 'openIds' ? written : value]),
        app.secret,
      )
      const sign = signed.find(([name]) => name === 'sign')?.[1] ?? ''
      expectError(await app.send('sendNotify', [...pairs, ['sign', sign]]), { status: 401, code: 'sign_mismatch' })
    }
  }),
  check('tampered', '4.1', 'changing, adding or removing a parameter after signing is rejected', async (context) => {
    const app = await context.app()
    const pairs = app.sign(app.tradeParameters({ description: 'x', merchantId: '' }))
    for (const [changed] of pairs) {
      if (changed === 'appid' || changed === 'sign') continue
      const altered = pairs.map(([name, value]): [string, string] => [
        name,
        name !== changed ? value : name === 'timestamp' ? `${Number(value) - 1}` : `${value}1`,
      ])
      expectError(await app.send('trade', altered), { status: 401, code: 'sign_mismatch' })
      if (changed === 'timestamp') continue
      const removed = pairs.filter(([name]) => name !== changed)
      expectError(await app.send('trade', removed), { status: 401, code: 'sign_mismatch' })
    }
    expectError(await app.send('trade', [...pairs, ['timeExpire', '']]), { status: 401, code: 'sign_mismatch' })
  }),
  check(
    'boundary-moved',
    '4.1',
    'moving the boundary between name and value keeps the sign valid but is rejected',
    async (context) => {
      const app = await context.app()
      const pairs = app.sign(app.tradeParameters({ currency: 'SAR' }))
      // "currency=SAR" + "notifyUrl=…" signs like "currency=SARnotifyUrl=…".
      const notifyUrl = pairs.find(([name]) => name === 'notifyUrl')?.[1] ?? ''
      const moved = pairs
        .filter(([name]) => name !== 'notifyUrl')
        .map(([name, value]): [string, string] => [name, name === 'currency' ? `SARnotifyUrl=${notifyUrl}` : value])
      const reply = await app.send('trade', moved)
      expectError(reply, { status: 400, code: ['parameter_missing', 'parameter_invalid'] })
    },
  ),
  check(
    'ambiguous',
    '4.1',
    'a value that can be read as other parameters is rejected, in both forms',
    async (context) => {
      const app = await context.app()
      const now = Date.now()
      const signed = notification(app, { text: `Hi timestamp=${now}title=x` })
      const pairs = app.sign(signed)
      expectError(await app.send('sendNotify', pairs), { status: 400, code: 'parameters_ambiguous', message: 'text' })

      const stale = withSign(pairsOf({ appid: app.appid, timestamp: now - 10 * minute, ...signed }), app.secret)
      const cut = new Map(stale)
      cut.set('text', 'Hi ').set('timestamp', String(now))
      cut.set('title', `xtimestamp=${now - 10 * minute}title=${signed.title}`)
      expectError(await app.send('sendNotify', [...cut]), {
        status: 400,
        code: 'parameters_ambiguous',
        message: 'title',
      })
      expectSuccess(await app.call('sendNotify', notification(app, { text: 'A title=x', link: 'pages/a?title=x' })))
    },
  ),
  check('captured-read', '4.1', 'the sign of a query cannot close the trade', async (context) => {
    const app = await context.app()
    const tradeNo = await app.createTrade()
    const pairs = app.sign({ tradeNo })
    for (const _ of [1, 2]) expectSuccess(await app.send('tradedetail', pairs))
    expectError(await app.send('tradeclose', pairs), { status: 409, code: 'sign_reused', message: 'tradedetail' })
    expectSuccess(await app.call('tradeclose', { tradeNo }))
  }),

  textCheck('arabic', 'طلب رقم ١'),
  textCheck('chinese', '订单 😀 第一'),
  textCheck('composed', 'caf\u00e9'),
  textCheck('decomposed', 'cafe\u0301'),
  textCheck('signs', '50% off & more = + / ? # "quoted" \\ <b>'),
  textCheck('spaces', '  two  spaces  '),
  textCheck('replacement-character', 'a\uFFFDb'),

  check('order-of-checks', '4.1', 'appid is checked before timestamp, and timestamp before sign', async (context) => {
    const app = await context.app()
    const stale = Date.now() - 10 * minute
    const pairs = (appid: string, timestamp: number): [string, string][] => [
      ...pairsOf({ appid, timestamp, tradeNo: 'x' }),
      ['sign', 'wrong'],
    ]
    expectError(await app.send('tradedetail', pairs('unknown', stale)), { status: 401, code: 'appid_invalid' })
    expectError(await app.send('tradedetail', pairs(app.appid, stale)), {
      status: 401,
      code: 'timestamp_out_of_window',
    })
    expectError(await app.send('tradedetail', pairs(app.appid, Date.now())), { status: 401, code: 'sign_mismatch' })
  }),
  check(
    'rotation',
    '5.2',
    'during a rotation both secrets are valid; after the overlap only the new one is',
    async (context) => {
      const app = await context.newApp()
      const tradeNo = await app.createTrade()
      const old = app.secret
      const rotated = await context.sandbox.rotateSecret(app.appid, 3600)
      for (const secret of [old, rotated]) {
        app.secret = secret
        expectSuccess(await app.call('tradedetail', { tradeNo }))
      }
      await context.sandbox.forward(61 * minute)
      expectSuccess(await app.call('tradedetail', { tradeNo }))
      app.secret = old
      expectError(await app.call('tradedetail', { tradeNo }), { status: 401, code: 'sign_mismatch' })
    },
  ),
  check('rotation-at-once', '5.2', 'without an overlap the old secret is rejected immediately', async (context) => {
    const app = await context.newApp()
    await context.sandbox.rotateSecret(app.appid, 0)
    const reply = await app.call('tradedetail', { tradeNo: '0'.repeat(32) })
    expectError(reply, { status: 401, code: 'sign_mismatch' })
  }),
  ...capabilityCases.map(({ capability, operation, parameters }) =>
    check(
      `capability-${operation}`,
      '7',
      `${operation} requires the capability ${capability} and no other`,
      async (context) => {
        const app = await context.newApp()
        const others = allCapabilities.filter((name) => name !== capability)
        await context.sandbox.updateApp(app.appid, { capabilities: others })
        const message = /^The user has not opened the open interface\./
        expectError(await app.call(operation, parameters(app)), { status: 403, code: 'capability_missing', message })
        await context.sandbox.updateApp(app.appid, { capabilities: [capability] })
        const reply = await app.call(operation, parameters(app))
        assert.ok(reply.envelope && reply.status < 500, `HTTP ${reply.status}: ${reply.text.slice(0, 300)}`)
        assert.notEqual(reply.envelope.responseHeader?.code, 'capability_missing')
      },
    ),
  ),
]
