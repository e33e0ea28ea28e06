// The backend of a mini app in plain Node (20 or newer): no package, no SDK. It walks through the flows of the open API
// document; every step prints what it does, and the first surprise ends the walk with exit status 1.
//
//   SOUK_URL     where Souk is            (default http://localhost:7070)
//   APPID        the mini app's id
//   SECRET       the mini app's secret
//   ADMIN_TOKEN  for the other side only: it plays the host application and its user, who logs in and pays
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

const { SOUK_URL = 'http://localhost:7070', APPID, SECRET, ADMIN_TOKEN } = process.env

// --- The open API: what a backend needs ---

/** A value as it is sent and signed: null is the empty string, a list its items joined with commas (4.1). */
function text(value) {
  return Array.isArray(value) ? value.join(',') : String(value ?? '')
}

/** The signature of 4.1: the pairs with the secret among them, sorted by name, nothing in between, hashed as UTF-8. */
function sign(parameters, secret) {
  const canonical = Object.entries({ ...parameters, secret })
    .filter(([name]) => name !== 'sign' && name !== 'fileData')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${text(value)}`)
    .join('')
  return createHash('sha256').update(canonical, 'utf8').digest('hex')
}

class Refused extends Error {
  constructor({ status, code, msg }) {
    super(`${status} ${code}: ${msg}`)
    Object.assign(this, { status, code })
  }
}

/** Sends parameters as they are and opens the envelope (2.2). */
async function send(method, path, parameters) {
  const form = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, text(value)]))
  const answer =
    method === 'GET'
      ? await fetch(`${SOUK_URL}${path}?${form}`)
      : await fetch(`${SOUK_URL}${path}`, { method, body: form })
  const { responseHeader, response } = await answer.json()
  if (responseHeader.status !== 200) throw new Refused(responseHeader)
  return response
}

/** Signs and sends. */
function call(method, path, parameters) {
  const all = { appid: APPID, timestamp: Date.now(), ...parameters }
  return send(method, path, { ...all, sign: sign(all, SECRET) })
}

// --- The callback (6): signed like a request, with the same secret ---

function isGenuine(fields) {
  const received = Buffer.from(fields.sign ?? '')
  const expected = Buffer.from(sign(fields, SECRET))
  const fresh = Math.abs(Number(fields.timestamp) - Date.now()) < 300_000
  return fresh && received.length === expected.length && timingSafeEqual(received, expected)
}

/** An own server for payment results; `next()` waits for the one after those already taken. */
async function receiveCallbacks() {
  const arrived = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const fields = Object.fromEntries(new URLSearchParams(body))
    const genuine = isGenuine(fields)
    response.end(genuine ? 'success' : 'fail')
    arrived.push({ genuine, fields })
    server.emit('callback')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}/payment-result`,
    waiting: () => arrived.length,
    async next() {
      if (arrived.length === 0) await once(server, 'callback', { signal: AbortSignal.timeout(15_000) })
      return arrived.shift()
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

// --- The other side: the host application and its user, played through the sandbox ---

async function sandbox(method, path, values) {
  const answer = await fetch(`${SOUK_URL}/console/v1/sandbox${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...(values && { 'content-type': 'application/json' }) },
    body: values && JSON.stringify(values),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

// --- The walk ---

function step(title) {
  console.log(`\n${title}`)
}

function expect(condition, statement) {
  if (!condition) throw new Error(`SURPRISE: not so: ${statement}`)
  console.log(`  ${statement}`)
}

async function expectRefusal(status, code, action, statement) {
  const outcome = await action().catch((error) => error)
  if (outcome instanceof Error && !(outcome instanceof Refused)) throw outcome
  expect(
    outcome instanceof Refused && outcome.status === status && outcome.code === code,
    `${statement}: ${outcome.message}`,
  )
}

/** Steps 1 to 3 of the login flow: code from the frontend, access token, user profile. */
async function login(uid, scope) {
  const { code } = await sandbox('POST', '/codes', { appid: APPID, uid, scope })
  const exchange = { code, grantType: 'authorization_code', scope }
  const token = await call('POST', '/neuopenapi/oauth/mini/accessToken', exchange)
  expect(token.tokenType === 'bearer' && token.expire > 0, `a token for ${scope}, good for ${token.expire} s`)
  const profile = await send('GET', '/neuopenapi/oauth/mini/user/info', { accessToken: token.accessToken })
  return { exchange, profile }
}

async function walk(callbacks) {
  const { uid } = await sandbox('POST', '/users', { nickname: '小明', country: '+86', phone: '13800000000' })

  step('Login: neu.login() gives the frontend a code, the backend exchanges it')
  const first = await login(uid, 'user.info')
  expect(first.profile.nickName === '小明', `the user is ${first.profile.nickName}, openId ${first.profile.openId}`)
  expect(first.profile.phone === null, 'the phone number is not shown to a token of user.info')
  const { exchange, profile } = await login(uid, 'user.info,user.phone')
  expect(profile.phone === '13800000000' && profile.country === '+86', 'it is to one of user.info,user.phone')
  const { openId } = profile
  expect(openId === first.profile.openId, 'the openId is the same at every login')
  const exchangeAgain = () => call('POST', '/neuopenapi/oauth/mini/accessToken', exchange)
  await expectRefusal(400, 'code_used', exchangeAgain, 'a code works once')

  step('Payment: the backend creates a trade')
  const pay = '/neuopenapi/pay/transactions'
  const order = { description: '咖啡 × 2', notifyUrl: callbacks.url, amount: 1250, currency: 'CNY', openId }
  const outTradeNo = `order-${randomUUID()}`
  const created = await call('POST', `${pay}/trade`, { ...order, outTradeNo })
  expect(created.outTradeNo === outTradeNo, `trade ${created.tradeNo} for ${outTradeNo}`)
  const detail = (tradeNo) => call('GET', `${pay}/tradedetail`, { tradeNo })
  const fresh = await detail(created.tradeNo)
  expect(fresh.transactionStatus === 1, 'its transactionStatus is 1, processing')
  expect(fresh.amountStrWithYuan === '12.50', `the user is asked for ${fresh.amountStrWithYuan} ${fresh.currency}`)
  const conflicting = () => call('POST', `${pay}/trade`, { ...order, outTradeNo, amount: 1 })
  await expectRefusal(409, 'out_trade_no_conflict', conflicting, 'its order number is taken')

  step('The order changes: close the trade, create another')
  expect((await call('POST', `${pay}/tradeclose`, { tradeNo: created.tradeNo })) === true, 'the trade is closed')
  const closed = await detail(created.tradeNo)
  expect(closed.transactionStatus === 6 && closed.failReasonType === 22, 'transactionStatus 6, failReasonType 22')
  const { tradeNo } = await call('POST', `${pay}/trade`, {
    ...order,
    amount: 1800,
    outTradeNo: `order-${randomUUID()}`,
  })
  expect(tradeNo !== created.tradeNo, `trade ${tradeNo} takes its place`)

  step('neu.requestPayment(): the user pays in a moment, the backend polls while the status is 1')
  const payment = wait(500).then(() =>
    sandbox('POST', '/payments', { tradeNo, uid, payMethod: 'card', outcome: 'succeeded' }),
  )
  let trade = await detail(tradeNo)
  let looks = 1
  for (const deadline = Date.now() + 30_000; trade.transactionStatus === 1; looks++) {
    if (Date.now() > deadline) throw new Error('SURPRISE: still processing')
    await wait(200)
    trade = await detail(tradeNo)
  }
  const result = await payment
  expect(trade.transactionStatus === 2, `transactionStatus 2, succeeded, after ${looks} looks`)
  expect(result.status === 2, 'the frontend is told status 2')
  expect(trade.payMethod === 3 && trade.amount === 1800, `paid 18.00 by card, payNo ${trade.payNo}`)

  step('The payment result arrives at notifyUrl')
  const { genuine, fields } = await callbacks.next()
  expect(genuine, `callback ${fields.notifyId} is signed with the secret of this mini app`)
  for (const name of ['tradeNo', 'outTradeNo', 'transactionStatus', 'amount', 'currency', 'openId', 'payNo']) {
    expect(fields[name] === text(trade[name]), `its ${name} is ${fields[name]}`)
  }
  expect(callbacks.waiting() === 0, 'the trade that was closed brought none')

  step('A notification to the user')
  const notification = {
    notifyType: 1,
    openIds: [openId],
    title: '您的咖啡好了',
    text: 'Your coffee is ready ☕',
    navigateType: '2',
    url: 'https://example.com/orders?id=1&lang=zh',
    language: 'zh_CN',
  }
  expect((await call('POST', '/neuopenapi/notify/sendNotify', notification)) === true, 'sent')
  const inbox = await sandbox('GET', `/users/${uid}/inbox`)
  expect(inbox.length === 1 && inbox[0].title === '您的咖啡好了', 'the user sees it in the inbox')

  step('An activity message on the home page')
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
  expect((await activity(1)) === true, 'shown')
  const home = await sandbox('GET', `/users/${uid}/home`)
  expect(home.length === 1 && home[0].activityId === message.activityId, 'the user sees it on the home page')
  expect((await activity(0)) === true, 'removed')
  expect((await sandbox('GET', `/users/${uid}/home`)).length === 0, 'it is gone')

  step('A request that is not signed by this mini app')
  const forged = { appid: APPID, timestamp: Date.now(), tradeNo }
  const sendForged = () => send('GET', `${pay}/tradedetail`, { ...forged, sign: sign(forged, '0'.repeat(48)) })
  await expectRefusal(401, 'sign_mismatch', sendForged, 'is refused')
}

const missing = ['APPID', 'SECRET', 'ADMIN_TOKEN'].filter((name) => !process.env[name])
if (missing.length > 0) {
  console.error(`Set ${missing.join(', ')}; README.md says how.`)
  process.exit(1)
}
const callbacks = await receiveCallbacks()
console.log(`Mini app ${APPID} at ${SOUK_URL}; its callbacks arrive at ${callbacks.url}`)
try {
  await walk(callbacks)
  console.log('\nEverything as documented.')
} catch (error) {
  console.error(`  ${error.message}`)
  process.exitCode = 1
} finally {
  callbacks.close()
}
