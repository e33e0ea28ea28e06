import { expect, inject, test } from 'vitest'
import { signParameters } from '../../packages/contract/src/open/sign.ts'
import { appsOrigin, type Fixture, hostOrigin, openFixture, phone, picture, rawApp, ready } from './fixture.ts'

/** What the mini app of a test offers in its window. */
// biome-ignore lint/suspicious/noExplicitAny: it is another document's
declare const app: any
// biome-ignore lint/suspicious/noExplicitAny: it is another document's
declare const ask: any
declare const port: MessagePort
declare const received: unknown[]
declare global {
  interface Document {
    /** Chromium has it. */
    featurePolicy?: { allowedFeatures(): string[] }
  }
}

const raw = { url: `${appsOrigin}/raw.html` }

/** A mini app written by hand, welcomed. */
async function openRaw(fixture: Fixture) {
  await fixture.open(raw)
  const frame = await fixture.frame()
  await frame.waitForFunction(() => received.length > 0)
  return frame
}

async function openApp(fixture: Fixture, opening: Parameters<Fixture['open']>[0] = {}) {
  await fixture.open(opening)
  await ready(fixture)
  return fixture.frame()
}

test('bars and tabs are drawn while no script of the mini app has come yet', async () => {
  const fixture = await openFixture()
  const { page } = fixture
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  fixture.serve('held.html', rawApp.replace('<script>', '<script src="held.js"></script><script>'))
  fixture.serve('held.js', async (route) => {
    await held
    await route.fulfill({ contentType: 'text/javascript', body: 'window.isHere = true' })
  })
  await fixture.open({ url: `${appsOrigin}/held.html`, start: { path: 'pages/cart/cart', query: {} } })

  const bar = await page.locator('.neu-navbar').boundingBox()
  expect(bar).toEqual({ x: 0, y: 0, width: 375, height: 44 + phone.statusBarHeight })
  expect(await page.getByRole('heading', { name: 'Cart' }).isVisible()).toBe(true)
  const tabs = await page.locator('.neu-tabbar').boundingBox()
  expect(tabs).toMatchObject({ x: 0, width: 375, height: 50 + phone.safeAreaBottom })
  expect(tabs!.y + tabs!.height).toBe(phone.height)
  expect(await page.locator('.neu-tabbar [aria-current]').textContent()).toContain('Cart')
  // The frame covers the whole screen, below the bars, and the page has its background.
  expect(await page.locator('iframe').boundingBox()).toEqual({ x: 0, y: 0, width: 375, height: 667 })
  await page.getByRole('status').waitFor()
  await picture(page, 'held')
  expect(await (await fixture.frame()).evaluate(() => 'isHere' in window)).toBe(false)

  release()
  const frame = await fixture.frame()
  await frame.waitForFunction(() => received.length > 0)
  expect(await frame.evaluate(() => received[0])).toMatchObject({
    type: 'welcome',
    version: 1,
    appid: 'coffee',
    device: phone,
    storage: [],
    start: { path: 'pages/cart/cart', query: {} },
  })
  expect(fixture.complaints).toEqual([])
})

test('a mini app reads nothing of its host: no session, no storage, no document', async () => {
  const fixture = await openFixture()
  const frame = await openRaw(fixture)
  expect(await fixture.page.evaluate(() => [localStorage.session, document.cookie])).toEqual([
    'of the host',
    'session=of-the-host',
  ])
  const tried = await frame.evaluate(async () => {
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
  expect(tried).toEqual({
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
  // Also what it fetches goes without the cookies of anybody, and without telling from where.
  const sent = new Promise<Record<string, string>>((resolve) => {
    fixture.serve('tell', async (route) => {
      resolve(await route.request().allHeaders())
      await route.fulfill({ body: '', headers: { 'access-control-allow-origin': '*' } })
    })
  })
  await frame.evaluate(() => fetch('tell').then(() => undefined))
  expect(await sent).not.toHaveProperty('cookie')
})

test('a mini app cannot lead the page around it away, nor open windows or dialogues', async () => {
  const fixture = await openFixture()
  const frame = await openRaw(fixture)
  const windows: unknown[] = []
  fixture.context.on('page', (opened) => windows.push(opened.url()))
  fixture.page.on('dialog', (dialog) => {
    windows.push(dialog.message())
    void dialog.dismiss()
  })
  const tried = await frame.evaluate(() => {
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
  expect(tried).toEqual({ refused: ['SecurityError', 'SecurityError'], opened: true, confirmed: false })
  // What would have led away has had its turn when another message has come back.
  expect(await frame.evaluate(() => ask(1, 'login', {}))).toMatchObject({ result: { code: 'a code' } })
  expect(fixture.page.url()).toBe(`${hostOrigin}/index.html`)
  expect(windows).toEqual([])
})

test('what is malformed is refused, and nothing breaks', async () => {
  const fixture = await openFixture()
  const { page } = fixture
  const frame = await openRaw(fixture)
  const answers = await frame.evaluate(async () => {
    for (const data of [null, 1, 'bars', [], {}, { type: 'bars' }, { type: 'bars', bars: { navigationBar: null } }])
      port.postMessage(data)
    port.postMessage({ type: 'bars', bars: { pageId: 1, tabBar: { tabs: 'none' } } })
    port.postMessage({ type: 'response', id: 1, result: {} })
    port.postMessage(new Map([['type', 'request']]))
    // Once more to the window, where only a hello counts.
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
  // The bars are those of before, and what came as text is a text.
  expect(await page.getByRole('heading', { name: 'Corner Coffee' }).isVisible()).toBe(true)
  await page.getByText('<img src=x').waitFor()
  expect(await page.evaluate(() => 'broken' in window)).toBe(false)
  expect(await page.evaluate(() => window.host.calls)).toEqual([['login', {}]])
  expect(fixture.complaints).toEqual([])
})

test('no other frame gets an answer: neither one beside the mini app nor one within it', async () => {
  const fixture = await openFixture()
  const { page } = fixture
  const frame = await openRaw(fixture)
  await page.evaluate((address) => {
    for (const sandbox of ['allow-scripts', null]) {
      const other = document.createElement('iframe')
      if (sandbox) other.setAttribute('sandbox', sandbox)
      other.src = address
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
  // Within the mini app, one that says hello past it to the host.
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
  // The mini app itself is still served.
  expect(await frame.evaluate(() => ask(1, 'login', {}))).toMatchObject({ result: { code: 'a code' } })
})

test('a document that takes the mini app’s place gets nothing, and the mini app is opened anew', async () => {
  const fixture = await openFixture()
  const { page } = fixture
  const heard: string[] = []
  fixture.serve('evil.html', rawApp.replace('received.push(data)', "fetch('heard?' + data.type)"))
  fixture.serve('heard', async (route) => {
    heard.push(route.request().url())
    await route.fulfill({ body: '' })
  })
  await openRaw(fixture)
  for (let time = 0; time < 5; time++) {
    const before = (await page.$('iframe'))!
    await (await before.contentFrame())!.evaluate(() => {
      location.href = 'evil.html'
    })
    await before.waitForElementState('hidden')
    const next = await fixture.frame()
    await next.waitForFunction(() => received.length > 0)
    expect(new URL(next.url()).pathname).toBe('/raw.html')
    expect(await next.evaluate(() => ask(1, 'login', {}))).toMatchObject({ result: { code: 'a code' } })
  }
  // One that does it for ever is given up, until somebody asks for it.
  await (await fixture.frame()).evaluate(() => {
    location.href = 'evil.html'
  })
  await page.getByRole('alert').getByText('navigated to another page').waitFor()
  expect(await page.locator('iframe').count()).toBe(0)
  await picture(page, 'left')
  await page.getByRole('button', { name: 'Try again' }).click()
  await (await fixture.frame()).waitForFunction(() => received.length > 0)
  expect(heard).toEqual([])
})

test('a mini app of another version is told so, and so is whoever opened it', async () => {
  const fixture = await openFixture()
  fixture.serve('raw.html?version=2', rawApp)
  await fixture.open({ url: `${appsOrigin}/raw.html?version=2` })
  await fixture.page.getByRole('alert').getByText('another version').waitFor()
  await fixture.page.getByRole('button', { name: 'Try again' }).click()
  await fixture.page.getByRole('alert').getByText('another version').waitFor()
})

test('a mini app that does not say hello is given up, and can be tried again', async () => {
  const fixture = await openFixture()
  const { page } = fixture
  await page.clock.install()
  fixture.serve('silent.html', '<!doctype html><p>Nothing happens here.</p>')
  await fixture.open({ url: `${appsOrigin}/silent.html` })
  await (await fixture.frame()).waitForLoadState('load')
  await page.clock.runFor(9_000)
  await page.getByRole('alert').getByText('did not start').waitFor()
  // What the host draws is still there, and the way out.
  expect(await page.getByRole('heading', { name: 'Corner Coffee' }).isVisible()).toBe(true)
  await picture(page, 'silent')
  fixture.serve('silent.html', rawApp)
  await page.getByRole('button', { name: 'Try again' }).click()
  await (await fixture.frame()).waitForFunction(() => received.length > 0)
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('what is done on the bars reaches the mini app, and what it changes is drawn', async () => {
  const fixture = await openFixture()
  const { page } = fixture
  const frame = await openApp(fixture)
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
  // Both bars move; when they have come to rest there is one.
  await page.waitForFunction(() => document.querySelectorAll('.neu-navbar').length === 1)
  expect(await page.locator('.neu-tabbar').count()).toBe(0)
  expect(await page.evaluate(() => window.host.events)).toEqual(['portrait', 'ready', 'landscape'])
  // The host's own menu leaves room for itself.
  const home = (await page.locator('.neu-navbar-home').boundingBox())!
  const close = (await page.getByRole('button', { name: 'Close' }).boundingBox())!
  expect(home.x + home.width).toBeLessThanOrEqual(close.x)
  await picture(page, 'page')
  expect(fixture.complaints).toEqual([])
})

test('bars move together with their pages, to the right place in both directions of reading', async () => {
  const fixture = await openFixture()
  const { page } = fixture
  const frame = await openApp(fixture)
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
  // Another page while this one moves: the movement goes on with the new one.
  await frame.evaluate(() =>
    app.show({ pageId: 1, transition: { name: 'slide-in-bottom', direction: 'back', duration: 100 } }),
  )
  await page.waitForFunction(() => document.querySelectorAll('.souk-mini-app-layer').length === 1)
  expect(await roles()).toEqual([[undefined, false]])
})

test('dialogues are drawn by the host, over the bars, and their answers come back', async () => {
  const fixture = await openFixture()
  const { page } = fixture
  const frame = await openApp(fixture)
  const asked = frame.evaluate(() => app.getAuthCode({ scope: ['user.info', 'user.phone'] }))
  await page.getByRole('dialog').getByText('user.info,user.phone').waitFor()
  await picture(page, 'dialog')
  // The way out stays free.
  await page.getByRole('button', { name: 'Close' }).click()
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim())
  await page.getByRole('button', { name: 'OK' }).focus()
  const round: unknown[] = []
  for (const key of ['Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
    await page.keyboard.press(key)
    round.push(await focused())
  }
  expect(round).toEqual(['Close', 'Cancel', 'OK', 'Cancel', 'Close', 'OK'])
  expect(await page.evaluate(() => window.host.events.filter((event) => event === 'close'))).toHaveLength(1)
  await page.keyboard.press('Tab')
  // What Escape does there is the capsule's own affair.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => window.host.events.filter((event) => event === 'close'))).toHaveLength(2)
  expect(await page.getByRole('dialog').count()).toBe(1)
  await page.getByRole('button', { name: 'OK' }).click()
  expect(await asked).toEqual({ code: 'a code for user.info,user.phone' })

  const refused = frame.evaluate(() =>
    app.getAuthCode({ scope: 'user.email' }).catch((error: { errMsg: string }) => error.errMsg),
  )
  // The first one may still be on its way out.
  await page.getByRole('dialog').filter({ hasText: 'user.email' }).getByRole('button', { name: 'Cancel' }).click()
  expect(await refused).toBe('getAuthCode:fail refused')

  const chosen = frame.evaluate(() => app.showActionSheet({ itemList: ['Tea', 'Coffee'] }))
  await page.getByRole('button', { name: 'Coffee' }).click()
  expect(await chosen).toEqual({ tapIndex: 1 })

  await frame.evaluate(() => app.showLoading({ title: 'Brewing' }))
  await page.getByText('Brewing').waitFor()
  await frame.evaluate(() => app.hideLoading())
  await page.getByText('Brewing').waitFor({ state: 'detached' })
  expect(fixture.complaints).toEqual([])
})

test('what is stored is there at the next start, for this mini app alone', async () => {
  const fixture = await openFixture()
  const { page } = fixture
  const frame = await openApp(fixture)
  expect(
    await frame.evaluate(async () => {
      app.setStorageSync('cart', { beans: 2 })
      app.setStorageSync('__proto__', 'x')
      app.setStorageSync('gone', 1)
      app.removeStorageSync('gone')
      // Answered when what was stored before has been written.
      await app.carrier.call('setStorage', { key: 'last', data: '1' })
      return app.getStorageSync('cart')
    }),
  ).toEqual({ beans: 2 })
  await page.evaluate(() => window.host.close())
  await page.waitForSelector('iframe', { state: 'detached' })

  const again = await openApp(fixture)
  await again.waitForFunction(() => typeof app === 'object')
  expect(await again.evaluate(() => [app.getStorageSync('cart'), app.getStorageInfoSync().keys])).toEqual([
    { beans: 2 },
    expect.arrayContaining(['cart', '__proto__', 'last']),
  ])
  await page.evaluate(() => window.host.close())
  await page.waitForSelector('iframe', { state: 'detached' })

  await fixture.open({ appid: 'bakery' })
  const other = await fixture.frame()
  await other.waitForFunction(() => typeof app === 'object')
  expect(await other.evaluate(() => app.getStorageInfoSync().keys)).toEqual([])
})

test('an image that the user chose is shown by the host, and goes to the mini app’s server', async () => {
  const fixture = await openFixture()
  const { page } = fixture
  const frame = await openApp(fixture)
  const png = await page.screenshot({ clip: { x: 0, y: 0, width: 40, height: 20 } })
  page.on('filechooser', (chooser) => chooser.setFiles({ name: 'beans.png', mimeType: 'image/png', buffer: png }))
  const { tempFilePaths, tempFiles } = await frame.evaluate(() => app.chooseImage({ count: 1 }))
  expect(tempFiles).toMatchObject([{ name: 'beans.png', size: png.length, type: 'image/png' }])
  const path = tempFilePaths[0] as string
  expect(await frame.evaluate((src) => app.getImageInfo({ src }), path)).toMatchObject({ width: 40, height: 20 })

  await frame.evaluate((url) => app.previewImage({ urls: [url] }), path)
  const shown = page.locator('img[src^="data:image/png"]')
  await shown.waitFor()
  expect(await shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(40)

  let body = ''
  fixture.serve('upload', async (route) => {
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
  expect(fixture.complaints).toEqual([])
})

test('what a frame is not allowed to do with the device, the host does', async () => {
  const fixture = await openFixture()
  const frame = await openApp(fixture)
  await frame.evaluate(() => app.vibrateShort())
  expect(await fixture.page.evaluate(() => window.host.calls)).toEqual([['vibrate', { type: 'short' }]])
  expect(await frame.evaluate(() => app.getLocation().catch((error: Error) => error.message))).toContain(
    'not supported in a host application',
  )
  expect(
    await frame.evaluate(() =>
      document.featurePolicy?.allowedFeatures().filter((name) => /geolocation|camera|microphone|clipboard/.test(name)),
    ),
  ).toEqual([])
})

test('the device of the host is the device of the mini app, also when it changes', async () => {
  const fixture = await openFixture()
  const frame = await openApp(fixture)
  expect(await frame.evaluate(() => app.carrier.device)).toEqual(phone)
  await frame.evaluate(() => {
    app.themes = []
    app.onThemeChange(({ theme }: { theme: string }) => app.themes.push(theme))
  })
  await fixture.page.evaluate(() => window.host.setDevice({ theme: 'dark', language: 'ar', safeAreaBottom: 0 }))
  await frame.waitForFunction(() => app.themes.length > 0)
  expect(await frame.evaluate(() => [app.themes, app.getSystemInfoSync().language])).toEqual([['dark'], 'ar'])
  expect(await fixture.page.locator('.souk-mini-app').getAttribute('dir')).toBe('rtl')
  await picture(fixture.page, 'rtl')
})

test('a closed mini app is served no more, and leaves nothing behind', async () => {
  const fixture = await openFixture()
  const { page } = fixture
  const frame = await openApp(fixture)
  await frame.evaluate(() => void app.showModal({ title: 'Still here?' }))
  await page.getByText('Still here?').waitFor()
  await page.evaluate(() => window.host.close())
  await page.waitForFunction(() => !document.querySelector('.souk-mini-app'))
  expect(await page.getByText('Still here?').count()).toBe(0)
  expect(fixture.complaints).toEqual([])
})

test('a mini app that is opened by itself says where it belongs', async () => {
  const fixture = await openFixture()
  await fixture.page.goto(`${appsOrigin}/index.html`)
  const alert = fixture.page.getByRole('alert')
  await alert.getByText('only runs inside its host application').waitFor()
  await picture(fixture.page, 'alone')
})

test('in development, the sandbox of a Souk server signs in, asks and pays', async () => {
  const { url, rehearsed, uids } = inject('fixture')
  const { appid, secret } = rehearsed
  const fixture = await openFixture()
  const { page } = fixture
  const forwarded = `${hostOrigin}/__souk/server`
  await fixture.context.route(`${forwarded}/**`, async (route) => {
    const address = url + route.request().url().slice(forwarded.length)
    await route.fulfill({ response: await route.fetch({ url: address }) })
  })
  await fixture.open({ appid }, { server: forwarded, uid: uids[0]! })
  await ready(fixture)
  const frame = await fixture.frame()
  expect((await frame.evaluate(() => app.getUserProfile())).userInfo.nickName).toBe('Sam')

  /** The mini app's own backend (open-api §4). */
  async function backend(path: string, own: Record<string, string>): Promise<Record<string, string>> {
    const parameters = Object.entries({ appid, timestamp: String(Date.now()), ...own })
    const body = new URLSearchParams([...parameters, ['sign', signParameters(parameters, secret)]])
    const answer = await fetch(`${url}/neuopenapi${path}`, { method: 'POST', body })
    const { response, responseHeader } = (await answer.json()) as Record<string, Record<string, string>>
    expect(responseHeader).toMatchObject({ status: 200 })
    return response!
  }
  const grant = { grantType: 'authorization_code', scope: 'user.info' }
  const { code } = await frame.evaluate(() => app.login())
  await backend('/oauth/mini/accessToken', { ...grant, code })

  const asked = frame.evaluate(() => app.getAuthCode({ scope: 'user.info,user.phone' }))
  await page.getByRole('dialog').getByText('Country and phone number').waitFor()
  await picture(page, 'consent')
  await page.getByRole('button', { name: 'Allow' }).click()
  const scope = 'user.info,user.phone'
  const { accessToken } = await backend('/oauth/mini/accessToken', { ...grant, scope, code: (await asked).code })
  const who = await fetch(`${url}/neuopenapi/oauth/mini/user/info?accessToken=${accessToken}`)
  const { openId } = ((await who.json()) as { response: { openId: string } }).response

  async function pay(outTradeNo: string, shown: object, choice?: string) {
    const trade = {
      amount: '1250',
      currency: 'SAR',
      openId,
      description: 'Two cappuccinos',
      notifyUrl: 'http://127.0.0.1:1/paid',
    }
    const { tradeNo } = await backend('/pay/transactions/trade', { ...trade, outTradeNo })
    // The one before may still be on its way out.
    await page.waitForFunction(() => !document.querySelector('[role=dialog]'))
    const paid = frame.evaluate(
      (params) => app.requestPayment(params).catch((error: { errMsg: string }) => error.errMsg),
      { tradeNo, ...shown },
    )
    await page.getByRole('dialog').getByText('12.50 SAR').waitFor()
    await picture(page, 'cashier')
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
  // Merely closing the cashier leaves the trade as it is.
  expect(await (await pay('bridge-5', {})).paid).toEqual({ status: 0 })
  expect(fixture.complaints).toEqual([])
})
