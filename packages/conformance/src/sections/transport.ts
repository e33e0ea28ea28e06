import assert from 'node:assert/strict'
import { type Check, topic } from '../check.ts'
import { type MiniApp, unique } from '../context.ts'
import { expectError, expectSuccess } from '../expect.ts'
import { formOperations, validParameters } from '../requests.ts'
import {
  canonicalString,
  encode,
  type OperationName,
  operations,
  type Parameters,
  pairsOf,
  requestOf,
  sha256,
  type Transport,
} from '../wire.ts'
import { activity } from './activities.ts'
import { notification } from './notifications.ts'

const check = topic('transport')

const allTransports: Check[] = formOperations.flatMap((name) =>
  (['form', 'multipart', 'query'] as Transport[]).map((transport) =>
    check(`${name}-${transport}`, '4.1', `${name} accepts its parameters as ${transport}`, async (context) => {
      const app = await context.app()
      expectSuccess(await app.call(name, await validParameters[name](app), transport))
    }),
  ),
)

/** Texts of one line. */
const oneLineTexts: [OperationName, string][] = [
  ['sendNotify', 'title'],
  ['sendActivity', 'title'],
  ['sendActivity', 'activityId'],
  ['sendActivity', 'templateId'],
]

/** Headers of empty bodies. Some of the content types are not valid. */
const emptyBodies: Record<string, string>[] = [
  {},
  ...[
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    'application/json',
    'text/plain',
    'application/octet-stream',
    'none',
  ].map((type) => ({ 'content-type': type })),
  { 'content-type': 'application/json', 'content-encoding': 'gzip' },
]

const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** Sends a body byte for byte, signed over the values that it encodes. */
async function sendForm(app: MiniApp, extra: string, meaning: Parameters, query = '') {
  const pairs = app.sign(meaning).filter(([name]) => !(name in meaning && extra.includes(`${name}=`)))
  return app.context.raw({
    method: 'POST',
    target: operations.trade.path + query,
    headers: form,
    body: [encode(pairs), extra].filter(Boolean).join('&'),
  })
}

/** Checks how the encoded description of a trade is decoded. */
const decoded = (id: string, title: string, encoded: string, description: string) =>
  check(id, '4.1', title, async (context) => {
    const app = await context.app()
    const reply = await sendForm(app, `description=${encoded}`, app.tradeParameters({ description }))
    const { tradeNo } = expectSuccess(reply) as { tradeNo: string }
    assert.equal((await app.detail(tradeNo)).description, description)
  })

/** Checks that a description that cannot be decoded, or is not allowed, is rejected. */
const undecodable = (id: string, title: string, encoded: string, code: string) =>
  check(id, '4.1', title, async (context) => {
    const app = await context.app()
    const pairs = app.sign(app.tradeParameters())
    const asForm = { method: 'POST', target: operations.trade.path, headers: form }
    const body = `${encode(pairs)}&description=${encoded}`
    expectError(await context.raw({ ...asForm, body }), { status: 400, code, message: 'description' })
    const query = `${operations.tradedetail.path}?${encode(app.sign({ tradeNo: '0'.repeat(32) }))}&description=${encoded}`
    expectError(await context.raw({ method: 'GET', target: query }), { status: 400, code, message: 'description' })
  })

/** The transmission of parameters (open-api §4.1). */
export const transport = [
  ...allTransports,
  check('split', '4.1', 'parameters may be split between the query string and the form', async (context) => {
    const app = await context.app()
    const pairs = app.sign(app.tradeParameters())
    const inQuery = pairs.filter((_, index) => index % 2 === 0)
    const inBody = pairs.filter((_, index) => index % 2 === 1)
    expectSuccess(
      await context.raw({
        method: 'POST',
        target: `${operations.trade.path}?${encode(inQuery)}`,
        headers: form,
        body: encode(inBody),
      }),
    )
  }),
  check('charset', '4.1', 'a form content type may have a charset', async (context) => {
    const app = await context.app()
    expectSuccess(
      await context.raw({
        method: 'POST',
        target: operations.trade.path,
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
        body: encode(app.sign(app.tradeParameters())),
      }),
    )
  }),
  decoded('plus-is-space', 'a + in a form is a space', 'a+b', 'a b'),
  decoded('percent-20', '%20 is a space', 'a%20b', 'a b'),
  decoded('percent-2b', '%2B is a plus sign', 'a%2Bb', 'a+b'),
  decoded('separators', 'escaped & and = belong to the value', 'a%26amount%3D1', 'a&amount=1'),
  decoded('bare-equals', 'an unescaped = belongs to the value', 'a=b=c', 'a=b=c'),
  decoded('lower-case-escape', 'escapes may be lower case', '%d9%85', 'م'),
  decoded('emoji', 'characters outside the basic plane are preserved', '%F0%9F%98%80', '😀'),
  decoded('double-escape', 'escapes are decoded once', '%2541', '%41'),
  check('bare-utf8', '4.1', 'unescaped bytes are read as UTF-8', async (context) => {
    const app = await context.app()
    const { tradeNo } = expectSuccess(
      await sendForm(app, 'description=订单', app.tradeParameters({ description: '订单' })),
    ) as { tradeNo: string }
    assert.equal((await app.detail(tradeNo)).description, '订单')
  }),
  undecodable('cut-escape', 'a truncated escape is rejected', 'a%4', 'parameter_malformed'),
  undecodable('bad-escape', 'an escape that is not hexadecimal is rejected', 'a%zz', 'parameter_malformed'),
  undecodable('bad-utf8', 'bytes that are not UTF-8 are rejected', 'a%ff', 'parameter_malformed'),
  undecodable('overlong-utf8', 'an overlong UTF-8 sequence is rejected', '%c0%af', 'parameter_malformed'),
  undecodable('surrogate-utf8', 'an encoded surrogate is rejected', '%ed%a0%80', 'parameter_malformed'),
  undecodable(
    'hash-padding',
    'SHA-256 padding, which allows length extension attacks, is rejected',
    'a%80%00%00%00',
    'parameter_malformed',
  ),
  undecodable('nul', 'a NUL is rejected', 'a%00b', 'parameter_control_character'),
  undecodable('vertical-tab', 'a vertical tab is rejected', 'a%0Bb', 'parameter_control_character'),
  decoded('lines', 'line breaks and tabs are preserved', 'a%0A%09b', 'a\n\tb'),
  check('crlf', '4.1', 'CR LF, signed as sent, is read as a line feed', async (context) => {
    const app = await context.newApp()
    const typed = 'two\r\nlines\tand a tab'
    const stored = typed.replace('\r\n', '\n')
    for (const transport of ['form', 'query'] as const) {
      const order = app.tradeParameters({ description: typed })
      const { tradeNo } = expectSuccess(await app.call('trade', order, transport)) as { tradeNo: string }
      assert.equal((await app.detail(tradeNo)).description, stored)
      expectSuccess(await app.call('trade', { ...order, description: stored }))
      expectSuccess(await app.call('sendNotify', notification(app, { text: typed }), transport))
      expectSuccess(await app.call('sendActivity', activity(app, { text: typed }), transport))
      const { uid } = app.user
      assert.equal((await context.sandbox.inbox(uid))[0]?.text, stored)
      assert.equal((await context.sandbox.home(uid)).find(({ appid }) => appid === app.appid)?.text, stored)
    }
  }),
  check('crlf-length', '4.3', 'CR LF counts as one character', async (context) => {
    const app = await context.app()
    expectSuccess(await app.call('sendNotify', notification(app, { text: '\r\n'.repeat(2048) })))
    const reply = await app.call('sendNotify', notification(app, { text: '\r\n'.repeat(2049) }))
    expectError(reply, { status: 400, code: 'parameter_invalid', message: 'text' })
  }),
  ...oneLineTexts.map(([name, parameter]) =>
    check(`one-line-${name}-${parameter}`, '4.3', `${parameter} of ${name} rejects line breaks`, async (context) => {
      const app = await context.app()
      const parameters = { ...(await validParameters[name](app)), [parameter]: 'two\r\nlines' }
      const refusal = { status: 400, code: 'parameter_control_character', message: parameter }
      expectError(await app.call(name, parameters), refusal)
    }),
  ),
  ...formOperations.map((name) =>
    check(`empty-body-${name}`, '4.1', `${name} accepts an empty body of any content type`, async (context) => {
      const app = await context.app()
      for (const headers of emptyBodies) {
        const { target } = requestOf(name, app.sign(await validParameters[name](app)), 'query')
        expectSuccess(await context.raw({ method: 'POST', target, headers }))
      }
    }),
  ),
  undecodable('delete', 'a DEL is rejected', 'a%7Fb', 'parameter_control_character'),
  undecodable('c1', 'a C1 control character is rejected', 'a%C2%85b', 'parameter_control_character'),
  check('repeated-in-form', '4.1', 'a name that is repeated in the form is rejected', async (context) => {
    const app = await context.app()
    const pairs = app.sign(app.tradeParameters())
    for (const second of ['1', '1250']) {
      const reply = await app.send('trade', [...pairs, ['amount', second]])
      expectError(reply, { status: 400, code: 'parameter_repeated', message: 'amount' })
    }
    const multipart = await app.send('trade', [...pairs, ['amount', '1']], 'multipart')
    expectError(multipart, { status: 400, code: 'parameter_repeated', message: 'amount' })
  }),
  check('repeated-in-query', '4.1', 'a name that is repeated in the query string is rejected', async (context) => {
    const app = await context.app()
    const pairs = app.sign({ tradeNo: await app.createTrade() })
    const reply = await app.send('tradedetail', [...pairs, ['tradeNo', '0'.repeat(32)]])
    expectError(reply, { status: 400, code: 'parameter_repeated', message: 'tradeNo' })
  }),
  check('repeated-across', '4.1', 'a name in both the query string and the form is rejected', async (context) => {
    const app = await context.app()
    const parameters = app.tradeParameters()
    const reply = await sendForm(app, '', parameters, '?amount=1250')
    expectError(reply, { status: 400, code: 'parameter_repeated', message: 'amount' })
  }),
  check('repeated-list', '4.1', 'a list is one parameter: repeating its name is rejected', async (context) => {
    const app = await context.app()
    const reply = await app.send('sendNotify', [...app.sign(notification(app)), ['openIds', app.user.openId]])
    expectError(reply, { status: 400, code: 'parameter_repeated', message: 'openIds' })
  }),
  ...formOperations.map((name) =>
    check(`unknown-${name}`, '4.3', `${name} rejects unknown parameters by name`, async (context) => {
      const app = await context.app()
      const parameters = await validParameters[name](app)
      const reply = await app.call(name, { ...parameters, outTradeNumber: '1' })
      expectError(reply, { status: 400, code: 'parameter_unknown', message: 'outTradeNumber' })
    }),
  ),
  check('secret-sent', '4.1', 'a transmitted secret is ignored and causes a Warning header', async (context) => {
    const app = await context.app()
    for (const sent of [app.secret, 'anything', '']) {
      const pairs = [...app.sign(app.tradeParameters()), ['secret', sent] as const]
      const reply = await app.send('trade', pairs)
      expectSuccess(reply)
      assert.match(reply.headers.get('warning') ?? '', /secret/i)
      assert.ok(!reply.text.includes(app.secret))
    }
    // Signing with the transmitted secret instead of the app's own does not work.
    const pairs = pairsOf({ appid: app.appid, timestamp: Date.now(), ...app.tradeParameters() })
    const forged = [...pairs, ['secret', 'mine'], ['sign', sha256(canonicalString(pairs, 'mine'))]] as [
      string,
      string,
    ][]
    const reply = await app.send('trade', forged)
    expectError(reply, { status: 401, code: 'sign_mismatch' })
    assert.match(reply.headers.get('warning') ?? '', /secret/i)
  }),
  check('appId-alias', '4.1', 'appId is an alias of appid', async (context) => {
    const app = await context.app()
    const tradeNo = await app.createTrade()
    expectSuccess(await app.call('tradedetail', { appid: undefined, appId: app.appid, tradeNo }))
    expectSuccess(await app.call('trade', { ...app.tradeParameters(), appid: undefined, appId: app.appid }))
  }),
  check(
    'appId-and-appid',
    '4.1',
    'appId and appid may both be sent if they are equal; both are signed',
    async (context) => {
      const app = await context.app()
      const tradeNo = await app.createTrade()
      expectSuccess(await app.call('tradedetail', { appId: app.appid, tradeNo }))
      const unsigned = [...app.sign({ tradeNo }), ['appId', app.appid] as const]
      expectError(await app.send('tradedetail', unsigned), { status: 401, code: 'sign_mismatch' })
      const reply = await app.call('tradedetail', { appId: (await context.newApp()).appid, tradeNo })
      expectError(reply, { status: 400, code: 'parameter_repeated', message: /^(?=.*appId).*appid/ })
    },
  ),
  check('content-encoding', '4.1', 'a compressed form is rejected with 415', async (context) => {
    const app = await context.app()
    const target = operations.trade.path
    const body = encode(app.sign(app.tradeParameters()))
    const compressed = { method: 'POST', target, headers: { ...form, 'content-encoding': 'gzip' }, body }
    expectError(await context.raw(compressed), { status: 415, code: 'body_unsupported', message: 'Content-Encoding' })
    expectSuccess(await context.raw({ ...compressed, headers: { ...form, 'content-encoding': 'identity' } }))
  }),
  check('file-elsewhere', '4.1', 'an operation without file upload rejects a file', async (context) => {
    const app = await context.app()
    const body = new FormData()
    for (const [name, value] of app.sign(app.tradeParameters({ outTradeNo: unique() }))) body.append(name, value)
    body.append('fileData', new Blob(['x']), 'x.png')
    const reply = await context.raw({ method: 'POST', target: operations.trade.path, body })
    expectError(reply, { status: 400, code: 'parameter_unknown' })
  }),
]
