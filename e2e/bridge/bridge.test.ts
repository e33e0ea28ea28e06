import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { signParameters } from '../../packages/contract/src/open/sign.ts'
import {
  appsOrigin,
  hostOrigin,
  openHost,
  phone,
  rawApp,
  screenshot,
  type TestHost,
  waitUntilReady,
} from './fixture.ts'

/** Globals of the mini apps under test. */
// biome-ignore lint/suspicious/noExplicitAny: it belongs to another document
declare const app: any
// biome-ignore lint/suspicious/noExplicitAny: it belongs to another document
declare const ask: any
declare const port: MessagePort
declare const received: unknown[]
declare global {
  interface Document {
    /** Supported by Chromium only. */
    featurePolicy?: { allowedFeatures(): string[] }
  }
}

const raw = { url: `${appsOrigin}/raw.html` }

/** Opens the mini app without Souk code and waits for the welcome message. */
async function openRaw(host: TestHost) {
  await host.open(raw)
  const frame = await host.frame()
  await frame.waitForFunction(() => received.length > 0)
  return frame
}

async function openApp(host: TestHost, opening: Parameters<TestHost['open']>[0] = {}) {
  await host.open(opening)
  await waitUntilReady(host)
  return host.frame()
}

test('draws bars and tabs before any script of the mini app is loaded', async () => {
  const host = await openHost()
  const { page } = host
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  host.serve('held.html', rawApp.replace('<script>', '<script src="held.js"></script><script>'))
  host.serve('held.js', async (route) => {
    await released
    await route.fulfill({ contentType: 'text/javascript', body: 'window.isHere = true' })
  })
  await host.open({ url: `${appsOrigin}/held.html`, start: { path: 'pages/cart/cart', query: {} } })

  const bar = await page.locator('.neu-navbar').boundingBox()
  expect(bar).toEqual({ x: 0, y: 0, width: 375, height: 44 + phone.statusBarHeight })
  expect(await page.getByRole('heading', { name: 'Cart' }).isVisible()).toBe(true)
  const tabs = await page.locator('.neu-tabbar').boundingBox()
  expect(tabs).toMatchObject({ x: 0, width: 375, height: 50 + phone.safeAreaBottom })
  expect(tabs!.y + tabs!.height).toBe(phone.height)
  expect(await page.locator('.neu-tabbar [aria-current]').textContent()).toContain('Cart')
  // The frame covers the whole screen behind the bars.
  expect(await page.locator('iframe').boundingBox()).toEqual({ x: 0, y: 0, width: 375, height: 667 })
  await page.getByRole('status').waitFor()
  await screenshot(page, 'held')
  expect(await (await host.frame()).evaluate(() => 'isHere' in window)).toBe(false)

  release()
  const frame = await host.frame()
  await frame.waitForFunction(() => typeof received !== 'undefined' && received.length > 0)
  expect(await frame.evaluate(() => received[0])).toMatchObject({
    type: 'welcome',
    version: 1,
    appid: 'coffee',
    device: phone,
    storage: [],
    start: { path: 'pages/cart/cart', query: {} },
  })
  expect(host.errors).toEqual([])
})

test('neither shows nor answers a mini app that may not be opened yet', async () => {
  const host = await openHost()
  const { page } = host
  await host.open({ ...raw, confirmed: false })
  const frame = await host.frame()
  await frame.waitForFunction(() => typeof port === 'object')
  const asked = frame.evaluate(() => ask(1, 'login', {}))
  await frame.waitForLoadState('load')
  expect(await page.locator('iframe').isVisible()).toBe(false)
  expect(await frame.evaluate(() => received)).toEqual([])
  expect(await page.evaluate(() => window.host.calls)).toEqual([])

  await page.evaluate(() => window.host.set({ confirmed: true }))
  expect(await asked).toMatchObject({ result: { code: 'a code' } })
  expect(await frame.evaluate(() => received[0])).toMatchObject({ type: 'welcome' })
  expect(await page.locator('iframe').isVisible()).toBe(true)
  expect(host.errors).toEqual([])
})

test('starts a mini app again that was confirmed after it has given up', async () => {
  const host = await openHost()
  const { page } = host
  await host.open({ ...raw, confirmed: false })
  const frame = await host.frame()
  await frame.waitForFunction(() => typeof port === 'object')
  await frame.waitForLoadState('load')
  await page.evaluate(() => {
    const now = Date.now()
    Date.now = () => now + 9_000
    window.host.set({ confirmed: true })
  })
  await expect.poll(() => frame.isDetached()).toBe(true)
  await (await host.frame()).waitForFunction(() => received.length > 0)
})

test('denies a mini app access to session, storage and document of its host', async () => {
  const host = await openHost()
  const frame = await openRaw(host)
  expect(await host.page.evaluate(() => [localStorage.session, document.cookie])).toEqual([
    'of the host',
    'session=of-the-host',
  ])
  const results = await frame.evaluate(async () => {
    const attempt = async (run: () => unknown) => {
      try {
        return { got: String(await run()) }
      } catch (error) {
        return { refused: (error as Error).name }
      }
    }
    return {
      origin: self.origin,
      localStorage: await attempt(() => localStorage.length),
      sessionStorage: await attempt(() => sessionStorage.length),
      cookie: await attempt(() => document.cookie),
      indexedDB: await attempt(
        () =>
          new Promise((resolve, reject) => {
            const request = indexedDB.open('souk-storage')
            request.onsuccess = resolve
            request.onerror = () => reject(request.error)
          }),
      ),
      document: await attempt(() => parent.document.title),
      storage: await attempt(() => parent.localStorage.session),
      name: await attempt(() => (parent as Window).host.calls),
      frameElement: await attempt(() => window.frameElement),
    }
  })
  expect(results).toEqual({
    origin: 'null',
    localStorage: { refused: 'SecurityError' },
    sessionStorage: { refused: 'SecurityError' },
    cookie: { refused: 'SecurityError' },
    indexedDB: { refused: expect.any(String) },
    document: { refused: 'SecurityError' },
    storage: { refused: 'SecurityError' },
    name: { refused: 'SecurityError' },
    frameElement: { got: 'null' },
  })
  // Requests of the mini app have no cookies.
  const sent = new Promise<Record<string, string>>((resolve) => {
    host.serve('headers', async (route) => {
      resolve(await route.request().allHeaders())
      await route.fulfill({ body: '', headers: { 'access-control-allow-origin': '*' } })
    })
  })
  await frame.evaluate(() => fetch('headers').then(() => undefined))
  expect(await sent).not.toHaveProperty('cookie')
})

test('denies a mini app navigation of the host, windows and dialogs', async () => {
  const host = await openHost()
  const frame = await openRaw(host)
  const windows: unknown[] = []
  host.context.on('page', (opened) => windows.push(opened.url()))
  host.page.on('dialog', (dialog) => {
    windows.push(dialog.message())
    void dialog.dismiss()
  })
  const results = await frame.evaluate(() => {
    const refused: string[] = []
    for (const run of [
      () => {
        top!.location.href = 'http://apps.test/raw.html'
      },
      () => parent.location.replace('http://apps.test/raw.html'),
    ]) {
      try {
        run()
      } catch (error) {
        refused.push((error as Error).name)
      }
    }
    const link = Object.assign(document.createElement('a'), { href: 'raw.html', target: '_top' })
    document.body.append(link)
    link.click()
    const form = Object.assign(document.createElement('form'), { action: 'raw.html', target: '_top' })
    document.body.append(form)
    form.submit()
    alert('hello')
    return { refused, opened: window.open('raw.html') === null, confirmed: confirm('sure?') }
  })
  expect(results).toEqual({ refused: ['SecurityError', 'SecurityError'], opened: true, confirmed: false })
  // A navigation would have happened before this message returns.
  expect(await frame.evaluate(() => ask(1, 'login', {}))).toMatchObject({ result: { code: 'a code' } })
  expect(host.page.url()).toBe(`${hostOrigin}/index.html`)
  expect(windows).toEqual([])
})

test('rejects malformed messages and stays usable', async () => {
  const host = await openHost()
  const { page } = host
  const frame = await openRaw(host)
  const answers = await frame.evaluate(async () => {
    for (const data of [null, 1, 'bars', [], {}, { type: 'bars' }, { type: 'bars', bars: { navigationBar: null } }])
      port.postMessage(data)
    port.postMessage({ type: 'bars', bars: { pageId: 1, tabBar: { tabs: 'none' } } })
    port.postMessage({ type: 'response', id: 1, result: {} })
    port.postMessage(new Map([['type', 'request']]))
    // The window accepts only hello messages.
    parent.postMessage({ type: 'request', id: 1, method: 'login', params: {} }, '*')
    const toast = { title: 'Hi', icon: 'none', image: '', duration: 10_000, mask: false, position: '' }
    return [
      await ask(1, 'readStorage', {}),
      await ask(2, 'constructor', {}),
      await ask(3, 'getAuthCode', { scope: { toString: 1 } }),
      await ask(4, 'setStorage', { key: 'k', data: 'x'.repeat(1024 ** 2 + 1) }),
      await ask(5, 'showToast', { ...toast, image: 'javascript:alert(1)' }),
      await ask(6, 'login', {}),
      await ask(7, 'showToast', { ...toast, title: '<img src=x onerror="window.broken = true">' }),
    ]
  })
  expect(answers.map(({ errMsg, result }) => errMsg ?? result)).toEqual([
    'bridge:fail method must be a method of the host',
    'bridge:fail method must be a method of the host',
    'getAuthCode:fail scope must be a string',
    'setStorage:fail data must be at most 1048576 bytes long',
    'showToast:fail image must be an absolute http or https URL or a data: image',
    { code: 'a code' },
    {},
  ])
  // The bars have not changed, and HTML is shown as text.
  expect(await page.getByRole('heading', { name: 'Corner Coffee' }).isVisible()).toBe(true)
  await page.getByText('<img src=x').waitFor()
  expect(await page.evaluate(() => 'broken' in window)).toBe(false)
  expect(await page.evaluate(() => window.host.calls)).toEqual([['login', {}]])
  expect(host.errors).toEqual([])
})

test('answers no other frame, neither beside the mini app nor inside it', async () => {
  const host = await openHost()
  const { page } = host
  const frame = await openRaw(host)
  await page.evaluate((url) => {
    for (const sandbox of ['allow-scripts', null]) {
      const other = document.createElement('iframe')
      if (sandbox) other.setAttribute('sandbox', sandbox)
      other.src = url
      other.className = 'other'
      document.body.append(other)
    }
  }, raw.url)
  await frame.evaluate(async () => {
    const inner = document.createElement('iframe')
    inner.src = 'raw.html'
    const loaded = new Promise((resolve) => inner.addEventListener('load', resolve))
    document.body.append(inner)
    await loaded
  })
  // A frame inside the mini app says hello directly to the host.
  const inner = frame.childFrames()[0]!
  await inner.evaluate(() => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => received.push(data)
    top!.postMessage({ souk: 'hello', version: 1 }, '*', [port2])
  })
  for (const other of await page.locator('.other').all()) {
    const document = (await (await other.elementHandle())!.contentFrame())!
    await document.waitForFunction(() => typeof port === 'object')
    expect(await document.evaluate(() => received)).toEqual([])
  }
  expect(await inner.evaluate(() => received)).toEqual([])
  // The mini app itself still gets answers.
  expect(await frame.evaluate(() => ask(1, 'login', {}))).toMatchObject({ result: { code: 'a code' } })
})

/** Serves a page that says hello and reports every answer; returns the reports. */
function serveEvil(host: TestHost): string[] {
  const leaked: string[] = []
  host.serve('evil.html', rawApp.replace('received.push(data)', "fetch('leaked?' + data.type)"))
  host.serve('leaked', async (route) => {
    leaked.push(route.request().url())
    await route.fulfill({ body: '' })
  })
  return leaked
}

test('does not answer a document that replaces the mini app, and reports that it has left', async () => {
  const host = await openHost()
  const { page } = host
  const leaked = serveEvil(host)
  const frame = await openRaw(host)
  await frame.evaluate(() => {
    location.href = 'evil.html'
  })
  await page.getByRole('alert').getByText('navigated to another page').waitFor()
  expect(await page.locator('iframe').count()).toBe(0)
  await screenshot(page, 'left')
  await page.getByRole('button', { name: 'Try again' }).click()
  const next = await host.frame()
  await next.waitForFunction(() => received.length > 0)
  expect(new URL(next.url()).pathname).toBe('/raw.html')
  expect(await next.evaluate(() => ask(1, 'login', {}))).toMatchObject({ result: { code: 'a code' } })
  expect(leaked).toEqual([])
})

test('answers no document that replaces the mini app before it has loaded', async () => {
  const host = await openHost()
  const leaked = serveEvil(host)
  host.serve('leaving.html', rawApp.replace('</script>', ";location.replace('evil.html')</script>"))
  await host.open({ url: `${appsOrigin}/leaving.html` })
  await host.page.getByRole('alert').getByText('navigated to another page').waitFor()
  expect(await host.page.locator('iframe').count()).toBe(0)
  expect(leaked).toEqual([])
})

test('starts a mini app of a development server again when its document reloads', async () => {
  const host = await openHost()
  await host.open({ ...raw, canReload: true })
  const before = (await host.page.$('iframe'))!
  await (await host.frame()).waitForFunction(() => received.length > 0)
  await (await host.frame()).evaluate(() => location.reload())
  await before.waitForElementState('hidden')
  await (await host.frame()).waitForFunction(() => received.length > 0)
})

test('shows an error if the mini app has another protocol version', async () => {
  const host = await openHost()
  host.serve('raw.html?version=2', rawApp)
  await host.open({ url: `${appsOrigin}/raw.html?version=2` })
  await host.page.getByRole('alert').getByText('another version').waitFor()
  await host.page.getByRole('button', { name: 'Try again' }).click()
  await host.page.getByRole('alert').getByText('another version').waitFor()
})

test('gives up on a mini app that does not say hello, and can try again', async () => {
  const host = await openHost()
  const { page } = host
  await page.clock.install()
  host.serve('silent.html', '<!doctype html><p>Nothing happens here.</p>')
  await host.open({ url: `${appsOrigin}/silent.html` })
  await (await host.frame()).waitForLoadState('load')
  await page.clock.runFor(9_000)
  await page.getByRole('alert').getByText('did not start').waitFor()
  // The bars of the host are still visible.
  expect(await page.getByRole('heading', { name: 'Corner Coffee' }).isVisible()).toBe(true)
  await screenshot(page, 'silent')
  host.serve('silent.html', rawApp)
  await page.getByRole('button', { name: 'Try again' }).click()
  await (await host.frame()).waitForFunction(() => received.length > 0)
  expect(await page.getByRole('alert').count()).toBe(0)
  // The clock cannot be uninstalled.
  await host.context.close()
})

test('passes events of the bars to the mini app, and draws its changes', async () => {
  const host = await openHost()
  const { page } = host
  const frame = await openApp(host)
  await page.getByRole('button', { name: 'Cart' }).click()
  await page.evaluate(() => {
    window.host.back()
    window.host.set({ visible: false })
  })
  await frame.waitForFunction(() => app.events.length === 3)
  expect(await frame.evaluate(() => app.events)).toEqual([
    { type: 'tab', index: 1 },
    { type: 'back' },
    { type: 'visibility', visible: false },
  ])

  await frame.evaluate(() => {
    const { navigationBar } = app.bars
    app.show({
      pageId: 2,
      navigationBar: { ...navigationBar, title: 'Espresso', homeButton: true },
      tabBar: null,
      transition: { name: 'pop-in', direction: 'forward', duration: 300 },
      orientation: 'landscape',
    })
  })
  await page.getByRole('heading', { name: 'Espresso' }).waitFor()
  // Two bars exist during the animation, one after it.
  await page.waitForFunction(() => document.querySelectorAll('.neu-navbar').length === 1)
  expect(await page.locator('.neu-tabbar').count()).toBe(0)
  expect(await page.evaluate(() => window.host.events)).toEqual(['portrait', 'ready', 'landscape'])
  // Buttons of the bar do not overlap the capsule of the host.
  const home = (await page.locator('.neu-navbar-home').boundingBox())!
  const close = (await page.getByRole('button', { name: 'Close' }).boundingBox())!
  expect(home.x + home.width).toBeLessThanOrEqual(close.x)
  await screenshot(page, 'page')
  expect(host.errors).toEqual([])
})

test('a mini app cannot replace fonts of its host, and its own are removed when it is closed', async () => {
  const host = await openHost()
  const { page } = host
  const inter = await readFile(
    join(import.meta.dirname, '../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
  )
  const fontSrc = `data:font/woff2;base64,${inter.toString('base64')}`
  const frame = await openApp(host)
  await page.evaluate(() => {
    document.body.style.fontFamily = '"Font of the host"'
  })
  await frame.evaluate((fontSrc) => {
    const { navigationBar } = app.bars
    const button = {
      type: 'none',
      text: 'x',
      color: '#000',
      colorPressed: '',
      background: '',
      float: 'right',
      badgeText: '',
      fontSize: '22px',
      fontWeight: 'normal',
      select: false,
      width: '44px',
    }
    // The carrier sends any family, as a hand-written mini app can.
    app.show({ navigationBar: { ...navigationBar, buttons: [{ ...button, fontFamily: 'Font of the host', fontSrc }] } })
  }, fontSrc)
  const fonts = () =>
    page.evaluate(() =>
      [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family.replaceAll('"', '')),
    )
  await expect.poll(fonts).toHaveLength(1)
  expect(await fonts()).not.toContain('Font of the host')
  const drawn = page.locator('.neu-navbar-text').filter({ hasText: 'x' })
  expect(await drawn.evaluate((element) => getComputedStyle(element).fontFamily)).toBe((await fonts())[0])
  await page.evaluate(() => window.host.close())
  await expect.poll(fonts).toEqual([])
  expect(host.errors).toEqual([])
})

describe('hosts that are not approved', () => {
  const domains = { request: ['api.shop.example'], upload: [], download: ['*.cdn.example'], webView: [] }

  test('a strict host refuses requests to them by name, and loads no images of them itself', async () => {
    const host = await openHost()
    const { page, context } = host
    const asked: string[] = []
    await context.route(/\.example\//, (route) => {
      asked.push(new URL(route.request().url()).host)
      return route.fulfill({ body: '{"ok": true}', headers: { 'access-control-allow-origin': '*' } })
    })
    const frame = await openApp(host, { domainRules: { domains, isStrict: true } })
    const outcome = (method: string, options: object) =>
      frame.evaluate(
        ([method, options]) =>
          app[method](options).then(
            () => 'ok',
            (error: Error & { errMsg?: string }) => error.errMsg ?? error.message,
          ),
        [method, options] as const,
      )
    const reason = (name: string, purpose: string) =>
      `the host ${name} is not approved for ${purpose} of this mini app: request it in the mini app's settings in the console`
    expect(await outcome('request', { url: 'https://api.shop.example/a' })).toBe('ok')
    expect(await outcome('request', { url: 'souk-app.json' })).toBe('ok')
    expect(await outcome('downloadFile', { url: 'https://a.cdn.example/a' })).toBe('ok')
    for (const [method, options, purpose] of [
      ['request', { url: 'https://evil.example/a' }, 'request'],
      ['uploadFile', { url: 'https://evil.example/a', file: new Blob(['x']) }, 'upload'],
      ['downloadFile', { url: 'https://evil.example/a' }, 'download'],
    ] as const)
      expect(await outcome(method, options)).toBe(reason('evil.example', purpose))
    expect(await outcome('previewImage', { urls: ['https://evil.example/a.png'] })).toBe(
      `previewImage:fail ${reason('evil.example', 'download')}`,
    )
    await frame.evaluate(() => {
      const { navigationBar } = app.bars
      app.show({
        navigationBar: {
          ...navigationBar,
          titleImage: 'https://evil.example/title.png',
          backgroundImage: 'url("https://evil.example/b.png")',
        },
        tabBar: {
          ...app.bars.tabBar,
          tabs: app.bars.tabBar.tabs.map((tab: object) => ({ ...tab, icon: 'https://a.cdn.example/i.png' })),
        },
      })
    })
    await expect.poll(() => asked).toContain('a.cdn.example')
    await page.locator('.neu-tabbar img').first().waitFor({ state: 'attached' })
    expect(asked).not.toContain('evil.example')
    expect(host.errors).toEqual([])
  })

  test('a sandbox warns once per host and reaches them', async () => {
    const host = await openHost()
    const warnings: string[] = []
    host.page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
    await host.context.route('https://evil.example/**', (route) =>
      route.fulfill({ body: '{}', headers: { 'access-control-allow-origin': '*' } }),
    )
    const frame = await openApp(host, { domainRules: { domains, isStrict: false } })
    for (const path of ['a', 'b'])
      expect(await frame.evaluate((url) => app.request({ url }), `https://evil.example/${path}`)).toMatchObject({
        statusCode: 200,
      })
    expect(warnings.filter((text) => text.includes('evil.example is not approved for request'))).toHaveLength(1)
  })
})

test('animates bars with their pages, and can be interrupted by another page', async () => {
  const host = await openHost()
  const { page } = host
  const frame = await openApp(host)
  await frame.evaluate(() =>
    app.show({ pageId: 2, transition: { name: 'slide-in-bottom', direction: 'forward', duration: 60_000 } }),
  )
  await page.waitForFunction(() => document.querySelectorAll('.souk-mini-app-layer').length === 2)
  const roles = () =>
    page
      .locator('.souk-mini-app-layer')
      .evaluateAll((layers) => layers.map((layer) => [layer.dataset.role, (layer as HTMLElement).inert]))
  expect(await roles()).toEqual([
    ['cover', true],
    ['enter', false],
  ])
  const [animation] = await page
    .locator('[data-role=enter]')
    .evaluate((layer) => layer.getAnimations().map(({ effect }) => effect!.getTiming().duration))
  expect(animation).toBe(60_000)
  // Another page during the animation continues with a new animation.
  await frame.evaluate(() =>
    app.show({ pageId: 1, transition: { name: 'slide-in-bottom', direction: 'back', duration: 100 } }),
  )
  await page.waitForFunction(() => document.querySelectorAll('.souk-mini-app-layer').length === 1)
  expect(await roles()).toEqual([[undefined, false]])
})

test('keeps the focus out of the frame behind a dialog, and returns it to the same field', async () => {
  const host = await openHost()
  const { page } = host
  const frame = await openApp(host)
  await frame.evaluate(() => {
    document.body.append(document.createElement('input'), document.createElement('button'))
    document.querySelector('button')!.textContent = 'In the frame'
  })
  await frame.locator('input').focus()
  const answer = frame.evaluate(() => app.showModal({ title: 'Leave?' }))
  await page.getByRole('dialog').waitFor()
  const isInDialog = () =>
    page.evaluate(() => document.activeElement?.closest('.neu-mask, .souk-mini-app-capsule') !== null)
  for (const key of [...Array(5).fill('Tab'), ...Array(5).fill('Shift+Tab')]) {
    await page.keyboard.press(key)
    expect(await isInDialog()).toBe(true)
  }
  await page.mouse.click(20, 300)
  expect(await isInDialog()).toBe(true)
  await frame.evaluate(() => document.querySelector('button')!.focus())
  await expect.poll(isInDialog).toBe(true)
  await frame.evaluate(() => document.querySelector('input')!.focus())
  await expect.poll(isInDialog).toBe(true)
  await page.keyboard.press('Escape')
  expect(await answer).toMatchObject({ confirm: false })
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.type('abc')
  expect(await frame.locator('input').inputValue()).toBe('abc')
  expect(await page.locator('iframe').getAttribute('aria-hidden')).toBe(null)
})

test('draws dialogs in the host above the bars, and returns their results', async () => {
  const host = await openHost()
  const { page } = host
  const frame = await openApp(host)
  const granted = frame.evaluate(() => app.getAuthCode({ scope: ['user.info', 'user.phone'] }))
  await page.getByRole('dialog').getByText('user.info,user.phone').waitFor()
  await screenshot(page, 'dialog')
  // The capsule is still usable.
  await page.getByRole('button', { name: 'Close' }).click()
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim())
  await page.getByRole('button', { name: 'OK' }).focus()
  const focusOrder: unknown[] = []
  for (const key of ['Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
    await page.keyboard.press(key)
    focusOrder.push(await focused())
  }
  expect(focusOrder).toEqual(['Close', 'Cancel', 'OK', 'Cancel', 'Close', 'OK'])
  expect(await page.evaluate(() => window.host.events.filter((event) => event === 'close'))).toHaveLength(1)
  await page.keyboard.press('Tab')
  // Escape on the capsule does not close the dialog.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => window.host.events.filter((event) => event === 'close'))).toHaveLength(2)
  expect(await page.getByRole('dialog').count()).toBe(1)
  await page.getByRole('button', { name: 'OK' }).click()
  expect(await granted).toEqual({ code: 'a code for user.info,user.phone' })

  const refused = frame.evaluate(() =>
    app.getAuthCode({ scope: 'user.email' }).catch((error: { errMsg: string }) => error.errMsg),
  )
  // The first dialog may still be closing.
  await page.getByRole('dialog').filter({ hasText: 'user.email' }).getByRole('button', { name: 'Cancel' }).click()
  expect(await refused).toBe('getAuthCode:fail refused')

  const chosen = frame.evaluate(() => app.showActionSheet({ itemList: ['Tea', 'Coffee'] }))
  await page.getByRole('button', { name: 'Coffee' }).click()
  expect(await chosen).toEqual({ tapIndex: 1 })

  await frame.evaluate(() => app.showLoading({ title: 'Brewing' }))
  await page.getByText('Brewing').waitFor()
  await frame.evaluate(() => app.hideLoading())
  await page.getByText('Brewing').waitFor({ state: 'detached' })
  expect(host.errors).toEqual([])
})

test('keeps storage for the next start, separately for each mini app', async () => {
  const host = await openHost()
  const { page } = host
  const frame = await openApp(host)
  expect(
    await frame.evaluate(async () => {
      app.setStorageSync('cart', { beans: 2 })
      app.setStorageSync('__proto__', 'x')
      app.setStorageSync('gone', 1)
      app.removeStorageSync('gone')
      // Returns after all earlier writes.
      await app.carrier.call('setStorage', { key: 'last', data: '1' })
      return app.getStorageSync('cart')
    }),
  ).toEqual({ beans: 2 })
  await page.evaluate(() => window.host.close())
  await page.waitForSelector('iframe', { state: 'detached' })

  const again = await openApp(host)
  await again.waitForFunction(() => typeof app === 'object')
  expect(await again.evaluate(() => [app.getStorageSync('cart'), app.getStorageInfoSync().keys])).toEqual([
    { beans: 2 },
    expect.arrayContaining(['cart', '__proto__', 'last']),
  ])
  await page.evaluate(() => window.host.close())
  await page.waitForSelector('iframe', { state: 'detached' })

  await host.open({ appid: 'bakery' })
  const other = await host.frame()
  await other.waitForFunction(() => typeof app === 'object')
  expect(await other.evaluate(() => app.getStorageInfoSync().keys)).toEqual([])
})

test('previews a chosen image in the host, and uploads it to the server of the mini app', async () => {
  const host = await openHost()
  const { page } = host
  const frame = await openApp(host)
  const png = await page.screenshot({ clip: { x: 0, y: 0, width: 40, height: 20 } })
  page.once('filechooser', (chooser) => chooser.setFiles({ name: 'beans.png', mimeType: 'image/png', buffer: png }))
  const { tempFilePaths, tempFiles } = await frame.evaluate(() => app.chooseImage({ count: 1 }))
  expect(tempFiles).toMatchObject([{ name: 'beans.png', size: png.length, type: 'image/png' }])
  const path = tempFilePaths[0] as string
  expect(await frame.evaluate((src) => app.getImageInfo({ src }), path)).toMatchObject({ width: 40, height: 20 })

  await frame.evaluate((url) => app.previewImage({ urls: [url] }), path)
  const shown = page.locator('img[src^="data:image/png"]')
  await shown.waitFor()
  await expect.poll(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(40)

  let body = ''
  host.serve('upload', async (route) => {
    body = route.request().postDataBuffer()!.toString('latin1')
    await route.fulfill({ status: 201, body: 'thanks', headers: { 'access-control-allow-origin': '*' } })
  })
  expect(
    await frame.evaluate(
      (filePath) => app.uploadFile({ url: 'upload', filePath, name: 'photo', formData: { note: 'ü' } }),
      path,
    ),
  ).toEqual({ data: 'thanks', statusCode: 201 })
  expect(body).toContain('name="photo"; filename="beans.png"')
  expect(body).toContain(png.toString('latin1'))
  expect(Buffer.from(body, 'latin1').toString()).toContain('ü')
  expect(host.errors).toEqual([])
})

test('uses the host for device features that are denied to the frame', async () => {
  const host = await openHost()
  const frame = await openApp(host)
  await frame.evaluate(() => app.vibrateShort())
  expect(await host.page.evaluate(() => window.host.calls)).toEqual([['vibrate', { type: 'short' }]])
  const location = () =>
    app.carrier.call('getLocation', { isHighAccuracy: false }).catch((error: Error) => error.message)
  expect(await frame.evaluate(location)).toBe('getLocation:fail not supported')
  expect(
    await frame.evaluate(() =>
      document.featurePolicy?.allowedFeatures().filter((name) => /geolocation|camera|microphone|clipboard/.test(name)),
    ),
  ).toEqual([])
})

test('passes the device of the host, and changes of it, to the mini app', async () => {
  const host = await openHost()
  const frame = await openApp(host)
  expect(await frame.evaluate(() => app.carrier.device)).toEqual(phone)
  await frame.evaluate(() => {
    app.themes = []
    app.onThemeChange(({ theme }: { theme: string }) => app.themes.push(theme))
  })
  await host.page.evaluate(() => window.host.setDevice({ theme: 'dark', language: 'ar', safeAreaBottom: 0 }))
  await frame.waitForFunction(() => app.themes.length > 0)
  expect(await frame.evaluate(() => [app.themes, app.getSystemInfoSync().language])).toEqual([['dark'], 'ar'])
  expect(await host.page.locator('.souk-mini-app').getAttribute('dir')).toBe('rtl')
  await screenshot(host.page, 'rtl')
})

test('a mini app that starts while it is hidden knows it', async () => {
  const host = await openHost()
  await host.page.evaluate(() => window.host.set({ visible: false }))
  const frame = await openApp(host)
  await frame.waitForFunction(() => app.carrier.isVisible === false)
  await host.page.evaluate(() => window.host.set({ visible: true }))
  await frame.waitForFunction(() => app.carrier.isVisible)
})

test('removes a closed mini app and its dialogs', async () => {
  const host = await openHost()
  const { page } = host
  const frame = await openApp(host)
  await frame.evaluate(() => void app.showModal({ title: 'Still here?' }))
  await page.getByText('Still here?').waitFor()
  await page.evaluate(() => window.host.close())
  await page.waitForFunction(() => !document.querySelector('.souk-mini-app'))
  expect(await page.getByText('Still here?').count()).toBe(0)
  expect(host.errors).toEqual([])
})

test('shows an error if a mini app is opened outside its host', async () => {
  const host = await openHost()
  await host.page.goto(`${appsOrigin}/index.html`)
  const alert = host.page.getByRole('alert')
  await alert.getByText('only runs inside its host application').waitFor()
  await screenshot(host.page, 'alone')
})

test('signs in, asks for consent and pays with the sandbox of a Souk server in development', async () => {
  const { url, isolatedApp, uids } = inject('fixture')
  const { appid, secret } = isolatedApp
  const host = await openHost()
  const { page } = host
  const forwarded = `${hostOrigin}/__souk/server`
  await host.context.route(`${forwarded}/**`, async (route) => {
    const target = url + route.request().url().slice(forwarded.length)
    await route.fulfill({ response: await route.fetch({ url: target }) })
  })
  await host.open({ appid }, { server: forwarded, uid: uids[0]! })
  await waitUntilReady(host)
  const frame = await host.frame()
  expect((await frame.evaluate(() => app.getUserProfile())).userInfo.nickName).toBe('Sam')

  /** Calls the open API as the mini app's backend does (open-api §4). */
  async function backend(path: string, input: Record<string, string>): Promise<Record<string, string>> {
    const parameters = Object.entries({ appid, timestamp: String(Date.now()), ...input })
    const body = new URLSearchParams([...parameters, ['sign', signParameters(parameters, secret)]])
    const reply = await fetch(`${url}/neuopenapi${path}`, { method: 'POST', body })
    const { response, responseHeader } = (await reply.json()) as Record<string, Record<string, string>>
    expect(responseHeader).toMatchObject({ status: 200 })
    return response!
  }
  const grant = { grantType: 'authorization_code', scope: 'user.info' }
  const { code } = await frame.evaluate(() => app.login())
  await backend('/oauth/mini/accessToken', { ...grant, code })

  const granted = frame.evaluate(() => app.getAuthCode({ scope: 'user.info,user.phone' }))
  await page.getByRole('dialog').getByText('Country and phone number').waitFor()
  await screenshot(page, 'consent')
  await page.getByRole('button', { name: 'Allow' }).click()
  const scope = 'user.info,user.phone'
  const { accessToken } = await backend('/oauth/mini/accessToken', { ...grant, scope, code: (await granted).code })
  const userInfo = await fetch(`${url}/neuopenapi/oauth/mini/user/info?accessToken=${accessToken}`)
  const { openId } = ((await userInfo.json()) as { response: { openId: string } }).response

  async function pay(outTradeNo: string, shown: object, choice?: string) {
    const trade = {
      amount: '1250',
      currency: 'SAR',
      openId,
      description: 'Two cappuccinos',
      notifyUrl: 'http://127.0.0.1:1/paid',
    }
    const { tradeNo } = await backend('/pay/transactions/trade', { ...trade, outTradeNo })
    // The previous dialog may still be closing.
    await page.waitForFunction(() => !document.querySelector('[role=dialog]'))
    const paid = frame.evaluate(
      (params) => app.requestPayment(params).catch((error: { errMsg: string }) => error.errMsg),
      { tradeNo, ...shown },
    )
    await page.getByRole('dialog').getByText('12.50 SAR').waitFor()
    await screenshot(page, 'cashier')
    await page.getByRole('button', { name: choice ?? 'Cancel', exact: true }).click()
    return { tradeNo, paid }
  }
  const paid = await pay('bridge-1', { amount: '12.5', currency: 'SAR' }, 'Pay')
  expect(await paid.paid).toEqual({ status: 2 })
  expect(await (await pay('bridge-2', {}, 'Decline payment')).paid).toEqual({ status: 1, failCode: 27 })
  expect(await (await pay('bridge-3', { amount: '1.25' }, 'Pay')).paid).toMatch(/^requestPayment:fail .*differ/)
  const challenged = await pay('bridge-4', {}, 'Pay with 3-D Secure')
  await page.getByRole('button', { name: 'Reject' }).click()
  expect(await challenged.paid).toEqual({ status: 1, failCode: 6 })
  // Closing the cashier does not change the trade.
  expect(await (await pay('bridge-5', {})).paid).toEqual({ status: 0 })
  expect(host.errors).toEqual([])
})
