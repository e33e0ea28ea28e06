import assert from 'node:assert/strict'
import { accepted, type Check, optional, parameterChecks, rejected, required, topic } from '../check.ts'
import { type MiniApp, type Trade, unique } from '../context.ts'
import { expectError, expectFields, expectSuccess, is, isHex32, isInteger, isText, oneOf, orNull } from '../expect.ts'
import { day, hour, minute, second } from '../time.ts'
import type { Parameters } from '../wire.ts'

const check = topic('trade')
const largest = 99_999_999_999

/** Checks a `timeExpire` at an offset from the server's clock. */
const timeExpire = (id: string, title: string, fromNow: number, allowed: boolean): Check =>
  check(`timeExpire-${id}`, '4.3', title, async (context) => {
    const app = await context.app()
    const expiry = (await context.sandbox.now()) + fromNow
    const reply = await app.call('trade', app.tradeParameters({ timeExpire: expiry }))
    if (!allowed) return void expectError(reply, { status: 400, code: 'parameter_invalid', message: 'timeExpire' })
    const { tradeNo } = expectSuccess(reply) as { tradeNo: string }
    assert.equal((await app.detail(tradeNo)).timeExpire, expiry)
  })

/** Changes of each field of a trade that make its outTradeNo conflict. */
const differences: Record<string, (app: MiniApp, now: number) => Promise<Parameters>> = {
  amount: async () => ({ amount: 1251 }),
  currency: async () => ({ currency: 'USD' }),
  openId: async (app) => ({ openId: (await app.newUser()).openId }),
  notifyUrl: async () => ({ notifyUrl: 'https://backend.example.com/other' }),
  description: async () => ({ description: 'other' }),
  timeExpire: async (_app, now) => ({ timeExpire: now + hour }),
}

/** The final states by name, and how a trade reaches each. */
export const finalStates: Record<
  string,
  { status: number; failReasonType: number; reach(app: MiniApp, tradeNo: string): Promise<unknown> }
> = {
  succeeded: { status: 2, failReasonType: -1, reach: (app, tradeNo) => app.pay(tradeNo, 'succeeded') },
  failed: { status: 3, failReasonType: 27, reach: (app, tradeNo) => app.pay(tradeNo, 'failed:27') },
  expired: { status: 4, failReasonType: 21, reach: (app) => app.context.sandbox.forward(2 * hour + minute) },
  canceled: { status: 5, failReasonType: -1, reach: (app, tradeNo) => app.pay(tradeNo, 'canceled') },
  closed: { status: 6, failReasonType: 22, reach: (app, tradeNo) => app.call('tradeclose', { tradeNo }) },
}

const isTime = (value: unknown) => isInteger(value) && String(value).length === 13

/** Creating, querying and closing trades (open-api §4.3). */
export const trades: Check[] = [
  ...parameterChecks('trade', (app) => app.tradeParameters(), [
    optional('merchantId'),
    rejected('merchantId', ['M', '0'.repeat(31), 'G'.repeat(32), '0'.repeat(33)]),
    optional('description'),
    accepted('description', 'x'.repeat(256), '٣'.repeat(256), 'Two\nlines'),
    rejected('description', ['x'.repeat(257)]),
    required('outTradeNo'),
    rejected('outTradeNo', ['x'.repeat(65), 'a b', 'a.b', 'a/b', 'a+b', 'ä', '１２', 'a,b', '😀']),
    optional('timeExpire'),
    rejected('timeExpire', ['tomorrow', '1.5', '-1', '2026-01-01', 0, 1, 1_700_000_000]),
    required('notifyUrl'),
    accepted(
      'notifyUrl',
      'https://backend.example.com',
      'https://backend.example.com:8443/a/b-c_d',
      'https://例え.jp/通知',
    ),
    rejected(
      'notifyUrl',
      [
        'backend.example.com/callback',
        '/callback',
        'ftp://backend.example.com/callback',
        'javascript:alert(1)',
        'http://backend.example.com/callback',
        'https://backend.example.com/callback?order=1',
        'https://backend.example.com/callback?',
        'https://backend.example.com/callback#top',
        'https://user:password@backend.example.com/callback',
        'https://@backend.example.com/callback',
        'https://',
        'https:// backend.example.com/',
        `https://backend.example.com/${'x'.repeat(512)}`,
        'http://10.0.0.1/callback',
        'http://169.254.169.254/latest/meta-data',
        'http://[fe80::1]/callback',
        'https://169.254.169.254/latest/meta-data',
        'https://[fe80::1]/callback',
      ],
      'notify_url_refused',
    ),
    required('amount'),
    accepted('amount', 1, largest),
    rejected('amount', [
      0,
      -1,
      largest + 1,
      '1.5',
      '1e3',
      '0x10',
      '1,000',
      ' 1',
      '+1',
      '007',
      'ten',
      '12.00',
      '١٢',
      '9'.repeat(30),
    ]),
    required('currency'),
    accepted('currency', 'CNY', 'USD', 'SGD', 'SAR'),
    rejected('currency', ['EUR', 'cny', 'RMB', 'SAR ', 'CNY,USD']),
    required('openId'),
    rejected('openId', ['f'.repeat(32), '0'.repeat(32)], 'open_id_unknown'),
    rejected('openId', ['x', 'f'.repeat(33)]),
  ]),
  ...['0123456789', 'ABCXYZ', 'abcxyz', '_', '-', '*', 'a_B-9*'].map((characters) =>
    check(`outTradeNo-${characters}`, '4.3', `outTradeNo may contain ${characters}`, async (context) => {
      const app = await context.newApp()
      const { outTradeNo } = expectSuccess(
        await app.call('trade', app.tradeParameters({ outTradeNo: characters })),
      ) as Parameters
      assert.equal(outTradeNo, characters)
    }),
  ),
  check('outTradeNo-longest', '4.3', 'outTradeNo may have 64 characters', async (context) => {
    const app = await context.app()
    expectSuccess(await app.call('trade', app.tradeParameters({ outTradeNo: unique().padEnd(64, '*') })))
  }),
  check(
    'response',
    '4.3',
    'the response has the outTradeNo that was sent and a tradeNo of 32 hexadecimal digits',
    async (context) => {
      const app = await context.app()
      const parameters = app.tradeParameters()
      expectFields(expectSuccess(await app.call('trade', parameters)), {
        outTradeNo: is(parameters.outTradeNo),
        tradeNo: isHex32,
      })
    },
  ),
  check('openId-foreign', '4.3', 'an openId of another mini app is rejected like an unknown one', async (context) => {
    const app = await context.app()
    const other = await context.newApp()
    const reply = await app.call('trade', app.tradeParameters({ openId: other.user.openId }))
    expectError(reply, { status: 400, code: 'open_id_unknown' })
  }),
  timeExpire('soon', 'a timeExpire 70 s ahead is accepted', 70 * second, true),
  timeExpire('too-soon', 'a timeExpire 50 s ahead is rejected', 50 * second, false),
  timeExpire('past', 'a timeExpire in the past is rejected', -minute, false),
  timeExpire('far', 'a timeExpire one minute less than 7 days ahead is accepted', 7 * day - minute, true),
  timeExpire('too-far', 'a timeExpire one minute more than 7 days ahead is rejected', 7 * day + minute, false),
  check('timeExpire-default', '4.3', 'timeExpire defaults to 2 hours', async (context) => {
    const app = await context.app()
    const trade = await app.detail(await app.createTrade())
    assert.equal(trade.timeExpire - trade.ctime, 2 * hour)
  }),

  check('merchant', '4.3', 'merchantId defaults to the one merchant of the mini app', async (context) => {
    const app = await context.newApp()
    const { merchantId } = await app.detail(await app.createTrade())
    assert.ok(isHex32(merchantId))
    for (const merchant of ['', undefined, merchantId]) {
      assert.equal((await app.detail(await app.createTrade({ merchantId: merchant }))).merchantId, merchantId)
    }
  }),
  check('merchant-foreign', '4.3', 'the merchant of another mini app is rejected with 403', async (context) => {
    const app = await context.app()
    const other = await context.newApp()
    const { merchantId } = await other.detail(await other.createTrade())
    for (const foreign of [merchantId, 'f'.repeat(32)]) {
      const reply = await app.call('trade', app.tradeParameters({ merchantId: foreign }))
      expectError(reply, { status: 403, code: 'merchant_foreign' })
    }
  }),

  check('repeat', '4.3', 'repeating a request returns the same trade', async (context) => {
    const app = await context.app()
    const parameters = app.tradeParameters({ description: 'x', timeExpire: (await context.sandbox.now()) + hour })
    const first = expectSuccess(await app.call('trade', parameters))
    assert.deepEqual(expectSuccess(await app.call('trade', parameters)), first)
    assert.deepEqual(expectSuccess(await app.call('trade', parameters, 'multipart')), first)
  }),
  check(
    'repeat-defaults',
    '4.3',
    'repeating a request without optional values later returns the same trade',
    async (context) => {
      const app = await context.app()
      const parameters = app.tradeParameters()
      const first = expectSuccess(await app.call('trade', parameters))
      await context.sandbox.forward(minute)
      assert.deepEqual(expectSuccess(await app.call('trade', parameters)), first)
    },
  ),
  check('repeat-race', '4.3', '50 concurrent identical requests create one trade', async (context) => {
    const app = await context.newApp()
    const parameters = app.tradeParameters()
    const replies = await Promise.all(Array.from({ length: 50 }, () => app.call('trade', parameters)))
    const numbers = replies.map((reply) => (expectSuccess(reply) as { tradeNo: string }).tradeNo)
    assert.equal(new Set(numbers).size, 1)
  }),
  ...Object.entries(differences).map(([field, differ]) =>
    check(
      `conflict-${field}`,
      '4.3',
      `the same outTradeNo with a different ${field} is a conflict, and the error names the field`,
      async (context) => {
        const app = await context.app()
        const parameters = app.tradeParameters()
        expectSuccess(await app.call('trade', parameters))
        const other = await differ(app, await context.sandbox.now())
        const reply = await app.call('trade', { ...parameters, ...other })
        const { responseHeader } = expectError(reply, { status: 409, code: 'out_trade_no_conflict', message: field })
        for (const untouched of Object.keys(differences).filter((name) => name !== field)) {
          assert.ok(!responseHeader.msg.includes(untouched), `${untouched} does not differ: ${responseHeader.msg}`)
        }
      },
    ),
  ),
  ...Object.entries(finalStates).map(([name, { reach }]) =>
    check(
      `conflict-after-${name}`,
      '4.3',
      `the outTradeNo of a trade in state ${name} cannot be reused, and the error names the state`,
      async (context) => {
        const app = await context.newApp()
        const parameters = app.tradeParameters()
        const { tradeNo } = expectSuccess(await app.call('trade', parameters)) as { tradeNo: string }
        await reach(app, tradeNo)
        expectError(await app.call('trade', parameters), { status: 409, code: 'out_trade_no_conflict', message: name })
      },
    ),
  ),
  check('outTradeNo-per-merchant', '4.3', 'two merchants can use the same outTradeNo', async (context) => {
    const [app, other] = [await context.app(), await context.newApp()]
    const outTradeNo = unique()
    assert.notEqual(await app.createTrade({ outTradeNo }), await other.createTrade({ outTradeNo }))
  }),
  check(
    'replace-after-close',
    '1',
    'an order can be replaced by closing its trade and creating another',
    async (context) => {
      const app = await context.app()
      const first = await app.createTrade()
      expectSuccess(await app.call('tradeclose', { tradeNo: first }))
      const second = await app.createTrade()
      assert.equal((await app.detail(first)).transactionStatus, 6)
      assert.equal((await app.detail(second)).transactionStatus, 1)
    },
  ),

  ...parameterChecks('tradedetail', async (app) => ({ tradeNo: await app.createTrade() }), [
    required('tradeNo'),
    rejected('tradeNo', ['x', '0'.repeat(31), '0'.repeat(33), 'g'.repeat(32)]),
  ]),
  check(
    'fields',
    '2.5',
    'tradedetail has exactly the 22 fields of the specification, each of its type',
    async (context) => {
      const app = await context.app()
      const parameters = app.tradeParameters({ description: 'Two coffees' })
      const { tradeNo } = expectSuccess(await app.call('trade', parameters)) as { tradeNo: string }
      expectFields(await app.detail(tradeNo), {
        tradeNo: is(tradeNo),
        appId: is(app.appid),
        merchantId: isHex32,
        merchantLogoUrl: orNull(isText),
        merchantName: orNull(isText),
        description: is('Two coffees'),
        outTradeNo: is(parameters.outTradeNo),
        timeExpire: isTime,
        amount: is(1250),
        amountStrWithYuan: is('12.50'),
        currency: is('SAR'),
        openId: is(app.user.openId),
        payer: is(app.user.uid),
        notifySuccess: is(null),
        payType: is(null),
        payNo: is(null),
        payMethod: is(null),
        transactionFlow: is(2),
        transactionStatus: is(1),
        failReasonType: is(-1),
        ctime: isTime,
        mtime: isTime,
      })
    },
  ),
  check('fields-paid', '2.5', 'a paid trade has payType, payMethod and payNo', async (context) => {
    const app = await context.app()
    const tradeNo = await app.createTrade()
    await app.pay(tradeNo, 'succeeded')
    const trade = await app.detail(tradeNo)
    assert.ok(oneOf(1, 2, 3)(trade.payType))
    assert.equal(trade.payMethod, 3)
    assert.ok(isText(trade.payNo))
    assert.equal(trade.transactionFlow, 2)
    assert.ok(trade.mtime >= trade.ctime)
  }),
  ...[
    [1, '0.01'],
    [10, '0.10'],
    [99, '0.99'],
    [100, '1.00'],
    [123456, '1234.56'],
    [largest, '999999999.99'],
  ].map(([amount, formatted]) =>
    check(`amountStrWithYuan-${amount}`, '2.5', `${amount} cents are formatted as ${formatted}`, async (context) => {
      const app = await context.app()
      const trade = await app.detail(await app.createTrade({ amount: amount as number }))
      assert.deepEqual([trade.amount, trade.amountStrWithYuan], [amount, formatted])
    }),
  ),
  check('description-empty', '2.5', 'a missing or empty description is null', async (context) => {
    const app = await context.app()
    for (const description of [undefined, '']) {
      assert.equal((await app.detail(await app.createTrade({ description }))).description, null)
    }
  }),
  check('case', '2.5', 'tradeNo is not case-sensitive', async (context) => {
    const app = await context.app()
    const tradeNo = await app.createTrade()
    assert.equal((await app.detail(tradeNo.toUpperCase())).tradeNo, tradeNo)
    expectSuccess(await app.call('tradeclose', { tradeNo: tradeNo.toUpperCase() }))
  }),
  ...(['tradedetail', 'tradeclose'] as const).map((operation) =>
    check(
      `${operation}-not-found`,
      '4.3',
      `${operation} responds alike to an unknown trade and to one of another mini app`,
      async (context) => {
        const app = await context.app()
        const other = await context.newApp()
        const foreign = await app.call(operation, { tradeNo: await other.createTrade() })
        const unknown = await app.call(operation, { tradeNo: 'f'.repeat(32) })
        expectError(unknown, { status: 404, code: 'trade_not_found' })
        expectError(foreign, { status: 404, code: 'trade_not_found' })
        assert.equal(foreign.text, unknown.text)
      },
    ),
  ),

  ...parameterChecks('tradeclose', async (app) => ({ tradeNo: await app.createTrade() }), [
    required('tradeNo'),
    rejected('tradeNo', ['x', '0'.repeat(31), '0'.repeat(33)]),
  ]),
  ...(['query', 'form', 'multipart'] as const).map((transport) =>
    check(
      `close-${transport}`,
      '4.3',
      `closing by ${transport} returns true, also the second time`,
      async (context) => {
        const app = await context.app()
        const tradeNo = await app.createTrade()
        assert.equal(expectSuccess(await app.call('tradeclose', { tradeNo }, transport)), true)
        const closed = await app.detail(tradeNo)
        assert.deepEqual([closed.transactionStatus, closed.failReasonType], [6, 22])
        assert.equal(expectSuccess(await app.call('tradeclose', { tradeNo }, transport)), true)
        assert.deepEqual(await app.detail(tradeNo), closed)
      },
    ),
  ),
  ...['succeeded', 'failed', 'expired', 'canceled'].map((name) =>
    check(
      `close-${name}`,
      '4.3',
      `closing a trade in state ${name} is a conflict, and the error names the state`,
      async (context) => {
        const app = await context.newApp()
        const tradeNo = await app.createTrade()
        await finalStates[name]?.reach(app, tradeNo)
        const message = name === 'succeeded' ? /paid|succeeded/ : name
        expectError(await app.call('tradeclose', { tradeNo }), { status: 409, code: 'trade_not_processing', message })
        assert.equal((await app.detail(tradeNo)).transactionStatus, finalStates[name]?.status)
      },
    ),
  ),
  check('close-in-flight', '4.3', 'closing cancels a payment in flight', async (context) => {
    const app = await context.app()
    const tradeNo = await app.createTrade()
    await app.pay(tradeNo, 'pending')
    assert.equal(expectSuccess(await app.call('tradeclose', { tradeNo })), true)
    const trade: Trade = await app.detail(tradeNo)
    assert.deepEqual([trade.transactionStatus, trade.failReasonType], [6, 22])
  }),
]
