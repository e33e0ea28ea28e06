import type { ComponentPublicInstance } from 'vue'
import { datasetOf } from './datasetOf.ts'
import { rpxStyle } from './rpx.ts'

/** States that script modules keep per element. */
const states = new WeakMap<Element, Record<string, unknown>>()

/** An element of a page as script modules see it (WXS' ComponentDescriptor). */
export class ElementHandle {
  readonly $el: HTMLElement
  readonly $vm: ComponentPublicInstance

  constructor(element: HTMLElement, component: ComponentPublicInstance) {
    this.$el = element
    this.$vm = component
  }

  selectComponent(selector: string): ElementHandle | undefined {
    const found = this.$el.querySelector<HTMLElement>(selector)
    return found ? new ElementHandle(found, this.$vm) : undefined
  }

  selectAllComponents(selector: string): ElementHandle[] {
    return [...this.$el.querySelectorAll<HTMLElement>(selector)].map((each) => new ElementHandle(each, this.$vm))
  }

  setStyle(style: string | Readonly<Record<string, string | number>>): this {
    const rules = typeof style === 'string' ? declarationsOf(style) : Object.entries(style)
    for (const [name, value] of rules) this.$el.style.setProperty(hyphenate(name), rpxStyle(String(value)))
    return this
  }

  addClass(...names: string[]): this {
    this.$el.classList.add(...names)
    return this
  }

  removeClass(...names: string[]): this {
    this.$el.classList.remove(...names)
    return this
  }

  hasClass(name: string): boolean {
    return this.$el.classList.contains(name)
  }

  getDataset(): DOMStringMap {
    return datasetOf(this.$el)
  }

  getState(): Record<string, unknown> {
    const state = states.get(this.$el) ?? {}
    states.set(this.$el, state)
    return state
  }

  /** Calls a method of the component. */
  callMethod(name: string, ...args: unknown[]): unknown {
    const method = (this.$vm as unknown as Record<string, unknown>)[name]
    if (typeof method === 'function') return method.apply(this.$vm, args) as unknown
    console.warn(`callMethod: the component has no method "${name}".`)
    return undefined
  }

  triggerEvent(name: string, detail?: unknown): void {
    this.$vm.$emit(name, { detail })
  }

  requestAnimationFrame(run: FrameRequestCallback): number {
    return requestAnimationFrame(run)
  }

  setTimeout(run: () => void, milliseconds?: number): ReturnType<typeof setTimeout> {
    return setTimeout(run, milliseconds)
  }

  clearTimeout(timer: ReturnType<typeof setTimeout>): void {
    clearTimeout(timer)
  }

  getBoundingClientRect(): DOMRect {
    return this.$el.getBoundingClientRect()
  }

  getComputedStyle(names: readonly string[] = []): Record<string, string> {
    const style = getComputedStyle(this.$el)
    return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(hyphenate(name))]))
  }
}

const hyphenate = (name: string) => (name.startsWith('--') ? name : name.replace(/[A-Z]/g, '-$&').toLowerCase())

function declarationsOf(style: string): [string, string][] {
  return style.split(';').flatMap((each) => {
    const colon = each.indexOf(':')
    return colon < 0 ? [] : [[each.slice(0, colon).trim(), each.slice(colon + 1).trim()] as [string, string]]
  })
}
