import { callListeners } from '../page/callListeners.ts'

// biome-ignore lint/suspicious/noExplicitAny: sender and listener agree on the arguments, as with the DOM's CustomEvent
export type Listener = (...args: any[]) => void

/** One registration: the same listener may be registered several times. */
interface Registration {
  listener: Listener
  isOnce: boolean
  /** Returned by `on` and `once`. */
  stop: () => void
}

/**
 * Events by name. `neu.$on` and related functions share one channel; each page has another one to its opener,
 * available there as `eventChannel` of `neu.navigateTo` and in the page as `getOpenerEventChannel()`.
 */
export class EventChannel {
  readonly #registrations = new Map<string, Registration[]>()
  readonly #buffer: Map<string, unknown[][]> | undefined

  /** @param isBuffered keeps events without a listener for the first one */
  constructor(isBuffered = false) {
    if (isBuffered) this.#buffer = new Map()
  }

  /** Adds a listener, and returns a function that removes this registration. */
  on(name: string, listener: Listener): () => void {
    return this.#add(name, listener, false)
  }

  /** Adds a listener for the next event only, and returns a function that removes this registration. */
  once(name: string, listener: Listener): () => void {
    return this.#add(name, listener, true)
  }

  /** Removes all registrations of a listener; without `listener` of the name, without `name` all. */
  off(name?: string, listener?: Listener | null): void {
    if (name === undefined) this.#registrations.clear()
    else this.#remove(name, (each) => !listener || each.listener === listener)
  }

  /** Removes the latest registration of a listener, or the one whose `stop` this is. */
  offLatest(name: string, listener: Listener): void {
    const latest = this.#registrations
      .get(name)
      ?.findLast((each) => each.listener === listener || each.stop === listener)
    this.#remove(name, (each) => each === latest)
  }

  /** Sends an event to the other page. */
  emit(name: string, ...args: unknown[]): void {
    const found = this.#registrations.get(name)
    if (!found) {
      if (this.#buffer) this.#buffer.set(name, [...(this.#buffer.get(name) ?? []), args])
      return
    }
    const once = found.filter(({ isOnce }) => isOnce)
    if (once.length > 0) this.#remove(name, (each) => once.includes(each))
    callListeners(
      found.map(({ listener }) => listener),
      ...args,
    )
  }

  #add(name: string, listener: Listener, isOnce: boolean): () => void {
    const stop = () => this.#remove(name, (each) => each === added)
    const added: Registration = { listener, isOnce, stop }
    this.#registrations.set(name, [...(this.#registrations.get(name) ?? []), added])
    const buffered = this.#buffer?.get(name)
    this.#buffer?.delete(name)
    for (const args of buffered ?? []) this.emit(name, ...args)
    return stop
  }

  #remove(name: string, isRemoved: (each: Registration) => boolean): void {
    const remaining = (this.#registrations.get(name) ?? []).filter((each) => !isRemoved(each))
    if (remaining.length > 0) this.#registrations.set(name, remaining)
    else this.#registrations.delete(name)
  }
}
