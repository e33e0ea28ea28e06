import { hour, minute } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { admin, createTradeFixture, type TradeFixture } from '../../../../test/tradeFixture.ts'
import { eraseHostUser } from '../../console/index.ts'
import { upsertOpenId } from '../../users/index.ts'
import { closeTrade } from '../payments/index.ts'
import { createTrade } from './index.ts'

let database: FreshDatabase
let fixture: TradeFixture

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  fixture = await createTradeFixture(database.sql)
})

const create = (changes?: Parameters<TradeFixture['order']>[0]) =>
  createTrade(fixture.context, fixture.app, fixture.order(changes))

/** Returns the code and message of a rejected creation. */
async function refusal(changes: Parameters<TradeFixture['order']>[0], onto = fixture.order()): Promise<string> {
  return createTrade(fixture.context, fixture.app, { ...onto, ...changes }).then(
    () => 'nothing refused',
    (error) => `${error.code}: ${error.message}`,
  )
}

test('creates a trade with a tradeNo of 32 hexadecimal digits, the app’s merchant, and a lifetime of 2 hours', async () => {
  const { outTradeNo, tradeNo } = await create({ outTradeNo: 'order-1' })
  expect(outTradeNo).toBe('order-1')
  expect(tradeNo).toMatch(/^[0-9a-f]{32}$/)
  const now = fixture.context.clock.now()
  expect(await fixture.detail(tradeNo)).toMatchObject({
    transactionStatus: 1,
    failReasonType: -1,
    payer: fixture.payer.uid,
    openId: fixture.openId,
    timeExpire: now + 2 * hour,
    ctime: now,
    mtime: now,
    merchantId: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
})

/** Returns the SQL with the number of its statements, which must not be transactions. */
function counting() {
  const counted = { statements: 0 }
  const sql = new Proxy(fixture.sql, {
    apply: (target, self, args) => {
      counted.statements++
      return Reflect.apply(target, self, args)
    },
    get: (target, name) => {
      if (name === 'begin') throw new Error('a transaction')
      return Reflect.get(target, name)
    },
  })
  return { counted, sql }
}

describe('statements', () => {
  test('creates a trade with one', async () => {
    await create()
    const app = (await fixture.context.apps.find(fixture.app.app.appid))!
    const { counted, sql } = counting()
    await createTrade({ ...fixture.context, sql }, { ...fixture.app, app }, fixture.order())
    expect(counted.statements).toBe(1)
  })

  test('creates concurrent trades with one', async () => {
    await create()
    const app = (await fixture.context.apps.find(fixture.app.app.appid))!
    const { counted, sql } = counting()
    const orders = Array.from({ length: 5 }, (_, index) => fixture.order({ amount: index + 1 }))
    const created = await Promise.all(
      orders.map((order) => createTrade({ ...fixture.context, sql }, { ...fixture.app, app }, order)),
    )
    expect(counted.statements).toBe(1)
    for (const [index, { tradeNo }] of created.entries()) {
      expect(await fixture.detail(tradeNo)).toMatchObject({ outTradeNo: orders[index]!.outTradeNo, amount: index + 1 })
    }
  })

  test('gives each of several concurrent requests its own error', async () => {
    const { outTradeNo } = await create()
    const foreignMerchant = {
      ...fixture.app.app,
      merchant: { ...fixture.app.app.merchant!, merchantId: 'f'.repeat(32) },
    }
    const results = await Promise.allSettled([
      create({ openId: '0'.repeat(32) }),
      create({ outTradeNo: 'beside' }),
      create({ outTradeNo, amount: 99 }),
      createTrade(fixture.context, { ...fixture.app, app: foreignMerchant }, fixture.order()),
    ])
    expect(results).toMatchObject([
      { reason: { code: 'open_id_unknown' } },
      { value: { outTradeNo: 'beside' } },
      { reason: { code: 'out_trade_no_conflict' } },
      { reason: { constraint: expect.stringContaining('merchant_id_fkey') } },
    ])
  })
})

describe('repeated outTradeNo', () => {
  test('returns the same tradeNo for the same content', async () => {
    const order = fixture.order({ description: 'Tea', timeExpire: fixture.context.clock.now() + hour })
    const first = await createTrade(fixture.context, fixture.app, order)
    expect(await createTrade(fixture.context, fixture.app, order)).toEqual(first)
  })

  test('creates one trade for 50 concurrent requests', async () => {
    const order = fixture.order()
    const made = await Promise.all(Array.from({ length: 50 }, () => createTrade(fixture.context, fixture.app, order)))
    expect(new Set(made.map(({ tradeNo }) => tradeNo)).size).toBe(1)
    const [row] = await fixture.sql`select count(*) from trades where out_trade_no = ${order.outTradeNo}`
    expect(row).toEqual({ count: 1 })
  })

  test('accepts a timeExpire that would be too soon for a new trade', async () => {
    const order = fixture.order({ timeExpire: fixture.context.clock.now() + minute })
    const first = await createTrade(fixture.context, fixture.app, order)
    fixture.context.clock.ahead += 30_000
    expect(await createTrade(fixture.context, fixture.app, order)).toEqual(first)
  })

  test('rejects different content, naming the parameters that differ', async () => {
    const order = fixture.order({ timeExpire: fixture.context.clock.now() + hour })
    await createTrade(fixture.context, fixture.app, order)
    const differing = (fields: string) =>
      `out_trade_no_conflict: outTradeNo is already in use under this merchant. The existing trade was created with different values for ${fields}.`
    const other = await upsertOpenId(fixture.sql, fixture.app.app.appid, fixture.otherUser.uid)
    expect(await refusal({ amount: 1 }, order)).toBe(differing('amount'))
    expect(await refusal({ currency: 'USD' }, order)).toBe(differing('currency'))
    expect(await refusal({ openId: other }, order)).toBe(differing('openId'))
    expect(await refusal({ notifyUrl: 'https://a.example/n' }, order)).toBe(differing('notifyUrl'))
    expect(await refusal({ description: 'Tea' }, order)).toBe(differing('description'))
    expect(await refusal({ timeExpire: order.timeExpire! + 1 }, order)).toBe(differing('timeExpire'))
    const { timeExpire, ...without } = order
    expect(await refusal({ amount: 1 }, without)).toBe(differing('amount, timeExpire'))
  })

  test('rejects a final trade, naming its state', async () => {
    const order = fixture.order()
    const { tradeNo } = await createTrade(fixture.context, fixture.app, order)
    await closeTrade(fixture.context, fixture.app, { tradeNo })
    expect(await refusal({}, order)).toContain('The existing trade is closed; use a new outTradeNo.')

    const passed = fixture.order()
    await createTrade(fixture.context, fixture.app, passed)
    fixture.context.clock.ahead += 2 * hour
    expect(await refusal({}, passed)).toContain('has expired;')
  })

  test('creates another trade for another merchant', async () => {
    const other = await createTradeFixture(database.sql)
    expect(await other.create({ outTradeNo: 'shared' })).not.toBe(await fixture.create({ outTradeNo: 'shared' }))
  })
})

test('rejects an openId that is unknown or of another app', async () => {
  const { openId } = await createTradeFixture(database.sql)
  for (const unknown of [openId, '0'.repeat(32)]) expect(await refusal({ openId: unknown })).toMatch(/^open_id_unknown/)
})

test('rejects the openId of an erased user, who could not pay', async () => {
  const { context, otherUser } = fixture
  const openId = await upsertOpenId(fixture.sql, fixture.app.app.appid, otherUser.uid)
  await fixture.create({ openId })
  await eraseHostUser(context, admin, { uid: otherUser.uid })
  expect(await refusal({ openId })).toMatch(/^open_id_unknown/)
})

test('accepts an empty merchantId or the app’s own, and no other', async () => {
  const { merchantId } = await fixture.detail(await fixture.create({ merchantId: '' }))
  expect((await fixture.detail(await fixture.create({ merchantId }))).merchantId).toBe(merchantId)
  expect(await refusal({ merchantId: 'f'.repeat(32) })).toMatch(/^merchant_foreign/)
})

test('requires a timeExpire 1 minute to 7 days ahead, naming the bounds and the server time', async () => {
  const now = fixture.context.clock.now()
  for (const timeExpire of [now + minute, now + 7 * 24 * hour]) {
    expect((await fixture.detail(await fixture.create({ timeExpire }))).timeExpire).toBe(timeExpire)
  }
  for (const timeExpire of [0, now, now + minute - 1, now + 7 * 24 * hour + 1]) {
    const refused = await refusal({ timeExpire })
    expect(refused).toMatch(/^parameter_invalid: .*timeExpire must be between/)
    for (const named of [now + minute, now + 7 * 24 * hour, now]) expect(refused).toContain(String(named))
  }
})

describe('notifyUrl', () => {
  test.each([
    'https://shop.example/pay/notify',
    'http://localhost:3000/notify',
    'http://127.0.0.1/notify',
    'http://[::1]:3000/',
    'http://pay.internal/notify',
  ])('%s is taken', async (notifyUrl) => {
    expect(await fixture.create({ notifyUrl })).toMatch(/^[0-9a-f]{32}$/)
  })

  test.each([
    ['/notify', 'It must be an absolute URL that begins with https:// and contains no spaces.'],
    ['ftp://shop.example/', 'It must be an absolute URL that begins with https:// and contains no spaces.'],
    ['https://shop.example/a b', 'It must be an absolute URL that begins with https:// and contains no spaces.'],
    ['https://shop.example/?a=1', 'It must not have query parameters; a bare ? counts as one.'],
    ['https://shop.example/?', 'It must not have query parameters; a bare ? counts as one.'],
    ['https://shop.example/#a', 'It must not have a fragment (#…).'],
    ['https://me:secret@shop.example/', 'It must not contain a user name or password, or an @ before the host.'],
    ['https://@shop.example/', 'It must not contain a user name or password, or an @ before the host.'],
    ['https://:@shop.example/', 'It must not contain a user name or password, or an @ before the host.'],
    [
      'http://shop.example/',
      'It must use https: http is for private hosts that the operator has listed, and shop.example is not one of them.',
    ],
    [
      'https://169.254.169.254/latest',
      '169.254.169.254 is the address of a cloud metadata service, which Souk does not connect to. An operator can allow it by adding 169.254.169.254 to SOUK_PRIVATE_HOSTS.',
    ],
    [
      'https://10.1/',
      '10.0.0.1 is a private address, which Souk does not connect to. An operator can allow it by adding 10.0.0.1 to SOUK_PRIVATE_HOSTS.',
    ],
    [
      'https://[fd00::1]:8443/',
      'fd00::1 is a unique-local address, which Souk does not connect to. An operator can allow it by adding fd00::1 to SOUK_PRIVATE_HOSTS.',
    ],
  ])('%s is refused with its own sentence', async (notifyUrl, sentence) => {
    expect(await refusal({ notifyUrl })).toBe(`notify_url_refused: notifyUrl is not acceptable. ${sentence}`)
  })
})
