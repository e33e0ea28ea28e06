// biome-ignore lint/suspicious/noExplicitAny: what goes with an event is known to those who send and listen, as in the DOM's CustomEvent.
export type Listener = (...args: any[]) => void

/**
 * Events by name. One of the whole app stands behind `neu.$on` and its kin; another one, made for each page, lies between it and the page that opened it:
 * `getOpenerEventChannel()` here, `eventChannel` of what `neu.navigateTo` gives there.
 */
export class EventChannel {
  readonly #listeners = new Map<string, { listener: Listener; isOnce: boolean }[]>()
  readonly #buffer: Map<string, unknown[][]> | undefined

  /** With `keeps`, what nobody listens to yet waits for the first who does. */
  constructor(isBuffered = false) {
    if (isBuffered) this.#buffer = new Map()
  }

  on(name: string, listener: Listener): void {
    this.#add(name, listener, false)
  }

  once(name: string, listener: Listener): void {
    this.#add(name, listener, true)
  }

  /** Without a listener all of that name, without a name all. */
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
    // A copy: who listens may come and go while the event is told.
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
