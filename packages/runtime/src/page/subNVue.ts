import type { SubNVue, SubNVueStyle } from '@souk/pages'
import type { Motion } from '@souk/shell/page/motion'
import { type Component, type InjectionKey, inject, markRaw, shallowReactive } from 'vue'
import type { PageModule } from '../build.ts'
import { callListeners } from './callListeners.ts'
import { transitionOf } from './transition.ts'

type Listener<T> = (event: T) => unknown

/** Events of a sub-window. */
export interface SubNVueEvents {
  show: undefined
  hide: undefined
  message: { data: unknown }
}

/**
 * A sub-window of a page (pages-json §2.8), as returned by `neu.getSubNVueById` and, inside it, by
 * `neu.getCurrentSubNVue`. The page and the sub-window's component share the object.
 */
export class SubNVueWindow {
  readonly id: string
  readonly type: SubNVue['type']
  readonly load: () => Promise<Component>
  /** Rendered state; reactive. */
  readonly state: { isShown: boolean; motion: Motion | null; style: SubNVueStyle }
  readonly #listeners = new Map<keyof SubNVueEvents, Set<Listener<never>>>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #finish: (() => void) | undefined

  constructor(id: string, { type, style = {} }: SubNVue, load: () => Promise<Component>) {
    this.id = id
    this.type = type
    this.load = load
    // Pop-ups are hidden at first.
    this.state = shallowReactive({ isShown: type !== 'popup', motion: null, style })
    // Apps keep the object in their data, where Vue would wrap it in a proxy.
    markRaw(this)
  }

  /**
   * Shows the sub-window with one of the ecosystem's animations. `duration` in ms; `done` is called when the
   * animation ends.
   */
  show(animation = 'none', duration = 300, done?: () => unknown): void {
    this.#move('enter', animation, duration, () => {
      this.#emit('show', undefined)
      done?.()
    })
  }

  /** Hides the sub-window. */
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

  /** Changes the given attributes and keeps the others; null removes one. */
  setStyle(style: SubNVueStyle): void {
    const changed = Object.entries({ ...this.state.style, ...style }).filter(([, value]) => value != null)
    this.state.style = Object.fromEntries(changed) as SubNVueStyle
  }

  /** Sends a message to `onMessage` listeners, asynchronously as between windows. */
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

  /** Cancels the animation and removes all listeners. */
  close(): void {
    clearTimeout(this.#timer)
    this.#listeners.clear()
  }

  #move(role: 'enter' | 'leave', animationType: string, animationDuration: number, finish: () => void): void {
    // Finish the running animation first.
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
    callListeners((this.#listeners.get(event) ?? []) as Iterable<Listener<SubNVueEvents[E]>>, value)
  }
}

/** Creates the sub-windows of a page, in the order of pages.json. */
export function openSubNVues(subNVues: PageModule['subNVues'] = {}): SubNVueWindow[] {
  return Object.entries(subNVues).map(([id, { config, load }]) => new SubNVueWindow(id, config, load))
}

/** Provided to the components in a sub-window. */
export const subNVueKey: InjectionKey<SubNVueWindow> = Symbol('subNVue')

/** Returns the sub-window that contains the component. To be called in setup. */
export function currentSubNVue(): SubNVueWindow | undefined {
  return inject(subNVueKey, undefined)
}
