import { minute, signParameters } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestSouk, type TestSouk } from '../souk.ts'

const exchange = '/neuopenapi/oauth/mini/accessToken'
const transactions = '/neuopenapi/pay/transactions'
const sendNotify = '/neuopenapi/notify/sendNotify'

let souk: TestSouk
let app: { appid: string; secret: string }
let layla: { uid: number; openId: string }

beforeAll(async () => {
  souk = await startTestSouk({ openApi2023: true })
  app = await newApp()
  layla = await newUser({ nickname: 'Layla', country: '+966', phone: '500000001' }, 'user.phone')
})
afterAll(() => souk.stop())

const newApp = async () => (await souk.console('POST', '/console/v1/apps', { name: 'Since 2023' })).body

/** Signs and sends a JSON body. */
function sendJson(parameters: Record<string, string | number>, of = souk) {
  const sign = signParameters(Object.entries(parameters), app.secret)
  const body = JSON.stringify({ ...parameters, sign })
  return of.send('POST', exchange, { headers: { 'Content-Type': 'application/json' }, body })
}

async function codeOf(uid: number, scope = 'user.info'): Promise<string> {
  return (await souk.console('POST', '/console/v1/sandbox/codes', { appid: app.appid, uid, scope })).body.code
}

const exchangeOf = async (uid: number, scope?: string) => ({
  clientId: app.appid,
  code: await codeOf(uid, scope),
  grantType: 'authorization_code',
  scope: scope ?? 'user.info',
  timestamp: Date.now(),
})

/** Creates a user that logs in, and returns its openId. */
async function newUser(profile: Record<string, string>, scope?: string) {
  const { uid } = (await souk.console('POST', '/console/v1/sandbox/users', profile)).body
  const { accessToken } = (await sendJson(await exchangeOf(uid, scope))).response
  const { openId } = (await souk.send('GET', `/neuopenapi/oauth/mini/user/info?accessToken=${accessToken}`)).response
  return { uid, openId }
}

const inboxOf = async (uid: number): Promise<{ title: string }[]> =>
  (await souk.console('GET', `/console/v1/sandbox/users/${uid}/inbox`)).body

describe('the exchange of a code as JSON with clientId', () => {
  test('is signed as sent, and repeated with the same token', async () => {
    const parameters = await exchangeOf(layla.uid)
    const first = await sendJson(parameters)
    expect(first).toMatchObject({ status: 200, response: { tokenType: 'bearer' } })
    expect((await sendJson(parameters)).response).toEqual(first.response)
  })

  test('accepts timestamps of 15 minutes', async () => {
    const parameters = await exchangeOf(layla.uid)
    const sent = (age: number) => sendJson({ ...parameters, timestamp: Date.now() - age })
    expect(await sent(16 * minute)).toMatchObject({ code: 'timestamp_out_of_window' })
    expect(await sent(14 * minute)).toMatchObject({ status: 200 })
  })

  test('is checked like any other request', async () => {
    const parameters = await exchangeOf(layla.uid)
    expect(await sendJson({ ...parameters, clientId: 'nobody000000000' })).toMatchObject({ code: 'appid_invalid' })
    expect(await sendJson({ ...parameters, surprise: 1 })).toMatchObject({ code: 'parameter_unknown' })
    expect(await sendJson({ ...parameters, code: 'a\nb' })).toMatchObject({ code: 'parameter_control_character' })
    const send = (body: string, path = exchange) =>
      souk.send('POST', path, { headers: { 'Content-Type': 'application/json' }, body })
    expect(await send('[]')).toMatchObject({ code: 'parameter_malformed' })
    expect(await send('{"clientId":["a"]}')).toMatchObject({ code: 'parameter_invalid' })
    expect(await send('{')).toMatchObject({ code: 'parameter_malformed' })
    expect(await send('{}', `${transactions}/trade`)).toMatchObject({ status: 415, code: 'body_unsupported' })
  })
})

test('trades are queried and closed by their paths, whose tradeNo is signed', async () => {
  const order = {
    outTradeNo: 'a',
    notifyUrl: 'http://127.0.0.1:9/paid',
    amount: 1,
    currency: 'SAR',
    openId: layla.openId,
  }
  for (const name of ['trade-no', 'tradeno']) {
    const created = await souk.signed(app, 'POST', `${transactions}/trade`, { ...order, outTradeNo: name })
    const { tradeNo } = created.response
    // A sign is for one operation, so each request has a time of its own.
    let timestamp = Date.now()
    const signed = () => {
      timestamp += 1
      const parameters = { appid: app.appid, timestamp: String(timestamp) }
      const sign = signParameters(Object.entries({ ...parameters, tradeNo }), app.secret)
      return new URLSearchParams({ ...parameters, sign })
    }
    const path = `${transactions}/${name}/${tradeNo}`
    expect((await souk.send('GET', `${path}?${signed()}`)).response).toMatchObject({
      tradeNo,
      uid: layla.uid,
      notifyUrl: order.notifyUrl,
      transactionStatus: 1,
    })
    const other = `${transactions}/${name}/${'0'.repeat(32)}`
    expect(await souk.send('GET', `${other}?${signed()}`)).toMatchObject({ code: 'sign_mismatch' })
    expect((await souk.send('POST', `${path}/close?${signed()}`)).response).toBe(true)
    const twice = `${path}?${signed()}&tradeNo=${tradeNo}`
    expect(await souk.send('GET', twice)).toMatchObject({ code: 'parameter_repeated' })
  }
})

describe('a notification by rule', () => {
  const message = { notifyType: 1, title: 'Hello', text: 'World', navigateType: '1' }
  const send = (parameters: Record<string, string | number>, by = app) =>
    souk.signed(by, 'POST', sendNotify, { ...message, ...parameters })

  test('1 reaches everyone once, with the capability broadcast', async () => {
    const noor = await newUser({ nickname: 'Noor' })
    const parameters = { ...message, rulesType: '1', title: 'All', miniAppId: app.appid }
    const pairs = Object.entries({ ...parameters, appid: app.appid, timestamp: Date.now() })
    const body = new URLSearchParams([
      ...pairs.map(([name, value]): [string, string] => [name, String(value)]),
      ['sign', signParameters(pairs, app.secret)],
    ])
    for (const _ of [1, 2]) expect((await souk.send('POST', sendNotify, { body })).response).toBe(true)
    for (const { uid } of [layla, noor]) {
      expect((await inboxOf(uid)).filter(({ title }) => title === 'All')).toHaveLength(1)
    }
    const capabilities = ['login', 'payment', 'notification', 'activity', 'file']
    await souk.console('PATCH', `/console/v1/apps/${app.appid}`, { capabilities })
    expect(await send({ rulesType: '1' })).toMatchObject({ status: 403, code: 'capability_missing' })
    await souk.console('PATCH', `/console/v1/apps/${app.appid}`, { capabilities: [...capabilities, 'broadcast'] })
    expect(await send({ rulesType: '1' }, await newApp())).toMatchObject({ code: 'recipients_unknown' })
  })

  test('2 reaches users who share their phone number with the mini app', async () => {
    const silent = await newUser({ nickname: 'Sara', country: '+966', phone: '500000002' })
    const byPhone = (mobileNumber: string, countryCode = '+966') =>
      send({ rulesType: '2', title: 'Phone', countryCode, mobileNumber })
    expect((await byPhone('500000001')).response).toBe(true)
    expect((await byPhone('500000001', '966')).response).toBe(true)
    expect(await inboxOf(layla.uid)).toMatchObject([{ title: 'Phone' }, { title: 'Phone' }, {}])
    expect(await byPhone('500000002')).toMatchObject({ code: 'recipients_unknown' })
    expect(await inboxOf(silent.uid)).toEqual([])
    expect(await send({ rulesType: '2', mobileNumber: '500000001' })).toMatchObject({ code: 'parameter_missing' })
    await souk.requestLog.flush()
    const { body } = await souk.console('GET', `/console/v1/requests?appid=${app.appid}`)
    expect(JSON.stringify(body)).not.toContain('500000001')
  })

  test('3 reaches users by openId and by uid', async () => {
    const openIds = `${layla.uid}`
    expect((await send({ rulesType: '3', title: 'Uid', openIds })).response).toBe(true)
    expect((await send({ rulesType: '3', title: 'OpenId', openIds: layla.openId })).response).toBe(true)
    expect((await inboxOf(layla.uid)).slice(0, 2)).toMatchObject([{ title: 'OpenId' }, { title: 'Uid' }])
    expect(await send({ rulesType: '3' })).toMatchObject({ code: 'parameter_missing' })
    expect(await send({ rulesType: '4', openIds })).toMatchObject({ code: 'parameter_invalid' })
    expect(await send({ rulesType: '3', openIds, miniAppId: (await newApp()).appid })).toMatchObject({
      code: 'parameter_invalid',
    })
  })
})

test('is refused unless the installation accepts it', async () => {
  const other = await startTestSouk()
  try {
    expect(await sendJson(await exchangeOf(layla.uid), other)).toMatchObject({ status: 415 })
    expect(await other.send('GET', `${transactions}/tradeno/${'0'.repeat(32)}`)).toMatchObject({
      code: 'route_unknown',
    })
    const one = (await other.console('POST', '/console/v1/apps', { name: 'Today' })).body
    const rule = { notifyType: 1, title: 'T', text: 'T', navigateType: '1', language: 'en', rulesType: '1' }
    expect(await other.signed(one, 'POST', sendNotify, rule)).toMatchObject({ code: 'parameter_unknown' })
  } finally {
    await other.stop()
  }
})
