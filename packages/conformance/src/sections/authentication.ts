import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { type Check, topic } from '../check.ts'
import { type MiniApp, unique } from '../context.ts'
import { refused, succeeded } from '../expect.ts'
import { canonicalString, encode, type OperationName, type Pairs, pairsOf, sha256, withSign } from '../wire.ts'
import { activity } from './activities.ts'
import { notification } from './notifications.ts'

const check = topic('gate')
const minutes = 60_000

/** The pairs of a trade, before signing. */
const unsigned = (app: MiniApp, changes = {}): [string, string][] =>
  pairsOf({ appid: app.appid, timestamp: Date.now(), ...app.tradeParameters(changes) })

/** A sign made in a wrong way, refused; the answer gives neither the right sign nor the secret away. */
const wrong = (id: string, title: string, make: (pairs: Pairs, secret: string) => string): Check =>
  check(`sign-${id}`, '4.1', `a sign with ${title} is refused`, async (context) => {
    const app = await context.app()
    // A value for every mistake: something to encode, a list with a comma, an empty one.
    const pairs = unsigned(app, { description: 'a b/ü', merchantId: '' })
    const sign = make(pairs, app.secret)
    const right = sha256(canonicalString(pairs, app.secret))
    assert.notEqual(sign, right)
    const reply = await app.send('trade', [...pairs, ['sign', sign]])
    refused(reply, { status: 401, code: 'sign_mismatch', says: /^Failed to verify signature\./ })
    assert.ok(!reply.text.includes(right), 'the answer holds the right sign')
    assert.ok(!reply.text.includes(app.secret), 'the answer holds the secret')
  })

const sorted = (pairs: Pairs) => [...pairs].sort(([a], [b]) => (a < b ? -1 : 1))
const joined = (pairs: Pairs, separator = '') => pairs.map(([name, value]) => `${name}=${value}`).join(separator)
const withSecret = (pairs: Pairs, secret: string): Pairs => sorted([...pairs, ['secret', secret]])

/**
 * Names that no operation knows are signed like all others, so that a right sign is answered with `parameter_unknown` and a
 * wrong one with `sign_mismatch`: this shows how the server sorts them.
 */
const sortsAs = (id: string, title: string, names: string[], otherwise: (a: string, b: string) => number): Check =>
  check(`sort-${id}`, '4.1', title, async (context) => {
    const app = await context.app()
    const pairs = unsigned(app).concat(names.map((name) => [name, 'x']))
    refused(await app.send('trade', withSign(pairs, app.secret)), { status: 400, code: 'parameter_unknown' })
    const other = [...pairs, ['secret', app.secret] as [string, string]].sort(([a], [b]) => otherwise(a, b))
    assert.notEqual(joined(other), canonicalString(pairs, app.secret))
    const reply = await app.send('trade', [...pairs, ['sign', sha256(joined(other))]])
    refused(reply, { status: 401, code: 'sign_mismatch' })
  })

/** A text that must survive signing and storing. */
const text = (id: string, value: string): Check =>
  check(
    `text-${id}`,
    '4.1',
    `${JSON.stringify(value)} is signed as its UTF-8 bytes and comes back unchanged`,
    async (context) => {
      const app = await context.app()
      for (const transport of ['form', 'multipart'] as const) {
        const outTradeNo = unique()
        const reply = await app.call('trade', app.tradeParameters({ description: value, outTradeNo }), transport)
        const { tradeNo } = succeeded(reply) as { tradeNo: string }
        assert.equal((await app.detail(tradeNo)).description, value)
      }
    },
  )

/** Parameters of each operation that needs a capability, good enough to get past the gate. */
const needs: {
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
    capability: 'notification',
    operation: 'sendNotify',
    parameters: (app) => notification(app) as Record<string, string>,
  },
  { capability: 'activity', operation: 'sendActivity', parameters: (app) => activity(app) as Record<string, string> },
  { capability: 'file', operation: 'fileUpload', parameters: () => ({}) },
]
const allCapabilities = [...new Set(needs.map(({ capability }) => capability))]

const timestampCase = (id: string, title: string, offset: number, inWindow: boolean): Check =>
  check(`timestamp-${id}`, '4.1', title, async (context) => {
    const app = await context.app()
    const tradeNo = await app.createTrade()
    const reply = await app.call('tradedetail', { timestamp: Date.now() + offset, tradeNo })
    if (inWindow) return void succeeded(reply)
    const { responseHeader } = refused(reply, {
      status: 401,
      code: 'timestamp_out_of_window',
      says: /^Request timeout\./,
    })
    const serverTime = Number(/\b\d{13}\b/.exec(responseHeader.msg)?.[0])
    assert.ok(Math.abs(serverTime - Date.now()) < minutes, 'the message carries the time of the server')
  })

const timestampValue = (value: string | number | undefined, codes: string[]): Check =>
  check(`timestamp-value-${value}`, '4.1', `the timestamp ${value} is refused as not milliseconds`, async (context) => {
    const app = await context.app()
    const reply = await app.call('tradedetail', { timestamp: value, tradeNo: '0'.repeat(32) })
    refused(reply, { status: 400, code: codes, says: 'timestamp' })
  })

/** Open-api §4.1, §5.2, §8: appid, timestamp, sign; and what the owner has switched on. */
export const authentication: Check[] = [
  check('published-vector', '4.1', 'the signing of this suite gives the published vector', async () => {
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
      refused(reply, { status: 400, code: 'parameter_missing', says: 'appid' })
    }
  }),
  check('appid-unknown', '4.1', 'an unknown appid is refused with 401, whatever its form', async (context) => {
    const app = await context.app()
    for (const appid of ['abcdefghijklmno', 'x', app.appid.toUpperCase(), `${app.appid} `, '*']) {
      const reply = await app.call('tradedetail', { appid, tradeNo: '0'.repeat(32) })
      refused(reply, { status: 401, code: 'appid_invalid', says: /^Invalid appid/ })
    }
  }),
  check(
    'appid-disabled',
    '5.2',
    'a disabled mini app is refused like an unknown one, and works again when enabled',
    async (context) => {
      const app = await context.newApp()
      const tradeNo = await app.createTrade()
      await context.sandbox.updateApp(app.appid, { enabled: false })
      refused(await app.call('tradedetail', { tradeNo }), { status: 401, code: 'appid_invalid' })
      await context.sandbox.updateApp(app.appid, { enabled: true })
      succeeded(await app.call('tradedetail', { tradeNo }))
    },
  ),
  check('appid-of-another', '5.2', 'one mini app cannot sign for another', async (context) => {
    const app = await context.app()
    const other = await context.newApp()
    const reply = await app.call('tradedetail', { appid: other.appid, tradeNo: '0'.repeat(32) })
    refused(reply, { status: 401, code: 'sign_mismatch' })
  }),

  check('timestamp-missing', '4.1', 'timestamp is required', async (context) => {
    const app = await context.app()
    for (const timestamp of [undefined, '']) {
      const reply = await app.call('tradedetail', { timestamp, tradeNo: '0'.repeat(32) })
      refused(reply, { status: 400, code: 'parameter_missing', says: 'timestamp' })
    }
  }),
  timestampCase('now', 'a timestamp of now is taken', 0, true),
  timestampCase('old', 'a timestamp 4:50 minutes old is taken', -4 * minutes - 50_000, true),
  timestampCase('early', 'a timestamp 4:50 minutes ahead is taken', 4 * minutes + 50_000, true),
  timestampCase('too-old', 'a timestamp 5:10 minutes old is refused', -5 * minutes - 10_000, false),
  timestampCase('too-early', 'a timestamp 5:10 minutes ahead is refused', 5 * minutes + 10_000, false),
  timestampCase('day-old', 'a timestamp of yesterday is refused', -1440 * minutes, false),
  timestampValue(1_700_000_000, ['timestamp_not_milliseconds']),
  timestampValue(`${Date.now()}000`, ['timestamp_not_milliseconds']),
  timestampValue(`0${Date.now()}`, ['timestamp_not_milliseconds']),
  ...['now', '1.7e12', '-1', '2026-01-01T00:00:00Z', '0x18bcfe56800', '１７０００００００００００'].map((value) =>
    timestampValue(value, ['timestamp_not_milliseconds']),
  ),
  check('timestamp-real', '8', 'the window stays on real time when the sandbox clock is moved', async (context) => {
    const app = await context.app()
    const tradeNo = await app.createTrade()
    await context.sandbox.forward(10 * minutes)
    succeeded(await app.call('tradedetail', { tradeNo }))
  }),

  check('sign-missing', '4.1', 'sign is required', async (context) => {
    const app = await context.app()
    const pairs = unsigned(app)
    for (const sent of [pairs, [...pairs, ['sign', ''] as const]]) {
      refused(await app.send('trade', sent), { status: 400, code: 'parameter_missing', says: 'sign' })
    }
  }),
  wrong('random', 'other digits', () => sha256('other')),
  wrong('short', 'too few digits', (pairs, secret) => sha256(canonicalString(pairs, secret)).slice(0, 63)),
  wrong('upper-case', 'upper-case letters', (pairs, secret) => sha256(canonicalString(pairs, secret)).toUpperCase()),
  wrong('not-hex', 'characters that are no digits', () => 'z'.repeat(64)),
  wrong('other-secret', 'another secret', (pairs) => sha256(canonicalString(pairs, 'f'.repeat(48)))),
  wrong('no-secret', 'no secret', (pairs) => sha256(joined(sorted(pairs)))),
  wrong('secret-space', 'white space after the secret', (pairs, secret) =>
    sha256(canonicalString(pairs, `${secret}\n`)),
  ),
  wrong('secret-last', 'the secret appended last', (pairs, secret) =>
    sha256(`${joined(sorted(pairs))}secret=${secret}`),
  ),
  wrong('secret-first', 'the secret put first', (pairs, secret) => sha256(`secret=${secret}${joined(sorted(pairs))}`)),
  wrong('ampersand', '& between the pairs', (pairs, secret) => sha256(joined(withSecret(pairs, secret), '&'))),
  wrong('encoded', 'URL-encoded values', (pairs, secret) =>
    sha256(encode(withSecret(pairs, secret)).replaceAll('&', '')),
  ),
  wrong('unsorted', 'the pairs unsorted', (pairs, secret) => sha256(joined([...pairs, ['secret', secret]]))),
  wrong('no-empty', 'empty values dropped', (pairs, secret) =>
    sha256(
      canonicalString(
        pairs.filter(([, value]) => value !== ''),
        secret,
      ),
    ),
  ),
  wrong('null', 'null for an empty value', (pairs, secret) =>
    sha256(
      canonicalString(
        pairs.map(([name, value]) => [name, value === '' ? 'null' : value]),
        secret,
      ),
    ),
  ),
  wrong('hmac', 'HMAC instead of SHA-256', (pairs, secret) =>
    createHmac('sha256', secret)
      .update(joined(sorted(pairs)))
      .digest('hex'),
  ),
  wrong('md5', 'MD5 instead of SHA-256', (pairs, secret) =>
    createHash('md5').update(canonicalString(pairs, secret)).digest('hex'),
  ),
  wrong('sha1', 'SHA-1 instead of SHA-256', (pairs, secret) =>
    createHash('sha1').update(canonicalString(pairs, secret)).digest('hex'),
  ),
  wrong('base64', 'base64 instead of hexadecimal', (pairs, secret) =>
    createHash('sha256').update(canonicalString(pairs, secret)).digest('base64'),
  ),
  wrong('latin1', 'Latin-1 instead of UTF-8', (pairs, secret) =>
    createHash('sha256')
      .update(Buffer.from(canonicalString(pairs, secret), 'latin1'))
      .digest('hex'),
  ),
  wrong('two-timestamps', 'another timestamp than the one sent', (pairs, secret) =>
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
  sortsAs('prefix', 'a name sorts before one that it begins', ['amount2', 'amount-'], (a, b) =>
    `${a}=` < `${b}=` ? -1 : 1,
  ),

  check('any-order', '4.1', 'the order in which parameters are sent does not matter', async (context) => {
    const app = await context.app()
    succeeded(await app.send('trade', app.sign(app.tradeParameters()).reverse()))
  }),
  check('empty-value', '4.1', 'an empty value takes part in the sign', async (context) => {
    const app = await context.app()
    succeeded(await app.call('trade', app.tradeParameters({ merchantId: '', description: null, timeExpire: '' })))
  }),
  check('list', '4.1', 'a list is signed as its items joined with a comma, in the order sent', async (context) => {
    const app = await context.app()
    const other = await app.newUser()
    const openIds = [other.openId, app.user.openId]
    succeeded(await app.call('sendNotify', notification(app, { openIds })))
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
      refused(await app.send('sendNotify', [...pairs, ['sign', sign]]), { status: 401, code: 'sign_mismatch' })
    }
  }),
  check(
    'tampered',
    '4.1',
    'a value changed, a parameter added or removed after signing is refused',
    async (context) => {
      const app = await context.app()
      const pairs = app.sign(app.tradeParameters({ description: 'x', merchantId: '' }))
      for (const [changed] of pairs) {
        if (changed === 'appid' || changed === 'sign') continue
        const altered = pairs.map(([name, value]): [string, string] => [
          name,
          name !== changed ? value : name === 'timestamp' ? `${Number(value) - 1}` : `${value}1`,
        ])
        refused(await app.send('trade', altered), { status: 401, code: 'sign_mismatch' })
        if (changed === 'timestamp') continue
        const removed = pairs.filter(([name]) => name !== changed)
        refused(await app.send('trade', removed), { status: 401, code: 'sign_mismatch' })
      }
      refused(await app.send('trade', [...pairs, ['timeExpire', '']]), { status: 401, code: 'sign_mismatch' })
    },
  ),
  check(
    'names-sliding',
    '4.1',
    'a value that slides into a name keeps its sign and is refused by name',
    async (context) => {
      const app = await context.app()
      const pairs = app.sign(app.tradeParameters({ currency: 'SAR' }))
      // "currency=SAR" + "notifyUrl=…" signs like "currency=SARnotifyUrl=…".
      const notifyUrl = pairs.find(([name]) => name === 'notifyUrl')?.[1] ?? ''
      const slid = pairs
        .filter(([name]) => name !== 'notifyUrl')
        .map(([name, value]): [string, string] => [name, name === 'currency' ? `SARnotifyUrl=${notifyUrl}` : value])
      const reply = await app.send('trade', slid)
      refused(reply, { status: 400, code: ['parameter_missing', 'parameter_invalid'] })
    },
  ),
  text('arabic', 'طلب رقم ١'),
  text('chinese', '订单 😀 第一'),
  text('composed', 'caf\u00e9'),
  text('decomposed', 'cafe\u0301'),
  text('signs', '50% off & more = + / ? # "quoted" \\ <b>'),
  text('spaces', '  two  spaces  '),
  text('replacement-character', 'a\uFFFDb'),

  check('order-of-checks', '4.1', 'appid is checked before timestamp, and timestamp before sign', async (context) => {
    const app = await context.app()
    const stale = Date.now() - 10 * minutes
    const pairs = (appid: string, timestamp: number): [string, string][] => [
      ...pairsOf({ appid, timestamp, tradeNo: 'x' }),
      ['sign', 'wrong'],
    ]
    refused(await app.send('tradedetail', pairs('nobody', stale)), { status: 401, code: 'appid_invalid' })
    refused(await app.send('tradedetail', pairs(app.appid, stale)), { status: 401, code: 'timestamp_out_of_window' })
    refused(await app.send('tradedetail', pairs(app.appid, Date.now())), { status: 401, code: 'sign_mismatch' })
  }),
  check(
    'rotation',
    '5.2',
    'while a secret is rotated both are good; after the overlap only the new one',
    async (context) => {
      const app = await context.newApp()
      const tradeNo = await app.createTrade()
      const old = app.secret
      const fresh = await context.sandbox.rotateSecret(app.appid, 3600)
      for (const secret of [old, fresh]) {
        app.secret = secret
        succeeded(await app.call('tradedetail', { tradeNo }))
      }
      await context.sandbox.forward(61 * minutes)
      succeeded(await app.call('tradedetail', { tradeNo }))
      app.secret = old
      refused(await app.call('tradedetail', { tradeNo }), { status: 401, code: 'sign_mismatch' })
    },
  ),
  check('rotation-at-once', '5.2', 'without an overlap the old secret is refused at once', async (context) => {
    const app = await context.newApp()
    await context.sandbox.rotateSecret(app.appid, 0)
    const reply = await app.call('tradedetail', { tradeNo: '0'.repeat(32) })
    refused(reply, { status: 401, code: 'sign_mismatch' })
  }),
  ...needs.map(({ capability, operation, parameters }) =>
    check(
      `capability-${operation}`,
      '7',
      `${operation} is refused without the capability ${capability}, whatever else is granted`,
      async (context) => {
        const app = await context.newApp()
        const others = allCapabilities.filter((name) => name !== capability)
        await context.sandbox.updateApp(app.appid, { capabilities: others })
        const says = /^The user has not opened the open interface\./
        refused(await app.call(operation, parameters(app)), { status: 403, code: 'capability_missing', says })
        await context.sandbox.updateApp(app.appid, { capabilities: [capability] })
        const reply = await app.call(operation, parameters(app))
        assert.notEqual(reply.envelope?.responseHeader.code, 'capability_missing')
      },
    ),
  ),
]
