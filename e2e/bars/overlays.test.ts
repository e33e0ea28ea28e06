import { AxeBuilder } from '@axe-core/playwright'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { closeFixtures, type Fixture, openFixture, styleOf } from './fixture.ts'

let fixture: Fixture
beforeEach(async () => {
  await fixture?.page.context().close()
  fixture = await openFixture({ hasTouch: true })
})
afterAll(closeFixtures)

const toast = { title: 'Saved', icon: 'success', image: '', duration: 600_000, mask: false, position: '' }
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

const $ = (selector: string) => fixture.page.locator(selector)
const button = (name: string) => fixture.page.getByRole('button', { name, exact: true })
const dialog = () => fixture.page.getByRole('dialog')
const focused = () => fixture.page.evaluate(() => document.activeElement?.textContent?.trim())
const answered = async () => {
  await fixture.page.waitForFunction(() => window.bars.answers.length > 0)
  return await fixture.answers()
}
async function faults(): Promise<unknown[]> {
  const { violations } = await new AxeBuilder({ page: fixture.page }).include('.neu-overlays').analyze()
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
}

describe('toast', () => {
  test('says its title with an icon, is told when it is there, and lets touches through', async () => {
    await fixture.overlay('showToast', toast)
    await $('.neu-toast').waitFor()
    expect(await fixture.answers()).toEqual([{ method: 'showToast', result: {} }])
    expect(await fixture.page.getByRole('status').innerText()).toContain('Saved')
    expect(await $('.neu-toast svg').count()).toBe(1)
    await fixture.page.mouse.click(187, 333)
    expect(await fixture.events()).toEqual([{ type: 'content' }])
    expect(await faults()).toEqual([])
    await fixture.overlay('hideToast', {})
    await $('.neu-toast').waitFor({ state: 'detached' })
  })

  test('goes by itself after its duration, each of two after its own', async () => {
    const start = Date.now()
    await fixture.page.clock.install({ time: start })
    // From here on it moves by hand alone.
    await fixture.page.clock.pauseAt(start + 60_000)
    await fixture.overlay('showToast', { ...toast, duration: 1000 })
    await $('.neu-toast').waitFor()
    await fixture.page.clock.fastForward(900)
    await fixture.overlay('showToast', { ...toast, title: 'Second', duration: 1000 })
    await fixture.page.getByText('Second').waitFor()
    await fixture.page.clock.fastForward(900)
    expect(await $('.neu-toast').innerText()).toBe('Second')
    await fixture.page.clock.fastForward(200)
    await $('.neu-toast').waitFor({ state: 'detached' })
  })

  test('mask keeps touches away', async () => {
    await fixture.overlay('showToast', { ...toast, mask: true })
    await $('.neu-toast').waitFor()
    await fixture.page.mouse.click(20, 20)
    expect(await fixture.events()).toEqual([])
  })

  test('icons error, loading, none; an image in place of the icon', async () => {
    const icons: string[] = []
    for (const icon of ['success', 'error', 'loading', 'none']) {
      await fixture.overlay('showToast', { ...toast, icon })
      await fixture.page.evaluate(() => new Promise(requestAnimationFrame))
      icons.push(await $('.neu-toast').evaluate((own) => [...own.children].map(({ tagName }) => tagName).join()))
    }
    expect(icons).toEqual(['svg,DIV', 'svg,DIV', 'SPAN,DIV', 'DIV'])
    await fixture.overlay('showToast', { ...toast, image: 'http://bars.test/red.svg' })
    expect(await $('.neu-toast img').getAttribute('src')).toBe('http://bars.test/red.svg')
    expect(await $('.neu-toast svg').count()).toBe(0)
  })

  test('position', async () => {
    const middle = async (position: string) => {
      await fixture.overlay('showToast', { ...toast, icon: 'none', position })
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
  test('stays until it is hidden', async () => {
    await fixture.page.clock.install()
    await fixture.overlay('showLoading', { title: 'Loading', mask: true })
    await $('.neu-loading .neu-spinner').waitFor()
    await fixture.page.clock.fastForward(60_000)
    expect(await $('.neu-loading').innerText()).toBe('Loading')
    await fixture.page.mouse.click(20, 20)
    expect(await fixture.events()).toEqual([])
    await fixture.overlay('hideLoading', {})
    await $('.neu-loading').waitFor({ state: 'detached' })
  })

  test('and a toast take each other away', async () => {
    await fixture.overlay('showLoading', { title: 'Wait', mask: false })
    await $('.neu-loading').waitFor()
    await fixture.overlay('showToast', toast)
    await fixture.page.getByText('Wait').waitFor({ state: 'detached' })
    expect(await $('.neu-toast').allInnerTexts()).toEqual(['Saved'])
    await fixture.overlay('showLoading', { title: 'Wait', mask: false })
    await fixture.page.getByText('Saved').waitFor({ state: 'detached' })
    expect(await $('.neu-toast').allInnerTexts()).toEqual(['Wait'])
  })
})

describe('modal', () => {
  test('confirms, with the words of the language', async () => {
    await fixture.overlay('showModal', modal)
    await dialog().waitFor()
    expect(await fixture.page.getByRole('dialog', { name: 'Leave?' }).count()).toBe(1)
    expect(await $('.neu-modal-answers button').allInnerTexts()).toEqual(['Cancel', 'OK'])
    expect(await fixture.answers()).toEqual([])
    expect(await faults()).toEqual([])
    await button('OK').click()
    expect(await answered()).toEqual([{ method: 'showModal', result: { confirm: true, cancel: false } }])
    await dialog().waitFor({ state: 'detached' })
    for (const [language, words] of [
      ['zh-CN', ['取消', '确定']],
      ['ar', ['إلغاء', 'حسنًا']],
    ] as const) {
      await fixture.device({ language })
      await fixture.overlay('showModal', modal)
      await dialog().waitFor()
      expect(await $('.neu-modal-answers button').allInnerTexts()).toEqual(words)
      await fixture.page.keyboard.press('Escape')
      await dialog().waitFor({ state: 'detached' })
    }
  })

  test('cancels by its button and by Escape, not by a tap beside it', async () => {
    const cancelled = [{ method: 'showModal', result: { confirm: false, cancel: true } }]
    await fixture.overlay('showModal', modal)
    await fixture.page.mouse.click(10, 10)
    await button('Cancel').click()
    expect(await answered()).toEqual(cancelled)
    await dialog().waitFor({ state: 'detached' })
    await fixture.overlay('showModal', modal)
    await dialog().waitFor()
    await fixture.page.keyboard.press('Escape')
    expect(await answered()).toEqual(cancelled)
  })

  test('own texts and colours; without cancel there is only the one answer', async () => {
    await fixture.overlay('showModal', {
      ...modal,
      showCancel: false,
      confirmText: 'Understood',
      confirmColor: '#FF0000',
    })
    expect(await styleOf(button('Understood'), 'color')).toBe('rgb(255, 0, 0)')
    expect(await $('.neu-modal-answers button').count()).toBe(1)
    await fixture.page.keyboard.press('Escape')
    expect(await dialog().count()).toBe(1)
    await fixture.page.keyboard.press('Enter')
    expect(await answered()).toEqual([{ method: 'showModal', result: { confirm: true, cancel: false } }])
    await fixture.overlay('showModal', { ...modal, cancelText: 'Stay', cancelColor: '#00AA00' })
    expect(await styleOf(button('Stay'), 'color')).toBe('rgb(0, 170, 0)')
  })

  test('editable: gives what was typed, Enter confirms', async () => {
    await fixture.overlay('showModal', { ...modal, content: 'Lay', editable: true, placeholderText: 'Your name' })
    const box = fixture.page.getByRole('textbox', { name: 'Your name' })
    expect(await box.inputValue()).toBe('Lay')
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await faults()).toEqual([])
    await box.press('End')
    await box.pressSequentially('la')
    await box.press('Enter')
    expect(await answered()).toEqual([
      { method: 'showModal', result: { confirm: true, cancel: false, content: 'Layla' } },
    ])
  })

  test('keeps the keyboard inside, and gives the focus back', async () => {
    await $('#content').focus()
    await fixture.overlay('showModal', modal)
    await dialog().waitFor()
    expect(await focused()).toBe('OK')
    const seen: (string | undefined)[] = []
    for (const key of ['Tab', 'Tab', 'Shift+Tab', 'Shift+Tab']) {
      await fixture.page.keyboard.press(key)
      seen.push(await focused())
    }
    expect(seen).toEqual(['Cancel', 'OK', 'Cancel', 'OK'])
    await button('OK').click()
    await dialog().waitFor({ state: 'detached' })
    expect(await fixture.page.evaluate(() => document.activeElement?.id)).toBe('content')
  })

  test('a second one waits for the first, and each gets its own answer', async () => {
    await fixture.overlay('showModal', { ...modal, title: 'First' })
    await fixture.overlay('showModal', { ...modal, title: 'Second' })
    await fixture.overlay('showActionSheet', sheet)
    expect(await dialog().count()).toBe(1)
    await fixture.page.getByRole('dialog', { name: 'First' }).waitFor()
    await button('Cancel').click()
    await fixture.page.getByRole('dialog', { name: 'Second' }).waitFor()
    await button('OK').click()
    await button('Album').click()
    expect(await answered()).toEqual([
      { method: 'showModal', result: { confirm: false, cancel: true } },
      { method: 'showModal', result: { confirm: true, cancel: false } },
      { method: 'showActionSheet', result: { tapIndex: 1 } },
    ])
  })

  test('a long text scrolls between title and buttons', async () => {
    await fixture.overlay('showModal', { ...modal, content: 'All the terms there are. '.repeat(200) })
    await dialog().waitFor()
    const { height } = (await dialog().boundingBox())!
    expect(height).toBeLessThanOrEqual(667 * 0.84 + 1)
    expect(await button('OK').isVisible()).toBe(true)
  })
})

describe('action sheet', () => {
  test('gives the index of the choice', async () => {
    await fixture.overlay('showActionSheet', { ...sheet, title: 'From where?', itemColor: '#FF0000' })
    await fixture.page.getByRole('dialog', { name: 'From where?' }).waitFor()
    expect(await styleOf(button('Album'), 'color')).toBe('rgb(255, 0, 0)')
    await button('Files').click()
    expect(await answered()).toEqual([{ method: 'showActionSheet', result: { tapIndex: 2 } }])
  })

  test('fails with cancel: by its button, a tap beside it, Escape', async () => {
    const ways = [
      () => button('Cancel').click(),
      () => fixture.page.mouse.click(187, 30),
      () => fixture.page.keyboard.press('Escape'),
    ]
    for (const way of ways) {
      await fixture.overlay('showActionSheet', sheet)
      await dialog().waitFor()
      await way()
      expect(await answered()).toEqual([{ method: 'showActionSheet', errMsg: 'showActionSheet:fail cancel' }])
      await dialog().waitFor({ state: 'detached' })
    }
  })

  test('stands at the lower edge above what belongs to the system', async () => {
    await fixture.device({ safeAreaBottom: 20 })
    await fixture.overlay('showActionSheet', sheet)
    await dialog().waitFor()
    const { y, height } = (await dialog().boundingBox())!
    expect(y + height).toBe(667)
    const cancel = (await button('Cancel').boundingBox())!
    expect(cancel.y + cancel.height).toBe(647)
  })

  test('arrow keys go through it', async () => {
    await fixture.overlay('showActionSheet', sheet)
    await dialog().waitFor()
    expect(await focused()).toBe('Camera')
    await fixture.page.keyboard.press('ArrowDown')
    expect(await focused()).toBe('Album')
    await fixture.page.keyboard.press('ArrowUp')
    await fixture.page.keyboard.press('ArrowUp')
    expect(await focused()).toBe('Cancel')
  })
})

describe('image preview', () => {
  const scale = () =>
    $('.neu-preview-image')
      .nth(0)
      .evaluate((image) => new DOMMatrix(getComputedStyle(image).transform).a)
  const count = async (text: string) => await $('.neu-preview-count').getByText(text, { exact: true }).waitFor()

  test('begins with the image that is asked for and is told when it is there', async () => {
    await fixture.overlay('previewImage', { ...preview, current: 1 })
    await count('2 / 3')
    expect(await fixture.answers()).toEqual([{ method: 'previewImage', result: {} }])
    const { x, width } = (await $('.neu-preview-image').nth(1).boundingBox())!
    expect([x, width]).toEqual([0, 375])
    expect(await faults()).toEqual([])
  })

  test('keys: arrows, Home, End, plus, minus, Escape', async () => {
    await fixture.overlay('previewImage', preview)
    await count('1 / 3')
    await fixture.page.keyboard.press('ArrowRight')
    await count('2 / 3')
    await fixture.page.keyboard.press('End')
    await count('3 / 3')
    await fixture.page.keyboard.press('Home')
    await count('1 / 3')
    await fixture.page.keyboard.press('+')
    expect(await scale()).toBe(1.5)
    await fixture.page.keyboard.press('-')
    expect(await scale()).toBe(1)
    await fixture.page.keyboard.press('Escape')
    await $('.neu-preview').waitFor({ state: 'detached' })
  })

  test('buttons, for those with a mouse to go on with', async () => {
    await fixture.page.context().close()
    fixture = await openFixture()
    await fixture.overlay('previewImage', preview)
    await count('1 / 3')
    expect(await button('Previous').count()).toBe(0)
    await button('Next').click()
    await count('2 / 3')
    await button('Previous').click()
    await count('1 / 3')
    await button('Close').click()
    await $('.neu-preview').waitFor({ state: 'detached' })
  })

  test('is swiped', async () => {
    await fixture.overlay('previewImage', preview)
    await count('1 / 3')
    const touch = await fixture.page.context().newCDPSession(fixture.page)
    await touch.send('Input.synthesizeScrollGesture', { x: 300, y: 300, xDistance: -300, yDistance: 0 })
    await count('2 / 3')
  })

  test('two taps zoom to 2 and back, one closes', async () => {
    await fixture.overlay('previewImage', preview)
    await count('1 / 3')
    const touch = await fixture.page.context().newCDPSession(fixture.page)
    // Two taps count as one gesture for 300 ms only, and so the touches say when they happened: the gestures a second apart.
    let time = Date.now() / 1000
    const tap = async (times: number) => {
      for (let index = 0; index < times * 2; index++) {
        const type = index % 2 === 0 ? 'touchStart' : 'touchEnd'
        const touchPoints = type === 'touchStart' ? [{ x: 187, y: 333 }] : []
        await touch.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp: time + index * 0.04 })
      }
      time++
    }
    await tap(2)
    await expect.poll(scale).toBe(2)
    await tap(2)
    await expect.poll(scale).toBe(1)
    await tap(1)
    await $('.neu-preview').waitFor({ state: 'detached' })
  })

  test('two fingers zoom, one moves what is zoomed', async () => {
    await fixture.overlay('previewImage', preview)
    await count('1 / 3')
    const touch = await fixture.page.context().newCDPSession(fixture.page)
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

  test('right to left: the next image is at the left', async () => {
    await fixture.page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    await fixture.overlay('previewImage', { ...preview, current: 1 })
    await count('2 / 3')
    expect((await $('.neu-preview-image').nth(1).boundingBox())!.x).toBe(0)
    await fixture.page.keyboard.press('ArrowLeft')
    await count('3 / 3')
  })
})

test.each(['light', 'dark'] as const)('in the %s theme every overlay has enough contrast', async (theme) => {
  await fixture.device({ theme })
  await fixture.overlay('showModal', { ...modal, editable: true, placeholderText: 'Name' })
  await dialog().waitFor()
  expect(await styleOf(dialog(), 'background-color')).toBe(theme === 'dark' ? 'rgb(42, 42, 45)' : 'rgb(255, 255, 255)')
  expect(await faults()).toEqual([])
  await fixture.page.keyboard.press('Escape')
  await fixture.overlay('showActionSheet', { ...sheet, title: 'From where?' })
  await button('Camera').waitFor()
  expect(await faults()).toEqual([])
})
