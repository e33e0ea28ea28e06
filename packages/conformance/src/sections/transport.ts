import assert from 'node:assert/strict'
import { type Check, topic } from '../check.ts'
import { type MiniApp, unique } from '../context.ts'
import { refused, succeeded } from '../expect.ts'
import {
  canonicalString,
  encode,
  type OperationName,
  operations,
  type Parameters,
  pairsOf,
  sha256,
  type Transport,
} from '../wire.ts'
import { activity } from './activities.ts'
import { notification } from './notifications.ts'

const check = topic('transport')

/** Parameters of a request that succeeds, for each operation that takes a form. */
const posts: Record<string, (app: MiniApp) => Promise<Parameters>> = {
  accessToken: async (app) => ({
    code: await app.context.sandbox.createCode(app.appid, app.user.uid, 'user.info'),
    grantType: 'authorization_code',
    scope: 'user.info',
  }),
  trade: async (app) => app.tradeParameters(),
  tradeclose: async (app) => ({ tradeNo: await app.createTrade() }),
  sendNotify: async (app) => notification(app),
  sendActivity: async (app) => activity(app),
}

const every: Check[] = Object.entries(posts).flatMap(([name, parameters]) =>
  (['form', 'multipart', 'query'] as Transport[]).map((transport) =>
    check(`${name}-${transport}`, '4.1', `${name} takes its parameters as ${transport}`, async (context) => {
      const app = await context.app()
      succeeded(await app.call(name as OperationName, await parameters(app), transport))
    }),
  ),
)

const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** Sends a body to the byte, signed over what it stands for. */
async function sendForm(app: MiniApp, extra: string, meaning: Parameters, query = '') {
  const pairs = app.sign(meaning).filter(([name]) => !(name in meaning && extra.includes(`${name}=`)))
  return app.context.raw({
    method: 'POST',
    target: operations.trade.path + query,
    headers: form,
    body: [encode(pairs), extra].filter(Boolean).join('&'),
  })
}

/** Creates a trade whose description is written in a certain way, and asserts how it is understood. */
const understood = (id: string, title: string, written: string, description: string) =>
  check(id, '4.1', title, async (context) => {
    const app = await context.app()
    const reply = await sendForm(app, `description=${written}`, app.tradeParameters({ description }))
    const { tradeNo } = succeeded(reply) as { tradeNo: string }
    assert.equal((await app.detail(tradeNo)).description, description)
  })

/** A description that cannot be decoded, or must not be taken. */
const undecodable = (id: string, title: string, written: string, code: string) =>
  check(id, '4.1', title, async (context) => {
    const app = await context.app()
    const pairs = app.sign(app.tradeParameters())
    const asForm = { method: 'POST', target: operations.trade.path, headers: form }
    const body = `${encode(pairs)}&description=${written}`
    refused(await context.raw({ ...asForm, body }), { status: 400, code, says: 'description' })
    const query = `${operations.tradedetail.path}?${encode(app.sign({ tradeNo: '0'.repeat(32) }))}&description=${written}`
    refused(await context.raw({ method: 'GET', target: query }), { status: 400, code, says: 'description' })
  })

/** Open-api §4.1: how parameters travel. */
export const transport = [
  ...every,
  check('split', '4.1', 'query string and form together are one set of parameters', async (context) => {
    const app = await context.app()
    const pairs = app.sign(app.tradeParameters())
    const inQuery = pairs.filter((_, index) => index % 2 === 0)
    const inBody = pairs.filter((_, index) => index % 2 === 1)
    succeeded(
      await context.raw({
        method: 'POST',
        target: `${operations.trade.path}?${encode(inQuery)}`,
        headers: form,
        body: encode(inBody),
      }),
    )
  }),
  check('charset', '4.1', 'a content type with a charset is a form as well', async (context) => {
    const app = await context.app()
    succeeded(
      await context.raw({
        method: 'POST',
        target: operations.trade.path,
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
        body: encode(app.sign(app.tradeParameters())),
      }),
    )
  }),
  understood('plus-is-space', 'a + in a form is a space', 'a+b', 'a b'),
  understood('percent-20', '%20 is a space', 'a%20b', 'a b'),
  understood('percent-2b', '%2B is a plus sign', 'a%2Bb', 'a+b'),
  understood('separators', 'escaped & and = are part of the value', 'a%26amount%3D1', 'a&amount=1'),
  understood('bare-equals', 'a bare = is part of the value', 'a=b=c', 'a=b=c'),
  understood('lower-case-escape', 'escapes may be in lower case', '%d9%85', 'م'),
  understood('emoji', 'characters beyond the basic plane arrive whole', '%F0%9F%98%80', '😀'),
  understood('double-escape', 'escapes are decoded once', '%2541', '%41'),
  check('bare-utf8', '4.1', 'bytes that are not escaped are UTF-8', async (context) => {
    const app = await context.app()
    const { tradeNo } = succeeded(
      await sendForm(app, 'description=订单', app.tradeParameters({ description: '订单' })),
    ) as { tradeNo: string }
    assert.equal((await app.detail(tradeNo)).description, '订单')
  }),
  undecodable('cut-escape', 'a cut escape is refused', 'a%4', 'parameter_malformed'),
  undecodable('bad-escape', 'an escape that is not hexadecimal is refused', 'a%zz', 'parameter_malformed'),
  undecodable('bad-utf8', 'bytes that are not UTF-8 are refused', 'a%ff', 'parameter_malformed'),
  undecodable('overlong-utf8', 'an overlong form is refused', '%c0%af', 'parameter_malformed'),
  undecodable('surrogate-utf8', 'an encoded surrogate is refused', '%ed%a0%80', 'parameter_malformed'),
  undecodable(
    'hash-padding',
    'the padding of a SHA-256 block, by which a sign could be extended, is refused',
    'a%80%00%00%00',
    'parameter_malformed',
  ),
  undecodable('nul', 'a NUL is refused', 'a%00b', 'parameter_control_character'),
  undecodable('line-break', 'a line break is refused', 'a%0Ab', 'parameter_control_character'),
  undecodable('delete', 'a DEL is refused', 'a%7Fb', 'parameter_control_character'),
  undecodable('c1', 'a C1 control character is refused', 'a%C2%85b', 'parameter_control_character'),
  check('repeated-in-form', '4.1', 'a name given twice in the form is refused', async (context) => {
    const app = await context.app()
    const pairs = app.sign(app.tradeParameters())
    for (const second of ['1', '1250']) {
      const reply = await app.send('trade', [...pairs, ['amount', second]])
      refused(reply, { status: 400, code: 'parameter_repeated', says: 'amount' })
    }
    const multipart = await app.send('trade', [...pairs, ['amount', '1']], 'multipart')
    refused(multipart, { status: 400, code: 'parameter_repeated', says: 'amount' })
  }),
  check('repeated-in-query', '4.1', 'a name given twice in the query string is refused', async (context) => {
    const app = await context.app()
    const pairs = app.sign({ tradeNo: await app.createTrade() })
    const reply = await app.send('tradedetail', [...pairs, ['tradeNo', '0'.repeat(32)]])
    refused(reply, { status: 400, code: 'parameter_repeated', says: 'tradeNo' })
  }),
  check('repeated-across', '4.1', 'a name given in the query string and in the form is refused', async (context) => {
    const app = await context.app()
    const parameters = app.tradeParameters()
    const reply = await sendForm(app, '', parameters, '?amount=1250')
    refused(reply, { status: 400, code: 'parameter_repeated', says: 'amount' })
  }),
  check('repeated-list', '4.1', 'a list is one parameter: repeating its name is refused', async (context) => {
    const app = await context.app()
    const reply = await app.send('sendNotify', [...app.sign(notification(app)), ['openIds', app.user.openId]])
    refused(reply, { status: 400, code: 'parameter_repeated', says: 'openIds' })
  }),
  ...(Object.keys(posts) as OperationName[]).map((name) =>
    check(`unknown-${name}`, '4.3', `${name} names a parameter that it does not know`, async (context) => {
      const app = await context.app()
      const parameters = (await posts[name]?.(app)) ?? {}
      const reply = await app.call(name, { ...parameters, outTradeNumber: '1' })
      refused(reply, { status: 400, code: 'parameter_unknown', says: 'outTradeNumber' })
    }),
  ),
  check('unknown-tradedetail', '4.3', 'tradedetail names a parameter that it does not know', async (context) => {
    const app = await context.app()
    const reply = await app.call('tradedetail', { tradeNo: await app.createTrade(), outTradeNumber: '1' })
    refused(reply, { status: 400, code: 'parameter_unknown', says: 'outTradeNumber' })
  }),
  check(
    'secret-sent',
    '4.1',
    'a transmitted secret is tolerated, has no say, and brings a warning',
    async (context) => {
      const app = await context.app()
      for (const sent of [app.secret, 'anything', '']) {
        const pairs = [...app.sign(app.tradeParameters()), ['secret', sent] as const]
        const reply = await app.send('trade', pairs)
        succeeded(reply)
        assert.match(reply.headers.get('warning') ?? '', /secret/i)
        assert.ok(!reply.text.includes(app.secret))
      }
      // Whoever sends another secret and signs with that is still refused.
      const pairs = pairsOf({ appid: app.appid, timestamp: Date.now(), ...app.tradeParameters() })
      const forged = [...pairs, ['secret', 'mine'], ['sign', sha256(canonicalString(pairs, 'mine'))]] as [
        string,
        string,
      ][]
      const reply = await app.send('trade', forged)
      refused(reply, { status: 401, code: 'sign_mismatch' })
      assert.match(reply.headers.get('warning') ?? '', /secret/i)
    },
  ),
  check('appId-alias', '4.1', 'appId is understood for appid', async (context) => {
    const app = await context.app()
    const tradeNo = await app.createTrade()
    succeeded(await app.call('tradedetail', { appid: undefined, appId: app.appid, tradeNo }))
    succeeded(await app.call('trade', { ...app.tradeParameters(), appid: undefined, appId: app.appid }))
  }),
  check(
    'appId-beside',
    '4.1',
    'appId may stand beside appid where both are equal; all that was sent is signed',
    async (context) => {
      const app = await context.app()
      const tradeNo = await app.createTrade()
      succeeded(await app.call('tradedetail', { appId: app.appid, tradeNo }))
      const unsigned = [...app.sign({ tradeNo }), ['appId', app.appid] as const]
      refused(await app.send('tradedetail', unsigned), { status: 401, code: 'sign_mismatch' })
      const reply = await app.call('tradedetail', { appId: (await context.newApp()).appid, tradeNo })
      refused(reply, { status: 400, code: 'parameter_repeated', says: /appId.*appid/ })
    },
  ),
  check('content-encoding', '4.1', 'a compressed form is refused with 415', async (context) => {
    const app = await context.app()
    const target = operations.trade.path
    const body = encode(app.sign(app.tradeParameters()))
    const compressed = { method: 'POST', target, headers: { ...form, 'content-encoding': 'gzip' }, body }
    refused(await context.raw(compressed), { status: 415, code: 'body_unsupported', says: 'Content-Encoding' })
    succeeded(await context.raw({ ...compressed, headers: { ...form, 'content-encoding': 'identity' } }))
  }),
  check('file-elsewhere', '4.1', 'an operation that takes no file refuses one by name', async (context) => {
    const app = await context.app()
    const body = new FormData()
    for (const [name, value] of app.sign(app.tradeParameters({ outTradeNo: unique() }))) body.append(name, value)
    body.append('fileData', new Blob(['x']), 'x.png')
    const reply = await context.raw({ method: 'POST', target: operations.trade.path, body })
    refused(reply, { status: 400, code: 'parameter_unknown' })
  }),
]
