// A mini app backend in plain Node (20 or newer), without packages or the SDK. It walks through the flows of the open
// API (docs/spec/open-api.md) and prints each step. The first unexpected result ends it with exit status 1.
//
//   SOUK_URL     URL of Souk (default http://localhost:7070)
//   APPID        appid of the mini app
//   SECRET       secret of the mini app
//   ADMIN_TOKEN  only for simulating the host application and its user, who logs in and pays
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

const { APPID, SECRET, ADMIN_TOKEN } = process.env
const SOUK_URL = (process.env.SOUK_URL ?? 'http://localhost:7070').replace(/\/+$/, '')

// --- The open API: what a backend needs ---

/** Formats a value as it is sent and signed: null as an empty string, a list joined with commas (open-api §4.1). */
function text(value) {
  return Array.isArray(value) ? value.join(',') : String(value ?? '')
}

/** Computes the sign (open-api §4.1): SHA-256 of all pairs and the secret, sorted by name, without separators. */
function sign(parameters, secret) {
  const canonical = Object.entries({ ...parameters, secret })
    .filter(([name]) => name !== 'sign' && name !== 'fileData')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${text(value)}`)
    .join('')
  return createHash('sha256').update(canonical, 'utf8').digest('hex')
}

/** An error response. */
class ApiError extends Error {
  constructor({ status, code, msg }) {
    super(`${status} ${code}: ${msg}`)
    Object.assign(this, { status, code })
  }
}

/** Sends parameters unchanged and unwraps the envelope (open-api §2.2). */
async function send(method, path, parameters) {
  const form = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, text(value)]))
  const signal = AbortSignal.timeout(10_000)
  const reply =
    method === 'GET'
      ? await fetch(`${SOUK_URL}${path}?${form}`, { signal })
      : await fetch(`${SOUK_URL}${path}`, { method, body: form, signal })
  const { responseHeader, response } = await reply.json()
  if (responseHeader.status !== 200) throw new ApiError(responseHeader)
  return response
}

/** Signs and sends a request. */
function call(method, path, parameters) {
  const all = { appid: APPID, timestamp: Date.now(), ...parameters }
  return send(method, path, { ...all, sign: sign(all, SECRET) })
}

// --- The callback (open-api §6): signed like a request, with the same secret ---

function isGenuine(fields) {
  const received = Buffer.from(fields.sign ?? '')
  const expected = Buffer.from(sign(fields, SECRET))
  const isRecent = Math.abs(Number(fields.timestamp) - Date.now()) < 300_000
  return isRecent && received.length === expected.length && timingSafeEqual(received, expected)
}

/** Starts a server for payment results. `next()` waits for the next callback. */
async function receiveCallbacks() {
  const received = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const fields = Object.fromEntries(new URLSearchParams(body))
    const genuine = isGenuine(fields)
    response.end(genuine ? 'success' : 'fail')
    received.push({ genuine, fields })
    server.emit('callback')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}/payment-result`,
    pending: () => received.length,
    async next() {
      if (received.length === 0) await once(server, 'callback', { signal: AbortSignal.timeout(15_000) })
      return received.shift()
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

// --- The host application and its user, simulated through the sandbox ---

async function sandbox(method, path, values) {
  const reply = await fetch(`${SOUK_URL}/console/v1/sandbox${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...(values && { 'content-type': 'application/json' }) },
    body: values && JSON.stringify(values),
  })
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return reply.json()
}

// --- The walkthrough ---

function step(title) {
  console.log(`\n${title}`)
}

function expect(condition, statement) {
  if (!condition) throw new Error(`Unexpected result, expected: ${statement}`)
  console.log(`  ${statement}`)
}

async function expectError(status, code, action, statement) {
  const outcome = await action().catch((error) => error)
  if (outcome instanceof Error && !(outcome instanceof ApiError)) throw outcome
  expect(
    outcome instanceof ApiError && outcome.status === status && outcome.code === code,
    `${statement}: ${outcome.message}`,
  )
}

/** Login flow: code from the frontend, access token, user profile. */
async function login(uid, scope) {
  const { code } = await sandbox('POST', '/codes', { appid: APPID, uid, scope })
  const exchange = { code, grantType: 'authorization_code', scope }
  const token = await call('POST', '/neuopenapi/oauth/mini/accessToken', exchange)
  expect(
    token.tokenType === 'bearer' && token.expire > 0,
    `got an access token for ${scope}, valid for ${token.expire} s`,
  )
  const profile = await send('GET', '/neuopenapi/oauth/mini/user/info', { accessToken: token.accessToken })
  return { exchange, profile }
}

async function walkThrough(callbacks) {
  const { uid } = await sandbox('POST', '/users', { nickname: '小明', country: '+86', phone: '13800000000' })

  step('Login: the frontend gets a code from neu.login(), the backend exchanges it')
  const first = await login(uid, 'user.info')
  expect(first.profile.nickName === '小明', `the user is ${first.profile.nickName}, openId ${first.profile.openId}`)
  expect(first.profile.phone === null, 'scope user.info does not include the phone number')
  const { exchange, profile } = await login(uid, 'user.info,user.phone')
  expect(profile.phone === '13800000000' && profile.country === '+86', 'scope user.info,user.phone includes it')
  const { openId } = profile
  expect(openId === first.profile.openId, 'the openId is the same at every login')
  const exchangeAgain = () => call('POST', '/neuopenapi/oauth/mini/accessToken', exchange)
  await expectError(400, 'code_used', exchangeAgain, 'a code cannot be used twice')

  step('Payment: the backend creates a trade')
  const pay = '/neuopenapi/pay/transactions'
  const order = { description: '咖啡 × 2', notifyUrl: callbacks.url, amount: 1250, currency: 'CNY', openId }
  const outTradeNo = `order-${randomUUID()}`
  const created = await call('POST', `${pay}/trade`, { ...order, outTradeNo })
  expect(created.outTradeNo === outTradeNo, `created trade ${created.tradeNo} for ${outTradeNo}`)
  const detail = (tradeNo) => call('GET', `${pay}/tradedetail`, { tradeNo })
  const fresh = await detail(created.tradeNo)
  expect(fresh.transactionStatus === 1, 'transactionStatus is 1 (processing)')
  expect(fresh.amountStrWithYuan === '12.50', `the amount is ${fresh.amountStrWithYuan} ${fresh.currency}`)
  const conflicting = () => call('POST', `${pay}/trade`, { ...order, outTradeNo, amount: 1 })
  await expectError(409, 'out_trade_no_conflict', conflicting, 'an outTradeNo cannot be reused')

  step('The order changes: close the trade, create another')
  expect((await call('POST', `${pay}/tradeclose`, { tradeNo: created.tradeNo })) === true, 'the trade is closed')
  const closed = await detail(created.tradeNo)
  expect(
    closed.transactionStatus === 6 && closed.failReasonType === 22,
    'transactionStatus is 6 (closed), failReasonType is 22',
  )
  const { tradeNo } = await call('POST', `${pay}/trade`, {
    ...order,
    amount: 1800,
    outTradeNo: `order-${randomUUID()}`,
  })
  expect(tradeNo !== created.tradeNo, `created trade ${tradeNo} instead`)

  step('neu.requestPayment(): the user pays, the backend polls while the status is 1')
  const payment = wait(500).then(() =>
    sandbox('POST', '/payments', { tradeNo, uid, payMethod: 'card', outcome: 'succeeded' }),
  )
  let trade = await detail(tradeNo)
  let polls = 1
  for (const deadline = Date.now() + 30_000; trade.transactionStatus === 1; polls++) {
    if (Date.now() > deadline) throw new Error('The trade is still processing')
    await wait(200)
    trade = await detail(tradeNo)
  }
  const result = await payment
  expect(trade.transactionStatus === 2, `transactionStatus is 2 (succeeded) after ${polls} polls`)
  expect(result.status === 2, 'neu.requestPayment() returns status 2')
  expect(trade.payMethod === 3 && trade.amount === 1800, `18.00 were paid by card, payNo ${trade.payNo}`)

  step('Callback: the payment result is sent to notifyUrl')
  const { genuine, fields } = await callbacks.next()
  expect(genuine, `callback ${fields.notifyId} has a valid sign`)
  for (const name of ['tradeNo', 'outTradeNo', 'transactionStatus', 'amount', 'currency', 'openId', 'payNo']) {
    expect(fields[name] === text(trade[name]), `${name} is ${fields[name]}`)
  }
  expect(callbacks.pending() === 0, 'there is no callback for the closed trade')

  step('Notification')
  const notification = {
    notifyType: 1,
    openIds: [openId],
    title: '您的咖啡好了',
    text: 'Your coffee is ready ☕',
    navigateType: '2',
    url: 'https://example.com/orders?id=1&lang=zh',
    language: 'zh_CN',
  }
  expect((await call('POST', '/neuopenapi/notify/sendNotify', notification)) === true, 'the notification is sent')
  const inbox = await sandbox('GET', `/users/${uid}/inbox`)
  expect(inbox.length === 1 && inbox[0].title === '您的咖啡好了', 'it is in the inbox of the user')

  step('Activity message')
  const message = {
    activityId: `pickup-${randomUUID()}`,
    openIds: [openId],
    color: 'FF8800',
    templateId: '1',
    title: 'Coffee',
    text: 'Ready at the counter',
    iconUrl: 'https://cdn.example.com/cup.png',
    path: 'pages/webview/webview?src=https://example.com/orders',
    validityTime: 3600,
    language: 'en_US',
  }
  const activity = (status) => call('POST', '/neuopenapi/activity/sendActivity', { ...message, status })
  expect((await activity(1)) === true, 'the message is sent')
  const home = await sandbox('GET', `/users/${uid}/home`)
  expect(home.length === 1 && home[0].activityId === message.activityId, 'it is on the home page of the user')
  expect((await activity(0)) === true, 'the message is removed')
  expect((await sandbox('GET', `/users/${uid}/home`)).length === 0, 'it is no longer on the home page')

  step('A request with a wrong sign')
  const forged = { appid: APPID, timestamp: Date.now(), tradeNo }
  const sendForged = () => send('GET', `${pay}/tradedetail`, { ...forged, sign: sign(forged, '0'.repeat(48)) })
  await expectError(401, 'sign_mismatch', sendForged, 'it is rejected')
}

const missing = ['APPID', 'SECRET', 'ADMIN_TOKEN'].filter((name) => !process.env[name])
if (missing.length > 0) {
  console.error(`Set ${missing.join(', ')} as described in README.md.`)
  process.exit(1)
}
const callbacks = await receiveCallbacks()
console.log(`Mini app ${APPID} at ${SOUK_URL}, receiving callbacks at ${callbacks.url}`)
try {
  await walkThrough(callbacks)
  console.log('\nAll steps succeeded.')
} catch (error) {
  // The cause says why a request failed.
  console.error(`  ${error.cause?.message || error.message}`)
  process.exitCode = 1
} finally {
  callbacks.close()
}
