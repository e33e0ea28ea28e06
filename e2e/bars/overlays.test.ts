import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { minute } from '../../packages/contract/src/time.ts'
import { violationsOf } from '../axe.ts'
import { openScreen, styleOf, type TestScreen } from './fixture.ts'

let shared: TestScreen
/** The shared screen, unless the test has opened another one. */
let screen: TestScreen
beforeAll(async () => {
  shared = await openScreen({ hasTouch: true })
})
beforeEach(async () => {
  screen = shared
  await screen.clearOverlays()
})
afterAll(() => shared?.giveBack())

/** Opens a screen with a clock that the test can move. */
async function openWithClock(options?: { time: number }): Promise<void> {
  screen = await openScreen({ hasTouch: true })
  // A clock stays installed in a context.
  onTestFinished(() => screen.page.context().close())
  await screen.page.clock.install(options)
}

const toast = { title: 'Saved', icon: 'success', image: '', duration: 10 * minute, mask: false, position: '' }
const modal = {
  title: 'Leave?',
  content: 'What you have typed is lost.',
  showCancel: true,
  cancelText: '',
  cancelColor: '',
  confirmText: '',
  confirmColor: '',
  editable: false,
  placeholderText: '',
}
const sheet = { title: '', itemList: ['Camera', 'Album', 'Files'], itemColor: '' }
const preview = { urls: ['red', 'lime', 'blue'].map((color) => `http://bars.test/${color}.svg`), current: 0 }

const $ = (selector: string) => screen.page.locator(selector)
const button = (name: string) => screen.page.getByRole('button', { name, exact: true })
const dialog = () => screen.page.getByRole('dialog')
const focused = () => screen.page.evaluate(() => document.activeElement?.textContent?.trim())
/** Waits for results, and returns and clears all. */
const takeResults = async (count = 1) => {
  await screen.page.waitForFunction((count) => window.bars.results.length >= count, count)
  return await screen.results()
}
async function violations(): Promise<unknown[]> {
  const found = await violationsOf(screen.page, { within: '.neu-overlays' })
  return found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
}

describe('toast', () => {
  test('shows title and icon, returns once visible, and passes touches through', async () => {
    await screen.overlay('showToast', toast)
    await $('.neu-toast').waitFor()
    expect(await screen.results()).toEqual([{ method: 'showToast', result: {} }])
    expect(await screen.page.getByRole('status').innerText()).toContain('Saved')
    expect(await $('.neu-toast svg').count()).toBe(1)
    await screen.page.mouse.click(187, 333)
    expect(await screen.events()).toEqual([{ type: 'content' }])
    expect(await violations()).toEqual([])
    await screen.overlay('hideToast', {})
    await $('.neu-toast').waitFor({ state: 'detached' })
  })

  test('disappears after its duration, even when it replaced another toast', async () => {
    const start = Date.now()
    await openWithClock({ time: start })
    // From here on, only fastForward moves the clock.
    await screen.page.clock.pauseAt(start + minute)
    await screen.overlay('showToast', { ...toast, duration: 1000 })
    await $('.neu-toast').waitFor()
    await screen.page.clock.fastForward(900)
    await screen.overlay('showToast', { ...toast, title: 'Second', duration: 1000 })
    await screen.page.getByText('Second').waitFor()
    await screen.page.clock.fastForward(900)
    expect(await $('.neu-toast').innerText()).toBe('Second')
    await screen.page.clock.fastForward(200)
    await $('.neu-toast').waitFor({ state: 'detached' })
  })

  test('blocks touches for mask', async () => {
    await screen.overlay('showToast', { ...toast, mask: true })
    await $('.neu-toast').waitFor()
    await screen.page.mouse.click(20, 20)
    expect(await screen.events()).toEqual([])
  })

  test('shows each icon, or an image instead', async () => {
    const icons: string[] = []
    for (const icon of ['success', 'error', 'loading', 'none']) {
      await screen.overlay('showToast', { ...toast, icon })
      await screen.page.evaluate(() => new Promise(requestAnimationFrame))
      icons.push(
        await $('.neu-toast').evaluate((element) => [...element.children].map(({ tagName }) => tagName).join()),
      )
    }
    expect(icons).toEqual(['svg,DIV', 'svg,DIV', 'SPAN,DIV', 'DIV'])
    await screen.overlay('showToast', { ...toast, image: 'http://bars.test/red.svg' })
    expect(await $('.neu-toast img').getAttribute('src')).toBe('http://bars.test/red.svg')
    expect(await $('.neu-toast svg').count()).toBe(0)
  })

  test('is placed by position', async () => {
    const middle = async (position: string) => {
      await screen.overlay('showToast', { ...toast, icon: 'none', position })
      await $(`.neu-toast-place${position && `.neu-toast-${position}`}`).waitFor()
      const { y, height } = (await $('.neu-toast').boundingBox())!
      return y + height / 2
    }
    expect(await middle('')).toBeCloseTo(333, -1)
    expect(await middle('top')).toBeLessThan(120)
    expect(await middle('center')).toBeCloseTo(333, -1)
    expect(await middle('bottom')).toBeGreaterThan(547)
  })
})

describe('loading', () => {
  test('stays until hidden', async () => {
    await openWithClock()
    await screen.overlay('showLoading', { title: 'Loading', mask: true })
    await $('.neu-loading .neu-spinner').waitFor()
    await screen.page.clock.fastForward(minute)
    expect(await $('.neu-loading').innerText()).toBe('Loading')
    await screen.page.mouse.click(20, 20)
    expect(await screen.events()).toEqual([])
    await screen.overlay('hideLoading', {})
    await $('.neu-loading').waitFor({ state: 'detached' })
  })

  test('replaces a toast, and is replaced by one', async () => {
    await screen.overlay('showLoading', { title: 'Wait', mask: false })
    await $('.neu-loading').waitFor()
    await screen.overlay('showToast', toast)
    await screen.page.getByText('Wait').waitFor({ state: 'detached' })
    expect(await $('.neu-toast').allInnerTexts()).toEqual(['Saved'])
    await screen.overlay('showLoading', { title: 'Wait', mask: false })
    await screen.page.getByText('Saved').waitFor({ state: 'detached' })
    expect(await $('.neu-toast').allInnerTexts()).toEqual(['Wait'])
  })
})

describe('modal', () => {
  test('confirms, with buttons in the language of the device', async () => {
    await screen.overlay('showModal', modal)
    await dialog().waitFor()
    expect(await screen.page.getByRole('dialog', { name: 'Leave?' }).count()).toBe(1)
    expect(await $('.neu-modal-answers button').allInnerTexts()).toEqual(['Cancel', 'OK'])
    expect(await screen.results()).toEqual([])
    expect(await violations()).toEqual([])
    await button('OK').click()
    expect(await takeResults()).toEqual([{ method: 'showModal', result: { confirm: true, cancel: false } }])
    await dialog().waitFor({ state: 'detached' })
    for (const [language, words] of [
      ['zh-CN', ['取消', '确定']],
      ['ar', ['إلغاء', 'حسنًا']],
    ] as const) {
      await screen.device({ language })
      await screen.overlay('showModal', modal)
      await dialog().waitFor()
      expect(await $('.neu-modal-answers button').allInnerTexts()).toEqual(words)
      await screen.page.keyboard.press('Escape')
      await dialog().waitFor({ state: 'detached' })
    }
  })

  test('cancels by its button and Escape, but not by a tap outside', async () => {
    const canceled = [{ method: 'showModal', result: { confirm: false, cancel: true } }]
    await screen.overlay('showModal', modal)
    await screen.page.mouse.click(10, 10)
    await button('Cancel').click()
    expect(await takeResults()).toEqual(canceled)
    await dialog().waitFor({ state: 'detached' })
    await screen.overlay('showModal', modal)
    await dialog().waitFor()
    await screen.page.keyboard.press('Escape')
    expect(await takeResults()).toEqual(canceled)
  })

  test('applies custom texts and colors, and hides the cancel button for showCancel false', async () => {
    await screen.overlay('showModal', {
      ...modal,
      showCancel: false,
      confirmText: 'Understood',
      confirmColor: '#FF0000',
    })
    expect(await styleOf(button('Understood'), 'color')).toBe('rgb(255, 0, 0)')
    expect(await $('.neu-modal-answers button').count()).toBe(1)
    await screen.page.keyboard.press('Escape')
    expect(await dialog().count()).toBe(1)
    await screen.page.keyboard.press('Enter')
    expect(await takeResults()).toEqual([{ method: 'showModal', result: { confirm: true, cancel: false } }])
    await screen.overlay('showModal', { ...modal, cancelText: 'Stay', cancelColor: '#00AA00' })
    expect(await styleOf(button('Stay'), 'color')).toBe('rgb(0, 170, 0)')
  })

  test('returns the text entered if editable, and confirms on Enter', async () => {
    await screen.overlay('showModal', { ...modal, content: 'Lay', editable: true, placeholderText: 'Your name' })
    const box = screen.page.getByRole('textbox', { name: 'Your name' })
    expect(await box.inputValue()).toBe('Lay')
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await violations()).toEqual([])
    await box.press('End')
    await box.pressSequentially('la')
    await box.press('Enter')
    expect(await takeResults()).toEqual([
      { method: 'showModal', result: { confirm: true, cancel: false, content: 'Layla' } },
    ])
  })

  test('traps the focus, and restores it when closed', async () => {
    await $('#content').focus()
    await screen.overlay('showModal', modal)
    await dialog().waitFor()
    expect(await focused()).toBe('OK')
    const focusOrder: (string | undefined)[] = []
    for (const key of ['Tab', 'Tab', 'Shift+Tab', 'Shift+Tab']) {
      await screen.page.keyboard.press(key)
      focusOrder.push(await focused())
    }
    expect(focusOrder).toEqual(['Cancel', 'OK', 'Cancel', 'OK'])
    await button('OK').click()
    await dialog().waitFor({ state: 'detached' })
    expect(await screen.page.evaluate(() => document.activeElement?.id)).toBe('content')
  })

  test('queues dialogs, and returns each result to its caller', async () => {
    await screen.overlay('showModal', { ...modal, title: 'First' })
    await screen.overlay('showModal', { ...modal, title: 'Second' })
    await screen.overlay('showActionSheet', sheet)
    await screen.page.getByRole('dialog', { name: 'First' }).waitFor()
    expect(await dialog().count()).toBe(1)
    await button('Cancel').click()
    await screen.page.getByRole('dialog', { name: 'Second' }).waitFor()
    await button('OK').click()
    await button('Album').click()
    expect(await takeResults(3)).toEqual([
      { method: 'showModal', result: { confirm: false, cancel: true } },
      { method: 'showModal', result: { confirm: true, cancel: false } },
      { method: 'showActionSheet', result: { tapIndex: 1 } },
    ])
  })

  test('hideModal cancels all modals, also those that wait, and leaves the other dialogs', async () => {
    await screen.overlay('showModal', { ...modal, title: 'First' })
    await screen.overlay('showActionSheet', sheet)
    await screen.overlay('showModal', { ...modal, showCancel: false })
    await screen.page.getByRole('dialog', { name: 'First' }).waitFor()
    await screen.overlay('hideModal', {})
    const canceled = { method: 'showModal', result: { confirm: false, cancel: true } }
    const results = await takeResults(3)
    expect(results.filter(({ method }) => method === 'showModal')).toEqual([canceled, canceled])
    expect(results).toContainEqual({ method: 'hideModal', result: {} })
    await button('Album').click()
    expect(await takeResults()).toEqual([{ method: 'showActionSheet', result: { tapIndex: 1 } }])
  })

  test('scrolls a long text between title and buttons', async () => {
    await screen.overlay('showModal', { ...modal, content: 'All the terms there are. '.repeat(200) })
    await dialog().waitFor()
    const { height } = (await dialog().boundingBox())!
    expect(height).toBeLessThanOrEqual(667 * 0.84 + 1)
    expect(await button('OK').isVisible()).toBe(true)
  })
})

describe('action sheet', () => {
  test('returns the index of the chosen item', async () => {
    await screen.overlay('showActionSheet', { ...sheet, title: 'From where?', itemColor: '#FF0000' })
    await screen.page.getByRole('dialog', { name: 'From where?' }).waitFor()
    expect(await styleOf(button('Album'), 'color')).toBe('rgb(255, 0, 0)')
    await button('Files').click()
    expect(await takeResults()).toEqual([{ method: 'showActionSheet', result: { tapIndex: 2 } }])
  })

  test('fails with cancel by its button, a tap outside and Escape', async () => {
    const cancelActions = [
      () => button('Cancel').click(),
      () => screen.page.mouse.click(187, 30),
      () => screen.page.keyboard.press('Escape'),
    ]
    for (const cancel of cancelActions) {
      await screen.overlay('showActionSheet', sheet)
      await dialog().waitFor()
      await cancel()
      expect(await takeResults()).toEqual([{ method: 'showActionSheet', errMsg: 'showActionSheet:fail cancel' }])
      await dialog().waitFor({ state: 'detached' })
    }
  })

  test('fails with cancel for hideActionSheet, which does nothing without a sheet', async () => {
    await screen.overlay('hideActionSheet', {})
    expect(await takeResults()).toEqual([{ method: 'hideActionSheet', result: {} }])
    await screen.overlay('showActionSheet', sheet)
    await dialog().waitFor()
    await screen.overlay('hideActionSheet', {})
    expect(await takeResults(2)).toContainEqual({
      method: 'showActionSheet',
      errMsg: 'showActionSheet:fail cancel',
    })
    await dialog().waitFor({ state: 'detached' })
  })

  test('is placed at the bottom above the safe area', async () => {
    await screen.device({ safeAreaBottom: 20 })
    await screen.overlay('showActionSheet', sheet)
    await dialog().waitFor()
    const { y, height } = (await dialog().boundingBox())!
    expect(y + height).toBe(667)
    const cancel = (await button('Cancel').boundingBox())!
    expect(cancel.y + cancel.height).toBe(647)
  })

  test('moves the focus by arrow keys', async () => {
    await screen.overlay('showActionSheet', sheet)
    await dialog().waitFor()
    expect(await focused()).toBe('Camera')
    await screen.page.keyboard.press('ArrowDown')
    expect(await focused()).toBe('Album')
    await screen.page.keyboard.press('ArrowUp')
    await screen.page.keyboard.press('ArrowUp')
    expect(await focused()).toBe('Cancel')
  })
})

describe('image preview', () => {
  const scale = () =>
    $('.neu-preview-image')
      .nth(0)
      .evaluate((image) => new DOMMatrix(getComputedStyle(image).transform).a)
  const waitForCount = async (text: string) => await $('.neu-preview-count').getByText(text, { exact: true }).waitFor()

  test('starts with the requested image, and returns once visible', async () => {
    await screen.overlay('previewImage', { ...preview, current: 1 })
    await waitForCount('2 / 3')
    expect(await screen.results()).toEqual([{ method: 'previewImage', result: {} }])
    const { x, width } = (await $('.neu-preview-image').nth(1).boundingBox())!
    expect([x, width]).toEqual([0, 375])
    expect(await violations()).toEqual([])
  })

  test('is closed by closePreviewImage', async () => {
    await screen.overlay('previewImage', preview)
    await waitForCount('1 / 3')
    await screen.overlay('closePreviewImage', {})
    await dialog().waitFor({ state: 'detached' })
    expect(await takeResults(2)).toContainEqual({ method: 'closePreviewImage', result: {} })
  })

  test('handles arrow keys, Home, End, plus, minus and Escape', async () => {
    await screen.overlay('previewImage', preview)
    await waitForCount('1 / 3')
    await screen.page.keyboard.press('ArrowRight')
    await waitForCount('2 / 3')
    await screen.page.keyboard.press('End')
    await waitForCount('3 / 3')
    await screen.page.keyboard.press('Home')
    await waitForCount('1 / 3')
    await screen.page.keyboard.press('+')
    expect(await scale()).toBe(1.5)
    await screen.page.keyboard.press('-')
    expect(await scale()).toBe(1)
    await screen.page.keyboard.press('Escape')
    await $('.neu-preview').waitFor({ state: 'detached' })
  })

  test('has navigation buttons without a touch screen', async () => {
    screen = await openScreen()
    onTestFinished(() => screen.giveBack())
    await screen.overlay('previewImage', preview)
    await waitForCount('1 / 3')
    expect(await button('Previous').count()).toBe(0)
    await button('Next').click()
    await waitForCount('2 / 3')
    await button('Previous').click()
    await waitForCount('1 / 3')
    await button('Close').click()
    await $('.neu-preview').waitFor({ state: 'detached' })
  })

  test('shows the next image on a swipe', async () => {
    await screen.overlay('previewImage', preview)
    await waitForCount('1 / 3')
    const touch = await screen.page.context().newCDPSession(screen.page)
    await touch.send('Input.synthesizeScrollGesture', { x: 300, y: 300, xDistance: -300, yDistance: 0 })
    await waitForCount('2 / 3')
  })

  test('zooms by a factor of 2 on a double tap, and closes on a single tap', async () => {
    await screen.overlay('previewImage', preview)
    await waitForCount('1 / 3')
    const touch = await screen.page.context().newCDPSession(screen.page)
    // Taps within 300 ms count as a double tap, so the touches have timestamps, with one second between gestures.
    let time = Date.now() / 1000
    const tap = async (times: number) => {
      const events = Array.from({ length: times * 2 }, (_, index) => {
        const type = index % 2 === 0 ? 'touchStart' : 'touchEnd'
        const touchPoints = type === 'touchStart' ? [{ x: 187, y: 333 }] : []
        return touch.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp: time + index * 0.04 })
      })
      // All are sent before the first is awaited, so that a slow machine does not separate the taps.
      await Promise.all(events)
      time++
    }
    await tap(2)
    await expect.poll(scale).toBe(2)
    await tap(2)
    await expect.poll(scale).toBe(1)
    await tap(1)
    await $('.neu-preview').waitFor({ state: 'detached' })
  })

  test('zooms by two fingers, and moves the zoomed image by one', async () => {
    await screen.overlay('previewImage', preview)
    await waitForCount('1 / 3')
    const touch = await screen.page.context().newCDPSession(screen.page)
    const fingers = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints })
    await fingers('touchStart', { x: 150, y: 333 }, { x: 225, y: 333 })
    await fingers('touchMove', { x: 112, y: 333 }, { x: 262, y: 333 })
    await fingers('touchEnd')
    await expect.poll(scale).toBeCloseTo(2, 1)
    const before = (await $('.neu-preview-image').nth(0).boundingBox())!
    await fingers('touchStart', { x: 150, y: 333 })
    await fingers('touchMove', { x: 200, y: 333 })
    await fingers('touchEnd')
    const moved = async () => (await $('.neu-preview-image').nth(0).boundingBox())!.x - before.x
    await expect.poll(moved).toBeCloseTo(50, 0)
    expect(await $('.neu-preview').count()).toBe(1)
  })

  test('places the next image to the left in a right-to-left language', async () => {
    await screen.page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    await screen.overlay('previewImage', { ...preview, current: 1 })
    await waitForCount('2 / 3')
    expect((await $('.neu-preview-image').nth(1).boundingBox())!.x).toBe(0)
    await screen.page.keyboard.press('ArrowLeft')
    await waitForCount('3 / 3')
  })
})

test.each(['light', 'dark'] as const)('has enough contrast in the %s theme', async (theme) => {
  await screen.device({ theme })
  await screen.overlay('showModal', { ...modal, editable: true, placeholderText: 'Name' })
  await dialog().waitFor()
  expect(await styleOf(dialog(), 'background-color')).toBe(theme === 'dark' ? 'rgb(42, 42, 45)' : 'rgb(255, 255, 255)')
  expect(await violations()).toEqual([])
  await screen.page.keyboard.press('Escape')
  await screen.overlay('showActionSheet', { ...sheet, title: 'From where?' })
  await button('Camera').waitFor()
  expect(await violations()).toEqual([])
})
