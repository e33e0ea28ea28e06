import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { day, hour, minute, signParameters } from '@souk/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import common from '../apps/console/src/i18n/locales/en.ts'
import callbacksInArabic from '../apps/console/src/pages/callbacks/locales/ar.ts'
import callbacks from '../apps/console/src/pages/callbacks/locales/en.ts'
import eventsInArabic from '../apps/console/src/pages/events/locales/ar.ts'
import events from '../apps/console/src/pages/events/locales/en.ts'
import overview from '../apps/console/src/pages/overview/locales/en.ts'
import sandbox from '../apps/console/src/pages/sandbox/locales/zh-CN.ts'
import { type RunningServer, startServer } from '../apps/server/test/server.ts'
import { consolePage, faults, openMenu, otherLooks, picture, settled } from './console.ts'
import { administratorOf } from './fixture.ts'

/** A separate server, since the tests move its clock by days. */
let server: RunningServer
let session: string
let projectId: string
let backend: Server
let url: string
let status = 500
let requests = 0
// biome-ignore lint/suspicious/noExplicitAny: each operation has its own result.
let manage: (method: string, path: string, input?: object) => Promise<any>
/** Creates a trade, pays it, and waits for the first attempts of its callback and its event. */
let pay: (outTradeNo: string) => Promise<void>

interface Demo {
  appid: string
  secret: string
  users: { uid: number }[]
}

beforeAll(async () => {
  backend = createServer((request, response) => {
    requests += 1
    request.resume().on('end', () => response.writeHead(status).end())
  })
  await new Promise<void>((done) => backend.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`
  server = await startServer()
  const administrator = await administratorOf(server)
  session = administrator.session
  manage = async (method, path, input) => {
    const answer = await fetch(`${server.url}/console/v1/${path}`, {
      method,
      headers: {
        Cookie: `souk_session=${session}`,
        'X-Souk-CSRF': administrator.csrf,
        'Content-Type': 'application/json',
      },
      ...(input ? { body: JSON.stringify(input) } : {}),
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return answer.json()
  }
  const demo: Demo = JSON.parse(await readFile(join(server.dataDir, 'demo.json'), 'utf8'))
  const { appid, secret } = demo
  const { uid } = demo.users[0]!
  const send = async (method: string, path: string, parameters: Record<string, string>) => {
    const pairs = Object.entries({ appid, timestamp: String(Date.now()), ...parameters })
    const body = new URLSearchParams([...pairs, ['sign', signParameters(pairs, secret)]])
    const { response } = await (await fetch(`${server.url}/neuopenapi/${path}`, { method, body })).json()
    return response
  }
  await manage('POST', 'event-endpoints', { url, types: ['trade.changed'] })
  const { code } = await manage('POST', 'sandbox/codes', { appid, uid })
  const exchange = { code, grantType: 'authorization_code', scope: 'user.info' }
  const { accessToken } = await send('POST', 'oauth/mini/accessToken', exchange)
  const info = await fetch(`${server.url}/neuopenapi/oauth/mini/user/info?accessToken=${accessToken}`)
  const { openId } = (await info.json()).response
  pay = async (outTradeNo) => {
    const order = { outTradeNo, amount: '1250', currency: 'SAR', openId, notifyUrl: `${url}/paid` }
    const { tradeNo } = await send('POST', 'pay/transactions/trade', order)
    const before = requests
    await manage('POST', 'sandbox/payments', { tradeNo, uid, outcome: 'succeeded' })
    // Failures count from the first attempt: it must be before the clock moves.
    await vi.waitFor(() => expect(requests).toBeGreaterThanOrEqual(before + 2), { timeout: minute })
  }
  await pay('order-1')
  for (let days = 0; days < 6; days += 1) await manage('POST', 'sandbox/clock', { forward: day })
  projectId = (await manage('GET', `apps/${appid}`)).projectId
})
afterAll(async () => {
  await server?.stop()
  backend.close()
})

test('a host that failed for five days is shown as disabled, and enabled by one click, with what it missed', async () => {
  const { host } = new URL(url)
  const path = `projects/${projectId}/callbacks`
  for (const look of otherLooks) {
    const other = await consolePage(look, session, server.url)
    await other.goto(path)
    await other.getByRole('alert').filter({ hasText: host }).waitFor()
    await settled(other)
    expect(await faults(other)).toEqual([])
    await picture(other, `receivers.${look.language}.${look.scheme}.${look.device}`)
  }

  const page = await consolePage({}, session, server.url)
  await page.goto(`projects/${projectId}`)
  await page.getByText(`Callbacks to ${host} are disabled: 1 callback`).waitFor()
  await page.goto(path)
  const notice = page.getByRole('alert').filter({ hasText: host })
  await notice.getByText(/are disabled: it has acknowledged none since/).waitFor()
  await notice.getByRole('button', { name: `Enable ${host}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(common.enabling.periods.failure).waitFor()
  await settled(page)
  await picture(page, 'receivers-enable.en.light.desktop')
  expect(await faults(page)).toEqual([])
  status = 200
  const before = requests
  await dialog.getByRole('button', { name: common.enabling.enable }).click()
  await page.getByText(callbacks.receivers.enabled.replace('{count, number}', '1')).first().waitFor()
  await notice.waitFor({ state: 'detached' })
  await expect.poll(() => requests).toBeGreaterThan(before)
})

test('an event endpoint that failed for five days is enabled by one click, with what it missed', async () => {
  const page = await consolePage({}, session, server.url)
  await page.goto('platform?view=messages')
  const row = page.getByRole('region', { name: events.title }).getByRole('row').filter({ hasText: url })
  await row.getByText(events.states.failed).waitFor()
  await settled(page)
  await picture(page, 'events-failed.en.light.desktop')
  expect(await faults(page)).toEqual([])
  status = 200
  const before = requests
  await row.getByRole('button', { name: `Actions for ${url}` }).click()
  await openMenu(page).getByText(events.enable, { exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: common.enabling.enable }).click()
  await page.getByText(events.deliveries.replayed.replace('{count, number}', '1')).first().waitFor()
  await row.getByText(events.states.enabled, { exact: true }).waitFor()
  // The next test counts requests.
  await expect.poll(() => requests).toBeGreaterThan(before)
})

test('a host and an endpoint that do not respond are shown with the time of their next probe', async () => {
  status = 503
  await pay('order-2')
  // An attempt may be in progress when the clock moves again: more than the five that pause a receiver.
  for (let retry = 0; retry < 8; retry += 1) await manage('POST', 'sandbox/clock', { forward: hour })
  const [endpoint] = await manage('GET', 'event-endpoints')
  const views = [
    {
      name: 'paused-host',
      path: `projects/${projectId}/callbacks`,
      text: callbacks.paused,
      arabicText: callbacksInArabic.paused,
    },
    { name: 'paused-endpoint', path: 'platform?view=messages', text: events.paused, arabicText: eventsInArabic.paused },
    {
      name: 'paused-events',
      path: `platform/events/${endpoint.endpointId}`,
      text: events.paused,
      arabicText: eventsInArabic.paused,
    },
  ]
  for (const { name, path, text, arabicText } of views) {
    const page = await consolePage({}, session, server.url)
    await page.goto(path)
    await page.getByText(text.replace('{when}', '')).first().waitFor()
    await settled(page)
    await picture(page, `${name}.en.light.desktop`)
    expect(await faults(page)).toEqual([])
    const arabic = await consolePage({ language: 'ar', scheme: 'dark', device: 'phone' }, session, server.url)
    await arabic.goto(path)
    await arabic.getByText(arabicText.replace('{when}', '').trim()).first().waitFor()
    await settled(arabic)
    await picture(arabic, `${name}.ar.dark.phone`)
    expect(await faults(arabic)).toEqual([])
  }
})

test('the overview names a host that does not confirm payments, and resends what it missed', async () => {
  const { host } = new URL(url)
  const page = await consolePage({}, session, server.url)
  await page.goto(`projects/${projectId}`)
  const incident = page.getByRole('listitem').filter({ hasText: `${host} does not confirm payments: 1 callback` })
  await incident.waitFor()
  await settled(page)
  await picture(page, 'overview-receiver.en.light.desktop')
  expect(await faults(page)).toEqual([])
  status = 200
  const before = requests
  await incident.getByRole('button', { name: overview.incidents.resend }).click()
  await page.getByRole('dialog').getByRole('button', { name: overview.incidents.resend }).click()
  await page.getByText(overview.incidents.resent).first().waitFor()
  await expect.poll(() => requests).toBeGreaterThan(before)
  await expect
    .poll(async () => {
      await page.reload()
      await page.getByRole('heading', { name: overview.latest }).waitFor()
      return page.getByText(`${host} does not confirm payments`).count()
    })
    .toBe(0)
})

test('the sandbox moves the clock', async () => {
  const page = await consolePage({ language: 'zh-CN', scheme: 'dark' }, session, server.url)
  await page.goto(`projects/${projectId}/sandbox`)
  await settled(page)
  const clock = page.getByRole('region', { name: sandbox.clock.title })
  const before = await clock.locator('time').getAttribute('datetime')
  await clock.getByRole('button', { name: '15分钟' }).click()
  await page.getByText(sandbox.clock.moved).waitFor()
  const after = await clock.locator('time').getAttribute('datetime')
  expect(Date.parse(after ?? '') - Date.parse(before ?? '')).toBeGreaterThanOrEqual(15 * minute)
  expect(await faults(page)).toEqual([])
})
