import type { Frame } from 'playwright-core'
import { expect, test } from 'vitest'
import { rawApp } from '../bridge/fixture.ts'
import type { WatchedPage } from '../console.ts'
import { pressEscape } from '../hostQuestion.ts'
import {
  builtMiniApp,
  chooseMiniApp,
  enterMiniApp,
  frameOf,
  hostPage,
  neu,
  newUser,
  openIdOf,
  openShop,
  profileOf,
  type Shop,
  serverUrl,
  started,
} from './fixture.ts'

// biome-ignore lint/suspicious/noExplicitAny: defined by the mini app
declare const ask: any
declare const received: unknown[]

/** Creates a malicious, hand-written mini app. */
async function rawShop(): Promise<Shop> {
  const shop = await openShop('Raw Bakery')
  const files = await builtMiniApp()
  await shop.upload('1.0.0', { 'souk-app.json': files['souk-app.json']!, 'index.html': rawApp })
  return shop
}

/** Opens it from the home page and waits for the handshake. */
async function enterRaw(page: WatchedPage, shop: Shop): Promise<Frame> {
  await chooseMiniApp(page, shop)
  const frame = await frameOf(page, shop)
  await frame.waitForFunction(() => received.length > 0)
  return frame
}

test('a mini app cannot read the host’s session, storage, document or server responses', async () => {
  const page = await hostPage(await newUser('Noura'))
  const frame = await enterRaw(page, await rawShop())
  expect(await page.evaluate(() => localStorage.getItem('souk.host.session'))).toContain('token')
  const tried = await frame.evaluate(async (url) => {
    const attempt = async (run: () => unknown) => {
      try {
        return { got: String(await run()) }
      } catch (error) {
        return { refused: (error as Error).name }
      }
    }
    return {
      origin: self.origin,
      localStorage: await attempt(() => localStorage.getItem('souk.host.session')),
      theirs: await attempt(() => parent.localStorage.getItem('souk.host.session')),
      document: await attempt(() => parent.document.body.innerHTML),
      address: await attempt(() => parent.location.href),
      cookie: await attempt(() => document.cookie),
      database: await attempt(
        () =>
          new Promise((resolve, reject) => {
            const request = indexedDB.open('souk-storage')
            request.onsuccess = resolve
            request.onerror = () => reject(request.error)
          }),
      ),
      caches: await attempt(() => caches.keys()),
      worker: await attempt(() => navigator.serviceWorker.getRegistrations()),
      frameElement: await attempt(() => window.frameElement),
      host: await attempt(() => fetch(`${url}/host/`)),
      me: await attempt(() => fetch(`${url}/host/v1/me`, { credentials: 'include' })),
      users: await attempt(() => fetch(`${url}/host/v1/sandbox/users`)),
      // Other origins cannot sign in as a mock user.
      signIn: await attempt(() =>
        fetch(`${url}/host/v1/sessions`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ uid: 1 }),
        }),
      ),
    }
  }, serverUrl())
  const refused = { refused: 'SecurityError' }
  const blocked = { refused: 'TypeError' }
  expect(tried).toEqual({
    origin: 'null',
    localStorage: refused,
    theirs: refused,
    document: refused,
    address: refused,
    cookie: refused,
    database: { refused: expect.any(String) },
    caches: refused,
    worker: refused,
    frameElement: { got: 'null' },
    host: blocked,
    me: blocked,
    users: blocked,
    signIn: blocked,
  })
})

test('a mini app cannot obtain codes or storage of another one over the bridge', async () => {
  const page = await hostPage(await newUser('Noura'))
  const other = await openShop('Corner Bakery')
  await other.upload('1.0.0', await builtMiniApp())
  const theirs = await enterMiniApp(page, other)
  await neu(theirs, 'setStorage', { key: 'card', data: 'secret' })
  await neu(theirs, 'getUserProfile')

  const shop = await rawShop()
  const frame = await enterRaw(page, shop)
  expect(await frame.evaluate(() => received[0])).toMatchObject({ appid: shop.appid, storage: [] })
  // Unknown parameters are ignored or rejected.
  const { result } = await frame.evaluate((appid) => ask(1, 'login', { appid }), other.appid)
  await expect(openIdOf(other, result.code)).rejects.toThrow()
  const { result: own } = await frame.evaluate(() => ask(2, 'login', {}))
  expect(await profileOf(shop, own.code)).toMatchObject({ nickName: 'Noura' })
  expect(await frame.evaluate((appid) => ask(3, 'readStorage', { appid }), other.appid)).toMatchObject({
    errMsg: expect.stringContaining(':fail '),
  })
  // It can neither consent for the user nor change the name in the consent sheet.
  const asked = frame.evaluate(
    (appid) => ask(4, 'getAuthCode', { scope: 'user.phone', consent: true, appid, name: 'Corner Bakery' }),
    other.appid,
  )
  const sheet = page.getByRole('dialog', { name: 'Share with Raw Bakery?' })
  await sheet.getByRole('button', { name: 'Allow' }).click()
  const consented = (await asked).result
  await expect(openIdOf(other, consented.code, 'user.phone')).rejects.toThrow()
})

test('a mini app cannot navigate the host or another mini app, or open windows', async () => {
  const page = await hostPage(await newUser('Noura'))
  const shop = await rawShop()
  const other = await openShop('Corner Bakery')
  await other.upload('1.0.0', await builtMiniApp())
  const theirs = await enterMiniApp(page, other)
  await theirs.evaluate(() => {
    window.name = 'as it was'
  })
  await page.getByRole('button', { name: 'Leave mini app' }).click()
  await page.waitForURL('**/host/')
  const frame = await enterRaw(page, shop)
  const seen: string[] = []
  page.context().on('page', (opened) => seen.push(`window ${opened.url()}`))
  page.on('dialog', (dialog) => {
    seen.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('framenavigated', (navigated) => seen.push(`navigation ${navigated.url()}`))

  const refusals = await frame.evaluate(() => {
    const refused: string[] = []
    const sibling = [0, 1].map((index) => parent.frames[index]).find((each) => each !== window)!
    const tries: (() => unknown)[] = [
      () => {
        top!.location.href = 'https://example.com/'
      },
      () => parent.location.replace('https://example.com/'),
      () => {
        sibling.location.href = 'https://example.com/'
      },
      () => sibling.location.replace('about:blank'),
      () => {
        Object.assign(parent, { souk: 'mine' })
      },
      () => parent.history.back(),
    ]
    for (const run of tries) {
      try {
        run()
        refused.push('done')
      } catch (error) {
        refused.push((error as Error).name)
      }
    }
    for (const target of ['_top', '_parent', '_blank', 'as it was']) {
      const link = Object.assign(document.createElement('a'), { href: 'https://example.com/', target })
      const form = Object.assign(document.createElement('form'), { action: 'https://example.com/', target })
      const download = Object.assign(document.createElement('a'), { href: 'data:text/plain,a', download: 'a.txt' })
      document.body.append(link, form, download)
      link.click()
      form.submit()
      download.click()
    }
    alert('hello')
    return [...refused, window.open('https://example.com/') === null, confirm('sure?'), prompt('who?')]
  })
  expect(refusals).toEqual([...Array(6).fill('SecurityError'), true, false, null])
  // A round trip gives pending navigations time to happen.
  expect(await frame.evaluate(() => ask(1, 'login', {}))).toMatchObject({ result: { code: expect.any(String) } })
  expect(new URL(page.url()).pathname).toBe(`/host/apps/${shop.appid}`)
  expect(seen).toEqual([])
  expect(await theirs.evaluate(() => window.name)).toBe('as it was')
})

test('ignores messages from other frames and malformed handshakes', async () => {
  const page = await hostPage(await newUser('Noura'))
  const frame = await enterRaw(page, await rawShop())
  await frame.evaluate(async () => {
    // A nested frame is not the mini app.
    const nested = document.createElement('iframe')
    nested.srcdoc = '<!doctype html><title>Inside</title>'
    document.body.append(nested)
    await new Promise((resolve) => nested.addEventListener('load', resolve))
  })
  const nested = page.frames().find((each) => each.parentFrame() === frame)!
  const responses = await nested.evaluate(async () => {
    const answers: unknown[] = []
    for (const target of [top!, parent]) {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => answers.push(data)
      target.postMessage({ souk: 'hello', version: 1 }, '*', [port2])
      port1.postMessage({ type: 'request', id: 1, method: 'login', params: {} })
    }
    top!.postMessage({ type: 'request', id: 1, method: 'login', params: {} }, '*')
    return answers
  })
  // The window accepts only a hello with a port.
  await frame.evaluate(() => {
    for (const data of [
      { type: 'request', id: 9, method: 'exitMiniApp', params: {} },
      { souk: 'hello', version: 1 },
      null,
    ])
      parent.postMessage(data, '*')
  })
  expect(await frame.evaluate(() => ask(1, 'login', {}))).toMatchObject({ result: { code: expect.any(String) } })
  expect(responses).toEqual([])
  expect(page.complaints).toEqual([])
})

/** A page that asks for a login code with the bridge of the mini app that it replaced, and publishes the code. */
const thief = rawApp.replace(
  '</script>',
  ";ask(1, 'login', {}).then(({ result }) => { document.title = 'stolen ' + result.code })</script>",
)

test('a mini app cannot replace itself with a release whose document the browser has stored', async () => {
  const page = await hostPage(await newUser('Noura'))
  const files = await builtMiniApp()
  const other = await openShop('Stored Bakery')
  await other.upload('1.0.0', { 'souk-app.json': files['souk-app.json']!, 'index.html': thief })
  await chooseMiniApp(page, other)
  await expect.poll(async () => (await frameOf(page, other)).title()).toMatch(/^stolen/)
  const address = await page.locator('iframe').getAttribute('src')
  await page.goto('')
  await chooseMiniApp(page, other)
  await expect.poll(async () => (await frameOf(page, other)).title()).toMatch(/^stolen/)

  const shop = await openShop('Leaving Bakery')
  await shop.upload('1.0.0', {
    'souk-app.json': files['souk-app.json']!,
    'index.html': `<!doctype html><script>location.replace(${JSON.stringify(address)})</script>`,
  })
  await page.goto('')
  await chooseMiniApp(page, shop)
  await page
    .getByRole('alert')
    .getByText(/navigated to another page|did not start/)
    .waitFor()
  expect(page.frames()).toHaveLength(1)
})

test('a mini app cannot leave its release: code from elsewhere gets neither the bridge nor a login code', async () => {
  const files = await builtMiniApp()
  const tryToLeave = async (addressFor: (shop: Shop) => string | Promise<string>) => {
    const page = await hostPage(await newUser('Noura'))
    await page
      .context()
      .route('https://foreign.example/**', (route) => route.fulfill({ contentType: 'text/html', body: thief }))
    const shop = await openShop('Leaving Bakery')
    const address = await addressFor(shop)
    const titles = () => Promise.all(page.frames().map((frame) => frame.title().catch(() => '')))
    const leave = `() => location.replace(${JSON.stringify(address)})`
    for (const [index, script] of [`(${leave})()`, `onload = ${leave}`, `setTimeout(${leave})`].entries()) {
      await shop.upload(`1.0.${index}`, {
        'souk-app.json': files['souk-app.json']!,
        'index.html': `<!doctype html><script>${script}</script>`,
      })
      await page.goto(`apps/${shop.appid}`)
      await page
        .getByRole('alert')
        .getByText(/navigated to another page|did not start/)
        .waitFor()
      expect([address, script, await page.locator('iframe').count()]).toEqual([address, script, 0])
      expect((await titles()).join()).not.toContain('stolen')
    }
  }
  const unpublished = async (shop: Shop) => {
    const stolen = { 'souk-app.json': files['souk-app.json']!, 'index.html': thief }
    return `/mini/${shop.appid}/${await shop.upload('2.0.0', stolen, false)}/`
  }
  // At once, since most of the time passes until the host gives up.
  await Promise.all([
    tryToLeave(() => 'https://foreign.example/'),
    tryToLeave(unpublished),
    tryToLeave(() => `data:text/html,${encodeURIComponent(thief)}`),
    tryToLeave(() => '/web-view?url=https://foreign.example/'),
    tryToLeave(() => '/host/'),
  ])
})

test('a mini app that has started loses the bridge when its document changes', async () => {
  const page = await hostPage(await newUser('Noura'))
  const shop = await rawShop()
  const frame = await enterRaw(page, shop)
  await frame.evaluate(() => {
    location.href = '/host/'
  })
  await page.getByRole('alert').getByText('navigated to another page').waitFor()
  expect(page.frames()).toHaveLength(1)
  await page.getByRole('button', { name: 'Try again' }).click()
  const next = await frameOf(page, shop)
  await next.waitForFunction(() => received.length > 0)
  expect(await next.evaluate(() => ask(1, 'login', {}))).toMatchObject({ result: { code: expect.any(String) } })
})

test('a mini app in the background cannot show anything or use the device', async () => {
  const page = await hostPage(await newUser('Noura'))
  const shop = await openShop('Old Town Bakery')
  await shop.upload('1.0.0', await builtMiniApp())
  const frame = await enterMiniApp(page, shop)
  const asked = neu(frame, 'getAuthCode', { scope: 'user.phone' })
  await page.getByRole('dialog').waitFor()
  // Leaving the mini app closes the sheet.
  await page.evaluate(() => history.go(-1))
  expect(await asked).toBe('getAuthCode:fail the user refused')
  await page.getByRole('button', { name: 'Leave mini app' }).click()
  await page.waitForURL('**/host/')
  const inBackground = (method: string) => `${method}:fail the mini app is not in the foreground`
  expect(await neu(frame, 'getAuthCode', { scope: 'user.phone' })).toBe(inBackground('getAuthCode'))
  expect(await neu(frame, 'requestPayment', { tradeNo: 'f'.repeat(32) })).toBe(inBackground('requestPayment'))
  expect(await neu(frame, 'setClipboardData', { data: 'x' })).toBe(inBackground('setClipboardData'))
  expect(await neu(frame, 'makePhoneCall', { phoneNumber: '123' })).toBe(inBackground('makePhoneCall'))
  neu(frame, 'showModal', { title: 'Still here' }).catch(() => {})
  expect(await neu(frame, 'login')).toMatchObject({ code: expect.any(String) })
  expect(await page.getByText('Still here').isVisible()).toBe(false)
  expect(new URL(page.url()).pathname).toBe('/host/')
})

test('a mini app cannot ask while the user writes feedback about it', async () => {
  const page = await hostPage(await newUser('Noura'))
  const shop = await openShop('Old Town Bakery')
  await shop.upload('1.0.0', await builtMiniApp())
  const frame = await enterMiniApp(page, shop)
  await page.getByRole('button', { name: 'Mini app menu' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Feedback' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Too sweet')
  // A question that waited behind the form would appear over another page when the user leaves.
  expect(await neu(frame, 'getAuthCode', { scope: 'user.phone' })).toBe('getAuthCode:fail the user cannot be asked now')
  expect(await page.getByRole('textbox').inputValue()).toBe('Too sweet')
})

test('a mini app cannot cover the button that leaves it with notices of data that it gets again', async () => {
  const page = await hostPage(await newUser('Noura', { phone: '501234567', country: '+966' }))
  const shop = await openShop('Old Town Bakery')
  await shop.upload('1.0.0', await builtMiniApp())
  const frame = await enterMiniApp(page, shop)
  const asked = neu(frame, 'getAuthCode', { scope: 'user.phone' })
  await page.getByRole('dialog').getByRole('button', { name: 'Allow' }).click()
  expect(await asked).toMatchObject({ code: expect.any(String) })
  await frame.evaluate(async () => {
    const { uni } = window as unknown as { uni: { getAuthCode(options: object): Promise<unknown> } }
    await Promise.all(Array.from({ length: 30 }, () => uni.getAuthCode({ scope: 'user.phone' })))
  })
  await page.getByText('Country and phone number').first().waitFor()
  const leave = (await page.getByRole('button', { name: 'Leave mini app' }).boundingBox())!
  const found = await page.evaluate(
    ({ x, y, width, height }) =>
      document
        .elementFromPoint(x + width / 2, y + height / 2)
        ?.closest('button')
        ?.getAttribute('aria-label'),
    leave,
  )
  expect(found).toBe('Leave mini app')
})

test('a mini app cannot trap the user with repeated requests', async () => {
  const page = await hostPage(await newUser('Noura'))
  const shop = await openShop('Old Town Bakery')
  await shop.upload('1.0.0', await builtMiniApp())
  const frame = await enterMiniApp(page, shop)
  const refusals = frame.evaluate(async () => {
    const { uni } = window as unknown as { uni: { getAuthCode(options: object): Promise<unknown> } }
    let count = 0
    for (let reason = ''; !reason.includes('not in the foreground'); count += 1)
      reason = await uni.getAuthCode({ scope: 'user.phone' }).then(String, (error) => error.errMsg)
    return count
  })
  const sheet = page.getByRole('dialog')
  await sheet.waitFor()
  expect(await sheet.getByRole('button', { name: 'Leave mini app' }).count()).toBe(0)
  await pressEscape(page)
  await sheet.getByRole('button', { name: 'Leave mini app' }).click()
  await page.waitForURL('**/host/')
  expect(await refusals).toBe(3)
  expect(await sheet.count()).toBe(0)
})

test('reads the clipboard only with the user’s permission', async () => {
  const page = await hostPage(await newUser('Noura'))
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const shop = await openShop('Old Town Bakery')
  await shop.upload('1.0.0', await builtMiniApp())
  const frame = await enterMiniApp(page, shop)
  await page.evaluate(() => navigator.clipboard.writeText('a secret'))
  const dialog = page.getByRole('dialog').filter({ hasText: 'Allow Old Town Bakery to read your clipboard?' })
  const refused = neu(frame, 'getClipboardData')
  await dialog.getByRole('button', { name: 'Deny' }).click()
  expect(await refused).toBe('getClipboardData:fail the user refused')
  await dialog.waitFor({ state: 'detached' })
  const allowed = neu(frame, 'getClipboardData')
  await dialog.getByRole('button', { name: 'Allow' }).click()
  expect(await allowed).toMatchObject({ data: 'a secret' })
  await dialog.waitFor({ state: 'detached' })

  // The mini app learns what the browser refuses.
  await page.context().clearPermissions()
  const denied = neu(frame, 'getClipboardData')
  await dialog.getByRole('button', { name: 'Allow' }).click()
  expect(await denied).toMatch(/^getClipboardData:fail .*denied/)
  expect(await neu(frame, 'setClipboardData', { data: 'x' })).toMatch(/^setClipboardData:fail .*denied/)
})

test('keyboard and screen readers cannot reach pages behind a mini app or a sheet', async () => {
  const page = await hostPage(await newUser('Noura'))
  const shop = await openShop('Old Town Bakery')
  await shop.upload('1.0.0', await builtMiniApp())
  const frame = await enterMiniApp(page, shop)
  expect(await page.getByRole('navigation', { name: 'Navigation' }).count()).toBe(0)
  const asked = neu(frame, 'getAuthCode', { scope: 'user.phone' })
  const sheet = page.getByRole('dialog')
  await sheet.waitFor()
  for (let press = 0; press < 6; press += 1) {
    await page.keyboard.press('Tab')
    expect(await sheet.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  }
  expect(await page.locator('iframe').evaluate((element) => element.closest('[inert]') !== null)).toBe(true)
  await pressEscape(page)
  await asked
  expect(await started(page, shop)).toBe(frame)
})
