import { expect, test } from 'vitest'
import { minute } from '../packages/contract/src/time.ts'
import type { MiniAppElement } from '../packages/host/src/index.ts'
import { newPage, pagesOrigin, servePages } from './embeddingPages.ts'

/** `<souk-mini-app>` with a page that records what it gets. embedding.test.ts tests it with the real page. */

servePages()

const server = 'http://127.0.0.1:7999'
const appid = 'mabcdefgh123456'

/** Page of a server, or of another origin, that connects to the page around it. */
const scripted = `<!doctype html><title>Scripted</title><script>
  const { port1: port, port2 } = new MessageChannel()
  window.received = []
  window.send = (message) => port.postMessage(JSON.stringify({ jsonrpc: '2.0', ...message }))
  port.onmessage = ({ data }) => received.push(JSON.parse(data))
  parent.postMessage({ souk: 'embed', version: 1 }, '*', [port2])
  send({ id: 1, method: 'initialize', params: { version: 1, appid: '' } })
</script>`

/** Opens a page with an element. Servers answer with the documents in `documents`, by origin. */
async function openElement(documents: Record<string, string> = { [server]: scripted }) {
  const page = await newPage()
  for (const [origin, body] of Object.entries(documents)) {
    await page.route(`${origin}/**`, (route) => route.fulfill({ contentType: 'text/html', body }))
  }
  await page.goto(`${pagesOrigin()}/own/`)
  await page.evaluate(
    async ([server, appid]) => {
      const souk = await import(/* @vite-ignore */ `${location.origin}/own/host.js`)
      const host = souk.createHost({ server, session: 'token' })
      const events: unknown[] = []
      Object.assign(window, { host, events })
      const element = document.createElement('souk-mini-app')
      element.addEventListener('ready', ({ type, detail }) => events.push([type, detail]))
      element.addEventListener('close', ({ type, detail }) => events.push([type, detail]))
      element.appid = appid
      element.page = 'pages/order/order?id=1'
      document.body.append(element)
    },
    [server, appid] as const,
  )
  const element = page.locator('souk-mini-app')
  const frame = () => page.frames().find((each) => each.url().includes('/host/embed/'))!
  await element.locator('iframe').waitFor()
  return {
    page,
    element,
    frame,
    events: () => page.evaluate(() => (window as unknown as { events: unknown[] }).events),
    received: () => frame().evaluate(() => (window as unknown as { received: object[] }).received),
    send: (message: object) =>
      frame().evaluate((it) => (window as unknown as { send(message: object): void }).send(it), message),
  }
}

const initialized = { id: 1, result: { version: 1, session: 'token', handles: [] } }

test('frames the page of a mini app, and dispatches what it reports', async () => {
  const { page, element, frame, events, received, send } = await openElement()
  await expect.poll(received).toMatchObject([initialized])
  expect(frame().url()).toBe(`${server}/host/embed/${appid}?page=pages%2Forder%2Forder%3Fid%3D1`)
  expect(frame().url()).not.toContain('token')
  expect(await element.locator('iframe').getAttribute('allow')).toContain('camera; microphone; geolocation')
  expect(await element.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })

  await send({ method: 'ready', params: { name: 'Coffee' } })
  await send({ method: 'close', params: {} })
  await expect.poll(events).toEqual([
    ['ready', { name: 'Coffee' }],
    ['close', {}],
  ])
  await page.getByTitle('Coffee').waitFor()
  expect(page.complaints).toEqual([])
})

test('tells the page about visibility and appearance, and asks it to go back', async () => {
  const { page, element, received, send } = await openElement()
  await expect.poll(received).toMatchObject([initialized])
  await element.evaluate((it: MiniAppElement) => {
    it.hidden = true
  })
  await expect.poll(received).toHaveLength(2)
  await element.evaluate((it: MiniAppElement) => {
    it.hidden = false
  })
  await expect.poll(received).toHaveLength(3)
  await page.evaluate(() =>
    (window as unknown as { host: { setEnvironment(it: object): void } }).host.setEnvironment({ theme: 'dark' }),
  )
  const back = element.evaluate((it: MiniAppElement) => it.back())
  await expect
    .poll(received)
    .toMatchObject([
      initialized,
      { method: 'visibility', params: { isVisible: false } },
      { method: 'visibility', params: { isVisible: true } },
      { method: 'environment', params: { theme: 'dark' } },
      { method: 'back', params: {} },
    ])
  await send({ id: 1, result: { isHandled: true } })
  expect(await back).toBe(true)
})

test('loads another mini app when its attributes change, and ends when it is removed', async () => {
  const { page, element, frame, received } = await openElement()
  await expect.poll(received).toMatchObject([initialized])
  const other = 'mabcdefgh654321'
  await element.evaluate((it: MiniAppElement, other) => {
    it.appid = other
    it.page = ''
  }, other)
  await expect.poll(() => frame()?.url()).toBe(`${server}/host/embed/${other}`)
  await expect.poll(received).toMatchObject([initialized])
  await frame().evaluate(() => Object.assign(window, { isOld: true }))
  await element.evaluate((it) => document.body.append(it))
  await expect.poll(() => frame()?.evaluate(() => 'isOld' in window)).toBe(false)
  await element.evaluate((it) => it.remove())
  expect(page.frames()).toHaveLength(1)

  await page.evaluate(() =>
    document.body.append(Object.assign(document.createElement('souk-mini-app'), { appid: '1' })),
  )
  await expect
    .poll(() => page.complaints)
    .toEqual([expect.stringContaining('appid must be 15 lowercase letters and digits')])
})

test('gives the session to the server only', async () => {
  const evil = 'http://127.0.0.1:7998'
  const leading = `<script>location = '${evil}/host/embed/'</script>`
  const { page } = await openElement({ [server]: leading, [evil]: scripted })
  const inside = () => page.frames().find((each) => each.url().startsWith(evil))
  await expect.poll(() => inside()?.evaluate(() => document.readyState)).toBe('complete')
  // So does a page that is not in the element, after which an answer to the first one would have arrived.
  const answer = await page.evaluate(
    (hello) => {
      const { port1, port2 } = new MessageChannel()
      postMessage(hello, '*', [port2])
      port1.postMessage(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSession', params: {} }))
      return new Promise((resolve) => {
        port1.onmessage = ({ data }) => resolve(data)
        setTimeout(() => resolve('no answer'), 500)
      })
    },
    { souk: 'embed', version: 1 },
  )
  expect(answer).toBe('no answer')
  expect(await inside()!.evaluate(() => (window as unknown as { received: object[] }).received)).toEqual([])
})

test('a server that does not answer is reported with what to check', async () => {
  const page = await newPage()
  await page.clock.install()
  await page.goto(`${pagesOrigin()}/own/`)
  const failed = page.evaluate(
    async ([server]) => {
      const souk = await import(/* @vite-ignore */ `${location.origin}/own/host.js`)
      souk.createHost({ server, session: 'token' })
      const element = document.body.appendChild(document.createElement('souk-mini-app'))
      element.appid = 'mabcdefgh123456'
      return new Promise((resolve) => {
        element.addEventListener('failed', ({ detail }) => resolve(detail))
      })
    },
    // An origin without a Souk server.
    [pagesOrigin()] as const,
  )
  await page.frameLocator('souk-mini-app iframe').locator('html').waitFor()
  await page.clock.runFor(minute)
  expect(await failed).toEqual({
    code: 'unreachable',
    message: expect.stringContaining(`allow the origin ${pagesOrigin()}`),
  })
})
