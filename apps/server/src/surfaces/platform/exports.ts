import type { Readable } from 'node:stream'
import { SoukError } from '@souk/contract'

/** Every export holds a connection to the database for as long as its reader takes, so there are few at a time. */
const mostExports = 4
const mostOfOneCaller = 2

/** Holds the exports of a server process to their number. */
export class Exports {
  readonly #running = new Map<string, number>()
  #all = 0

  /** Begins one, which ends with its stream. @throws SoukError `rate_limited` */
  async run<T extends { stream: Readable }>(caller: string, begin: () => Promise<T>): Promise<T> {
    const own = this.#running.get(caller) ?? 0
    if (own >= mostOfOneCaller || this.#all >= mostExports) {
      const whose = own >= mostOfOneCaller ? `${own} exports of yours` : `${this.#all} exports`
      throw new SoukError('rate_limited', `${whose} are under way; try again when one has ended.`, {
        data: { retryAfter: 5 },
      })
    }
    this.#count(caller, 1)
    try {
      const begun = await begin()
      begun.stream.once('close', () => this.#count(caller, -1))
      return begun
    } catch (error) {
      this.#count(caller, -1)
      throw error
    }
  }

  #count(caller: string, by: 1 | -1): void {
    const own = (this.#running.get(caller) ?? 0) + by
    this.#all += by
    if (own === 0) this.#running.delete(caller)
    else this.#running.set(caller, own)
  }
}
