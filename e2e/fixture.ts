import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { RunningServer } from '../apps/server/test/server.ts'
// Imported by path, because Vitest's global setup does not resolve package conditions.
import { signParameters } from '../packages/contract/src/open/sign.ts'
import { day, minute, second } from '../packages/contract/src/time.ts'

/** Identifiers and credentials of the seeded server. */
export interface Fixture {
  url: string
  /** Data directory of the server. */
  dataDir: string
  administrator: { username: string; password: string; accountId: string }
  /** Session of the administrator, for the cookie `souk_session`. */
  session: string
  csrf: string
  /** Authenticates a program at the console API. */
  adminToken: string
  projectId: string
  /** A project without mini apps. */
  emptyProjectId: string
  appid: string
  secret: string
  /** A mini app in a separate project, for tests that create trades and callbacks. */
  isolatedApp: { appid: string; secret: string }
  uids: number[]
  /** One trade per state: paid with an acknowledged callback, paid with a failing callback, declined, open. */
  trades: { paid: string; callbackFailed: string; declined: string; open: string }
  /** Id of the request whose sign was computed with `&` between the pairs. */
  wrongSign: string
}

type Json = Record<string, unknown>

/** Creates the first administrator of a new server and signs in. */
export async function administratorOf(server: RunningServer) {
  const administrator = { username: 'layla', password: 'correct horse battery' }
  const setupToken = (await readFile(join(server.dataDir, 'setup-token'), 'utf8')).trim()
  const response = await fetch(`${server.url}/console/v1/setup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...administrator, token: setupToken, name: 'Layla Haddad', language: 'en' }),
  })
  if (!response.ok) throw new Error(`setup: ${await response.text()}`)
  const session = /souk_session=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1] as string
  const { csrfToken, account } = (await response.json()) as { csrfToken: string; account: { accountId: string } }
  return { administrator, session, csrf: csrfToken, accountId: account.accountId }
}

/** Seeds a new server with the data of a small shop after its first days. */
export async function createFixture(server: RunningServer): Promise<{ values: Fixture; close(): Promise<void> }> {
  const shop = createServer((request, response) => {
    const broken = request.url?.includes('broken')
    request.resume().on('end', () => response.writeHead(broken ? 500 : 200).end(broken ? 'out of coffee' : 'success'))
  })
  await new Promise<void>((done) => shop.listen(0, '127.0.0.1', done))
  shop.unref()
  const shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`

  const { administrator, session, csrf, accountId } = await administratorOf(server)

  async function call<T = Json>(method: string, path: string, input?: Json): Promise<T> {
    const response = await fetch(`${server.url}/console/v1${path}`, {
      method,
      headers: {
        Cookie: `souk_session=${session}`,
        'X-Souk-CSRF': csrf,
        ...(input ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(input ? { body: JSON.stringify(input) } : {}),
    })
    const body = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
    return body as T
  }

  const { projectId } = await call<{ projectId: string }>('POST', '/projects', { name: 'Old Town Market' })
  const empty = await call<{ projectId: string }>('POST', '/projects', { name: '新店 · متجر جديد' })
  const app = await call<{ appid: string; secret: string }>('POST', '/apps', { projectId, name: 'Corner Coffee' })
  const { appid, secret } = app
  const isolated = await call<{ projectId: string }>('POST', '/projects', { name: 'Rehearsals' })
  const isolatedApp = await call<{ appid: string; secret: string }>('POST', '/apps', {
    projectId: isolated.projectId,
    name: 'Rehearsed Coffee',
  })
  await call('PATCH', `/apps/${isolatedApp.appid}`, {
    capabilities: ['login', 'payment', 'notification', 'activity', 'file'],
    merchantName: 'Rehearsed Coffee Co.',
  })
  await call('PATCH', `/apps/${appid}`, {
    capabilities: ['login', 'payment', 'notification', 'activity', 'file'],
    merchantName: 'Corner Coffee Co.',
  })
  await call('POST', '/apps', { projectId, name: '小吃摊 الوجبات' })
  await call('POST', `/projects/${projectId}/invitations`, { role: 'editor', note: 'Omar' })

  async function open(method: 'GET' | 'POST', path: string, input: Record<string, string>, signWith = secret) {
    const parameters = Object.entries({ appid, timestamp: String(Date.now()), ...input })
    const form = new URLSearchParams([...parameters, ['sign', signParameters(parameters, signWith)]])
    const reply = await (method === 'GET'
      ? fetch(`${server.url}/neuopenapi${path}?${form}`)
      : fetch(`${server.url}/neuopenapi${path}`, { method, body: form }))
    const { response, responseHeader } = (await reply.json()) as { response: Json | null; responseHeader: Json }
    if (!response && signWith === secret) throw new Error(`${path}: ${JSON.stringify(responseHeader)}`)
    return response as Record<string, string>
  }

  /** Sends a request with an incorrectly computed signature, and returns its id. */
  async function sendInvalidSign(input: Record<string, string>, join: (pairs: string[]) => string) {
    const parameters = { appid, timestamp: String(Date.now()), ...input }
    const pairs = Object.entries({ ...parameters, secret }).sort(([a], [b]) => (a < b ? -1 : 1))
    const sign = createHash('sha256')
      .update(join(pairs.map((pair) => pair.join('='))))
      .digest('hex')
    const query = new URLSearchParams({ ...parameters, sign })
    const response = await fetch(`${server.url}/neuopenapi/pay/transactions/tradedetail?${query}`)
    return response.headers.get('X-Request-Id')!
  }
  async function sendMessages() {
    const messages = [
      { language: 'en_US', title: 'Your order is ready', text: 'Please pick it up at the counter. Until 6 pm.' },
      { language: 'zh_CN', title: '您的订单已备好', text: '请在下午 6 点前到柜台领取。' },
      { language: 'ar_SA', title: 'طلبك جاهز', text: 'يرجى استلامه من المنضدة قبل السادسة مساءً.' },
    ]
    const colors = ['0B6B63', 'E59A18', '8B3A62']
    for (const [index, message] of messages.entries()) {
      await call('POST', `/apps/${appid}/notifications`, { uids, ...message, navigateType: '1' })
      await call('POST', `/apps/${appid}/activities`, {
        uids,
        ...message,
        activityId: `week-${index}`,
        color: colors[index],
        templateId: 'standard',
        iconUrl: `${server.url}/console/favicon.svg`,
        path: 'pages/index/index',
        status: 1,
        validityTime: 604_800,
      })
    }
  }

  const uids: number[] = []
  const openIds: string[] = []
  for (const nickname of ['Sam', '小明', 'ليلى']) {
    const { uid } = await call<{ uid: number }>('POST', '/sandbox/users', { nickname })
    uids.push(uid)
    const { code } = await call<{ code: string }>('POST', '/sandbox/codes', { appid, uid })
    const login = { code, grantType: 'authorization_code', scope: 'user.info' }
    const token = await open('POST', '/oauth/mini/accessToken', login)
    const userInfo = await fetch(`${server.url}/neuopenapi/oauth/mini/user/info?accessToken=${token.accessToken}`)
    openIds.push(((await userInfo.json()) as { response: { openId: string } }).response.openId)
  }

  let orders = 0
  async function trade(description: string, currency: string, amount: number, path = 'paid') {
    orders += 1
    const created = await open('POST', '/pay/transactions/trade', {
      outTradeNo: `order-${String(orders).padStart(4, '0')}`,
      amount: String(amount),
      currency,
      openId: openIds[orders % 3] as string,
      description,
      notifyUrl: `${shopUrl}/${path}`,
    })
    return { tradeNo: created.tradeNo as string, uid: uids[orders % 3] as number }
  }
  async function pay({ tradeNo, uid }: { tradeNo: string; uid: number }, outcome: string) {
    await call('POST', '/sandbox/payments', { tradeNo, uid, outcome })
    return tradeNo
  }
  const forwardDays = async (count: number) => call('POST', '/sandbox/clock', { forward: count * day })
  for (let index = 0; index < 6; index += 1) {
    for (let sale = 0; sale <= (index * 5) % 4; sale += 1)
      await pay(await trade('Beans', 'USD', 1_500 + index), 'succeeded')
    if (index % 2 === 0) await pay(await trade('Sugar', 'SGD', 400), 'failed:27')
    await forwardDays(1)
  }
  const paid = await pay(await trade('Two cappuccinos', 'USD', 940), 'succeeded')
  const callbackFailed = await pay(await trade('قهوة عربية', 'SAR', 2_500, 'broken'), 'succeeded')
  const declined = await pay(await trade('拿铁一杯', 'CNY', 2_800), 'failed:27')
  // The old secret stays valid for a day, so it can still be used below.
  await call('POST', `/apps/${appid}/secrets`, { overlap: day / second })
  const openTrade = (await trade('Iced tea', 'SGD', 650)).tradeNo
  await open('POST', '/pay/transactions/trade', { outTradeNo: 'order-9999' }, 'f'.repeat(48))
  await open('GET', '/pay/transactions/tradedetail', { tradeNo: paid }, 'f'.repeat(48))

  const wrongSign = await sendInvalidSign({ tradeNo: paid }, (pairs) => pairs.join('&'))
  await sendMessages()

  // Operations ask for a confirmation that is at most 10 minutes old; the tests take longer and share the session.
  const confirm = () => call('POST', '/session/confirm', { password: administrator.password })
  const confirming = setInterval(() => void confirm().catch(console.error), 4 * minute).unref()

  return {
    values: {
      url: server.url,
      dataDir: server.dataDir,
      administrator: { ...administrator, accountId },
      session,
      csrf,
      adminToken: server.adminToken,
      projectId,
      emptyProjectId: empty.projectId,
      appid,
      secret,
      isolatedApp,
      uids,
      trades: { paid, callbackFailed, declined, open: openTrade },
      wrongSign,
    },
    close: () => {
      clearInterval(confirming)
      return new Promise((done) => shop.close(() => done()))
    },
  }
}
