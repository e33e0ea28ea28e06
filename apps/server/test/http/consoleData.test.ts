import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { day, hour } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { deliverDueCallbacks, runReplay } from '../../src/domain/money/index.ts'
import { type JsonAnswer, startTestSouk, type TestSouk } from '../souk.ts'

/** A merchant server that counts requests and responds as configured. */
const merchant = { status: 200, got: [] as string[] }
const receiver = createServer((request, answer) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    merchant.got.push(body)
    answer.writeHead(merchant.status).end('success')
  })
})

let souk: TestSouk
let projectId: string
let app: { appid: string; secret: string }
let uid: number
let openId: string
let notifyUrl: string

beforeAll(async () => {
  souk = await startTestSouk()
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  notifyUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/paid`
  projectId = (await souk.console('POST', '/console/v1/projects', { name: 'Coffee' })).body.projectId
  app = (await souk.console('POST', '/console/v1/apps', { name: 'Tea House', projectId })).body
  const user = { nickname: 'Layla', country: '+966', phone: '500718294', email: 'layla@example.com' }
  uid = (await souk.console('POST', '/console/v1/sandbox/users', user)).body.uid
  openId = await upsertOpenId(uid)
})
afterAll(async () => {
  receiver.close()
  await souk.stop()
})
beforeEach(() => {
  merchant.status = 200
  merchant.got = []
})

const project = (path: string): Promise<JsonAnswer> => souk.console('GET', `/console/v1/projects/${projectId}/${path}`)

async function upsertOpenId(uid: number): Promise<string> {
  const { code } = (await souk.console('POST', '/console/v1/sandbox/codes', { appid: app.appid, uid })).body
  const token = await souk.signed(app, 'POST', '/neuopenapi/oauth/mini/accessToken', {
    code,
    grantType: 'authorization_code',
    scope: 'user.info',
  })
  const path = `/neuopenapi/oauth/mini/user/info?accessToken=${token.response.accessToken}`
  return (await souk.send('GET', path)).response.openId
}

async function newTrade(
  outTradeNo: string,
  amount = 1250,
  more: Record<string, string | number> = {},
): Promise<string> {
  const answer = await souk.signed(app, 'POST', '/neuopenapi/pay/transactions/trade', {
    outTradeNo,
    amount,
    currency: 'SAR',
    notifyUrl,
    openId,
    ...more,
  })
  return answer.response.tradeNo
}

async function newPaidTrade(outTradeNo: string, outcome = 'succeeded'): Promise<string> {
  const tradeNo = await newTrade(outTradeNo)
  await souk.console('POST', '/console/v1/sandbox/payments', { tradeNo, uid, outcome })
  return tradeNo
}

/** Reads all pages of a list, three items at a time. */
async function allPages(path: string): Promise<Record<string, unknown>[]> {
  const items = []
  let cursor: string | null = null
  do {
    const more = `${path.includes('?') ? '&' : '?'}limit=3${cursor ? `&cursor=${cursor}` : ''}`
    const { body } = await project(path + more)
    expect(body.items.length).toBeLessThanOrEqual(3)
    items.push(...body.items)
    cursor = body.next
  } while (cursor !== null)
  return items
}

describe('trades', () => {
  test('pages contain every trade once, newest first, for every filter', async () => {
    const made: string[] = []
    for (let number = 0; number < 10; number++) made.push(await newTrade(`page-${number}`, 100 + number))
    const found = await allPages('trades?outTradeNo=page-')
    expect(found.map(({ tradeNo }) => tradeNo)).toEqual(made.reverse())
    // New trades that arrive while paging have no effect.
    const first = (await project('trades?outTradeNo=page-&limit=4')).body
    await newTrade('page-late')
    const second = (await project(`trades?outTradeNo=page-&limit=4&cursor=${first.next}`)).body
    expect(second.items.map(({ tradeNo }: { tradeNo: string }) => tradeNo)).toEqual(made.slice(4, 8))
  })

  test('filters work alone and combined', async () => {
    const paid = await newPaidTrade('filter-paid')
    const failed = await newPaidTrade('filter-failed', 'failed:27')
    const dollars = await newTrade('filter-dollars', 9900, { currency: 'USD' })
    const numbers = async (query: string) =>
      (await allPages(`trades?outTradeNo=filter-&${query}`)).map(({ tradeNo }) => tradeNo)
    expect(await numbers('status=2')).toEqual([paid])
    expect(await numbers('status=2,3')).toEqual([failed, paid])
    expect(await numbers('currency=USD')).toEqual([dollars])
    expect(await numbers('minAmount=9900&maxAmount=9900')).toEqual([dollars])
    expect(await numbers(`payer=${uid}&status=1`)).toEqual([dollars])
    expect(await numbers(`payer=${uid + 1}`)).toEqual([])
    expect(await numbers(`tradeNo=${failed.slice(0, 20).toUpperCase()}&status=3`)).toEqual([failed])
    const { ctime } = (await project('trades?outTradeNo=filter-paid')).body.items[0]
    expect(await numbers(`from=${ctime}&to=${ctime + 1}&status=2`)).toEqual([paid])
    expect(await numbers(`to=${ctime}`)).toEqual([])
    // Pattern characters are matched literally.
    expect((await project('trades?outTradeNo=filter_')).body.items).toEqual([])
    expect((await project('trades?status=9')).body.code).toBe('parameter_invalid')
    expect((await project('trades?cursor=nonsense')).body.code).toBe('parameter_invalid')
  })

  test('totals are grouped by the days of a time zone, status and currency', async () => {
    const other = (await souk.console('POST', '/console/v1/apps', { name: 'Totals', projectId })).body
    const { body: user } = await souk.console('POST', '/console/v1/sandbox/users', { nickname: 'Omar' })
    const midnight = Date.UTC(2026, 0, 10)
    await souk.context.sql`
      insert into merchants (merchant_id, appid, ctime) values (gen_random_uuid(), ${other.appid}, 0)`
    const trade = (outTradeNo: string, amount: number, status: number, ctime: number) => souk.context.sql`
      insert into all_trades
        (appid, trade_no, merchant_id, out_trade_no, amount, currency, open_id, payer, notify_url, time_expire,
         transaction_status, ctime, mtime)
      select appid, (lpad(to_hex(${ctime}::bigint), 12, '0') || substr(md5(random()::text), 1, 20))::uuid, merchant_id, ${outTradeNo}, ${amount}, 'SAR', gen_random_uuid(), ${user.uid}, '', 0,
        ${status}, ${ctime}, ${ctime}
      from merchants where appid = ${other.appid}`
    await trade('a', 100, 2, midnight - 1)
    await trade('b', 200, 2, midnight)
    await trade('c', 50, 2, midnight + 1)
    await trade('d', 999, 3, midnight + 2)
    const range = `appid=${other.appid}&from=${midnight - day}&to=${midnight + day}`
    const line = (day: string, transactionStatus: number, count: number, amount: number) => ({
      day,
      transactionStatus,
      currency: 'SAR',
      count,
      amount,
      refundedAmount: 0,
    })
    expect((await project(`trade-totals?${range}`)).body.rows).toEqual([
      line('2026-01-09', 2, 1, 100),
      line('2026-01-10', 2, 2, 250),
      line('2026-01-10', 3, 1, 999),
    ])
    expect((await project(`trade-totals?${range}&timeZone=Africa/Lagos&status=2`)).body.rows).toEqual([
      line('2026-01-10', 2, 3, 350),
    ])
    const tooLong = await project(`trade-totals?from=0&to=${93 * day}`)
    expect(tooLong.body.code).toBe('parameter_invalid')
    expect((await project('trade-totals?timeZone=Asia/Atlantis')).body).toMatchObject({
      code: 'parameter_invalid',
      data: { parameters: ['timeZone'] },
    })
    const tooLate = await project(`trade-totals?from=${8e15}&to=${8e15 + day}`)
    expect(tooLate.body).toMatchObject({ code: 'parameter_invalid', detail: expect.stringContaining('Unix time') })

    // The clocks of New York go back on this day, which has 25 hours.
    const longDay = Date.UTC(2025, 10, 2, 4)
    await trade('e', 10, 2, longDay - 1)
    await trade('f', 20, 2, longDay + day)
    await trade('g', 40, 2, longDay + 25 * hour)
    const days = `appid=${other.appid}&from=${longDay - day}&to=${longDay + 2 * day}&timeZone=America/New_York`
    expect((await project(`trade-totals?${days}`)).body.rows).toEqual([
      line('2025-11-01', 2, 1, 10),
      line('2025-11-02', 2, 1, 20),
      line('2025-11-03', 2, 1, 40),
    ])
  })

  test('the timeline of a trade contains creation, attempt, result and callback in order', async () => {
    const tradeNo = await newPaidTrade('story')
    await deliverDueCallbacks(souk.context)
    const { body } = await souk.console('GET', `/console/v1/trades/${tradeNo}/story`)
    expect(body.timeline.map(({ kind, event }: Record<string, string>) => `${kind}: ${event}`)).toEqual([
      ...['trade: created', 'payment: paymentStarted', 'trade: succeeded'],
      ...['callback: callbackQueued', 'callback: callbackAttempt'],
    ])
    expect(body).toMatchObject({
      projectId,
      appName: 'Tea House',
      payerName: 'Layla',
      notifyUrl,
      refunds: [],
      attempts: [{ state: 'succeeded', provider: 'sandbox' }],
      callbacks: [{ fields: { tradeNo, amount: 1250 }, attempts: [{ status: 200, reply: 'success' }] }],
    })
    expect(body.timeline[1].attemptId).toBe(body.attempts[0].attemptId)
    expect(body.timeline.at(-1)).toMatchObject({ notifyId: body.callbacks[0].notifyId, callbackAttempt: 1 })
  })

  test('the timeline of a late payment shows its refund', async () => {
    const tradeNo = await newPaidTrade('late', 'pending')
    await souk.context
      .sql`update trades set transaction_status = 6, attempt_in_flight = null where trade_no = ${tradeNo}`
    await souk.console('POST', '/console/v1/sandbox/results', { tradeNo, outcome: 'succeeded' })
    const { body } = await souk.console('GET', `/console/v1/trades/${tradeNo}/story`)
    expect(body.timeline.at(-1)).toMatchObject({ kind: 'money', event: 'moneyOwed', detail: { amount: 1250 } })
    expect(body.refunds).toMatchObject([
      { amount: 1250, state: 'owed', reason: 'tradeFinal', note: 'the trade is closed' },
    ])
  })
})

describe('callbacks', () => {
  test('lists undelivered callbacks first on request, across pages, otherwise the newest', async () => {
    const made: string[] = []
    for (let number = 0; number < 7; number++) made.push(await newPaidTrade(`ledger-${number}`))
    const notifyIds = (await project('callbacks?limit=7')).body.items.map(
      ({ notifyId }: { notifyId: string }) => notifyId,
    )
    const set = (index: number, state: string, attempts: number) => souk.context.sql`
      update callbacks set state = ${state}, attempts = ${attempts} where notify_id = ${notifyIds[index]}`
    await set(6, 'dead', 17)
    await set(2, 'dead', 17)
    await set(4, 'pending', 3)
    const { ctime } = (await project('callbacks?limit=7')).body.items[6]
    const inOrder = async (query: string) =>
      (await allPages(`callbacks?from=${ctime}&${query}`)).map(({ notifyId }) => notifyIds.indexOf(notifyId as string))
    expect(await inOrder('')).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(await inOrder('failuresFirst=true')).toEqual([2, 6, 4, 0, 1, 3, 5])
    expect(await inOrder('sort=-state')).toEqual([2, 6, 4, 0, 1, 3, 5])
    expect(await inOrder('sort=state')).toEqual([5, 3, 1, 0, 4, 6, 2])
    expect(await inOrder('sort=ctime')).toEqual([6, 5, 4, 3, 2, 1, 0])
    expect(await inOrder('sort=ctime&text=ledger-')).toEqual([6, 5, 4, 3, 2, 1, 0])
    expect(await inOrder('state=dead')).toEqual([2, 6])
    expect(await inOrder('state=pending')).toEqual([0, 1, 3, 4, 5])
    await souk.context.sql`update callbacks set state = 'delivered', next_attempt = null`
  })

  test('replays a range as a job with progress', async () => {
    const tradeNos = [await newPaidTrade('replay-1'), await newPaidTrade('replay-2'), await newPaidTrade('replay-3')]
    await souk.context
      .sql`update callbacks set state = 'dead', next_attempt = null where trade_no = any(${tradeNos}::uuid[])`
    merchant.status = 500
    const path = `/console/v1/projects/${projectId}/replays`
    expect((await souk.console('GET', `${path}/count?state=dead`)).body).toEqual({ total: 3 })
    const failing = (await souk.console('POST', path, { state: 'dead' })).body
    expect(failing).toMatchObject({ state: 'running', total: 3, done: 0 })
    await runReplay(souk.context, failing.replayId)
    const shown = async (replayId: string) => (await souk.console('GET', `/console/v1/replays/${replayId}`)).body
    expect(await shown(failing.replayId)).toMatchObject({ state: 'finished', total: 3, done: 3, failed: 3 })
    expect(merchant.got).toHaveLength(3)

    merchant.status = 200
    const repeated = (await souk.console('POST', path, { state: 'dead' })).body
    await runReplay(souk.context, repeated.replayId)
    expect(await shown(repeated.replayId)).toMatchObject({ state: 'finished', done: 3, failed: 0 })
    // Running the job again does nothing.
    await runReplay(souk.context, repeated.replayId)
    expect(merchant.got).toHaveLength(6)
    expect((await souk.console('POST', path, { state: 'dead' })).body).toMatchObject({ state: 'finished', total: 0 })
  })

  test('a canceled replay delivers nothing more', async () => {
    await newPaidTrade('stopped')
    const path = `/console/v1/projects/${projectId}/replays`
    const { replayId } = (await souk.console('POST', path, {})).body
    await souk.console('POST', `/console/v1/replays/${replayId}/cancel`, {})
    await runReplay(souk.context, replayId)
    expect(merchant.got).toEqual([])
    expect((await souk.console('GET', `/console/v1/replays/${replayId}`)).body).toMatchObject({
      state: 'canceled',
      done: 0,
    })
    await souk.context.sql`update callbacks set state = 'delivered', next_attempt = null`
  })

  test('the sandbox injects faults into a given number of callbacks', async () => {
    const path = `/console/v1/apps/${app.appid}/callback-fault`
    const attemptAfter = async (fault: string) => {
      await souk.console('POST', path, { fault, count: 1 })
      merchant.got = []
      const tradeNo = await newPaidTrade(`fault-${fault}`)
      await deliverDueCallbacks(souk.context)
      const [callback] = (await souk.console('GET', `/console/v1/callbacks?appid=${app.appid}&tradeNo=${tradeNo}`)).body
      return { got: merchant.got.length, state: callback.state, ...callback.attempts[0], notifyId: callback.notifyId }
    }
    const dropped = await attemptAfter('drop')
    expect(dropped).toMatchObject({ got: 0, state: 'pending', acknowledged: false, status: null })
    expect((await souk.console('GET', path)).body).toEqual({ appid: app.appid, fault: null, remaining: 0 })
    // The next attempt is normal.
    expect((await souk.console('POST', `/console/v1/callbacks/${dropped.notifyId}/replay`, {})).body.state).toBe(
      'delivered',
    )
    expect(await attemptAfter('error500')).toMatchObject({ got: 1, state: 'pending', acknowledged: false, status: 500 })
    expect(await attemptAfter('twice')).toMatchObject({ got: 2, state: 'delivered', acknowledged: true, status: 200 })
  })
})

describe('private callback hosts', () => {
  test('are allowed only for the mini app that they were added to', async () => {
    const other = (await souk.console('POST', '/console/v1/apps', { name: 'Other', projectId })).body
    const callbackHosts = ['pay.internal', '10.2.0.0/16']
    await souk.console('PATCH', `/console/v1/apps/${app.appid}`, { callbackHosts })
    expect((await souk.console('GET', `/console/v1/apps/${app.appid}`)).body.callbackHosts).toEqual(callbackHosts)
    const create = (by: typeof app, notifyUrl: string) =>
      souk.signed(by, 'POST', '/neuopenapi/pay/transactions/trade', {
        outTradeNo: `private-${by.appid}-${notifyUrl.length}`,
        amount: 1,
        currency: 'SAR',
        openId,
        notifyUrl,
      })
    expect((await create(app, 'http://pay.internal/paid')).status).toBe(200)
    expect((await create(app, 'http://10.2.3.4/paid')).status).toBe(200)
    expect((await create(app, 'http://10.3.3.4:80/paid')).code).toBe('notify_url_refused')
    expect((await create(other, 'http://pay.internal/paid')).code).toBe('notify_url_refused')
    await souk.console('PATCH', `/console/v1/apps/${app.appid}`, { callbackHosts: [] })
    expect((await create(app, 'http://pay.internal/other')).code).toBe('notify_url_refused')
  })
})

describe('messages', () => {
  const note = { title: 'Ready', text: 'Your tea is ready.', navigateType: '1', language: 'en_US' }

  test('a test notification reaches the users and is listed', async () => {
    const path = `/console/v1/apps/${app.appid}/notifications`
    expect((await souk.console('POST', path, { uids: [uid, 999_999], ...note })).body).toEqual({
      recipients: 1,
      skipped: 1,
      off: 0,
      overLimit: 0,
    })
    for (let number = 0; number < 4; number++)
      await souk.console('POST', path, { uids: [uid], ...note, title: `${number}` })
    const listed = await allPages('notifications')
    expect(listed.map(({ title }) => title)).toEqual(['3', '2', '1', '0', 'Ready'])
    expect(listed[4]).toMatchObject({ appName: 'Tea House', text: note.text, recipients: 1, skipped: 0 })
    expect((await souk.console('GET', `/console/v1/sandbox/users/${uid}/inbox`)).body).toHaveLength(5)
    expect((await souk.console('POST', path, { uids: [999_999], ...note })).body.code).toBe('recipients_unknown')
    await souk.console('PATCH', `/console/v1/apps/${app.appid}`, { capabilities: ['payment', 'login', 'activity'] })
    expect((await souk.console('POST', path, { uids: [uid], ...note })).body.code).toBe('capability_missing')
  })

  test('lists activity messages by send, with the number of home pages', async () => {
    const more = await Promise.all(
      [1, 2].map(
        async (n) => (await souk.console('POST', '/console/v1/sandbox/users', { nickname: `N${n}` })).body.uid,
      ),
    )
    const path = `/console/v1/apps/${app.appid}/activities`
    const send = (activityId: string, uids: number[], status = 1) =>
      souk.console('POST', path, {
        activityId,
        uids,
        status,
        color: 'ff8800',
        templateId: '1',
        title: activityId,
        text: 'Text',
        iconUrl: 'https://shop.example/icon.png',
        validityTime: 3600,
        language: 'en_US',
      })
    for (const activityId of ['a', 'b', 'c', 'd']) {
      await send(activityId, [uid, ...more])
      souk.clock.offset += 5
    }
    await send('b', more, 0)
    const listed = await allPages('activities')
    expect(listed.map(({ activityId, recipients }) => `${activityId} ${recipients}`)).toEqual([
      'd 3',
      'c 3',
      'b 1',
      'a 3',
    ])
    souk.clock.offset += hour
    expect(await allPages('activities')).toEqual([])
    souk.clock.offset = 0
  })
})

test('a forged cursor is refused or yields only permitted items', async () => {
  const forge = (values: unknown) => Buffer.from(JSON.stringify(values)).toString('base64url')
  const far = Number.MAX_SAFE_INTEGER
  const forged = [
    ...[
      [],
      ['zz'],
      [null],
      [far],
      [1.5],
      [far, far],
      [far, 'zz'],
      [far, far, 'zz'],
      [1e300, far],
      [1e-300, far],
      [far, '\0', 'a'],
      [-far, 'x', 'y'],
    ],
    ...[{}, 'text', [far, 'f'.repeat(32)], [far, far, 'f'.repeat(32)], [-far, -far, '0'.repeat(32)]],
  ]
  const lists = [
    'trades',
    'callbacks?sort=-state',
    'callbacks?sort=ctime',
    'callbacks',
    'notifications',
    'activities',
    'requests',
    'requests?sort=duration',
    'requests?sort=-status',
  ]
  for (const list of lists) {
    for (const values of forged) {
      const { status } = await project(`${list}${list.includes('?') ? '&' : '?'}cursor=${forge(values)}`)
      expect([list, values, status === 200 || status === 400]).toEqual([list, values, true])
    }
  }
})

test('lists have the chosen order in all pages, with ties by id', async () => {
  const amounts = [300, 100, 300, 200, 300, 100, 300, 300]
  const made: { tradeNo: string; amount: number }[] = []
  for (const [number, amount] of amounts.entries())
    made.push({ tradeNo: await newTrade(`sort-${number}`, amount), amount })
  const sorted = async (sort: string, more = '') =>
    (await allPages(`trades?outTradeNo=sort-&sort=${sort}${more}`)).map(({ tradeNo }) => tradeNo)
  const byAmount = made.toSorted((a, b) => a.amount - b.amount || (a.tradeNo < b.tradeNo ? -1 : 1))
  const numbers = byAmount.map(({ tradeNo }) => tradeNo)
  expect(await sorted('amount')).toEqual(numbers)
  expect(await sorted('-amount')).toEqual(numbers.toReversed())
  expect(await sorted('amount', '&text=ort-')).toEqual(numbers)
  expect(await sorted('ctime')).toEqual(made.map(({ tradeNo }) => tradeNo))
  expect(await sorted('-ctime')).toEqual(made.map(({ tradeNo }) => tradeNo).toReversed())
  expect((await project('trades?sort=payer')).body.code).toBe('parameter_invalid')

  await souk.requestLog.flush()
  const requests = (await allPages('requests?operation=trade')).map(({ requestId }) => requestId)
  const oldestFirst = (await allPages('requests?operation=trade&sort=time')).map(({ requestId }) => requestId)
  expect(oldestFirst).toEqual(requests.toReversed())
  for (const column of ['duration', 'status'] as const) {
    const values = (await allPages(`requests?sort=${column}`)).map((request) => Number(request[column]))
    expect(values.length).toBeGreaterThan(amounts.length)
    expect(values).toEqual(values.toSorted((a, b) => a - b))
    const down = (await allPages(`requests?sort=-${column}`)).map((request) => Number(request[column]))
    expect(down).toEqual(values.toReversed())
  }
  for (const tradeNo of numbers.slice(0, 3)) {
    await souk.console('POST', '/console/v1/sandbox/payments', { tradeNo, uid, outcome: 'succeeded' })
    await souk.console('POST', `/console/v1/trades/${tradeNo}/refunds`, { note: 'Sorted' })
  }
  const refunds = async (sort: string) => (await allPages(`refunds?sort=${sort}`)).map(({ tradeNo }) => tradeNo)
  expect((await refunds('ctime')).length).toBeGreaterThan(2)
  expect(await refunds('ctime')).toEqual((await refunds('-ctime')).toReversed())
  const users = async (sort: string) =>
    (await souk.console('GET', `/console/v1/users?sort=${sort}`)).body.items.map((user: { uid: number }) => user.uid)
  expect(await users('ctime')).toEqual((await users('-ctime')).toReversed())
  for (const nickname of ['bilal', 'Amal', '茶', 'Bilal', 'amal', 'Ünal']) {
    await souk.console('POST', '/console/v1/sandbox/users', { nickname })
  }
  /** Names in all pages, which have two users each. */
  const names = async (sort: string, more = '') => {
    const found: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = `limit=2${cursor ? `&cursor=${cursor}` : ''}`
      const { body } = await souk.console('GET', `/console/v1/users?sort=${sort}&${page}${more}`)
      found.push(...body.items.map(({ nickName }: { nickName: string }) => nickName))
      cursor = body.next
    }
    return found
  }
  const added = new Set(['Amal', 'amal', 'bilal', 'Bilal', 'Ünal', '茶'])
  expect((await names('nickName')).filter((name) => added.has(name))).toEqual([...added])
  expect(await names('nickName', '&text=mal')).toEqual(['Amal', 'amal'])
  expect(await names('-nickName')).toEqual((await names('nickName')).toReversed())
  const audit = async (sort: string) => {
    const { body } = await souk.console('GET', `/console/v1/audit?projectId=${projectId}&limit=200&sort=${sort}`)
    return body.items.map(({ auditId }: { auditId: number }) => auditId)
  }
  expect(await audit('time')).toEqual((await audit('-time')).toReversed())
})

test('lists are searched for any part of a text, across pages and with other filters', async () => {
  const named = async (number: number) => {
    const tradeNo = await newTrade(`Search-${number}`, 1250, { description: number % 2 ? 'Iced karak' : 'Saffron tea' })
    await souk.console('POST', '/console/v1/sandbox/payments', { tradeNo, uid, outcome: 'succeeded' })
    return tradeNo
  }
  const made: string[] = []
  for (let number = 0; number < 8; number++) made.unshift(await named(number))
  await souk.requestLog.flush()
  const found = async (path: string) => (await allPages(path)).map(({ tradeNo }) => tradeNo)
  expect(await found('trades?text=EARCH-')).toEqual(made)
  expect(await found('trades?text=karak')).toEqual(made.filter((_, index) => index % 2 === 0))
  expect(await found(`trades?text=${made[3]!.slice(5).toUpperCase()}&status=2`)).toEqual([made[3]])
  expect(await found('trades?text=earch-&status=3')).toEqual([])
  expect(await found('trades?text=earch%25')).toEqual([])
  expect((await project('trades?text=earch-&limit=2&total=true')).body.total).toMatchObject({ count: 8 })
  expect(await found('callbacks?text=earch-')).toEqual(made)
  expect(new Set(await found('callbacks?failuresFirst=true&text=earch-'))).toEqual(new Set(made))
  expect(await found(`callbacks?text=${made[3]!.slice(5)}`)).toEqual([made[3]])
  expect(await found(`requests?operation=trade&text=${made[3]!.slice(5)}`)).toEqual([made[3]])
  expect((await project('requests?text=no-such-client/1')).body.items).toEqual([])
  expect((await project('requests?text=NODE&limit=1')).body.items).toMatchObject([{ client: 'node' }])
  const users = (await souk.console('GET', '/console/v1/users?text=AYL')).body.items
  expect(users).toMatchObject([{ uid }])
  const { items } = (await souk.console('GET', `/console/v1/audit?projectId=${projectId}&text=ea%20hous`)).body
  expect(items).toMatchObject([{ action: 'app.create', subject: app.appid }])
})

test('the total of a list is the number of rows in all its pages, and what was paid', async () => {
  await newPaidTrade('counted-1')
  await newPaidTrade('counted-2')
  await newPaidTrade('counted-3', 'failed:27')
  const totalOf = async (path: string) =>
    (await project(`${path}${path.includes('?') ? '&' : '?'}limit=1&total=true`)).body.total
  expect(await totalOf('trades?outTradeNo=counted')).toEqual({
    count: 3,
    isCapped: false,
    amounts: [{ currency: 'SAR', amount: 2500 }],
  })
  const lists = ['trades', 'trades?status=2', 'trades?outTradeNo=nowhere', 'callbacks', 'callbacks?failuresFirst=true']
  lists.push(
    `callbacks?tradeNo=${'0'.repeat(32)}`,
    'refunds',
    'reconciliations',
    'notifications',
    'activities',
    'feedback',
  )
  for (const list of lists) {
    const { length } = await allPages(list)
    expect([list, await totalOf(list)]).toMatchObject([list, { count: length, isCapped: false }])
  }
  expect((await project('trades')).body.total).toBe(undefined)

  await souk.context.sql`
    insert into request_log (request_id, time, appid, operation, status, duration)
    select md5(number::text), ${Date.now()}, ${app.appid}, 'trade', 200, 1 from generate_series(1, 10001) as number`
  expect(await totalOf('requests')).toEqual({ count: 10_000, isCapped: true })
})

test('the stream of a project names the lists that changed', async () => {
  const leave = new AbortController()
  const { body } = await fetch(`${souk.url}/console/v1/projects/${projectId}/changes`, {
    headers: { Authorization: `Bearer ${souk.adminToken}` },
    signal: leave.signal,
  })
  let text = ''
  const reading = (async () => {
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) text += chunk
  })()
  const tradeNo = await newPaidTrade('streamed')
  await souk.console('PATCH', `/console/v1/projects/${projectId}`, { name: 'Coffee' })
  await deliverDueCallbacks(souk.context)
  const changed = () => new Set([...text.matchAll(/"(trades|callbacks|requests|audit)"/g)].map(([, list]) => list))
  await expect.poll(changed).toEqual(new Set(['trades', 'callbacks', 'requests', 'audit']))
  expect(text).not.toContain(tradeNo)
  leave.abort()
  await reading.catch(() => {})
})

test('the search finds what the caller may read, in all projects', async () => {
  const tradeNo = await newPaidTrade('found-by-search')
  const { notifyId } = (await project(`callbacks?tradeNo=${tradeNo}`)).body.items[0]
  await souk.requestLog.flush()
  const { requestId } = (await project('requests?limit=1')).body.items[0]
  type Call = (method: string, path: string) => Promise<JsonAnswer>
  const find = async (text: string, call: Call = souk.console, query = '') =>
    (await call('GET', `/console/v1/search?text=${encodeURIComponent(text)}${query}`)).body
  const nothing = { projects: [], apps: [], trades: [], callbacks: [], requests: [], users: [] }
  const coffee = { projectId, projectName: 'Coffee' }
  const trade = {
    ...coffee,
    tradeNo,
    outTradeNo: 'found-by-search',
    transactionStatus: 2,
    amount: 1250,
    currency: 'SAR',
  }
  expect(await find('found-by')).toEqual({ ...nothing, trades: [trade] })
  expect(await find('BY-sea')).toMatchObject({ ...nothing, trades: [{ tradeNo }] })
  expect(await find(tradeNo.slice(20).toUpperCase())).toMatchObject({ ...nothing, trades: [{ tradeNo }] })
  expect(await find('a hou')).toEqual({ ...nothing, apps: [{ ...coffee, appid: app.appid, name: 'Tea House' }] })
  expect(await find('COFF')).toMatchObject({ ...nothing, projects: [coffee] })
  expect(await find(tradeNo.toUpperCase())).toMatchObject({ trades: [{ tradeNo }], callbacks: [{ notifyId }] })
  expect(await find(notifyId)).toMatchObject({ ...nothing, callbacks: [{ ...coffee, notifyId }] })
  expect(await find(requestId)).toMatchObject({ ...nothing, requests: [{ ...coffee, requestId }] })
  expect(await find('Layla')).toMatchObject({ ...nothing, users: [{ uid, nickName: 'Layla' }] })
  expect(await find('100%')).toEqual(nothing)

  const { sql } = souk.context
  await sql`update apps set names = ${sql.json({ 'zh-CN': '茶馆' })} where appid = ${app.appid}`
  expect(await find('茶馆')).toMatchObject({ ...nothing, apps: [{ name: 'Tea House' }] })

  const viewer = await souk.join(projectId, 'viewer')
  expect(await find('Layla', viewer.call)).toEqual(nothing)
  expect(await find('found-by', viewer.call)).toMatchObject({ trades: [{ tradeNo }] })
  const stranger = await souk.join(
    (await souk.console('POST', '/console/v1/projects', { name: 'Elsewhere' })).body.projectId,
    'owner',
  )
  for (const text of [tradeNo, notifyId, requestId, 'found-by', 'a hou', 'Coff']) {
    expect(await find(text, stranger.call, `&projectId=${projectId}`)).toEqual(nothing)
  }
})

test('a person with roles in three projects finds what belongs to them, first the current one, and nothing of a fourth', async () => {
  const { sql } = souk.context
  const names = ['Harbour', 'Market', 'Station', 'Palace']
  const places: Record<string, { projectId: string; appid: string; tradeNo: string }> = {}
  for (const name of names) {
    const { projectId } = (await souk.console('POST', '/console/v1/projects', { name })).body
    const { appid } = (await souk.console('POST', '/console/v1/apps', { name: `Bakery ${name}`, projectId })).body
    const [{ tradeNo }] = await sql<[{ tradeNo: string }]>`
      insert into all_trades
      select (t).* from (
        select jsonb_populate_record(t, jsonb_build_object(
          'appid', ${appid}::text, 'trade_no', gen_random_uuid(), 'out_trade_no', 'bread-' || ${name}::text
        )) as t
        from all_trades t where out_trade_no = 'found-by-search'
      ) copied returning trade_no`
    places[name] = { projectId, appid, tradeNo }
  }
  const { Harbour, Market, Station, Palace } = places as Record<(typeof names)[number], (typeof places)[string]>
  const person = await souk.join(Harbour!.projectId, 'owner')
  for (const [place, role] of [
    [Market, 'editor'],
    [Station, 'viewer'],
  ] as const) {
    await sql`
      insert into project_members (project_id, account_id, role, ctime)
      values (${place!.projectId}, ${person.accountId}, ${role}, 1)`
  }
  const find = async (text: string, current = '') =>
    (await person.call('GET', `/console/v1/search?text=${text}${current && `&projectId=${current}`}`)).body
  const projectsOf = (found: { projectName: string }[]) => found.map(({ projectName }) => projectName)
  for (const { projectId: current } of [Harbour!, Market!, Station!, Palace!]) {
    const { apps, trades } = await find('b', current)
    for (const found of [apps, (await find('bread-', current)).trades]) {
      expect(projectsOf(found).toSorted()).toEqual(['Harbour', 'Market', 'Station'])
      if (current !== Palace!.projectId) expect(found[0]!.projectId).toBe(current)
    }
    expect(projectsOf(trades)).not.toContain('Palace')
  }
  expect(projectsOf((await find('a')).projects)).toEqual(['Harbour', 'Market', 'Station'])
  expect((await find(Station!.tradeNo)).trades).toMatchObject([{ projectName: 'Station' }])
  for (const text of ['Palace', Palace!.appid, Palace!.tradeNo, 'bread-Palace']) {
    expect(await find(text)).toEqual({ projects: [], apps: [], trades: [], callbacks: [], requests: [], users: [] })
  }
  // An archived project can be read, but not by programs with the key of an account.
  await souk.console('POST', `/console/v1/projects/${Station!.projectId}/archive`)
  expect(projectsOf((await find('bread-')).trades).toSorted()).toEqual(['Harbour', 'Market', 'Station'])
})

test('of more than 200 mini apps, trades of the oldest are found by their complete numbers', async () => {
  const { sql } = souk.context
  const tradeNo = await newPaidTrade('of-an-old-app')
  const find = async (text: string) => (await souk.console('GET', `/console/v1/search?text=${text}`)).body.trades
  expect(await find('of-an-old')).toMatchObject([{ tradeNo }])
  await sql`
    insert into apps
    select (new).* from (
      select jsonb_populate_record(a, jsonb_build_object('appid', 'many' || n, 'ctime', a.ctime + n)) as new
      from apps a cross join generate_series(1, 200) n where appid = ${app.appid}
    ) copied`
  onTestFinished(async () => void (await sql`delete from apps where appid like 'many%'`))
  expect(await find('of-an-old')).toEqual([])
  for (const text of ['of-an-old-app', tradeNo]) expect(await find(text)).toMatchObject([{ tradeNo, projectId }])
})

test('filters requests by result, across pages', async () => {
  await souk.requestLog.flush()
  await souk.context.sql`delete from request_log`
  for (let number = 0; number < 4; number++) await newTrade(`log-${number}`)
  const wrong = { appid: app.appid, secret: 'f'.repeat(48) }
  for (let number = 0; number < 2; number++) {
    await souk.signed(wrong, 'GET', '/neuopenapi/pay/transactions/tradedetail', { tradeNo: 'f'.repeat(32) })
  }
  await souk.signed(app, 'GET', '/neuopenapi/pay/transactions/tradedetail', { tradeNo: 'f'.repeat(32) })
  await souk.requestLog.flush()
  const codes = async (query: string) => (await allPages(`requests?${query}`)).map(({ code }) => code)
  expect(await codes('')).toEqual(['trade_not_found', 'sign_mismatch', 'sign_mismatch', null, null, null, null])
  expect(await codes('failed=true')).toEqual(['trade_not_found', 'sign_mismatch', 'sign_mismatch'])
  expect(await codes('code=sign_mismatch')).toEqual(['sign_mismatch', 'sign_mismatch'])
  expect(await codes('operation=trade')).toEqual([null, null, null, null])
  expect(await codes(`from=${Date.now() + 1000}`)).toEqual([])

  const [{ requestId }] = (await project('requests?code=sign_mismatch')).body.items
  const { body } = await souk.console('GET', `/console/v1/requests/${requestId}`)
  expect(body.diagnosis.canonicalString).toContain('secret=')
  expect(body.diagnosis.canonicalString).not.toContain(app.secret)
  expect(body).toMatchObject({ parameters: null, response: null, tradeNo: null })
})

test('shows the bodies of requests, and a trade with its requests and ledger entries', async () => {
  const tradeNo = await newTrade('linked')
  await souk.console('POST', '/console/v1/sandbox/payments', { tradeNo, uid })
  const other = (await souk.console('POST', '/console/v1/apps', { name: 'Elsewhere', projectId })).body
  await souk.console('PATCH', `/console/v1/apps/${other.appid}`, { capabilities: ['payment'] })
  await souk.signed(other, 'GET', '/neuopenapi/pay/transactions/tradedetail', { tradeNo })
  await souk.requestLog.flush()
  const story = (await souk.console('GET', `/console/v1/trades/${tradeNo}/story`)).body
  expect(story.requests).toMatchObject([{ operation: 'trade', status: 200, tradeNo }])
  expect(story.ledger).toMatchObject([{ movement: 'captured', credit: expect.stringMatching(/^merchant:/) }])

  const [{ requestId }] = story.requests
  const { body: request } = await souk.console('GET', `/console/v1/requests/${requestId}`)
  expect(request.parameters).toMatchObject({ appid: app.appid, outTradeNo: 'linked' })
  expect(Object.keys(request.parameters)).not.toContain('sign')
  expect(JSON.parse(request.response)).toMatchObject({ responseHeader: { status: 200 }, response: { tradeNo } })
  const [listed] = (await project('requests?operation=trade')).body.items
  expect(listed).not.toHaveProperty('parameters')
})

test('updates only the given settings of a mini app; null removes; the default language must be one of its languages', async () => {
  const { appid } = (await souk.console('POST', '/console/v1/apps', { name: 'Set', projectId, language: 'zh_CN' })).body
  const path = `/console/v1/apps/${appid}`
  const settings = async () => (await souk.console('GET', path)).body
  expect(await settings()).toMatchObject({ language: 'zh_CN', languages: ['zh_CN'], iconUrl: null, merchantName: null })
  expect((await souk.console('PATCH', path, { language: 'en_US' })).body.code).toBe('parameter_invalid')
  await souk.console('PATCH', path, {
    name: 'Named',
    language: 'en_US',
    languages: ['en_US', 'ar_SA'],
    iconUrl: 'https://shop.example/i.png',
    merchantName: 'Set Ltd',
    merchantLogoUrl: 'https://shop.example/l.png',
  })
  expect(await settings()).toMatchObject({
    name: 'Named',
    language: 'en_US',
    languages: ['en_US', 'ar_SA'],
    iconUrl: 'https://shop.example/i.png',
    merchantName: 'Set Ltd',
    merchantLogoUrl: 'https://shop.example/l.png',
  })
  await souk.console('PATCH', path, { iconUrl: null, merchantLogoUrl: null })
  expect(await settings()).toMatchObject({
    name: 'Named',
    iconUrl: null,
    merchantLogoUrl: null,
    merchantName: 'Set Ltd',
  })
  expect((await souk.console('PATCH', path, { name: null })).body.code).toBe('parameter_missing')

  await souk.console('POST', `${path}/secrets`, { overlap: 60 })
  expect((await souk.console('GET', `${path}/secrets`)).body).toMatchObject([
    { validUntil: null, active: true },
    { validUntil: expect.any(Number), active: true },
  ])
})
