import { bridgeMethods, bridgeQuestions, type HostQuestion, hostQuestions, toastLimits } from '@souk/contract/bridge'
import type { CDPSession, Frame, Locator } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { stillTime } from '../../packages/shell/src/inputGuard.ts'
import { rawApp } from '../bridge/fixture.ts'
import { faults, type Look, picture, type WatchedPage } from '../console.ts'
import {
  builtMiniApp,
  callHost,
  hostPage,
  manage,
  memberOf,
  neu,
  newUser,
  openIdOf,
  openMiniApp,
  openShop,
  type Shop,
  serverUrl,
  started,
  submitWithFunctions,
} from './fixture.ts'

/**
 * Every question of the host, with every kind of input, while the mini app draws and changes whatever it can. The clock
 * of the page stands still, so that nothing depends on the speed of the machine.
 */

let shop: Shop
let other: Shop
let page: WatchedPage
let frame: Frame
/** Sends input faster than Playwright. */
let input: CDPSession

beforeAll(async () => {
  ;[shop, other] = (await Promise.all(['Old Town Bakery', 'Harbour Bakery'].map(openShop))) as [Shop, Shop]
  await other.upload('1.0.0', await builtMiniApp())
  const { releaseId, reviewId } = await submitWithFunctions(shop, '1.0.0')
  await manage('POST', `reviews/${reviewId}/approve`, { hostFunctions: ['loyaltyCard'] })
  await manage('POST', `apps/${shop.appid}/releases/${releaseId}/publish`, {})
  page = await hostPage(await newUser('Noura', { country: '+966', phone: '500000001' }))
  await page.context().grantPermissions(['geolocation', 'clipboard-read', 'clipboard-write'])
  await page.context().setGeolocation({ latitude: 24.7136, longitude: 46.6753 })
  input = await page.context().newCDPSession(page)
  await page.clock.install()
  await page.goto(`apps/${shop.appid}`)
  frame = await started(page, shop)
  await addShareSheet(page)
  await page.clock.pauseAt(Date.now() + 60_000)
})

/** Adds a share sheet, which this browser does not have, to the document. */
const addShareSheet = (on: WatchedPage) =>
  on.evaluate(() => {
    navigator.share = async () => {}
  })

/** Lets the time of the page pass, in ms. */
const pass = (time: number) => page.clock.runFor(time)
const takesInput = stillTime + 100

const png = `data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='}`

let orders = 0
async function order(): Promise<string> {
  const { code } = (await neu<{ code: string }>(frame, 'login')) as { code: string }
  const { tradeNo } = await shop.backend('POST', '/pay/transactions/trade', {
    amount: '1250',
    currency: 'SAR',
    openId: await openIdOf(shop, code),
    description: 'Two date cakes',
    notifyUrl: 'http://127.0.0.1:1/paid',
    outTradeNo: `asked-${++orders}`,
  })
  return tradeNo as string
}

const record = () =>
  frame.evaluate(
    () =>
      new Promise<string>((resolve) => {
        // biome-ignore lint/suspicious/noExplicitAny: the recorder of the mini app
        const recorder = (window as any).uni.getRecorderManager()
        recorder.onStart(() => resolve('recording'))
        recorder.onError(({ errMsg }: { errMsg: string }) => resolve(errMsg))
        recorder.start({ duration: 60_000 })
      }),
  )

interface Asking {
  /** Causes the question. The outcome tells the mini app whether it was granted. */
  ask(): Promise<unknown>
  /** What the mini app gets if the user closes the question. */
  refusal: string | RegExp
}

/** How a mini app causes each question. */
const questions: Record<Exclude<HostQuestion, 'notice' | 'inspection'>, Asking> = {
  clipboard: { ask: () => neu(frame, 'getClipboardData'), refusal: 'getClipboardData:fail the user refused' },
  camera: { ask: () => neu(frame, 'scanCode'), refusal: 'scanCode:fail the user refused' },
  microphone: { ask: record, refusal: 'getRecorderManager:fail the user refused' },
  location: { ask: () => neu(frame, 'getLocation'), refusal: 'getLocation:fail the user refused' },
  motion: { ask: () => neu(frame, 'startAccelerometer'), refusal: 'startAccelerometer:fail the user refused' },
  download: {
    ask: () => neu(frame, 'saveImageToPhotosAlbum', { filePath: png }),
    refusal: 'saveImageToPhotosAlbum:fail the user refused',
  },
  share: { ask: () => neu(frame, 'share', { title: 'Offer' }), refusal: 'share:fail the user refused' },
  miniApp: {
    ask: () => neu(frame, 'navigateToMiniProgram', { appId: other.appid }),
    refusal: 'navigateToMiniProgram:fail the user refused',
  },
  application: {
    ask: () => neu(frame, 'launchApp', { url: 'https://bank.example/pay' }),
    refusal: 'launchApp:fail the user refused',
  },
  hostFunction: {
    ask: () => callHost(frame, 'loyaltyCard', { program: 'tea' }),
    refusal: 'host.loyaltyCard:fail the user refused',
  },
  messages: {
    async ask() {
      const { answer } = (await neu<{ answer: string }>(frame, 'requestSubscribeMessage')) as { answer: string }
      return `answer ${answer}`
    },
    refusal: 'answer reject',
  },
  consent: {
    ask: () => neu(frame, 'getAuthCode', { scope: 'user.phone' }),
    refusal: 'getAuthCode:fail the user refused',
  },
  payment: {
    async ask() {
      const { status } = (await neu<{ status: number }>(frame, 'requestPayment', { tradeNo: await order() })) as {
        status: number
      }
      return `status ${status}`
    },
    refusal: 'status 0',
  },
  place: { ask: () => neu(frame, 'chooseLocation'), refusal: 'chooseLocation:fail cancel' },
}

const long = 'Tap the lower right corner to continue. '.repeat(25)
const hour = 3_600_000
/** What a mini app can draw or change outside of its page, in groups that are visible at the same time. */
const covers: Record<string, [method: string, options: object][]> = {
  'a toast, a preview, a map, bars': [
    ['showToast', { title: long, icon: 'none', duration: hour }],
    ['previewImage', { urls: [png] }],
    ['openLocation', { latitude: 24.7, longitude: 46.6, name: long.slice(0, 200) }],
    ['setNavigationBarTitle', { title: 'Press Allow' }],
    ['setNavigationBarColor', { frontColor: '#ffffff', backgroundColor: '#ff0000' }],
    ['setTabBarItem', { index: 1, text: 'Allow' }],
  ],
  'a toast with a mask, a modal with an input': [
    ['showToast', { title: long, image: png, duration: hour, mask: true, position: 'bottom' }],
    ['showModal', { title: 'Name', editable: true }],
    ['hideTabBar', {}],
  ],
  'a loading indicator, a modal': [
    ['showLoading', { title: long, mask: true }],
    ['showModal', { title: 'Continue?', content: long }],
    ['showTabBarRedDot', { index: 1 }],
  ],
  'an action sheet': [['showActionSheet', { itemList: ['One', 'Two', 'Three'] }]],
  'another question': [
    ['chooseLocation', { latitude: 24.7, longitude: 46.6 }],
    ['showToast', { title: long, duration: hour }],
  ],
  'a page in landscape': [['navigateTo', { url: '/pages/board/board' }]],
}

/** Lets the mini app draw or change something, and waits until the host has got it. */
async function cover(name: string): Promise<void> {
  await frame.evaluate(async (calls) => {
    const { uni } = window as unknown as { uni: Record<string, (options: object) => Promise<unknown>> }
    for (const [method, options] of calls) uni[method]!(options).catch(() => {})
    await uni.vibrateShort!({})
  }, covers[name]!)
  await pass(50)
}

/** Closes the dialogs, previews and maps that the mini app has opened, also those that it has queued. */
async function closeOverlays(except = ''): Promise<void> {
  for (;;) {
    await pass(takesInput)
    const isClosed = await page.evaluate((except) => {
      const closing = '.neu-modal-confirm, .neu-sheet-cancel, .neu-preview-close, .neu-place-actions button'
      const close = document.querySelector<HTMLElement>(`.neu-overlays [aria-modal]${except} :is(${closing})`)
      close?.click()
      return !close
    }, except)
    if (isClosed) return
  }
}

/** Removes everything that the mini app has drawn. */
async function clear(): Promise<void> {
  await closeOverlays()
  await frame.evaluate(async () => {
    const { uni } = window as unknown as { uni: Record<string, (options?: object) => Promise<unknown>> }
    uni.hideToast!()
    uni.setNavigationBarTitle!({ title: 'Old Town Bakery' })
    uni.setNavigationBarColor!({ frontColor: '#000000', backgroundColor: '#F7E9D0' })
    uni.setTabBarItem!({ index: 1, text: 'Cart' })
    uni.hideTabBarRedDot!({ index: 1 })
    uni.showTabBar!()
    uni.navigateBack!({ delta: 9 }).catch(() => {})
    await uni.hideLoading!()
  })
  await pass(1000)
}

/** Starts the time of an open question again. */
const restart = () => page.evaluate(() => void dispatchEvent(new Event('resize')))

const shown = (question: string) => page.locator(`[data-question="${question}"]`)

/** Returns the state of a question, and what draws over it, even if that lets input pass. */
const look = (question: string) =>
  page.evaluate((question) => {
    const style = document.head.appendChild(document.createElement('style'))
    style.textContent = '* { pointer-events: auto !important }'
    const over = new Set<string>()
    const panel = document.querySelector(`[data-question="${question}"]`)
    const { left, top, width, height } = panel?.getBoundingClientRect() ?? new DOMRect()
    for (let row = 1; row < 10; row += 1)
      for (let column = 1; column < 6; column += 1) {
        const [x, y] = [left + (width * column) / 6, top + (height * row) / 10]
        const found = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight && document.elementFromPoint(x, y)
        if (found && !panel?.contains(found) && !found.closest('.souk-mini-app-capsule')) over.add(found.className)
      }
    style.remove()
    const overlays = document.querySelectorAll('.neu-overlays :is(.neu-toast, [aria-modal]:not([data-question]))')
    return {
      isOpen: panel !== null,
      over: [...over],
      overlays: [...overlays].filter((each) => each.checkVisibility()).length,
      // A button with the focus would be pressed by the next key.
      focused: document.activeElement?.tagName,
      bars: document.querySelector<HTMLElement>('.souk-mini-app-bars')!.innerText,
    }
  }, question)

/** The control that grants. */
const granting = (question: string) => shown(question).locator('.sheet-actions .primary, .neu-place-main').first()

/** Sends every kind of input to a control. */
async function tryAll(control: Locator): Promise<void> {
  const { x, y, width, height } = (await control.boundingBox())!
  const at = { x: x + width / 2, y: y + height / 2 }
  const button = { ...at, button: 'left', clickCount: 1 } as const
  const key = (key: string, code: string, text?: string) =>
    (['keyDown', 'keyUp'] as const).map((type) =>
      input.send('Input.dispatchKeyEvent', { type, key, code, ...(text && type === 'keyDown' ? { text } : {}) }),
    )
  const keys = () => [...key(' ', 'Space', ' '), ...key('Enter', 'Enter', '\r'), ...key('Escape', 'Escape')]
  const sent = [
    input.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] }),
    input.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
    input.send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...at, deltaX: 0, deltaY: 200 }),
  ]
  await Promise.all([
    ...sent,
    // Chromium answers touches and the wheel when it draws a frame, which can take until the clock goes on.
    input.send('Page.captureScreenshot', { clip: { x: 0, y: 0, width: 1, height: 1, scale: 1 } }),
    input.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...button }),
    input.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...button }),
  ])
  await Promise.all(keys())
  await control.evaluate((element) => (element as HTMLElement).focus())
  await Promise.all(keys())
  // As assistive technology clicks.
  await control.evaluate((element) => {
    const button = element as HTMLElement
    button.click()
    button.closest<HTMLElement>('[tabindex="-1"]')!.focus()
  })
}

test('each method of the bridge and each question of the host is in the tables', () => {
  expect(Object.keys(bridgeQuestions).toSorted()).toEqual(bridgeMethods.toSorted())
  const asked = new Set(Object.values(bridgeQuestions).filter((question) => question !== null))
  expect(Object.keys(questions).toSorted()).toEqual([...asked].toSorted())
  expect(hostQuestions.filter((question) => !asked.has(question as 'place'))).toEqual(['notice', 'inspection'])
})

describe.each(Object.keys(questions) as (keyof typeof questions)[])('the question %s', (question) => {
  const { ask, refusal } = questions[question]

  // A second map waits for the first one.
  const names = Object.keys(covers).filter((name) => question !== 'place' || name !== 'another question')

  test('keeps the focus after clicks, Tab and a lost focus, closes on Escape, and returns the focus', async () => {
    await clear()
    await page.locator('iframe.souk-mini-app-frame').focus()
    const outcome = ask()
    await shown(question).waitFor()
    const panel = shown(question)
    const hasFocus = () => panel.evaluate((element) => element.contains(document.activeElement))
    // Before it takes input, on its mask.
    await page.mouse.click(20, 60)
    expect(await hasFocus()).toBe(true)
    await restart()
    await pass(takesInput)
    const text = panel.locator('h2, p, .neu-place-card').first()
    const { x, y } = (await text.boundingBox())!
    for (const press of ['Tab', 'Shift+Tab']) {
      await page.mouse.click(x + 1, y + 1)
      expect(await hasFocus()).toBe(true)
      for (let count = 0; count < 10; count += 1) {
        await page.keyboard.press(press)
        // The capsule is reachable beside a dialog of the mini app, such as the map.
        const isInCapsule = await page.evaluate(
          () => document.activeElement?.closest('.souk-mini-app-capsule') !== null,
        )
        expect((await hasFocus()) || (question === 'place' && isInCapsule)).toBe(true)
      }
    }
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('Tab')
    await pass(50)
    expect(await hasFocus()).toBe(true)
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await pass(50)
    const settled = await outcome
    if (typeof refusal === 'string') expect(settled).toBe(refusal)
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('iframe')
  })

  test.each(names)('takes no input too early; before, during and after it comes %s', async (name) => {
    await cover(name)
    let outcome: unknown = 'none'
    const asked = ask().then((settled) => {
      outcome = settled
    })
    // The map of the host waits for the dialogs that are open, and covers the bars.
    const isMap = question === 'place'
    if (isMap) await closeOverlays(':not([data-question])')
    await shown(question).waitFor()
    const { bars } = await look(question)
    await cover(name)
    await restart()
    await pass(stillTime - 50)
    await tryAll(granting(question))
    const state = { isOpen: true, over: [], overlays: 0, focused: isMap ? 'FORM' : 'DIV' }
    const expected = isMap ? state : { ...state, bars }
    expect([outcome, await look(question)]).toEqual(['none', expect.objectContaining(expected)])
    await pass(takesInput)
    await cover(name)
    expect([outcome, await look(question)]).toEqual(['none', expect.objectContaining(expected)])
    await page.keyboard.press('Escape')
    await asked
    expect(outcome).toBe(refusal)
    if (!isMap) await shown(question).waitFor({ state: 'detached' })
    await clear()
  })
})

/** Grants after the time has passed, by each kind of input that users have. */
const grants: Record<string, (control: Locator) => Promise<unknown>> = {
  pointer: (control) => control.click(),
  touch: (control) => control.tap(),
  enter: (control) => control.press('Enter'),
  space: (control) => control.press(' '),
  'assistive click': (control) => control.evaluate((element) => (element as HTMLElement).click()),
}

/** Opens a question, and returns its granting control and a function that returns the outcome. */
async function open(question: keyof typeof questions) {
  let outcome: unknown = 'none'
  const asked = questions[question].ask().then((settled) => {
    outcome = settled
    return settled
  })
  await shown(question).waitFor()
  return { control: granting(question), asked, outcome: () => outcome }
}

async function refuse(question: keyof typeof questions, asked: Promise<unknown>): Promise<void> {
  // The browser may report a change of its size late, after which the time starts again.
  while ((await shown(question).count()) > 0) {
    await pass(takesInput)
    await page.keyboard.press('Escape')
    await pass(50)
  }
  expect(await asked).toBe(questions[question].refusal)
  await shown(question).waitFor({ state: 'detached' })
}

test.each(Object.keys(grants))('after the time, %s grants', async (kind) => {
  const { control, asked } = await open('clipboard')
  await pass(takesInput)
  await grants[kind]!(control)
  expect(await asked).toMatchObject({ errMsg: 'getClipboardData:ok' })
  await shown('clipboard').waitFor({ state: 'detached' })
})

test('typing in a mini app does not answer: the text of the user ends in nothing', async () => {
  await frame.evaluate(() => {
    const field = document.querySelector('neu-page')!.appendChild(document.createElement('input'))
    field.id = 'typed'
  })
  await frame.locator('#typed').focus()
  await page.keyboard.type('a word')
  const asking = ['location', 'clipboard', 'microphone', 'payment', 'consent'] as const
  for (const question of asking) {
    const { asked, outcome } = await open(question)
    for (const key of 'mid word and a space ') {
      await page.keyboard.press(key)
      await pass(takesInput)
    }
    await page.keyboard.press('Enter')
    expect([question, outcome()]).toEqual([question, 'none'])
    await refuse(question, asked)
    // The focus returns to the frame of the mini app.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('IFRAME')
  }
  expect(await frame.locator('#typed').inputValue()).toBe('a word')
})

test('keys and buttons that were down before never answer, and a key that repeats neither', async () => {
  for (const key of [' ', 'Enter']) {
    await frame.locator('#typed').focus()
    await page.keyboard.down(key)
    const { control, asked, outcome } = await open('clipboard')
    await pass(takesInput)
    await control.evaluate((element) => (element as HTMLElement).focus())
    // A second press without a release is a repetition.
    await page.keyboard.down(key)
    await page.keyboard.up(key)
    await pass(100)
    expect([key, outcome(), await shown('clipboard').count()]).toEqual([key, 'none', 1])
    // Enter presses a button at once, Space when it is released.
    await page.keyboard.down(key)
    if (key === ' ') expect(await shown('clipboard').count()).toBe(1)
    else await asked
    await page.keyboard.up(key)
    expect(await asked).toMatchObject({ errMsg: 'getClipboardData:ok' })
    await shown('clipboard').waitFor({ state: 'detached' })
  }
  const { control, asked, outcome } = await open('clipboard')
  const { x, y, width, height } = (await control.boundingBox())!
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  await pass(takesInput)
  await page.mouse.up()
  expect(outcome()).toBe('none')
  await refuse('clipboard', asked)
})

test('the time starts again when the question moves, is covered, or becomes visible again', async () => {
  const disturb: Record<string, () => Promise<unknown>> = {
    resize: () => page.setViewportSize({ width: 390, height: 700 }),
    move: () => page.locator('.sheet').evaluate((sheet) => Object.assign(sheet.style, { marginInlineStart: '1px' })),
    covering: () =>
      page.evaluate(() => {
        const cover = document.body.appendChild(document.createElement('div'))
        cover.style.cssText = 'position: fixed; inset: 0; z-index: 100'
        requestAnimationFrame(() => requestAnimationFrame(() => cover.remove()))
      }),
    'becoming visible': () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))),
    'other content': () => page.locator('.sheet-body').evaluate((body) => body.append('More')),
  }
  for (const [name, run] of Object.entries(disturb)) {
    const { control, asked, outcome } = await open('clipboard')
    await pass(takesInput)
    await run()
    await pass(100)
    await control.evaluate((element) => (element as HTMLElement).click())
    expect([name, outcome()]).toEqual([name, 'none'])
    await refuse('clipboard', asked)
  }
  await page.setViewportSize({ width: 390, height: 844 })
})

test('a mini app cannot take the focus from a question', async () => {
  const typed = await frame.locator('#typed').inputValue()
  const { asked } = await open('clipboard')
  await frame.evaluate(() => {
    window.focus()
    document.querySelector<HTMLElement>('#typed')!.focus()
  })
  await pass(50)
  await page.keyboard.type('secret')
  expect(await frame.locator('#typed').inputValue()).toBe(typed)
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('dialog')
  await refuse('clipboard', asked)
})

test('questions that a mini app causes at once come one after the other, and after a refusal offer to leave', async () => {
  const [first, second] = [neu(frame, 'getClipboardData'), neu(frame, 'share', { title: 'Offer' })]
  await shown('clipboard').waitFor()
  expect(await shown('share').count()).toBe(0)
  await refuse('clipboard', first)
  await shown('share').waitFor()
  expect(await shown('share').getByRole('button', { name: 'Leave mini app' }).count()).toBe(1)
  await refuse('share', second)
})

test('toasts have at most two lines and end after ten seconds', async () => {
  await neu(frame, 'showToast', { title: long, icon: 'none', duration: hour })
  const title = page.locator('.neu-toast-title')
  const { lines, height } = await title.evaluate((element) => {
    const style = getComputedStyle(element)
    return { lines: element.clientHeight / (1.45 * Number.parseFloat(style.fontSize)), height: element.clientHeight }
  })
  expect(Math.round(lines)).toBe(toastLimits.lines)
  expect(height).toBeLessThan(60)
  await pass(toastLimits.duration - 100)
  expect(await title.count()).toBe(1)
  await pass(200)
  await title.waitFor({ state: 'detached' })
})

/** Clicks at once after the time has started again, and returns whether the question is still open. */
const clickTooEarly = async (on: WatchedPage, question: string, control: string) => {
  await on.evaluate(
    ([question, control]) => {
      dispatchEvent(new Event('resize'))
      document.querySelector<HTMLElement>(`[data-question="${question}"] ${control}`)!.click()
    },
    [question, control] as const,
  )
  return await on.locator(`[data-question="${question}"]`).isVisible()
}

test('the first-open notice cannot be dismissed by a tap that was aimed at the mini app', async () => {
  const fresh = await hostPage(await newUser('Huda'))
  const opened = await openMiniApp(fresh, shop)
  const notice = fresh.locator('[data-question="notice"]')
  await notice.waitFor()
  expect(await clickTooEarly(fresh, 'notice', '.button')).toBe(true)
  // It is above toasts, and takes no focus.
  await neu(opened, 'showToast', { title: long, duration: hour, mask: true, position: 'bottom' })
  await fresh.locator('.privacy-notice:not(.waiting) .button').click()
  await notice.waitFor({ state: 'detached' })
})

test('the offer of an inspection takes no input too early', async () => {
  const developer = { cookie: `souk_session=${await memberOf(shop, 'editor')}` }
  const { csrfToken } = await fetch(`${serverUrl()}/console/v1/session`, { headers: developer }).then((it) => it.json())
  const answer = await fetch(`${serverUrl()}/console/v1/apps/${shop.appid}/inspections`, {
    method: 'POST',
    headers: { ...developer, 'x-souk-csrf': csrfToken, 'content-type': 'application/json' },
    body: '{}',
  })
  const { code, ...problem } = await answer.json()
  expect(problem).toMatchObject({ inspectionId: expect.any(String) })
  const fresh = await hostPage(await newUser('Huda'))
  await fresh.goto(`apps/${shop.appid}#inspect=${code}`)
  const dialog = fresh.getByRole('dialog', { name: /watch Old Town Bakery/ })
  await dialog.waitFor()
  expect(await clickTooEarly(fresh, 'inspection', '.sheet-actions .primary')).toBe(true)
  await dialog.getByRole('button', { name: 'Don’t allow', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('the clipboard is written only after the user has tapped or pressed a key', async () => {
  const files = await builtMiniApp()
  const shop = await openShop('Hasty Bakery')
  // Scripts of the test count as input, so the page calls and reports by itself.
  const document = rawApp.replace(
    '</script>',
    `;let calls = 0
    const copy = () => ask(++calls, 'setClipboardData', { data: 'copied' })
      .then(({ errMsg = 'copied' }) => console.log(errMsg))
    onclick = copy
    port.addEventListener('message', copy, { once: true })</script>`,
  )
  await shop.upload('1.0.0', { 'souk-app.json': files['souk-app.json']!, 'index.html': document })
  const fresh = await hostPage(await newUser('Huda'))
  await fresh.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const reported = (text: string) => fresh.waitForEvent('console', (message) => message.text() === text)
  const refused = reported('setClipboardData:fail only after the user has tapped or pressed a key')
  await fresh.goto(`apps/${shop.appid}`)
  await refused
  const copied = reported('copied')
  await fresh.mouse.click(195, 500)
  await copied
  expect(await fresh.evaluate(() => navigator.clipboard.readText())).toBe('copied')
})

const looks: Look[] = [
  { language: 'en', scheme: 'light', device: 'phone' },
  { language: 'zh-CN', scheme: 'dark', device: 'phone' },
  { language: 'ar', scheme: 'light', device: 'phone' },
]

test.each(looks)('questions are accessible in $language, $scheme, $device', async (look) => {
  const shownPage = await hostPage(await newUser('Noura'), look)
  const opened = await openMiniApp(shownPage, shop)
  await addShareSheet(shownPage)
  for (const [name, method, options] of [
    ['location', 'getLocation', {}],
    ['share', 'share', { title: 'Two date cakes', href: 'https://coffee.example/offer' }],
    ['miniApp', 'navigateToMiniProgram', { appId: other.appid }],
  ] as const) {
    const asked = neu(opened, method, options)
    const dialog = shownPage.getByRole('dialog')
    await dialog.waitFor()
    await shownPage.locator('.sheet-waiting').waitFor({ state: 'detached' })
    await picture(shownPage, `host-question-${name}.${look.language}.${look.scheme}`)
    expect(await faults(shownPage)).toEqual([])
    // Screen readers announce title and text of what has the focus.
    const announced = await dialog.evaluate((sheet) => [
      sheet === document.activeElement,
      ...['aria-labelledby', 'aria-describedby'].map((name) =>
        Boolean(document.getElementById(sheet.getAttribute(name)!)?.innerText),
      ),
    ])
    expect(announced).toEqual([true, true, true])
    await shownPage.keyboard.press('Escape')
    expect(await asked).toBe(`${method}:fail the user refused`)
    await dialog.waitFor({ state: 'detached' })
  }
})
