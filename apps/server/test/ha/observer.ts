import { setTimeout as wait } from 'node:timers/promises'
import { second } from '@souk/contract'

/** A request without a response, or with an error of the server. Times in ms since the start of the process. */
interface Failure {
  started: number
  ended: number
}

/** A period in which requests failed, with pauses shorter than `gap`. */
export interface ErrorWindow {
  from: number
  to: number
  failures: number
}

/** Timeout of a client's request, ms. */
const clientTimeout = 10 * second
/** A period without failures that ends an error window, ms. */
const gap = 3 * second

/** Sends the requests of clients, and records which of them failed. */
export class Observer {
  requests = 0
  readonly failures: Failure[] = []
  #succeeded = 0

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const started = performance.now()
    this.requests++
    const timeout = AbortSignal.timeout(clientTimeout)
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout
    try {
      const response = await fetch(input, { ...init, signal })
      if (response.status >= 500) this.#fail(started)
      else this.#succeeded = performance.now()
      return response
    } catch (error) {
      this.#fail(started)
      throw error
    }
  }

  #fail(started: number): void {
    this.failures.push({ started, ended: performance.now() })
  }

  /** Waits until requests have succeeded, and none has failed, for `period` ms. Returns false after `timeout` ms. */
  async quiet(period: number, timeout: number): Promise<boolean> {
    const began = performance.now()
    while (performance.now() < began + timeout) {
      const quietSince = Math.max(began, this.failures.at(-1)?.ended ?? 0)
      if (performance.now() > quietSince + period && this.#succeeded > quietSince) return true
      await wait(200)
    }
    return false
  }

  /** Returns the error windows that overlap a period. */
  windows(from: number, to: number): ErrorWindow[] {
    const windows: ErrorWindow[] = []
    for (const { started, ended } of this.failures.toSorted((a, b) => a.started - b.started)) {
      const last = windows.at(-1)
      if (last && started <= last.to + gap) {
        last.to = Math.max(last.to, ended)
        last.failures++
      } else windows.push({ from: started, to: ended, failures: 1 })
    }
    return windows.filter((window) => window.to >= from && window.from <= to)
  }
}
