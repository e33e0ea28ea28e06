import type { AddressInfo } from 'node:net'
import type { BrowserContext } from 'playwright-core'
import encodeQR from 'qr'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { type App, openApp, type Platform } from './fixture.ts'
import { call, dialog, type Outcome } from './neuCalls.ts'

/** Functions that need a camera, a location, media or a socket. */

// biome-ignore lint/suspicious/noExplicitAny: options and results differ by method
declare const neu: Record<string, (...args: any[]) => any>

const text = 'https://coffee.example/tables/7'
let sockets: WebSocketServer

beforeAll(() => {
  sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(`echo ${data}`)))
})
afterAll(() => sockets.close())

/** Shows the code to the page as the camera does, because this Chromium is built without video capture. */
async function showToCamera(context: BrowserContext): Promise<void> {
  await context.addInitScript(
    (code) => {
      const canvas = document.createElement('canvas')
      canvas.width = 640
      canvas.height = 480
      const draw = canvas.getContext('2d')!
      const paint = () => {
        draw.fillStyle = '#fff'
        draw.fillRect(0, 0, 640, 480)
        draw.fillStyle = '#000'
        for (const [y, row] of code.entries())
          for (const [x, isDark] of row.entries()) if (isDark) draw.fillRect(150 + x * 10, 70 + y * 10, 10, 10)
      }
      setInterval(paint, 50)
      if (navigator.mediaDevices) navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(20)
    },
    encodeQR(text, 'raw'),
  )
}

/** Opens the app for a device with a location, which only `permissions` let pages read without a question. */
function open(platform: Platform, permissions: string[]): Promise<App> {
  return openApp({
    project: 'api',
    platform,
    mode: 'build',
    path: 'pages/media/media',
    prepare: async (context) => {
      await context.grantPermissions(permissions)
      await context.setGeolocation({ latitude: 24.7136, longitude: 46.6753 })
    },
  })
}

async function answer(app: App, name: string): Promise<void> {
  await dialog(app).getByRole('button', { name, exact: true }).click()
}

/** Answers the host's question; on H5 only the browser asks. */
async function allow(app: App, platform: Platform, question: string): Promise<void> {
  if (platform === 'H5') return
  await dialog(app).getByText(question).waitFor()
  await answer(app, 'Allow')
}

describe.each<Platform>(['H5', 'App'])('%s', (platform) => {
  let shared: Promise<App> | undefined
  afterAll(async () => (await shared)?.close())

  /** Returns the app with its page as it is at first. */
  async function openPage(): Promise<App> {
    shared ??= open(platform, ['geolocation'])
    const app = await shared
    await app.go('pages/media/media')
    return app
  }

  test('scanCode reads a QR code from the camera, and from an image', async () => {
    const app = await openApp({
      project: 'api',
      platform,
      mode: 'build',
      path: 'pages/media/media',
      prepare: async (context) => {
        await context.grantPermissions(['camera'])
        await showToCamera(context)
      },
    })
    const scanned = call(app, 'scanCode')
    await allow(app, platform, 'use the camera')
    expect(await scanned).toEqual({ errMsg: 'scanCode:ok', result: text, scanType: 'QR_CODE', charSet: 'UTF-8' })
    await app.host.evaluate(() => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new Error('no camera'))
    })
    const failed = call(app, 'scanCode', { onlyFromCamera: true })
    await allow(app, platform, 'use the camera')
    expect(await failed).toBe('scanCode:fail no camera')
    const fromImage = call(app, 'scanCode')
    await allow(app, platform, 'use the camera')
    const buffer = Buffer.from(encodeQR(text, 'gif', { scale: 8 }))
    await dialog(app).locator('input[type=file]').setInputFiles({ name: 'code.gif', mimeType: 'image/gif', buffer })
    expect(await fromImage).toMatchObject({ result: text })
    expect(await dialog(app).count()).toBe(0)
    await app.context.close()
  })

  test('scanCode offers an image if there is no camera, and fails with cancel', async () => {
    const app = await openPage()
    const scanned = call(app, 'scanCode')
    await allow(app, platform, 'use the camera')
    await dialog(app).getByRole('alert').waitFor()
    await app.screenshot(`media-scanner.${platform}`)
    await answer(app, 'Cancel')
    expect(await scanned).toBe('scanCode:fail cancel')
  })

  test('getLocation returns the position', async () => {
    const app = await openPage()
    const position = call(app, 'getLocation')
    await allow(app, platform, 'know your location')
    expect(await position).toMatchObject({ errMsg: 'getLocation:ok', latitude: 24.7136, longitude: 46.6753 })
  })

  test('chooseLocation returns the place below the pin, which the keyboard moves, or fails with cancel', async () => {
    const app = await openPage()
    const address = dialog(app).getByRole('textbox', { name: 'Address', exact: true })
    const coordinates = () => address.getAttribute('placeholder')
    const takesInput = () => app.host.locator('.neu-place-waiting').waitFor({ state: 'detached' })
    // The map begins where the device is.
    const here = call(app, 'chooseLocation')
    await expect.poll(coordinates).toBe('Address: 24.71360, 46.67530')
    await takesInput()
    await dialog(app).getByRole('textbox', { name: 'Name', exact: true }).fill('Corner Coffee')
    await app.screenshot(`media-choose.${platform}`)
    await answer(app, 'Choose this place')
    expect(await here).toEqual({
      errMsg: 'chooseLocation:ok',
      latitude: 24.7136,
      longitude: 46.6753,
      name: 'Corner Coffee',
      address: '24.71360, 46.67530',
    })
    const north = call(app, 'chooseLocation', { latitude: 10, longitude: 20 })
    await expect.poll(coordinates).toBe('Address: 10.00000, 20.00000')
    await dialog(app).locator('.leaflet-container:focus').waitFor()
    await takesInput()
    await app.page.keyboard.press('ArrowUp')
    await expect.poll(coordinates).toMatch(/^Address: 10\.00\d*[1-9]\d*, (?:20\.00000|19\.99999)$/)
    await address.fill('North')
    await address.press('Enter')
    expect(await north).toMatchObject({ longitude: expect.closeTo(20, 4), name: '', address: 'North' })
    for (const cancel of [() => answer(app, 'Cancel'), () => address.press('Escape')]) {
      const canceled = call(app, 'chooseLocation')
      await address.waitFor()
      await takesInput()
      await cancel()
      expect(await canceled).toBe('chooseLocation:fail cancel')
    }
  })

  test('openLocation shows the place on a map until it is closed', async () => {
    const app = await openPage()
    const place = { latitude: 24.7136, longitude: 46.6753, name: 'Corner Coffee', address: 'King Fahd Road' }
    expect(await call(app, 'openLocation', place)).toEqual({ errMsg: 'openLocation:ok' })
    const shown = dialog(app)
    await shown.getByRole('button', { name: 'Corner Coffee', exact: true }).waitFor({ state: 'attached' })
    await shown.getByText('King Fahd Road', { exact: true }).waitFor()
    expect(await shown.getByRole('link').getAttribute('href')).toBe(
      'https://www.openstreetmap.org/?mlat=24.7136&mlon=46.6753#map=16/24.7136/46.6753',
    )
    expect(await shown.getByText('Tiles of the test', { exact: true }).count()).toBe(platform === 'App' ? 1 : 0)
    await app.screenshot(`media-place.${platform}`)
    await answer(app, 'Close')
    await shown.waitFor({ state: 'detached' })
  })

  test('a map has the tiles of its host, or a grid, and a context', async () => {
    const app = await openPage()
    const map = app.app.locator('neu-map')
    await map.getByRole('button', { name: 'Corner Coffee', exact: true }).waitFor({ state: 'attached' })
    expect(await map.getByText('Tiles of the test', { exact: true }).count()).toBe(platform === 'App' ? 1 : 0)
    expect(await map.locator('.neu-map-square').count()).toBe(
      platform === 'App' ? 0 : await map.locator('.leaflet-tile').count(),
    )
    const results = await app.app.evaluate(async () => {
      const context = await neu.createMapContext!('place')
      const failed = (error: Outcome) => error.errMsg
      return [
        await context.getScale(),
        await new Promise((success) => context.getCenterLocation({ success })),
        await context.addGroundOverlay().catch(failed),
        await neu.createMapContext!('none').getScale().catch(failed),
      ]
    })
    expect(results).toEqual([
      { scale: 12, errMsg: 'getScale:ok' },
      { latitude: expect.closeTo(24.7136, 3), longitude: expect.closeTo(46.6753, 3), errMsg: 'getCenterLocation:ok' },
      'addGroundOverlay:fail not supported',
      'getScale:fail map "none" is not found',
    ])
    await map.click({ position: { x: 20, y: 20 } })
    await expect.poll(() => app.app.locator('#tapped').textContent()).toMatch(/^24\.7\d$/)
    await app.screenshot(`media-map.${platform}`)
  })

  test('a canvas is drawn by the old API, read, and saved to the device', async () => {
    const app = await openPage()
    await app.app.getByRole('button', { name: 'Draw' }).click()
    const colors = () =>
      app.app.evaluate(async () => {
        const { data, width } = await neu.canvasGetImageData!({ canvasId: 'art', x: 0, y: 0, width: 100, height: 50 })
        return [10, 90].map((x) => [...data.slice((10 * width + x) * 4, (10 * width + x) * 4 + 4)])
      })
    await expect.poll(colors).toEqual([
      [255, 0, 0, 255],
      [0, 0, 255, 255],
    ])
    const file = (await call(app, 'canvasToTempFilePath', { canvasId: 'art' })) as Outcome
    expect(await call(app, 'getImageInfo', { src: file.tempFilePath })).toMatchObject({ width: 100, height: 50 })
    const download = app.page.waitForEvent('download')
    const saved = call(app, 'saveImageToPhotosAlbum', { filePath: file.tempFilePath })
    await allow(app, platform, 'save a file')
    expect(await saved).toEqual({ errMsg: 'saveImageToPhotosAlbum:ok' })
    expect((await download).suggestedFilename()).toMatch(/^image-\d+\.png$/)
    expect(await call(app, 'canvasToTempFilePath', { canvasId: 'none' })).toBe(
      'canvasToTempFilePath:fail the page has no canvas with the canvas-id "none"',
    )
  })

  test('touches of a canvas have x and y from its corner', async () => {
    const app = await openPage()
    await app.app.locator('canvas').evaluate((canvas) => {
      const { left, top } = canvas.getBoundingClientRect()
      const touch = new Touch({ identifier: 1, target: canvas, clientX: left + 30, clientY: top + 20 })
      canvas.dispatchEvent(new TouchEvent('touchstart', { touches: [touch], bubbles: true }))
    })
    await expect.poll(() => app.app.locator('#touched').textContent()).toBe('30, 20')
  })

  test('an element runs the animation that is bound to it', async () => {
    const app = await openPage()
    await app.app.getByRole('button', { name: 'Move' }).click()
    const transform = () => app.app.locator('#box').evaluate((element) => (element as HTMLElement).style.transform)
    await expect.poll(transform).toBe('translateX(40px) rotate(90deg)')
  })

  test('a socket sends and receives, by its task and by the global functions', async () => {
    const app = await openPage()
    const url = `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`
    const log = await app.app.evaluate(
      (url) =>
        new Promise<unknown[]>((resolve) => {
          const log: unknown[] = []
          const task = neu.connectSocket!({ url, success: () => log.push('connecting') })
          neu.onSocketMessage!(({ data }: { data: string }) => log.push(`global ${data}`))
          task.onOpen(() => task.send({ data: 'one', success: () => log.push('sent') }))
          task.onMessage(({ data }: { data: string }) => {
            log.push(data)
            task.close({ code: 1000, reason: 'done' })
          })
          task.onClose(({ code }: { code: number }) => resolve([...log, code]))
        }),
      url,
    )
    expect(log).toEqual(['connecting', 'sent', 'echo one', 'global echo one', 1000])
    expect(await call(app, 'sendSocketMessage', { data: 'x' })).toBe('sendSocketMessage:fail no connection is open')
  })

  test('a sound plays to its end and reports errors to its listeners', async () => {
    const app = await openPage()
    const events = await app.app.evaluate(
      () =>
        new Promise<unknown[]>((resolve) => {
          const sound = new Uint8Array(44 + 800).fill(128)
          const view = new DataView(sound.buffer)
          const word = (at: number, text: string) => sound.set(new TextEncoder().encode(text), at)
          word(0, 'RIFF')
          view.setUint32(4, sound.length - 8, true)
          word(8, 'WAVEfmt ')
          view.setUint32(16, 16, true)
          view.setUint16(20, 1, true)
          view.setUint16(22, 1, true)
          view.setUint32(24, 8000, true)
          view.setUint32(28, 8000, true)
          view.setUint16(32, 1, true)
          view.setUint16(34, 8, true)
          word(36, 'data')
          view.setUint32(40, 800, true)
          const audio = neu.createInnerAudioContext!()
          const events: unknown[] = []
          audio.onCanplay(() => events.push('canplay'))
          audio.onError(() => resolve([...events, 'error']))
          audio.onCanplay(() => {
            events.push(audio.duration, audio.paused)
            audio.offCanplay()
            audio.src = 'data:audio/wav;base64,AAAA'
          })
          audio.src = `data:audio/wav;base64,${neu.arrayBufferToBase64!(sound.buffer)}`
        }),
    )
    expect(events).toEqual(['canplay', 0.1, true, 'error'])
  })

  test('reports launch options, the capsule and the locale, and loads fonts', async () => {
    const app = await openPage()
    const values = await app.app.evaluate(() => [
      neu.getLaunchOptionsSync!().path,
      neu.getLocale!(),
      neu.getMenuButtonBoundingClientRect!().height,
    ])
    expect(values).toEqual(['pages/media/media', 'en', 32])
    expect(await call(app, 'loadFontFace', { family: 'x', source: 'local(x)' })).toBe(
      'loadFontFace:fail source must be url("…")',
    )
    expect(await call(app, 'openBluetoothAdapter')).toBe('openBluetoothAdapter:fail not supported')
  })
})

test('the host asks again after a refusal, and a frame does not get the location without it', async () => {
  const app = await open('App', ['geolocation'])
  for (const method of ['getLocation', 'scanCode', 'getLocation']) {
    const refused = call(app, method)
    await dialog(app).waitFor()
    await answer(app, 'Deny')
    expect(await refused).toBe(`${method}:fail the user refused`)
  }
  const direct = await app.app.evaluate(
    () =>
      new Promise((resolve) => {
        navigator.geolocation.getCurrentPosition(
          () => resolve('location'),
          () => resolve('refused'),
        )
      }),
  )
  expect(direct).toBe('refused')
  await app.close()
})
