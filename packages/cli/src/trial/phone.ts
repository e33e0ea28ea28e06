import { setTimeout as wait } from 'node:timers/promises'
import { openTab } from './tab.ts'

/** A mini app in Chromium, on the device page of the development server. */
export interface Phone {
  open(url: string): Promise<void>
  /**
   * Taps an element of the page on top when it is there, does not move, and is not covered. Returns its text.
   * @throws NotTapped if it is not so within `timeout` ms
   */
  tap(selector: string, timeout: number): Promise<string>
  /** Repeats an action on the bars of the host. */
  act(event: { type: string; index?: number; text?: string }): Promise<void>
  /** Returns a picture of the screen as PNG. */
  picture(): Promise<Buffer>
  close(): Promise<void>
}

/** An element could not be tapped. */
export class NotTapped extends Error {}

/** The middle of an element with its text, or why it cannot be tapped. */
type Target = { x: number; y: number; text: string } | { reason: string }

const pollInterval = 100

/** Finds an element of the page on top in the document of the mini app, and scrolls to it. */
const locate = (selector: string) => `(() => {
  const page = [...document.querySelectorAll('neu-page')].findLast((each) => each.checkVisibility())
  if (!page) return null
  const element = page.querySelector(':scope > ' + ${JSON.stringify(selector)})
  if (!element) return { reason: 'it is not on the page' }
  const text = (element.innerText ?? '').trim().split('\\n')[0].slice(0, 40)
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
  const [box] = element.getClientRects()
  if (!box || box.width === 0 || box.height === 0) return { reason: 'it is not visible' }
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const hit = document.elementFromPoint(x, y)
  if (!hit) return { reason: 'it is outside of the screen' }
  if (!element.contains(hit) && !hit.contains(element)) return { reason: 'it is covered by ' + hit.localName }
  return { x, y, text }
})()`

/** The place of the frame in the device page. */
const frame = `(() => {
  const box = document.querySelector('iframe.souk-mini-app-frame')?.getBoundingClientRect()
  return box ? { x: box.x, y: box.y } : null
})()`

/**
 * Starts Chromium with a screen of this size in px.
 * @param path of Chromium
 * @throws if it cannot be started
 */
export async function openPhone(path: string, size: { width: number; height: number }): Promise<Phone> {
  const tab = await openTab(path, size)
  const find = async <T>(expression: string) =>
    (await tab.evaluate(expression)).find((value): value is T => typeof value === 'object' && value !== null)

  async function press(x: number, y: number): Promise<void> {
    const point = { x, y, button: 'left', clickCount: 1 }
    await tab.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y })
    await tab.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...point })
    await tab.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...point })
  }

  return {
    open: tab.open,
    close: tab.close,
    async tap(selector, timeout) {
      const latest = Date.now() + timeout
      let before: Target | undefined
      for (;;) {
        const target = await find<Target>(locate(selector))
        const isStill = JSON.stringify(target) === JSON.stringify(before)
        before = target
        if (isStill && target && 'x' in target) {
          const { x, y } = (await find<{ x: number; y: number }>(frame)) ?? { x: 0, y: 0 }
          await press(x + target.x, y + target.y)
          return target.text
        }
        if (Date.now() > latest)
          throw new NotTapped(target && 'reason' in target ? target.reason : 'it moves, or no page is shown')
        await wait(pollInterval)
      }
    },
    act: async (event) => {
      const dispatch = `dispatchEvent(new CustomEvent('souk:bar', { detail: ${JSON.stringify(event)} }))`
      await tab.evaluate(`document.querySelector('iframe.souk-mini-app-frame') && ${dispatch}`)
    },
    async picture() {
      const { data } = await tab.send('Page.captureScreenshot', { format: 'png' })
      return Buffer.from(String(data), 'base64')
    },
  }
}
