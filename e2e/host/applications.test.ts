import type { Frame } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { WatchedPage } from '../console.ts'
import { takesInput } from '../hostQuestion.ts'
import { builtMiniApp, frameOf, hostPage, neu, newUser, openMiniApp, openShop, type Shop, started } from './fixture.ts'

/** Other mini apps, applications, pages and pictures that a mini app opens or shares. */

let shop: Shop
let other: Shop
let uid: number
beforeAll(async () => {
  ;[shop, other] = (await Promise.all(['Old Town Bakery', 'Harbour Bakery'].map(openShop))) as [Shop, Shop]
  await Promise.all([shop, other].map(async (each) => each.upload('1.0.0', await builtMiniApp())))
  uid = await newUser('Noura', { country: '+966', phone: '500000007' })
})

async function open(): Promise<{ page: WatchedPage; frame: Frame }> {
  const page = await hostPage(uid)
  return { page, frame: await openMiniApp(page, shop) }
}

/** Allows what the host asks next. */
async function allow(page: WatchedPage): Promise<void> {
  await page.locator('[role=dialog]:not(.sheet-waiting)').getByRole('button', { name: 'Allow', exact: true }).click()
}

async function launchOptions(frame: Frame): Promise<object> {
  // Functions that the project does not mention come with the services.
  await neu(frame, 'getProvider', { service: 'share' })
  return frame.evaluate(() =>
    (window as unknown as { uni: { getLaunchOptionsSync(): object } }).uni.getLaunchOptionsSync(),
  )
}

test('a mini app passes data to another one, which finds it in its launch options', async () => {
  const { page, frame } = await open()
  expect(await launchOptions(frame)).toMatchObject({ scene: 1001, referrerInfo: {} })
  const extraData = { order: { id: 7 } }
  const opening = neu(frame, 'navigateToMiniProgram', { appId: other.appid, path: 'pages/cart/cart?id=7', extraData })
  await allow(page)
  expect(await opening).toEqual({ errMsg: 'navigateToMiniProgram:ok' })
  expect(await launchOptions(await started(page, other))).toEqual({
    path: 'pages/cart/cart',
    query: { id: '7' },
    scene: 1037,
    referrerInfo: { appId: shop.appid, extraData },
  })
  expect(page.url()).not.toContain('order')
})

test('another version of a mini app opens if there is one, and otherwise not even a question', async () => {
  const { page, frame } = await open()
  const navigate = (envVersion: string) => neu(frame, 'navigateToMiniProgram', { appId: other.appid, envVersion })
  const fail = 'navigateToMiniProgram:fail'
  expect(await navigate('develop')).toBe(`${fail} the mini app has no develop version that the user can open`)
  expect(await navigate('beta')).toBe(`${fail} envVersion must be one of release, trial, develop`)
  const opening = navigate('release')
  await allow(page)
  expect(await opening).toEqual({ errMsg: 'navigateToMiniProgram:ok' })
})

test('another application opens after the user has agreed', async () => {
  const { page, frame } = await open()
  const url = `${new URL(page.url()).origin}/healthz`
  const opening = neu(frame, 'launchApp', { url })
  await page.getByRole('dialog').getByText(url).waitFor()
  const opened = page.context().waitForEvent('page')
  await allow(page)
  expect(await opening).toEqual({ errMsg: 'launchApp:ok' })
  expect((await opened).url()).toMatch(/^about:blank$|healthz$/)
  await (await opened).close()
  const scripts = 'launchApp:fail url must be an address with the scheme of an application'
  expect(await neu(frame, 'launchApp', { url: 'javascript:alert(1)' })).toContain(scripts)
  const identity = 'launchApp:fail an application can only be opened by its url here'
  expect(await neu(frame, 'launchApp', { identity: 'com.example.bank' })).toBe(identity)
})

test('pictures and pages are shared by the share sheet of the device', async () => {
  const { page, frame } = await open()
  await page.evaluate(() => {
    const shared: unknown[] = []
    Object.assign(window, { shared })
    navigator.canShare = () => true
    navigator.share = async ({ files = [], ...texts } = {}) =>
      void shared.push({ ...texts, files: files.map(({ name, type }) => [name, type]) })
  })
  const png =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const sharing = neu(frame, 'share', { type: 2, title: 'Cake', imageUrl: png })
  await page.getByRole('dialog').locator(`img[src="${png}"]`).waitFor()
  await allow(page)
  expect(await sharing).toEqual({ errMsg: 'share:ok' })
  const message = neu(frame, 'shareMiniAppMessage', { title: 'Two date cakes', path: '/pages/cart/cart?id=7' })
  await page.getByRole('dialog').getByText('Two date cakes').waitFor()
  await takesInput(page)
  await page.getByRole('button', { name: 'Share link' }).click()
  expect(await message).toEqual({ errMsg: 'shareMiniAppMessage:ok' })
  const link = `${new URL(page.url()).origin}/host/apps/${shop.appid}?page=pages%2Fcart%2Fcart%3Fid%3D7&from=card`
  expect(await page.evaluate(() => (window as unknown as { shared: unknown[] }).shared)).toEqual([
    { files: [['picture.png', 'image/png']] },
    { title: 'Two date cakes', url: link, files: [] },
  ])
})

test('a mini app starts again at a page, and shows the inspector of a sandbox', async () => {
  const { page, frame } = await open()
  await neu(frame, 'setEnableDebug', { enableDebug: true })
  const inspector = page.locator('.inspector-sheet')
  await inspector.waitFor()
  await neu(frame, 'setEnableDebug', { enableDebug: false })
  await inspector.waitFor({ state: 'detached' })
  // It ends before it gets the answer.
  await frame.evaluate(() => {
    const { uni } = window as unknown as { uni: { restartMiniProgram(options: object): Promise<object> } }
    void uni.restartMiniProgram({ path: 'pages/cart/cart?id=8' })
  })
  await expect
    .poll(async () => launchOptions(await frameOf(page, shop)).catch(() => ({})), { timeout: 20_000 })
    .toMatchObject({ path: 'pages/cart/cart', query: { id: '8' } })
})

test('a mini app learns about its host, and that it has no native plug-ins', async () => {
  const { frame } = await open()
  await neu(frame, 'getProvider', { service: 'share' })
  const info = await frame.evaluate(() =>
    (window as unknown as { uni: { getAppBaseInfo(): object } }).uni.getAppBaseInfo(),
  )
  const version = expect.stringMatching(/^\d+\.\d+\.\d+$/)
  expect(info).toMatchObject({ hostName: 'Souk', hostVersion: version, hostSDKVersion: version, hostPackageName: '' })
  expect(info).toMatchObject({
    appName: '',
    appVersion: '',
    appVersionCode: '',
    appWgtVersion: '',
    uniPlatform: 'mp-neu',
  })
  for (const [name, options] of [
    ['invokeNativePlugin', { api_name: 'readCard' }],
    ['openPressReader', {}],
  ] as const)
    expect(await neu(frame, name, options)).toBe(`${name}:fail the host application has no native plug-ins`)
})

test('a page turns its bar in the host around, beside the capsule, which stays', async () => {
  const { page, frame } = await open()
  const bar = page.locator('.souk-mini-app-bars .neu-navbar').last()
  const capsule = page.locator('.souk-mini-app-capsule')
  const before = await capsule.boundingBox()
  await neu(frame, 'setPageMeta', { pageStyle: 'direction: rtl' })
  await expect.poll(() => bar.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl')
  expect(await capsule.boundingBox()).toEqual(before)
  const { x, width } = (await bar.locator('.neu-navbar-title').boundingBox())!
  expect(x + width).toBeLessThanOrEqual(before!.x)
})
