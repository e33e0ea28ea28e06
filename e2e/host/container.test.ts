import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { miniAppLink } from '@souk/contract'
import { serve } from '@souk/vite-plugin'
import { expect, onTestFinished, test } from 'vitest'
import { holdRequests } from '../browser.ts'
import { faults, picture, type WatchedPage } from '../console.ts'
import { pressEscape, takesInput } from '../hostQuestion.ts'
import {
  builtMiniApp,
  chooseMiniApp,
  enterMiniApp,
  frameOf,
  hostPage,
  manage,
  miniAppFolder,
  neu,
  newUser,
  openIdOf,
  openMiniApp,
  openShop,
  profileOf,
  type Shop,
  serverUrl,
  started,
} from './fixture.ts'

const shown = { visible: true } as const

/** Creates a published mini app. */
async function bakery(name = 'Old Town Bakery'): Promise<Shop> {
  const shop = await openShop(name)
  await shop.upload('1.0.0', await builtMiniApp())
  return shop
}

test('draws the bars and tabs before the first script of the mini app runs', async () => {
  const shop = await bakery()
  const page = await hostPage(await newUser('Noura'))
  const scripts = `**/mini/${shop.appid}/**/*.js`
  const release = await holdRequests(page, scripts)
  const asked = page.waitForRequest(scripts)
  await page.goto(`apps/${shop.appid}`)
  await page.getByRole('heading', { name: 'Old Town Bakery' }).waitFor()
  await asked
  const frame = await frameOf(page, shop)
  // The document is loaded, but no script has run.
  await frame.waitForFunction(() => document.readyState !== 'loading')
  expect(
    await frame.evaluate(() => [typeof (window as { uni?: unknown }).uni, document.querySelector('neu-page')]),
  ).toEqual(['undefined', null])

  const screen = { x: 0, y: 0, width: 390, height: 844 }
  expect(await page.locator('.neu-navbar').boundingBox()).toEqual({ ...screen, height: 44 })
  expect(await page.locator('.neu-tabbar').boundingBox()).toEqual({ ...screen, y: 794, height: 50 })
  expect(await page.locator('iframe').boundingBox()).toEqual(screen)
  expect(await page.locator('.neu-tabbar [aria-current]').textContent()).toContain('Home')
  expect(await page.locator('.neu-navbar').evaluate((bar) => getComputedStyle(bar).color)).toBe('rgb(0, 0, 0)')
  const menu = (await page.getByRole('button', { name: 'Mini app menu' }).boundingBox())!
  expect(menu.x + menu.width).toBeLessThan(390)
  expect(menu.y + menu.height).toBeLessThanOrEqual(44)
  await picture(page, 'host-held')

  release()
  await frame.waitForSelector('neu-page')
  // The mini app itself requests the same bars.
  expect(await page.locator('.neu-navbar').boundingBox()).toEqual({ ...screen, height: 44 })
  expect(page.complaints).toEqual([])
})

/** Holds the server's answer to the openings of a mini app until the returned function is called. */
const holdOpenings = (page: WatchedPage, shop: Shop) => holdRequests(page, `**/host/v1/apps/${shop.appid}/open`)

test('loads a mini app while the server is asked what to open, and starts it when that is the same', async () => {
  const shop = await bakery()
  const page = await hostPage(await newUser('Noura'))
  const release = await holdOpenings(page, shop)
  await chooseMiniApp(page, shop)
  const frame = await frameOf(page, shop)
  await frame.waitForFunction(() => typeof (window as { uni?: unknown }).uni === 'object')
  await page.getByRole('heading', { name: 'Old Town Bakery' }).waitFor()
  expect(await page.locator('iframe').isVisible()).toBe(false)
  expect(await frame.evaluate(() => document.querySelector('neu-page'))).toBeNull()

  release()
  await frame.waitForSelector('neu-page')
  expect(await page.locator('iframe').isVisible()).toBe(true)
  expect(page.complaints).toEqual([])
})

/** Returns true if the scripts and styles of a mini app have been loaded. */
const isLoaded = () => typeof (window as { uni?: unknown }).uni === 'object'

test('shows only the release that the server chooses if that is not the one in the list', async () => {
  const shop = await bakery()
  const page = await hostPage(await newUser('Noura'))
  const release = await holdOpenings(page, shop)
  await chooseMiniApp(page, shop)
  const first = await frameOf(page, shop)
  await first.waitForFunction(isLoaded)
  const newest = await shop.upload('1.0.1', await builtMiniApp())
  release()
  await page.waitForSelector(`iframe[src*="${newest}"]`)
  const second = await started(page, shop)
  expect(second.url()).toContain(newest)
  expect(first.isDetached()).toBe(true)

  // A server that refuses.
  await page.getByRole('button', { name: 'Leave mini app' }).click()
  await page.waitForURL('**/host/')
  const other = await bakery('Corner Bakery')
  await page.goto('')
  const refuse = await holdOpenings(page, other)
  await chooseMiniApp(page, other)
  await (await frameOf(page, other)).waitForFunction(isLoaded)
  await manage('PATCH', `apps/${other.appid}`, { enabled: false })
  refuse()
  await page.getByText('This mini app does not exist or is not available to you.').waitFor()
  expect(await page.locator('iframe').count()).toBe(0)

  // An address with a name that cannot be an appid.
  await page.goto('apps/Corner%20Bakery')
  await page.getByText('This mini app does not exist or is not available to you.').waitFor()
  expect(page.complaints).toEqual([])
})

test('logs in without a prompt; the openId differs between mini apps', async () => {
  const [shop, other] = await Promise.all([bakery(), bakery('Corner Bakery')])
  const page = await hostPage(
    await newUser('Noura', { email: 'noura@example.com', country: '+966', phone: '500000001' }),
  )
  const codes = []
  for (const each of [shop, other]) {
    const frame = await openMiniApp(page, each)
    codes.push(((await neu<{ code: string }>(frame, 'login')) as { code: string }).code)
    expect(await neu(frame, 'getUserProfile')).toMatchObject({ userInfo: { nickName: 'Noura', language: 'en' } })
  }
  expect(await page.getByRole('dialog').count()).toBe(0)
  const profile = await profileOf(shop, codes[0]!)
  expect(profile).toMatchObject({ nickName: 'Noura', email: null, phone: null })
  expect((await fetch(profile.avatar as string)).headers.get('Content-Type')).toBe('image/svg+xml')
  expect(await openIdOf(other, codes[1]!)).not.toBe(profile.openId)
  expect(page.complaints).toEqual([])
})

test('lists the data that a mini app gets at its first opening, until the user dismisses it by keyboard', async () => {
  const [shop, other] = await Promise.all([bakery(), bakery('Corner Bakery')])
  const uid = await newUser('Noura')
  const page = await hostPage(uid)
  const notice = (name: string) => page.getByRole('region', { name: `Data shared with ${name}` })
  const open = async (each: Shop) => {
    const known = page.waitForResponse((answer) => answer.url().endsWith(`${each.appid}/consent`))
    const frame = await enterMiniApp(page, each)
    await (await known).finished()
    return frame
  }
  await open(shop)
  await notice('Old Town Bakery').getByText('Name, picture, and an ID for this mini app').waitFor()
  await page.goto('')
  await open(shop)
  const dismiss = notice('Old Town Bakery').getByRole('button', { name: 'Got it' })
  await page.locator('.privacy-notice:not(.waiting)').waitFor()
  await dismiss.focus()
  const remembered = page.waitForResponse((answer) => answer.url().endsWith(`${shop.appid}/notice`))
  await page.keyboard.press('Enter')
  await dismiss.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  await (await remembered).finished()

  // On every device of this user, but not for another mini app.
  const elsewhere = await hostPage(uid)
  const known = elsewhere.waitForResponse((answer) => answer.url().endsWith(`${shop.appid}/consent`))
  await openMiniApp(elsewhere, shop)
  expect(await (await known).json()).toMatchObject({ noticeDismissed: true })
  expect(await elsewhere.locator('.privacy-notice').count()).toBe(0)
  await page.goto('')
  const frame = await open(other)
  await notice('Corner Bakery').waitFor()
  // It does not cover the buttons of a dialog.
  const chosen = neu(frame, 'chooseLocation')
  await page.getByRole('button', { name: 'Choose this place' }).waitFor()
  expect(await notice('Corner Bakery').count()).toBe(0)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  expect(await chosen).toBe('chooseLocation:fail cancel')
  await notice('Corner Bakery').waitFor()
  expect(page.complaints).toEqual([])
})

test('getAuthCode asks for consent once, shows the shared data, and fails if the user denies it', async () => {
  const shop = await bakery()
  const page = await hostPage(
    await newUser('Noura', { email: 'noura@example.com', country: '+966', phone: '500000001' }),
  )
  const frame = await enterMiniApp(page, shop)
  const scope = 'user.info,user.phone'
  const ask = () => neu<{ code: string }>(frame, 'getAuthCode', { scope })
  const sheet = page.getByRole('dialog', { name: 'Share with Old Town Bakery?' })
  const refusals = [
    () => sheet.getByRole('button', { name: 'Deny' }).click(),
    () => pressEscape(page),
    () => sheet.getByRole('button', { name: 'Close' }).click(),
    () => page.goBack(),
  ]
  for (const refuse of refusals) {
    const asked = ask()
    await sheet.waitFor()
    await refuse()
    expect(await asked).toBe('getAuthCode:fail the user refused')
    await sheet.waitFor({ state: 'detached' })
  }

  const asked = ask()
  await sheet.waitFor()
  for (const text of ['E-mail address', 'noura@example.com', 'Country and phone number', '+966 500000001'])
    await sheet.getByText(text, { exact: true }).waitFor()
  await sheet.getByText('Old Town Bakery already has:').waitFor()
  await sheet.getByText('Name, picture, and an ID for this mini app').waitFor()
  expect(await sheet.getByText('Noura', { exact: true }).count()).toBe(0)
  expect(await neu(frame, 'getAuthCode', { scope })).toBe('getAuthCode:fail the user cannot be asked now')
  await sheet.getByRole('button', { name: 'Allow' }).click()
  const { code } = (await asked) as { code: string }
  expect(await profileOf(shop, code, scope)).toMatchObject({ phone: '500000001', email: 'noura@example.com' })

  // Granted scopes are requested again only after the consent is withdrawn.
  // The user sees what is given again, for some seconds.
  const told = page.getByText('Old Town Bakery received again: E-mail address and Country and phone number').waitFor()
  for (const granted of [scope, 'user.phone', 'user.email'])
    expect(await neu(frame, 'getAuthCode', { scope: granted })).toMatchObject({ code: expect.any(String) })
  await told
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('souk.host.session')!).token)
  await fetch(`${serverUrl()}/host/v1/apps/${shop.appid}/consent`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${token}` },
  })
  const again = ask()
  await sheet.getByRole('button', { name: 'Deny' }).click()
  expect(await again).toBe('getAuthCode:fail the user refused')

  // Only what is missing is requested.
  const email = neu(frame, 'getAuthCode', { scope: 'user.email' })
  await sheet.getByRole('button', { name: 'Allow' }).click()
  await email
  const more = ask()
  await sheet.getByText('500000001').waitFor()
  expect(await sheet.getByText('noura@example.com').count()).toBe(0)
  await sheet.getByRole('button', { name: 'Deny' }).click()
  expect(await more).toBe('getAuthCode:fail the user refused')
  expect(page.complaints).toEqual([])
})

test('isolates the storage of each mini app and user', async () => {
  const [shop, other] = await Promise.all([bakery(), bakery('Corner Bakery')])
  const [noura, huda] = await Promise.all([newUser('Noura'), newUser('Huda')])
  const page = await hostPage(noura)
  const stored = async (each: Shop) => {
    const frame = await openMiniApp(page, each)
    return neu(frame, 'getStorageInfo')
  }
  const frame = await openMiniApp(page, shop)
  await neu(frame, 'setStorage', { key: 'cart', data: { cakes: 2 } })
  // The response implies that all earlier writes are done.
  await neu(frame, 'getUserProfile')
  expect(await stored(shop)).toMatchObject({ keys: ['cart'] })
  expect(await stored(other)).toMatchObject({ keys: [] })

  const signedIn = await fetch(`${serverUrl()}/host/v1/sessions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ uid: huda }),
  })
  const { session: token, user } = (await signedIn.json()) as Record<string, unknown>
  await page.evaluate((session) => localStorage.setItem('souk.host.session', session), JSON.stringify({ token, user }))
  expect(await stored(shop)).toMatchObject({ keys: [] })
  expect(page.complaints).toEqual([])
})

test('writes again what was being written when the browser closed the database', async () => {
  const shop = await bakery()
  const page = await hostPage(await newUser('Noura'))
  const devtools = await page.context().newCDPSession(page)
  let frame = await enterMiniApp(page, shop)
  const { origin } = new URL(page.url())
  // The browser closes it before, during or after the first write.
  for (const data of ['date', 'walnut', 'fig']) {
    await Promise.all([
      neu(frame, 'setStorage', { key: 'bread', data }),
      devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' }),
    ])
    await neu(frame, 'setStorage', { key: 'cake', data })
    await page.getByRole('button', { name: 'Mini app menu' }).click()
    await page.getByRole('button', { name: 'Restart' }).click()
    frame = await started(page, shop)
    expect(await neu(frame, 'getStorage', { key: 'cake' })).toMatchObject({ data })
  }
  // Writes that fail are reported there.
  expect(page.complaints).toEqual([])
})

test('keeps three mini apps running in the background; a fourth closes the least recently used one', async () => {
  const shops = await Promise.all(['First', 'Second', 'Third', 'Fourth'].map((name) => bakery(`${name} Bakery`)))
  const [first, second, third, fourth] = shops as [Shop, Shop, Shop, Shop]
  const page = await hostPage(await newUser('Noura'))
  const visit = (shop: Shop) => enterMiniApp(page, shop)
  const leave = () => page.getByRole('button', { name: 'Leave mini app' }).filter(shown).click()
  const mark = (shop: Shop) =>
    frameOf(page, shop).then((frame) =>
      frame.evaluate(() => {
        window.name = 'as it was'
      }),
    )
  const marks = (shop: Shop) => frameOf(page, shop).then((frame) => frame.evaluate(() => window.name))

  for (const shop of [first, second, third]) {
    await visit(shop)
    await mark(shop)
    await leave()
    await page.waitForURL('**/host/')
  }
  const back = await visit(first)
  expect(await marks(first)).toBe('as it was')
  // A background mini app is hidden, and calls with a visible effect fail.
  expect(await page.locator('iframe').filter(shown).count()).toBe(1)
  expect(await neu(await frameOf(page, second), 'vibrateShort')).toBe(
    'vibrateShort:fail the mini app is not in the foreground',
  )
  expect(await neu(back, 'vibrateShort')).toMatchObject({ errMsg: 'vibrateShort:ok' })
  await leave()
  await visit(fourth)
  expect(await page.locator(`iframe[src*="${second.appid}"]`).count()).toBe(0)
  expect(await marks(first)).toBe('as it was')
  expect(await marks(third)).toBe('as it was')
  expect(page.complaints).toEqual([])
})

test('leaving a mini app after its session has ended and the user has signed in again shows the home page', async () => {
  const shop = await bakery('Late Bakery')
  const page = await hostPage(await newUser('Salma of the Late Bakery'))
  const frame = await enterMiniApp(page, shop)
  const { token } = JSON.parse((await page.evaluate(() => localStorage.getItem('souk.host.session')))!)
  await fetch(`${serverUrl()}/host/v1/sessions`, { method: 'DELETE', headers: { Authorization: `Bearer ${token}` } })
  // Its frame is removed before it gets an answer.
  neu(frame, 'login').catch(() => {})
  await page.getByRole('button', { name: 'Salma of the Late Bakery' }).click()
  await started(page, shop)
  await page.getByRole('button', { name: 'Leave mini app' }).click()
  await page.waitForURL('**/host/')
})

test('pins a mini app to the home page, on this device and for this user', async () => {
  const shop = await bakery('Pinned Bakery')
  const uid = await newUser('Rana')
  const page = await hostPage(uid)
  await enterMiniApp(page, shop)
  await page.getByRole('button', { name: 'Mini app menu' }).click()
  await page.getByRole('button', { name: 'Pin to home page' }).click()
  await page.getByRole('button', { name: 'Unpin from home page' }).waitFor()
  await page.getByRole('button', { name: 'Messages', exact: true }).click()
  await page
    .getByRole('dialog', { name: 'Messages of Pinned Bakery' })
    .getByRole('button', { name: /^Silent/ })
    .click()
  await page.getByRole('button', { name: 'Mini app menu' }).click()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await takesInput(page)
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByText('Link copied').waitFor()
  const link = `${serverUrl()}/host/apps/${shop.appid}?from=card`
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await page.getByRole('button', { name: 'Mini app menu' }).click()
  await page.getByRole('button', { name: 'About', exact: true }).click()
  const about = page.getByRole('dialog', { name: 'About Pinned Bakery' })
  await about.getByText('Pinned Bakery Co.', { exact: true }).waitFor()
  await about.getByText('Name, picture, and an ID for this mini app').waitFor()
  await about.getByText('None are approved.').waitFor()
  expect(await faults(page)).toEqual([])
  await picture(page, 'host-about.en.light.phone')
  await pressEscape(page)
  await page.getByRole('button', { name: 'Leave mini app' }).click()
  const pinned = page.getByRole('region', { name: 'Pinned', exact: true })
  await pinned.getByRole('link', { name: 'Pinned Bakery' }).click()
  const kept = await page.evaluate((key) => localStorage.getItem(key), `souk.host.shelf.${uid}`)
  expect(JSON.parse(kept!)).toEqual({ recent: [shop.appid], pinned: [shop.appid] })

  await page.getByRole('button', { name: 'Mini app menu' }).click()
  await page.getByRole('button', { name: 'Unpin from home page' }).click()
  await pressEscape(page)
  await page.getByRole('button', { name: 'Leave mini app' }).click()
  await page.getByRole('searchbox').waitFor()
  expect(await pinned.count()).toBe(0)
  expect(page.complaints).toEqual([])
})

test('returns to the current release of a mini app, and reports if it is no longer available', async () => {
  const shop = await bakery('Night Bakery')
  const page = await hostPage(await newUser('Rana'))
  await enterMiniApp(page, shop)
  const opened = () => page.locator(`iframe[src^="/mini/${shop.appid}/"]`).getAttribute('src')
  const first = await opened()
  const leave = page.getByRole('button', { name: 'Leave mini app' })
  const open = () => chooseMiniApp(page, shop)

  await leave.click()
  await enterMiniApp(page, shop)
  expect(await opened()).toBe(first)

  await leave.click()
  const second = await shop.upload('1.0.1', await builtMiniApp())
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect
    .poll(async () => {
      await open()
      const now = await opened()
      await leave.click()
      return now
    })
    .toContain(second)

  await open()
  await started(page, shop)
  await manage('PATCH', `apps/${shop.appid}`, { enabled: false })
  await page.getByRole('button', { name: 'Mini app menu' }).click()
  await page.getByRole('button', { name: 'Restart' }).click()
  await page.getByText('This mini app does not exist or is not available to you.').waitFor()
  await manage('PATCH', `apps/${shop.appid}`, { enabled: true })
})

test('focuses the mini app that becomes visible, labeled with its name', async () => {
  const [one, other] = [await bakery('Corner Bakery'), await bakery('Harbour Bakery')]
  const page = await hostPage(await newUser('Salma'))
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await enterMiniApp(page, one)
  await expect.poll(focused).toBe('Corner Bakery')
  await page.getByRole('button', { name: 'Leave mini app' }).click()
  await enterMiniApp(page, other)
  await expect.poll(focused).toBe('Harbour Bakery')
})

test('the focus returns to the button of the menu, also from a sheet that the menu has opened', async () => {
  const page = await hostPage(await newUser('Noura'))
  await enterMiniApp(page, await bakery())
  const menu = page.getByRole('button', { name: 'Mini app menu' })
  const hasFocus = () => menu.evaluate((button) => button === document.activeElement)
  for (const entry of ['About', 'Feedback', 'Report']) {
    await menu.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: entry, exact: true }).press('Enter')
    await page.getByRole('dialog', { name: / Old Town Bakery/ }).waitFor()
    await pressEscape(page)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(hasFocus).toBe(true)
  }
})

test('a tap beside the feedback sheet keeps what was written', async () => {
  const page = await hostPage(await newUser('Noura'))
  await enterMiniApp(page, await bakery())
  const sheet = page.getByRole('dialog')
  const open = async () => {
    await page.getByRole('button', { name: 'Mini app menu' }).click()
    await sheet.getByRole('button', { name: 'Feedback', exact: true }).click()
    await sheet.getByRole('textbox').waitFor()
  }
  await open()
  await sheet.getByRole('textbox').fill('The cake is a picture')
  await page.locator('.sheet-scrim').click({ position: { x: 20, y: 20 } })
  expect(await sheet.getByRole('textbox').inputValue()).toBe('The cake is a picture')
  await pressEscape(page)
  await sheet.waitFor({ state: 'detached' })
  await open()
  await page.locator('.sheet-scrim').click({ position: { x: 20, y: 20 } })
  await sheet.waitFor({ state: 'detached' })
})

test('the browser’s back button goes back within the mini app, and leaves it from the first page', async () => {
  const shop = await bakery()
  const page = await hostPage(await newUser('Noura'))
  const frame = await enterMiniApp(page, shop)
  await frame.getByText('Date cake').click()
  await frame.getByText('Cake 7').waitFor()
  await page.getByRole('heading', { name: 'Date cake' }).waitFor()
  await page.goBack()
  await frame.getByText('Fresh from the oven').waitFor()
  expect(new URL(page.url()).pathname).toBe(`/host/apps/${shop.appid}`)
  await page.goBack()
  await page.waitForURL('**/host/')
  expect(page.complaints).toEqual([])
})

test('opens a page by URL, including the host’s web view', async () => {
  const shop = await bakery()
  const page = await hostPage(await newUser('Noura'))
  const frame = await openMiniApp(page, shop, `?page=${encodeURIComponent('pages/item/item?id=12')}`)
  await frame.getByText('Cake 12').waitFor()
  await page.getByRole('heading', { name: 'Date cake' }).waitFor()
  await picture(page, 'host-mini-app-page')
  // Restarting opens the launch page.
  await page.getByRole('button', { name: 'Mini app menu' }).click()
  await page.getByRole('button', { name: 'Restart' }).click()
  await (await started(page, shop)).getByText('Fresh from the oven').waitFor()

  const site = createServer((_request, response) =>
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Site</title><h1>A site of its own</h1>'),
  ).listen(0, '127.0.0.1')
  onTestFinished(() => void site.close())
  await new Promise((resolve) => site.once('listening', resolve))
  const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/offer`
  const open = (src: string) =>
    page.goto(`apps/${shop.appid}?page=${encodeURIComponent(`pages/webview/webview?src=${encodeURIComponent(src)}`)}`)
  await open(address)
  const web = page.frameLocator('iframe[src^="/web-view?"]').frameLocator('iframe')
  await web.getByText('A site of its own').waitFor()
  await page.getByRole('heading', { name: new URL(address).host }).waitFor()
  await picture(page, 'host-web-view')
  // The covered mini app cannot be reached.
  await started(page, shop)
  for (let press = 0; press < 4; press += 1) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('.souk-mini-app'))).toBeNull()
  }
  // The mini app has started behind it and is visible after going back.
  await page.getByRole('button', { name: 'Back' }).filter(shown).click()
  await (await started(page, shop)).getByText('Fresh from the oven').waitFor()

  // URLs of this server and non-web URLs are rejected.
  for (const src of [`${serverUrl()}/console/`, 'javascript:alert(1)', 'data:text/html,hello', '']) {
    await open(src)
    await page.getByRole('alert').getByText('cannot be shown here').waitFor()
  }
  expect(page.complaints).toEqual([])
})

test('a local page in a web-view is part of the release, and opens pages of the mini app', async () => {
  const shop = await bakery()
  const page = await hostPage(await newUser('Noura'))
  const frame = await openMiniApp(page, shop, `?page=${encodeURIComponent('pages/help/help')}`)
  await frame.getByText('Help is open').waitFor()
  const local = frame.frameLocator('neu-web-view iframe')
  expect(await local.getByRole('heading').evaluate((it) => getComputedStyle(it).color)).toBe('rgb(11, 107, 99)')
  await picture(page, 'host-local-page')
  await local.getByRole('button', { name: 'Order' }).click()
  await frame.getByText('Cake 12').waitFor()
  expect(page.complaints).toEqual([])
})

test('rotates the device for a landscape page until the mini app is left', async () => {
  const shop = await bakery()
  const page = await hostPage(await newUser('Noura'), { device: 'desktop' })
  const screen = async () => {
    const { width, height } = (await page.locator('.screen').boundingBox())!
    return width > height ? 'landscape' : 'portrait'
  }
  const frame = await openMiniApp(page, shop)
  expect(await screen()).toBe('portrait')
  await neu(frame, 'navigateTo', { url: '/pages/board/board' })
  await expect.poll(screen).toBe('landscape')
  await picture(page, 'host-landscape')
  await page.getByRole('button', { name: 'Leave mini app' }).click()
  await expect.poll(screen).toBe('portrait')
  expect(page.complaints).toEqual([])
})

test('testers choose among versions; other users get the published one', async () => {
  const shop = await bakery()
  const notes = { zh_CN: '新蛋糕', en: 'New cakes' }
  const next = await shop.upload('2.0.0-beta.1', await builtMiniApp(), false, notes)
  const [tester, other] = await Promise.all([newUser('Tariq'), newUser('Bilal')])
  await manage('POST', `apps/${shop.appid}/testers`, { uids: [tester] })

  const page = await hostPage(tester)
  await openMiniApp(page, shop)
  await page.getByRole('button', { name: 'Mini app menu' }).click()
  const menu = page.getByRole('dialog', { name: 'Old Town Bakery' })
  await menu.getByText('Version').first().waitFor()
  await picture(page, 'host-menu-tester')
  await menu.getByRole('button', { name: '2.0.0-beta.1' }).click()
  await page.waitForSelector(`iframe[src*="${next}"]`)
  await started(page, shop)
  await page.getByRole('button', { name: 'Mini app menu' }).click()
  expect(await menu.getByRole('button', { name: '2.0.0-beta.1' }).getAttribute('aria-current')).toBe('true')
  await menu.getByText('New cakes').waitFor()
  await picture(page, 'host-menu-news')
  await menu.getByRole('button', { name: 'Restart' }).click()
  await started(page, shop)

  const otherPage = await hostPage(other)
  await openMiniApp(otherPage, shop)
  await otherPage.getByRole('button', { name: 'Mini app menu' }).click()
  await menuOf(otherPage).getByText('1.0.0').waitFor()
  expect(await menuOf(otherPage).getByText('2.0.0-beta.1').count()).toBe(0)
  await otherPage.goto(`apps/${shop.appid}?release=${next}`)
  await otherPage.getByRole('alert').getByText('not available to you').waitFor()

  const testLink = miniAppLink(serverUrl(), { appid: shop.appid, stage: 'development' })
  await page.goto(testLink)
  await page.waitForSelector(`iframe[src*="${next}"]`)
  await otherPage.goto(testLink)
  await otherPage.getByRole('alert').getByText('not available to you').waitFor()
  expect([...page.complaints, ...otherPage.complaints]).toEqual([])
})

test('the menu shows what is new in the language that was chosen last, whichever arrives last', async () => {
  const shop = await openShop('Old Town Bakery')
  await shop.upload('1.0.0', await builtMiniApp(), true, { en: 'New cakes', zh_CN: '新蛋糕' })
  const page = await hostPage(await newUser('Noura'), { device: 'desktop' })
  await enterMiniApp(page, shop)
  const release = await holdRequests(page, '**/note?language=en')
  const asked = page.waitForRequest('**/note?language=en')
  await page.getByRole('button', { name: 'Mini app menu' }).click()
  const late = await asked
  await page.getByLabel('Language').selectOption('zh-CN')
  await page.getByText('新蛋糕').waitFor()
  release()
  // Null if the page has aborted the request.
  await (await late.response())?.finished()
  // The page draws a response in the next frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  expect(await page.locator('.mini-app-news').textContent()).toBe('新蛋糕')
})

test('loads the manifests of the mini apps opened last before the user chooses one', async () => {
  const shop = await bakery()
  const page = await hostPage(await newUser('Noura'))
  await openMiniApp(page, shop)
  // The manifest is also loaded when the pointer is over a mini app.
  await page.mouse.move(0, 0)
  const loaded = page.waitForRequest(`**/mini/${shop.appid}/*/souk-app.json`)
  await page.goto('')
  await loaded
})

test('copies the link of a mini app if the browser does not let the host share it', async () => {
  const page = await hostPage(await newUser('Noura'))
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await enterMiniApp(page, await bakery())
  await page.evaluate(() => {
    navigator.share = async () => {
      throw new DOMException('Permission denied', 'NotAllowedError')
    }
  })
  await page.getByRole('button', { name: 'Mini app menu' }).click()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await takesInput(page)
  await page.getByRole('button', { name: 'Share link' }).click()
  await page.getByText('Link copied').waitFor()
  // The user closed the share sheet.
  await page.evaluate(() => {
    navigator.share = async () => {
      document.title = 'asked'
      throw new DOMException('Share canceled', 'AbortError')
    }
  })
  await page.getByText('Link copied').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Mini app menu' }).click()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await takesInput(page)
  await page.getByRole('button', { name: 'Share link' }).click()
  await expect.poll(() => page.title()).toBe('asked')
  expect(await page.getByText('Link copied').count()).toBe(0)
})

test('shows why a mini app cannot be opened, and lets the user leave', async () => {
  const unreleased = await openShop('Empty Bakery')
  const page = await hostPage(await newUser('Noura'))
  await page.goto(`apps/${unreleased.appid}`)
  await page.getByRole('alert').getByText('has not been released').waitFor()
  await picture(page, 'host-unreleased')
  await page.goto('apps/a00000000000000')
  await page.getByRole('alert').getByText('does not exist').waitFor()
  const shop = await bakery()
  await page.route('**/souk-app.json', (route) => route.fulfill({ status: 404 }))
  await page.goto(`apps/${shop.appid}`)
  await page.getByRole('alert').getByText('could not be loaded').waitFor()
  await page.unroute('**/souk-app.json')
  await page.route('**/souk-app.json', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), minRuntime: '999.0.0' } })
  })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('alert').getByText('needs a newer version of this application').waitFor()
  expect(await page.locator('iframe').count()).toBe(0)
  await picture(page, 'host-outdated')
  await page.unroute('**/souk-app.json')
  await page.goto(`apps/${shop.appid}`)
  await started(page, shop)
  await page.getByRole('button', { name: 'Leave mini app' }).click()
  await page.waitForURL('**/host/')
  expect(page.complaints).toEqual([])
})

test('opens a development server on this device only', async () => {
  const shop = await openShop('New Bakery')
  const server = await serve({ project: miniAppFolder, platform: 'Mini App', port: 0 })
  onTestFinished(() => server.close())
  const page = await hostPage(await newUser('Noura'))
  await page.goto(`apps/${shop.appid}?dev=${encodeURIComponent(server.urls[0]!)}`)
  const { origin } = new URL(server.urls[0]!)
  const frame = (await (await page.waitForSelector(`iframe[src^="${origin}"]`)).contentFrame())!
  await frame.getByText('Fresh from the oven').waitFor()
  await page.getByRole('heading', { name: 'Old Town Bakery' }).waitFor()
  const { code } = (await neu<{ code: string }>(frame, 'login')) as { code: string }
  expect(await profileOf(shop, code)).toMatchObject({ nickName: 'Noura' })
  await page.getByRole('button', { name: 'Mini app menu' }).click()
  await menuOf(page).getByText('Development server').waitFor()

  for (const address of ['http://192.0.2.7:5173/', 'https://localhost:5173/', 'http://localhost.example.com/']) {
    await page.goto(`apps/${shop.appid}?dev=${encodeURIComponent(address)}`)
    await page.getByRole('alert').getByText('can only be opened in a sandbox').waitFor()
  }
  expect(page.complaints).toEqual([])
})

const menuOf = (page: Awaited<ReturnType<typeof hostPage>>) => page.getByRole('dialog')

test('a release with themes and languages follows those of the host, also while it is open', async () => {
  const shop = await bakery()
  const page = await hostPage(await newUser('Noura'))
  const frame = await openMiniApp(page, shop)
  await neu(frame, 'navigateTo', { url: '/pages/season/season' })
  await page.locator('.neu-navbar').getByText('In season').waitFor()
  const bar = () =>
    page.locator('.neu-navbar').evaluate((it) => {
      const background = it.querySelector('.neu-navbar-background')!
      return [getComputedStyle(it).color, getComputedStyle(background).backgroundColor]
    })
  await expect.poll(bar).toEqual(['rgb(0, 0, 0)', 'rgb(221, 238, 221)'])
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(bar).toEqual(['rgb(255, 255, 255)', 'rgb(17, 51, 17)'])
  await picture(page, 'host-dark-bar')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(bar).toEqual(['rgb(0, 0, 0)', 'rgb(221, 238, 221)'])

  // Before any script of the mini app runs, the bars are drawn from the manifest.
  const chinese = await hostPage(await newUser('Noura'), { language: 'zh-CN', scheme: 'dark' })
  await chinese.route(`**/mini/${shop.appid}/**/*.js`, () => {})
  await chinese.goto(`apps/${shop.appid}?page=pages/season/season`)
  await chinese.locator('.neu-navbar').getByText('当季').waitFor()
  expect(page.complaints).toEqual([])
})

test('shows the page below a transparent page, with its bars, until another page covers both', async () => {
  const shop = await bakery()
  const page = await hostPage(await newUser('Noura'))
  const frame = await openMiniApp(page, shop)
  const windows = () =>
    frame
      .locator('neu-page-window')
      .evaluateAll((all) => all.map((it) => [getComputedStyle(it).visibility, it.hasAttribute('inert')]))
  const titles = () => page.locator('.neu-navbar').allTextContents()
  expect(await windows()).toEqual([['visible', false]])
  await neu(frame, 'navigateTo', { url: '/pages/sheet/sheet' })
  await frame.getByText('Two cakes added').waitFor()
  await expect.poll(windows).toEqual([
    ['visible', true],
    ['visible', false],
  ])
  await expect.poll(titles).toEqual([expect.stringContaining('Old Town Bakery')])
  expect(await page.locator('.neu-tabbar').boundingBox()).toMatchObject({ y: 794, height: 50 })
  // The bars of the page below are behind the frame: nothing of them can be used.
  const tab = (await page.locator('.neu-tabbar').boundingBox())!
  expect(await page.evaluate(([x, y]) => document.elementFromPoint(x!, y!)?.tagName, [tab.x + 60, tab.y + 25])).toBe(
    'IFRAME',
  )
  await picture(page, 'host-transparent-page')
  await neu(frame, 'navigateTo', { url: '/pages/item/item' })
  await expect.poll(windows).toEqual([
    ['hidden', true],
    ['hidden', true],
    ['visible', false],
  ])
  await expect.poll(titles).toEqual([expect.stringContaining('Date cake')])
  await neu(frame, 'navigateBack', { delta: 2 })
  await expect.poll(windows).toEqual([['visible', false]])
  await expect.poll(titles).toEqual([expect.stringContaining('Old Town Bakery')])
  expect(page.complaints).toEqual([])
})
