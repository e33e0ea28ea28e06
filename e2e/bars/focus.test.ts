import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Overlays } from '../../packages/shell/src/host.ts'
import { openScreen, type TestScreen } from './fixture.ts'

const folder = join(import.meta.dirname, '../../packages/shell/src/overlays')

interface Row {
  method: keyof Overlays
  params: object
  /** A point of the dialog on which nothing happens. */
  idle: { x: number; y: number }
  /** The result after Escape, or the error; null if it closes without one. */
  escaped: object | string | null
  /** Called before Escape. */
  before?: () => Promise<unknown>
}

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
const urls = ['red', 'lime'].map((color) => `http://bars.test/${color}.svg`)

/** The overlays that take the focus. */
const dialogs: Record<string, Row> = {
  Modal: { method: 'showModal', params: modal, idle: { x: 10, y: 10 }, escaped: { confirm: false, cancel: true } },
  ActionSheet: {
    method: 'showActionSheet',
    params: { title: 'From where?', itemList: ['Camera', 'Album'], itemColor: '' },
    idle: { x: 187, y: 480 },
    escaped: 'showActionSheet:fail cancel',
  },
  ImagePreview: { method: 'previewImage', params: { urls, current: 0 }, idle: { x: 187, y: 20 }, escaped: null },
  Scanner: {
    method: 'scanCode',
    params: { onlyFromCamera: false, scanType: [] },
    idle: { x: 187, y: 100 },
    escaped: 'scanCode:fail cancel',
  },
  PlacePicker: {
    method: 'chooseLocation',
    params: { latitude: 1, longitude: 2 },
    idle: { x: 6, y: 640 },
    escaped: 'chooseLocation:fail cancel',
    // It takes no input before it can be read.
    before: () => screen.page.locator('.neu-place:not(.neu-place-waiting)').waitFor(),
  },
  PlaceView: {
    method: 'openLocation',
    params: { latitude: 1, longitude: 2, name: 'Souk', address: 'Doha' },
    idle: { x: 6, y: 640 },
    escaped: null,
  },
}
/** The components that take no focus, and parts of others. */
const others = ['Loading', 'OverlayStack', 'PlaceMap', 'Toast']

let screen: TestScreen
beforeAll(async () => {
  screen = await openScreen({ hasTouch: true })
})
beforeEach(() => screen.clearOverlays())
afterAll(() => screen?.giveBack())

const open = async ({ method, params, before }: Row) => {
  await screen.page.locator('#content').focus()
  await screen.overlay(method, params as never)
  await screen.page.locator('.neu-overlays [aria-modal]').waitFor()
  await before?.()
}
/** Returns where the focus is: in the dialog, or an element outside of it. */
const focus = () =>
  screen.page.evaluate(() => {
    const { activeElement } = document
    return activeElement?.closest('.neu-mask') ? 'dialog' : `${activeElement?.localName} ${activeElement?.id}`.trim()
  })

test('has a row for each overlay', () => {
  const components = readdirSync(folder).filter((file) => file.endsWith('.vue'))
  const rows = [...Object.keys(dialogs), ...others].map((name) => `${name}.vue`)
  expect(rows.sort()).toEqual(components.sort())
})

describe.each(Object.keys(dialogs))('%s', (name) => {
  const row = dialogs[name]!

  test('keeps the focus on a click, Tab and Shift+Tab', async () => {
    await open(row)
    expect(await focus()).toBe('dialog')
    for (const key of [...Array(12).fill('Tab'), ...Array(12).fill('Shift+Tab')]) {
      await screen.page.keyboard.press(key)
      expect(await focus()).toBe('dialog')
    }
    await screen.page.mouse.click(row.idle.x, row.idle.y)
    expect(await focus()).toBe('dialog')
    await screen.page.keyboard.press('Tab')
    expect(await focus()).toBe('dialog')
    expect(await screen.page.evaluate(() => document.activeElement?.matches('[aria-modal] *'))).toBe(true)
    expect(await screen.events()).toEqual([])
  })

  test('keeps the focus when scripts or the browser take it', async () => {
    await open(row)
    await screen.page.evaluate(() => document.querySelector<HTMLElement>('#content')!.focus())
    expect(await focus()).toBe('dialog')
    await screen.page.evaluate(() => {
      const added = document.body.appendChild(document.createElement('button'))
      setTimeout(() => added.focus(), 50)
      setTimeout(() => added.remove(), 100)
    })
    await screen.page.waitForTimeout(200)
    expect(await focus()).toBe('dialog')
    await screen.page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await expect.poll(focus).toBe('dialog')
  })

  test('closes on Escape after a click, and returns the focus', async () => {
    await open(row)
    await screen.page.mouse.click(row.idle.x, row.idle.y)
    await screen.page.keyboard.press('Escape')
    await screen.page.locator('.neu-overlays [aria-modal]').waitFor({ state: 'detached' })
    expect(await focus()).toBe('button content')
    const [result] = await screen.results()
    if (typeof row.escaped === 'string') expect(result).toMatchObject({ errMsg: row.escaped })
    else if (row.escaped) expect(result).toMatchObject({ result: row.escaped })
    await screen.page.keyboard.press('Enter')
    expect(await screen.events()).toEqual([{ type: 'content' }])
  })
})

test('a dialog over an image preview keeps the focus, and gives it back to the preview', async () => {
  await open(dialogs.Modal!)
  await screen.overlay('previewImage', dialogs.ImagePreview!.params as never)
  await screen.page.locator('.neu-preview').waitFor()
  await screen.page.keyboard.press('Tab')
  expect(await screen.page.evaluate(() => document.activeElement?.closest('.neu-modal') !== null)).toBe(true)
  await screen.page.keyboard.press('Escape')
  await screen.page.locator('.neu-modal').waitFor({ state: 'detached' })
  await screen.page.keyboard.press('Tab')
  expect(await screen.page.evaluate(() => document.activeElement?.closest('.neu-preview') !== null)).toBe(true)
  await screen.page.keyboard.press('Escape')
  await screen.page.locator('.neu-preview').waitFor({ state: 'detached' })
})

test.each(['showToast', 'showLoading'] as const)('%s leaves the focus where it is', async (method) => {
  await screen.page.locator('#content').focus()
  await screen.overlay(method, {
    title: 'Saved',
    mask: true,
    icon: '',
    image: '',
    duration: 60_000,
    position: '',
  } as never)
  await screen.page.locator('.neu-overlays [role=status] > *').waitFor()
  expect(await focus()).toBe('button content')
})
