import { SoukError } from '@souk/contract'
import type { Receipt } from './bodyShare.ts'

/** A request that waits for its turn. */
interface Waiting {
  network: string
  start(): void
}

/** Lets few requests with a large body be processed at once, and one of each client network. */
export class BodyTurns {
  readonly #max: number
  readonly #running = new Set<string>()
  readonly #waiting = new Set<Waiting>()

  constructor(max: number) {
    this.#max = max
  }

  /** Waits for the turn of a request, which lasts until the request is over. Rejects if it is over before. */
  async take(receipt: Receipt): Promise<void> {
    const { network } = receipt
    await new Promise<void>((start, reject) => {
      const waiting = { network, start }
      this.#waiting.add(waiting)
      receipt.afterwards(() => {
        this.#waiting.delete(waiting)
        reject(new SoukError('unavailable', 'The client has left.'))
      })
      this.#startNext()
    })
    receipt.afterwards(() => {
      this.#running.delete(network)
      this.#startNext()
    })
  }

  #startNext(): void {
    for (const next of this.#waiting) {
      if (this.#running.size >= this.#max) return
      if (this.#running.has(next.network)) continue
      this.#waiting.delete(next)
      this.#running.add(next.network)
      next.start()
    }
  }
}
