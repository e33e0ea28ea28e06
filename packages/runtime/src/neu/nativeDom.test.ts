import { beforeEach, expect, test, vi } from 'vitest'
import { nativeDom } from './nativeDom.ts'

type Rect = Record<'left' | 'right' | 'top' | 'bottom' | 'width' | 'height', number>
const rect = (left: number, top: number, width: number, height: number): Rect => ({
  left,
  right: left + width,
  top,
  bottom: top + height,
  width,
  height,
})

class Element {
  style = { overflowX: 'visible', overflowY: 'visible' }
  scrollWidth = 0
  scrollHeight = 0
  clientWidth = 0
  clientHeight = 0
  readonly scrollBy = vi.fn()
  readonly parentElement: Element | null
  readonly box: Rect
  constructor(parent: Element | null, box: Rect, style = {}) {
    this.parentElement = parent
    this.box = box
    Object.assign(this, { clientWidth: box.width, clientHeight: box.height })
    Object.assign(this.style, style)
  }
  matches = (selector: string) => selector === ':scope'
  querySelectorAll = () => []
  getBoundingClientRect = () => this.box
}

let page: Element
let tabs: Element
let isReduced: boolean

beforeEach(() => {
  isReduced = false
  vi.stubGlobal('Element', Element)
  vi.stubGlobal('getComputedStyle', ({ style }: Element) => style)
  vi.stubGlobal('matchMedia', () => ({ matches: isReduced }))
  vi.stubGlobal('document', { documentElement: { clientWidth: 375, clientHeight: 600 } })
  vi.stubGlobal('DOMRect', function (this: object, ...[x = 0, y = 0, width = 0, height = 0]: number[]) {
    Object.assign(this, rect(x, y, width, height))
  })
  page = new Element(null, rect(0, 44, 375, 600), { overflowX: 'hidden', overflowY: 'auto' })
  page.scrollHeight = 2000
  tabs = new Element(page, rect(10, 44, 300, 40), { overflowX: 'auto' })
  tabs.scrollWidth = 900
  tabs.scrollHeight = 40
  return () => vi.unstubAllGlobals()
})

test('scrolls the page to an element, a component or the first of a list', () => {
  const element = new Element(new Element(page, rect(0, 0, 375, 900)), rect(0, 500, 375, 50))
  nativeDom().scrollToElement(element)
  expect(page.scrollBy).toHaveBeenLastCalledWith({ top: 456, behavior: 'smooth' })
  nativeDom().scrollToElement({ $el: element }, { offset: -20, animated: false })
  expect(page.scrollBy).toHaveBeenLastCalledWith({ top: 436, behavior: 'instant' })
  isReduced = true
  nativeDom().scrollToElement([element, page], { offset: 10 })
  expect(page.scrollBy).toHaveBeenLastCalledWith({ top: 466, behavior: 'instant' })
})

test('scrolls the nearest container, also sideways', () => {
  nativeDom().scrollToElement(new Element(tabs, rect(410, 44, 100, 40)), { offset: -100 })
  expect(tabs.scrollBy).toHaveBeenCalledExactlyOnceWith({ left: 300, behavior: 'smooth' })
  expect(page.scrollBy).not.toHaveBeenCalled()
})

test('measures elements and the window', () => {
  const measure = (ref: unknown) => {
    const callback = vi.fn()
    nativeDom().getComponentRect(ref, callback)
    return callback.mock.lastCall![0]
  }
  expect(measure(tabs)).toEqual({ result: true, size: rect(10, 44, 300, 40) })
  expect(measure('viewport')).toEqual({ result: true, size: rect(0, 0, 375, 600) })
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  expect(measure(undefined)).toEqual({ result: false, size: rect(0, 0, 0, 0) })
  expect(warn).toHaveBeenCalledOnce()
  warn.mockRestore()
})

test('other functions of the module fail', async () => {
  const fail = vi.fn()
  const { updateElement } = nativeDom() as unknown as { updateElement(options: object): Promise<void> }
  await expect(updateElement({ fail })).rejects.toThrow('requireNativePlugin:fail not supported')
  expect(fail).toHaveBeenCalledOnce()
})
