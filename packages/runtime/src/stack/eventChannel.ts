// biome-ignore lint/suspicious/noExplicitAny: sender and listener agree on the arguments, as with the DOM's CustomEvent
export type Listener = (...args: any[]) => void

/**
 * Events by name. `neu.$on` and related functions share one channel; each page has another one to its opener,
 * available there as `eventChannel` of `neu.navigateTo` and in the page as `getOpenerEventChannel()`.
 */
export class EventChannel {
  readonly #listeners = new Map<string, { listener: Listener; isOnce: boolean }[]>()
  readonly #buffer: Map<string, unknown[][]> | undefined

  /** @param isBuffered keeps events without a listener for the first one */
  constructor(isBuffered = false) {
    if (isBuffered) this.#buffer = new Map()
  }

  on(name: string, listener: Listener): void {
    this.#add(name, listener, false)
  }

  once(name: string, listener: Listener): void {
    this.#add(name, listener, true)
  }

  /** Removes a listener; without `listener` all listeners of the name, without `name` all listeners. */
  off(name?: string, listener?: Listener): void {
    if (name === undefined) this.#listeners.clear()
    else if (!listener) this.#listeners.delete(name)
    else
      this.#listeners.set(
        name,
        (this.#listeners.get(name) ?? []).filter((each) => each.listener !== listener),
      )
  }

  emit(name: string, ...args: unknown[]): void {
    const found = this.#listeners.get(name)
    if (!found?.length) {
      if (this.#buffer) this.#buffer.set(name, [...(this.#buffer.get(name) ?? []), args])
      return
    }
    // A copy, because listeners may add or remove listeners.
    for (const { listener, isOnce } of [...found]) {
      if (isOnce) this.off(name, listener)
      try {
        listener(...args)
      } catch (error) {
        reportError(error)
      }
    }
  }

  #add(name: string, listener: Listener, isOnce: boolean): void {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), { listener, isOnce }])
    const buffered = this.#buffer?.get(name)
    this.#buffer?.delete(name)
    for (const args of buffered ?? []) this.emit(name, ...args)
  }
}
