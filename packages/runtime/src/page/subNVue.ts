import type { SubNVue, SubNVueStyle } from '@souk/pages'
import { type Component, type InjectionKey, inject, markRaw, shallowReactive } from 'vue'
import type { PageModule } from '../config.ts'
import { type Motion, transitionOf } from './motion.ts'

type Listener<T> = (event: T) => unknown

/** What happens to a sub-window. */
export interface SubNVueEvents {
  show: undefined
  hide: undefined
  message: { data: unknown }
}

/**
 * A sub-window of a page (§2.8), as `neu.getSubNVueById` and, inside of it, `neu.getCurrentSubNVue` give it. Its page and its own component use the same object.
 */
export class SubNVueWindow {
  readonly id: string
  readonly type: SubNVue['type']
  readonly load: () => Promise<Component>
  /** What is drawn; reactive. */
  readonly state: { isShown: boolean; motion: Motion | null; style: SubNVueStyle }
  readonly #listeners = new Map<keyof SubNVueEvents, Set<Listener<never>>>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #finish: (() => void) | undefined

  constructor(id: string, { type, style = {} }: SubNVue, load: () => Promise<Component>) {
    this.id = id
    this.type = type
    this.load = load
    // A pop-up comes when it is called.
    this.state = shallowReactive({ isShown: type !== 'popup', motion: null, style })
    // Apps keep it in their data, which would put a proxy around it.
    markRaw(this)
  }

  /** `animation` is one of the field, without one it is there at once; `duration` in ms. `done` is called when it stands. */
  show(animation = 'none', duration = 300, done?: () => unknown): void {
    this.#move('enter', animation, duration, () => {
      this.#emit('show', undefined)
      done?.()
    })
  }

  /** As `show`, the other way round. */
  hide(animation = 'none', duration = 300, done?: () => unknown): void {
    if (!this.state.isShown) return
    this.#move('leave', animation, duration, () => {
      this.state.isShown = false
      this.#emit('hide', undefined)
      done?.()
    })
  }

  isVisible(): boolean {
    return this.state.isShown && this.state.motion?.role !== 'leave'
  }

  /** Changes what is given and leaves the rest; null takes an attribute away. */
  setStyle(style: SubNVueStyle): void {
    const changed = Object.entries({ ...this.state.style, ...style }).filter(([, value]) => value != null)
    this.state.style = Object.fromEntries(changed) as SubNVueStyle
  }

  /** To whoever listens with `onMessage`: later, as messages between windows come. */
  postMessage(data: unknown): void {
    queueMicrotask(() => this.#emit('message', { data }))
  }

  onMessage(listener: Listener<SubNVueEvents['message']>): void {
    this.addEventListener('message', listener)
  }

  onShow(listener: () => unknown): void {
    this.addEventListener('show', listener)
  }

  onHide(listener: () => unknown): void {
    this.addEventListener('hide', listener)
  }

  addEventListener<E extends keyof SubNVueEvents>(event: E, listener: Listener<SubNVueEvents[E]>): void {
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners.add(listener as Listener<never>))
  }

  removeEventListener<E extends keyof SubNVueEvents>(event: E, listener: Listener<SubNVueEvents[E]>): void {
    this.#listeners.get(event)?.delete(listener as Listener<never>)
  }

  /** Nothing moves any more, and nobody is told. */
  close(): void {
    clearTimeout(this.#timer)
    this.#listeners.clear()
  }

  #move(role: 'enter' | 'leave', animationType: string, animationDuration: number, finish: () => void): void {
    // What is under way is first brought to its end.
    clearTimeout(this.#timer)
    this.#finish?.()
    const { name, duration } = transitionOf({}, { animationType, animationDuration })
    this.state.isShown = true
    this.#finish = () => {
      this.#finish = undefined
      this.state.motion = null
      finish()
    }
    if (duration === 0) this.#finish()
    else {
      this.state.motion = { role, name, duration }
      this.#timer = setTimeout(this.#finish, duration)
    }
  }

  #emit<E extends keyof SubNVueEvents>(event: E, value: SubNVueEvents[E]): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) (listener as Listener<SubNVueEvents[E]>)(value)
  }
}

/** Those of a page, in the order of pages.json. */
export function openSubNVues(subNVues: PageModule['subNVues'] = {}): SubNVueWindow[] {
  return Object.entries(subNVues).map(([id, { config, load }]) => new SubNVueWindow(id, config, load))
}

/** Given to the components in a sub-window. */
export const subNVueKey: InjectionKey<SubNVueWindow> = Symbol('subNVue')

/** In the setup of a component: the sub-window that it stands in. */
export function currentSubNVue(): SubNVueWindow | undefined {
  return inject(subNVueKey, undefined)
}
