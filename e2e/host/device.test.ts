import type { BrowserContext, Frame } from 'playwright-core'
import encodeQR from 'qr'
import { beforeAll, describe, expect, test } from 'vitest'
import { afterTest } from '../browser.ts'
import { consolePage, faults, type Look, openMenu, picture, settled, type WatchedPage } from '../console.ts'
import { pressEscape } from '../hostQuestion.ts'
import {
  builtMiniApp,
  enterMiniApp,
  frameOf,
  hostPage,
  manage,
  memberOf,
  neu,
  newUser,
  openMiniApp,
  openShop,
  type Shop,
  serverUrl,
  started,
} from './fixture.ts'

/** Device functions of a mini app, and the dialogs in which the host asks its user first. */

const code = 'https://coffee.example/tables/7'
let shop: Shop
let page: WatchedPage
let frame: Frame

beforeAll(async () => {
  shop = await openShop('Old Town Bakery')
  await shop.upload('1.0.0', await builtMiniApp())
  page = await hostPage(await newUser('Noura'))
  await page.context().grantPermissions(['geolocation', 'accelerometer', 'gyroscope', 'magnetometer'])
  await page.context().setGeolocation({ latitude: 24.7136, longitude: 46.6753 })
  await simulateDevice(page.context())
  frame = await enterMiniApp(page, shop)
})

/** Simulates a camera that sees this code, a microphone, motion and a share sheet. */
async function simulateDevice(context: BrowserContext, seen = encodeQR(code, 'raw')): Promise<void> {
  afterTest(() => context.close())
  await context.addInitScript((rows) => {
    if (window.origin === 'null') return
    const camera = document.createElement('canvas')
    camera.width = 640
    camera.height = 480
    const draw = camera.getContext('2d')!
    setInterval(() => {
      draw.fillStyle = '#fff'
      draw.fillRect(0, 0, 640, 480)
      draw.fillStyle = '#000'
      for (const [y, row] of rows.entries())
        for (const [x, isDark] of row.entries()) if (isDark) draw.fillRect(150 + x * 10, 70 + y * 10, 10, 10)
    }, 50)
    const device = { shared: [] as unknown[], tracks: [] as MediaStreamTrack[] }
    Object.assign(window, { device })
    if (navigator.mediaDevices)
      navigator.mediaDevices.getUserMedia = async ({ audio } = {}) => {
        const audioContext = new AudioContext()
        const stream = audio ? audioContext.createMediaStreamDestination().stream : camera.captureStream(20)
        device.tracks.push(...stream.getTracks())
        return stream
      }
    navigator.share = async (data) => void device.shared.push(data)
    setInterval(() => {
      dispatchEvent(new DeviceMotionEvent('devicemotion', { acceleration: { x: 1, y: 2, z: 3 } }))
      dispatchEvent(new DeviceOrientationEvent('deviceorientationabsolute', { alpha: 90, absolute: true }))
    }, 20)
  }, seen)
}

interface SimulatedDevice {
  shared: unknown[]
  tracks: MediaStreamTrack[]
}
declare const device: SimulatedDevice

const dialog = () => page.getByRole('dialog')

const answer = (name: 'Allow' | 'Deny') => dialog().getByRole('button', { name, exact: true }).click()

/** Waits for the host's question and gives the answer. */
async function reply(question: string, name: 'Allow' | 'Deny'): Promise<void> {
  await dialog().getByText(question).waitFor()
  await answer(name)
  await dialog().getByText(question).waitFor({ state: 'detached' })
}

const png = `data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='}`

/** The functions that ask, with valid options, the question and the outcome when it is allowed. */
const asking: [method: string, options: object, question: string, outcome: object][] = [
  ['getLocation', {}, 'Allow Old Town Bakery to know where you are?', { latitude: 24.7136, longitude: 46.6753 }],
  ['scanCode', {}, 'Allow Old Town Bakery to scan codes with your camera?', { result: code, scanType: 'QR_CODE' }],
  ['saveImageToPhotosAlbum', { filePath: png }, 'Allow Old Town Bakery to save a file?', {}],
  ['share', { title: 'Offer', href: 'https://coffee.example/offer' }, 'Share this from Old Town Bakery?', {}],
  ['startAccelerometer', {}, 'Allow Old Town Bakery to use motion sensors?', {}],
]

test.each(asking)('%s fails if the user refuses or closes the dialog, and then asks again', async (...row) => {
  const [method, options, question, outcome] = row
  const refusals = [() => answer('Deny'), () => pressEscape(page), () => page.goBack()]
  for (const refuse of refusals) {
    const refused = neu(frame, method, options)
    await dialog().getByText(question).waitFor()
    await refuse()
    expect(await refused).toBe(`${method}:fail the user refused`)
    await dialog().waitFor({ state: 'detached' })
  }
  const allowed = neu(frame, method, options)
  await reply(question, 'Allow')
  expect(await allowed).toMatchObject({ errMsg: `${method}:ok`, ...outcome })
})

test('getLocation, scanCode and sensors ask once until the mini app is closed, the others each time', async () => {
  const { shared } = await page.evaluate(() => device)
  expect(shared).toEqual([{ title: 'Offer', url: 'https://coffee.example/offer' }])
  expect(await neu(frame, 'getLocation')).toMatchObject({ latitude: 24.7136 })
  expect(await neu(frame, 'scanCode')).toMatchObject({ result: code })
  for (const [method, options, question] of asking.slice(2, 4)) {
    const again = neu(frame, method, options)
    await reply(question, 'Deny')
    expect(await again).toBe(`${method}:fail the user refused`)
  }
})

test('maps of openLocation and chooseLocation need no question: the mini app learns the chosen place only', async () => {
  expect(await neu(frame, 'openLocation', { latitude: 24.7, longitude: 46.6, name: 'Corner' })).toEqual({
    errMsg: 'openLocation:ok',
  })
  await dialog().getByRole('heading', { name: 'Corner', exact: true }).waitFor()
  await page.goBack()
  await dialog().waitFor({ state: 'detached' })
  const chosen = neu(frame, 'chooseLocation', { latitude: 24.7, longitude: 46.6 })
  await dialog().getByRole('button', { name: 'Choose this place', exact: true }).click()
  expect(await chosen).toMatchObject({ latitude: 24.7, longitude: 46.6, name: '' })
  const left = neu(frame, 'chooseLocation')
  await dialog().waitFor()
  await page.goBack()
  expect(await left).toBe('chooseLocation:fail cancel')
})

test('the compass reports the direction from north until it is stopped', async () => {
  await frame.evaluate(() => {
    const { uni } = window as unknown as { uni: Record<string, (argument: unknown) => void> }
    uni.onCompassChange!(({ direction }: { direction: number }) => {
      window.name = String(direction)
    })
  })
  await frame.waitForFunction(() => window.name === '270')
  expect(await neu(frame, 'stopCompass')).toMatchObject({ errMsg: 'stopCompass:ok' })
})

/** Simulates the lock that keeps the screen on. Returns a function that returns all locks. */
async function simulateWakeLock(on: WatchedPage) {
  await on.evaluate(() => {
    const locks: { released: boolean }[] = []
    const request = async () => {
      const lock = {
        released: false,
        async release() {
          lock.released = true
        },
      }
      locks.push(lock)
      return lock
    }
    Object.defineProperty(navigator, 'wakeLock', { configurable: true, value: { request } })
    Object.assign(window, { locks })
  })
  return () => on.evaluate(() => (window as unknown as { locks: { released: boolean }[] }).locks)
}

test('the screen stays on until the user leaves the mini app', async () => {
  const locks = await simulateWakeLock(page)
  expect(await neu(frame, 'setKeepScreenOn', { keepScreenOn: true })).toEqual({ errMsg: 'setKeepScreenOn:ok' })
  expect(await locks()).toMatchObject([{ released: false }])
  await page.getByRole('button', { name: 'Leave mini app' }).click()
  await expect.poll(locks).toMatchObject([{ released: true }])
  frame = await enterMiniApp(page, shop)
})

test('the screen stays on when another mini app ends in the background', async () => {
  const other = await openShop('Corner Bakery')
  await other.upload('1.0.0', await builtMiniApp())
  const both = await hostPage(await newUser('Noura'))
  const first = await enterMiniApp(both, shop)
  await both.getByRole('button', { name: 'Leave mini app' }).click()
  await both.waitForURL('**/host/')
  const second = await enterMiniApp(both, other)
  const locks = await simulateWakeLock(both)
  await neu(second, 'setKeepScreenOn', { keepScreenOn: true })
  await first.evaluate(() => location.reload())
  await both.locator('.souk-mini-app-failure').waitFor({ state: 'attached' })
  expect(await neu(second, 'login')).toMatchObject({ code: expect.any(String) })
  expect(await locks()).toMatchObject([{ released: false }])
})

test('an overlay that cannot be loaded fails without blocking the next ones, and is loaded again later', async () => {
  const other = await hostPage(await newUser('Noura'))
  await other.route(/\/(Scanner|PlacePicker)-.*\.js$/, (route) => route.abort())
  const opened = await enterMiniApp(other, shop)
  const shown = other.getByRole('dialog')
  const scanned = neu(opened, 'scanCode')
  const chosen = neu(opened, 'chooseLocation')
  await shown.getByRole('button', { name: 'Allow' }).click()
  expect(await scanned).toMatch(/^scanCode:fail Unable to load .*Scanner/)
  expect(await chosen).toMatch(/^chooseLocation:fail Unable to load .*PlacePicker/)
  const next = neu(opened, 'showModal', { title: 'Next' })
  await shown.getByRole('button', { name: 'OK' }).click()
  expect(await next).toMatchObject({ confirm: true })
  // The network is back.
  await other.unroute(/\/(Scanner|PlacePicker)-.*\.js$/)
  const place = neu(opened, 'chooseLocation')
  await shown.getByRole('button', { name: 'Choose this place' }).waitFor()
  await other.goBack()
  expect(await place).toBe('chooseLocation:fail cancel')
})

/** Records with the recorder of the mini app; returns its events, ended by stop or error. */
const record = (stopsItself: boolean, recording = frame) =>
  recording.evaluate(
    (stopsItself) =>
      new Promise<unknown[]>((resolve) => {
        // biome-ignore lint/suspicious/noExplicitAny: the recorder of the mini app
        const recorder = (window as any).uni.getRecorderManager()
        const events: unknown[] = []
        recorder.onStart(() => {
          events.push('start')
          if (stopsItself) recorder.stop()
        })
        recorder.onStop(({ tempFilePath, fileSize }: { tempFilePath: string; fileSize: number }) =>
          resolve([...events, 'stop', tempFilePath.startsWith('blob:'), fileSize > 0]),
        )
        recorder.onError(({ errMsg }: { errMsg: string }) => resolve([...events, errMsg]))
        recorder.start({ duration: 60_000 })
      }),
    stopsItself,
  )

/** Records with a pause, ms; returns the duration. */
const recordWithPause = (pause: number) =>
  frame.evaluate(
    (pause) =>
      new Promise<number>((resolve, reject) => {
        // biome-ignore lint/suspicious/noExplicitAny: the recorder of the mini app
        const recorder = (window as any).uni.getRecorderManager()
        recorder.onStart(() => {
          recorder.pause()
          setTimeout(() => {
            recorder.resume()
            recorder.stop()
          }, pause)
        })
        recorder.onStop(({ duration }: { duration: number }) => resolve(duration))
        recorder.onError(({ errMsg }: { errMsg: string }) => reject(new Error(errMsg)))
        recorder.start({ duration: 60_000 })
      }),
    pause,
  )

const question = 'Allow Old Town Bakery to record sound?'
const isLive = (kind: 'audio' | 'video') =>
  page.evaluate((kind) => device.tracks.some((track) => track.kind === kind && track.readyState === 'live'), kind)
const isListening = () => isLive('audio')

test('records sound after consent, until the user leaves the mini app, or it ends or starts again', async () => {
  const refused = record(true)
  await reply(question, 'Deny')
  expect(await refused).toEqual(['getRecorderManager:fail the user refused'])
  expect(await isListening()).toBe(false)
  const recorded = record(true)
  await reply(question, 'Allow')
  expect(await recorded).toEqual(['start', 'stop', true, true])
  expect(await recordWithPause(1500)).toBeLessThan(1500)
  const left = record(false)
  await expect.poll(isListening).toBe(true)
  await page.getByRole('button', { name: 'Leave mini app' }).click()
  await expect.poll(isListening).toBe(false)
  expect(await left).toEqual(['start', 'stop', true, expect.any(Boolean)])
  // Hidden, it can do nothing with the device.
  expect(await neu(frame, 'getLocation')).toBe('getLocation:fail the mini app is not in the foreground')
  frame = await enterMiniApp(page, shop)

  const lost = record(false).catch(() => 'gone')
  await expect.poll(isListening).toBe(true)
  await page.getByRole('button', { name: 'Mini app menu' }).click()
  await page.getByRole('button', { name: 'Restart' }).click()
  expect(await lost).toBe('gone')
  await expect.poll(isListening).toBe(false)
  frame = await started(page, shop)
  const replaced = record(false).catch(() => 'gone')
  await expect.poll(isListening).toBe(true)
  await frame.evaluate(() => location.reload()).catch(() => {})
  expect(await replaced).toBe('gone')
  await expect.poll(isListening).toBe(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  frame = await started(page, shop)
})

test('the camera is turned off when the user leaves the mini app', async () => {
  // It sees a wall instead of a code.
  await page.evaluate(() => {
    const { mediaDevices } = navigator
    const { getUserMedia } = mediaDevices
    mediaDevices.getUserMedia = async () => {
      mediaDevices.getUserMedia = getUserMedia
      const wall = document.createElement('canvas')
      wall.getContext('2d')!.fillRect(0, 0, 100, 100)
      const stream = wall.captureStream(20)
      device.tracks.push(...stream.getTracks())
      return stream
    }
  })
  const scanning = neu(frame, 'scanCode')
  await expect.poll(() => isLive('video')).toBe(true)
  await page.getByRole('button', { name: 'Leave mini app' }).click()
  expect(await scanning).toBe('scanCode:fail cancel')
  await expect.poll(() => isLive('video')).toBe(false)
  frame = await enterMiniApp(page, shop)
})

test.each([
  ['openLocation', { latitude: 91, longitude: 0 }, 'latitude must be a number from -90 to 90'],
  ['openLocation', { latitude: '24', longitude: 0 }, 'parameter error: parameter.latitude should be Number'],
  ['saveImageToPhotosAlbum', { filePath: 'data:text/html;base64,AAAA' }, 'the file is not of the type image'],
  ['openDocument', { filePath: 'data:text/html;base64,AAAA' }, 'files of the type "text/html" cannot be saved'],
  ['share', { href: 'javascript:alert(1)' }, 'url must be an absolute http or https URL'],
  ['navigateToMiniProgram', { appId: '../console' }, 'appid must be the id of a mini app'],
  ['navigateToMiniProgram', { appId: 'a00000000000000' }, 'the mini app is not available'],
  ['removeSavedFile', { filePath: 'souk-file://saved/none.png' }, 'no such file "souk-file://saved/none.png"'],
])('%s with %o fails with the reason', async (method, options, reason) => {
  const failed = neu(frame, method, options)
  if (method === 'openDocument') await reply('Allow Old Town Bakery to save a file?', 'Allow')
  expect(await failed).toContain(`${method}:fail ${reason}`)
  expect(await dialog().count()).toBe(0)
})

test('a saved file can be read after the mini app was opened again, by no other one', async () => {
  const [saved, other] = await Promise.all([
    neu<{ savedFilePath: string }>(frame, 'saveFile', { tempFilePath: png }),
    openShop('Corner Bakery'),
  ])
  const { savedFilePath } = saved as { savedFilePath: string }
  await other.upload('1.0.0', await builtMiniApp())
  await page.reload()
  frame = await openMiniApp(page, shop)
  const fileList = [{ filePath: savedFilePath, size: 70, createTime: expect.any(Number) }]
  expect(await neu(frame, 'getSavedFileList')).toMatchObject({ fileList })
  expect(await neu(frame, 'getImageInfo', { src: savedFilePath })).toMatchObject({ width: 1, height: 1 })
  const theirs = await openMiniApp(page, other)
  expect(await neu(theirs, 'getSavedFileList')).toMatchObject({ fileList: [] })
  frame = await openMiniApp(page, shop)
  expect(await neu(frame, 'removeSavedFile', { filePath: savedFilePath })).toMatchObject({
    errMsg: 'removeSavedFile:ok',
  })
  expect(await neu(frame, 'getSavedFileList')).toMatchObject({ fileList: [] })
})

test('opens another mini app after the user agreed', async () => {
  const other = await openShop('Harbour Bakery')
  await other.upload('1.0.0', await builtMiniApp())
  const options = { appId: other.appid, path: 'pages/item/item?id=12' }
  const refused = neu(frame, 'navigateToMiniProgram', options)
  await reply('Harbour Bakery', 'Deny')
  expect(await refused).toBe('navigateToMiniProgram:fail the user refused')
  void neu(frame, 'navigateToMiniProgram', options).catch(() => {})
  await dialog().getByText('Harbour Bakery').waitFor()
  await picture(page, 'host-open-mini-app')
  await answer('Allow')
  await page.waitForURL(`**/apps/${other.appid}`)
  await page.frameLocator(`iframe[src*="/mini/${other.appid}/"]`).getByText('Cake 12').waitFor()
  expect(page.complaints).toEqual([])
})

const looks: Look[] = [
  { language: 'zh-CN', scheme: 'dark', device: 'phone' },
  { language: 'ar', scheme: 'light', device: 'desktop' },
]
const scripts = { 'zh-CN': /\p{Script=Han}{2}/u, ar: /\p{Script=Arabic}{3}/u, en: /[a-z]/ }

test.each(looks)('the dialogs are translated and accessible in $language, $scheme, $device', async (look) => {
  const shown = await hostPage(await newUser('Noura'), look)
  // A code would close the camera immediately.
  await simulateDevice(shown.context(), [])
  const opened = await openMiniApp(shown, shop)
  const notice = shown.locator('.privacy-notice button')
  await notice.click()
  await notice.waitFor({ state: 'detached' })
  const asked = shown.getByRole('dialog')
  const save = (name: string) => picture(shown, `host-${name}.${look.language}.${look.scheme}.${look.device}`)
  const texts = new Set<string>()

  const questions = [
    ...asking.map(([method, options]) => ({ method, start: () => neu(opened, method, options) })),
    { method: 'getClipboardData', start: () => neu(opened, 'getClipboardData') },
    { method: 'navigateToMiniProgram', start: () => neu(opened, 'navigateToMiniProgram', { appId: shop.appid }) },
    { method: 'getRecorderManager', start: async () => (await record(true, opened))[0] },
  ]
  for (const { method, start } of questions) {
    const refused = start()
    await asked.waitFor()
    await save(`ask-${method}`)
    texts.add(await asked.innerText())
    // All questions are drawn by one component; this one has the longest text.
    if (method === 'share') {
      expect(await faults(shown)).toEqual([])
    }
    await pressEscape(shown)
    expect(await refused).toBe(`${method}:fail the user refused`)
    await asked.waitFor({ state: 'detached' })
  }

  const scanning = neu(opened, 'scanCode')
  await asked.locator('.sheet-actions .primary').click()
  const scanner = shown.locator('.neu-scanner')
  await scanner.waitFor()
  await shown.waitForFunction(() => document.querySelector<HTMLVideoElement>('.neu-scanner video')!.currentTime > 0)
  await save('scanner')
  texts.add(await scanner.innerText())
  expect(await faults(shown)).toEqual([])
  // Both are readable on any picture of the camera.
  const backgrounds = await scanner
    .locator('.neu-scanner-actions > *')
    .evaluateAll((actions) => actions.map((action) => getComputedStyle(action).backgroundColor))
  expect(backgrounds).toEqual(['rgba(0, 0, 0, 0.733)', 'rgba(0, 0, 0, 0.733)'])
  await shown.keyboard.press('Escape')
  expect(await scanning).toBe('scanCode:fail cancel')

  expect(texts.size).toBe(questions.length + 1)
  expect([...texts].filter((text) => !scripts[look.language].test(text))).toEqual([])
})

describe('the inspector', () => {
  const inspector = () => page.getByRole('region', { name: 'Inspector', exact: true })
  const show = (name: string) => inspector().getByRole('tab', { name }).click()
  const rows = () => inspector().getByRole('tabpanel').locator('li')

  /** Waits until the mini app reports to the inspector. */
  async function restarted(): Promise<void> {
    const before = await page.waitForSelector(`iframe[src*="/mini/${shop.appid}/"]`)
    await inspector().getByRole('button', { name: 'Restart mini app', exact: true }).click()
    // The status that follows may be too short to be seen.
    await before.waitForElementState('hidden')
    await inspector().getByRole('status').waitFor({ state: 'detached' })
    frame = await openedFrame()
  }
  const openedFrame = async () => {
    const opened = await frameOf(page, shop)
    await opened.waitForSelector('neu-page')
    return opened
  }

  test('opens from the menu without a restart, and reports values, requests and calls', async () => {
    frame = await openMiniApp(page, shop)
    const scripts = await frame.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    expect(scripts.filter((name) => name.includes('agent'))).toEqual([])
    await page.getByRole('button', { name: 'Mini app menu' }).click()
    await page.getByRole('button', { name: 'Inspector', exact: true }).click()
    await inspector().getByText('Nothing has been logged.').waitFor()
    await inspector().getByRole('status').waitFor({ state: 'detached' })

    await frame.evaluate(() => {
      console.warn('<b>Milk</b> is low', { left: 2, shelves: ['A', 'B'] })
      dispatchEvent(new ErrorEvent('error', { message: 'Uncaught Error: no beans', error: new Error('no beans') }))
    })
    await inspector().getByText('Uncaught Error: no beans', { exact: true }).waitFor()
    await rows().filter({ hasText: '<b>Milk</b> is low' }).locator('summary').click()
    await inspector().getByText('shelves: ["A", "B"]', { exact: true }).waitFor()
    expect(await inspector().getByRole('tab', { name: 'Console' }).innerText()).toMatch(/1$/)
    await picture(page, 'host-inspector-console')
    await inspector().getByLabel('Level').selectOption('Warnings')
    await inspector().getByText('Uncaught Error: no beans', { exact: true }).waitFor({ state: 'detached' })

    await show('Network')
    await frame.evaluate(() => fetch('pages.json', { headers: { Accept: 'text/x-cup' } }).then((it) => it.text()))
    const request = rows().filter({ hasText: 'pages.json' })
    await request.getByText(/^200 · \d+ ms · \d+ B$/).waitFor()
    await request.locator('summary').click()
    await request.getByText('accept: text/x-cup', { exact: true }).waitFor()
    await request.getByText('"navigationBarTitleText": "Old Town Bakery"').waitFor()
    expect(await faults(page)).toEqual([])
    await picture(page, 'host-inspector-network')
    await frame.evaluate(() => fetch('stopped', { signal: AbortSignal.abort() }).catch(() => {}))
    await rows()
      .filter({ hasText: 'stopped' })
      .getByText(/Failed/)
      .waitFor()

    await show('Bridge')
    await neu(frame, 'getUserProfile', { desc: 'for the cup' })
    const call = rows().filter({ hasText: 'getUserProfile' })
    await call.getByText(/^\d+ ms$/).waitFor()
    await call.locator('summary').first().click()
    await call.getByText('desc: "for the cup"', { exact: true }).waitFor()
    await call.getByText(/^userInfo: /).waitFor()
    expect(await faults(page)).toEqual([])
    await picture(page, 'host-inspector-bridge')
  })

  test('edits the storage of the running mini app', async () => {
    const stored = () =>
      frame.evaluate(() =>
        (window as unknown as { uni: { getStorageSync(key: string): unknown } }).uni.getStorageSync('size'),
      )
    await show('Storage')
    await neu(frame, 'setStorage', { key: 'size', data: 'small' })
    await inspector().getByLabel('Value of size').fill('"large"')
    await inspector().getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(stored).toBe('large')
    await inspector().getByLabel('Key', { exact: true }).fill('milk')
    await inspector().getByLabel('Value', { exact: true }).fill('"oat"')
    await inspector().getByRole('button', { name: 'Add entry' }).click()
    await inspector().getByLabel('Value of milk').waitFor()
    expect(await faults(page)).toEqual([])
    await picture(page, 'host-inspector-storage')
    await inspector().getByRole('button', { name: 'Delete size' }).click()
    await inspector().getByLabel('Value of size').waitFor({ state: 'detached' })
    await expect.poll(stored).toBe('')
  })

  test('shows pages with the origin of their style, and the launch after a restart', async () => {
    await inspector().getByRole('tab', { name: 'Storage' }).press('ArrowRight')
    await neu(frame, 'navigateTo', { url: '/pages/item/item?id=12' })
    await neu(frame, 'setNavigationBarTitle', { title: 'Cake of the day' })
    const item = rows().filter({ hasText: 'pages/item/item' })
    await item.getByText('?id=12', { exact: true }).waitFor()
    await item.getByText('title: "Cake of the day"', { exact: true }).waitFor()
    const color = item.getByRole('row', { name: 'navigationBarBackgroundColor' })
    await color.getByText('"#0B6B63"', { exact: true }).waitFor()
    await color.getByRole('button', { name: /^page, line \d+$/ }).click()
    await item.getByText('Set on the page', { exact: false }).waitFor()
    await item.getByRole('row', { name: 'backgroundColor "#FFF9EE" globalStyle' }).waitFor()
    expect(await faults(page)).toEqual([])
    await picture(page, 'host-inspector-pages')

    await show('Launch')
    await restarted()
    const stages = inspector().getByRole('rowheader')
    await expect
      .poll(() => stages.allInnerTexts())
      .toEqual(
        expect.arrayContaining(['Document', 'Start of the runtime', 'Answer of the host', 'First page', 'Total']),
      )
    expect(await faults(page)).toEqual([])
    await picture(page, 'host-inspector-launch')
    // The agent was there before the first script of the mini app.
    expect(await frame.evaluate(() => console.log.name)).toBe('')

    await show('Backend')
    await inspector().getByText('Only members of the project see').waitFor()
    await inspector().getByRole('button', { name: 'Close inspector' }).click()
    await inspector().waitFor({ state: 'detached' })
    expect(page.complaints).toEqual([])
  })
  const titles = { 'zh-CN': '调试器', ar: 'أداة الفحص', en: 'Inspector' }

  test.each(looks)('is translated and accessible in $language, $scheme, $device', async (look) => {
    const shown = await hostPage(await newUser('Noura'), look)
    const opened = await openMiniApp(shown, shop)
    await shown.locator('.privacy-notice button').click()
    const title = titles[look.language]
    if (look.device === 'phone') await shown.locator('.capsule button').first().click()
    await shown.getByRole('button', { name: title, exact: true }).click()
    const region = shown.getByRole('region', { name: title, exact: true })
    await region.getByRole('tab').first().waitFor()
    await region.getByRole('status').waitFor({ state: 'detached' })
    await opened.evaluate(() => console.warn('Milk', { left: 2 }))
    await region.getByText('{left: 2}', { exact: true }).waitFor()
    const texts = new Set<string>()
    for (const tab of await region.getByRole('tab').all()) {
      await tab.click()
      texts.add(await tab.innerText())
      expect(await faults(shown)).toEqual([])
    }
    await region.getByRole('tab').first().click()
    await picture(shown, `host-inspector.${look.language}.${look.scheme}.${look.device}`)
    expect([...texts].filter((text) => !scripts[look.language].test(text))).toEqual([])
  })
})

describe('the inspector in the console, for a phone', () => {
  let developer: WatchedPage
  let phone: WatchedPage
  let onPhone: Frame
  const inspector = (console = developer) => console.locator('.souk-inspector')
  const show = (name: string) => inspector().getByRole('tab', { name }).click()
  const rows = () => inspector().getByRole('tabpanel').locator('li')
  const mark = () => phone.locator('.watching-mark')
  let address: string

  async function consoleOf(role: 'editor' | 'viewer', look: Partial<Look> = {}): Promise<WatchedPage> {
    return consolePage(look, await memberOf(shop, role), serverUrl())
  }
  /** Shows a code in the console and returns its link. */
  async function newLink(): Promise<string> {
    await developer.getByRole('button', { name: /^(Show code|New code)$/ }).click()
    await developer.getByRole('img', { name: 'QR code', exact: true }).waitFor()
    return (await developer.getByText(/#inspect=/).textContent())!.trim()
  }

  beforeAll(async () => {
    const { projectId } = await manage<{ projectId: string }>('GET', `apps/${shop.appid}`)
    address = `projects/${projectId}/apps/${shop.appid}`
    developer = await consoleOf('editor')
    phone = await hostPage(await newUser('Noura'), { scheme: 'dark' })
  })

  test('is paired by a code, after the user of the phone has agreed', async () => {
    await developer.goto(address)
    await developer.getByRole('button', { name: 'More actions' }).click()
    await openMenu(developer).getByText('Inspect a phone', { exact: true }).click()
    await settled(developer)
    const link = await newLink()
    await picture(developer, 'console-inspect-code')
    expect(await faults(developer)).toEqual([])
    await phone.goto(link)
    onPhone = await started(phone, shop)
    const question = phone.getByRole('dialog', { name: /watch Old Town Bakery/ })
    await question.waitFor()
    expect(new URL(phone.url()).hash).toBe('')
    await picture(phone, 'host-inspect-question')
    expect(await faults(phone)).toEqual([])
    await question.getByRole('button', { name: 'Allow', exact: true }).click()
    await mark()
      .getByText(/is watching$/)
      .waitFor()
    await developer.getByText('Phone connected', { exact: true }).waitFor()
    await picture(phone, 'host-inspect-watched')
    expect(await faults(phone)).toEqual([])

    // The code has been used.
    const second = await hostPage(await newUser('Omar'))
    await second.goto(link)
    await started(second, shop)
    await second.getByText(/already used, or expired/).waitFor()
  })

  test('shows what the phone reports, and changes its storage', async () => {
    await inspector().getByRole('status').waitFor({ state: 'detached' })
    await onPhone.evaluate(() => console.warn('Milk is low', { left: 2 }))
    await inspector().getByText('{left: 2}', { exact: true }).waitFor()
    await picture(developer, 'console-inspect-console')
    await show('Network')
    await onPhone.evaluate(() => fetch('pages.json').then((it) => it.text()))
    const request = rows().filter({ hasText: 'pages.json' })
    await request.getByText(/^200 · \d+ ms · \d+ B$/).waitFor()
    await request.locator('summary').click()
    await request.getByText('"navigationBarTitleText": "Old Town Bakery"').waitFor()
    await show('Bridge')
    await neu(onPhone, 'getUserProfile', { desc: 'for the cup' })
    await rows()
      .filter({ hasText: 'getUserProfile' })
      .getByText(/^\d+ ms$/)
      .waitFor()

    await show('Storage')
    await neu(onPhone, 'setStorage', { key: 'size', data: 'small' })
    await inspector().getByLabel('Value of size').fill('"large"')
    await inspector().getByRole('button', { name: 'Save', exact: true }).click()
    await expect
      .poll(() =>
        onPhone.evaluate(() =>
          (window as unknown as { uni: { getStorageSync(key: string): unknown } }).uni.getStorageSync('size'),
        ),
      )
      .toBe('large')
    expect(await faults(developer)).toEqual([])

    await show('Pages')
    await rows()
      .first()
      .getByRole('button', { name: /^page, line \d+$/ })
      .first()
      .waitFor()
    await picture(developer, 'console-inspect-pages')
    expect(await faults(developer)).toEqual([])
    await show('Backend')
    await inspector().getByText('The backend has sent no requests.', { exact: true }).waitFor()

    await show('Launch')
    const before = await phone.waitForSelector(`iframe[src*="/mini/${shop.appid}/"]`)
    await inspector().getByRole('button', { name: 'Restart mini app', exact: true }).click()
    await before.waitForElementState('hidden')
    onPhone = await started(phone, shop)
    await inspector().getByRole('rowheader', { name: 'First page', exact: true }).waitFor()
    await inspector().getByRole('rowheader', { name: 'Document', exact: true }).waitFor()
  })

  test('connects again after a reload of either side, and after the network was lost', async () => {
    await developer.reload()
    await inspector().getByRole('status').waitFor({ state: 'detached' })
    await show('Storage')
    await inspector().getByLabel('Value of size').waitFor()

    await phone.context().setOffline(true)
    await phone.evaluate(() => dispatchEvent(new Event('online')))
    await mark().getByText('Reconnecting…', { exact: true }).waitFor()
    await developer.getByText('Phone not connected', { exact: true }).waitFor()
    await phone.context().setOffline(false)
    await developer.getByText('Phone connected', { exact: true }).waitFor()

    await phone.reload()
    onPhone = await started(phone, shop)
    await mark()
      .getByText(/is watching$/)
      .waitFor()
    await neu(onPhone, 'setStorage', { key: 'milk', data: 'oat' })
    await inspector().getByLabel('Value of milk').waitFor()
    // Commands are not repeated after a reload.
    expect(onPhone.isDetached()).toBe(false)
  })

  test('ends when the user disconnects, declines, or the developer stops', async () => {
    await mark().getByRole('button', { name: 'Disconnect', exact: true }).click()
    await developer.getByText('The user of the phone has disconnected.', { exact: true }).waitFor()
    await mark().waitFor({ state: 'detached' })

    await phone.goto(await newLink())
    await phone.getByRole('button', { name: 'Don’t allow', exact: true }).click()
    await developer.getByText('The user of the phone has declined.', { exact: true }).waitFor()

    await phone.goto(await newLink())
    await phone.getByRole('button', { name: 'Allow', exact: true }).click()
    await developer.getByRole('button', { name: 'Disconnect', exact: true }).click()
    await phone.getByText(/no longer watches this mini app\.$/).waitFor()
    await mark().waitFor({ state: 'detached' })
    // The phone may have asked for something while it was offline.
    const complaints = [...phone.complaints, ...developer.complaints]
    expect(complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  })

  test('is for members who may develop, in all languages', async () => {
    const viewer = await consoleOf('viewer')
    await viewer.goto(address)
    await settled(viewer)
    expect(await viewer.getByRole('button', { name: 'More actions' }).count()).toBe(0)

    for (const look of looks) {
      const shown = await consoleOf('editor', { ...look, device: 'phone' })
      await shown.goto(`${address}/inspect`)
      await settled(shown)
      await shown.locator('main').getByRole('button').last().click()
      const text = await shown.getByText(/#inspect=/).textContent()
      expect(await faults(shown)).toEqual([])
      await picture(shown, `console-inspect-code.${look.language}`)
      const guest = await hostPage(await newUser('Noura'), look)
      await guest.goto(text!.trim())
      await guest.locator('.sheet').waitFor()
      expect(await faults(guest)).toEqual([])
      await picture(guest, `host-inspect-question.${look.language}.${look.device}`)
      await guest.locator('.sheet-actions .primary').click()
      await inspector(shown).getByRole('tab').first().waitFor()
      await guest.locator('.watching-mark').waitFor()
      expect([...(await faults(guest)), ...(await faults(shown))]).toEqual([])
      await picture(shown, `console-inspect.${look.language}`)
      await picture(guest, `host-inspect-watched.${look.language}.${look.device}`)
    }
  })
})
