import type { Readable } from 'node:stream'
import { SoukError } from '@souk/contract'

/** An export occupies a database connection until its reader is done, so their number is limited. */
const maxExports = 4
const maxExportsPerCaller = 2

/** Limits the concurrent exports of this server process. */
export class Exports {
  readonly #running = new Map<string, number>()
  #all = 0

  /** Starts an export, which ends with its stream. @throws SoukError `rate_limited` */
  async run<T extends { stream: Readable }>(caller: string, start: () => Promise<T>): Promise<T> {
    const own = this.#running.get(caller) ?? 0
    if (own >= maxExportsPerCaller || this.#all >= maxExports) {
      const running = own >= maxExportsPerCaller ? `${own} of your exports` : `${this.#all} exports`
      throw new SoukError('rate_limited', `${running} are running; try again when one has ended.`, {
        data: { retryAfter: 5 },
      })
    }
    this.#count(caller, 1)
    try {
      const started = await start()
      started.stream.once('close', () => this.#count(caller, -1))
      return started
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
