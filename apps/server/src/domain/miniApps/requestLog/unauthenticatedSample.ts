import { clientNetwork } from '../../../kernel/clientNetwork.ts'
import { newId } from '../../../kernel/id.ts'
import type { EntryWithoutBodies } from './redactBodies.ts'

/** Maximum logged requests per period: of one address, and of all. No address can use up the share of all others. */
const maxPerAddress = 60
const maxEntries = 120
/** Maximum number of summaries per period that name a mini app. The others are combined. */
const maxSummariesOfApps = 50

/**
 * Limits what requests without a valid sign can store. The first ones of each period are logged, the others are counted
 * in one summary per mini app, operation and code.
 */
export class UnauthenticatedSample {
  #entries = 0
  /** Logged requests by network. Contains fewer networks than there are entries. */
  readonly #networks = new Map<string, number>()
  readonly #summaries = new Map<string, { first: EntryWithoutBodies; count: number }>()

  /** Returns whether to log the entry; otherwise counts it. */
  admit(entry: EntryWithoutBodies, address: string): boolean {
    const network = clientNetwork(address)
    const logged = this.#networks.get(network) ?? 0
    if (this.#entries < maxEntries && logged < maxPerAddress) {
      this.#entries++
      this.#networks.set(network, logged + 1)
      return true
    }
    this.#count(entry)
    return false
  }

  /** Ends the period and returns its summaries. */
  takeSummaries(): EntryWithoutBodies[] {
    const summaries = Array.from(this.#summaries.values(), ({ first, count }) => ({
      ...first,
      requestId: newId(),
      reason: `${count} more requests without a valid sign that are not logged individually.`,
      duration: 0,
      diagnosis: null,
      client: null,
    }))
    this.#entries = 0
    this.#networks.clear()
    this.#summaries.clear()
    return summaries
  }

  #count(entry: EntryWithoutBodies): void {
    const { appid, operation, code } = entry
    const keyOf = (appid: string | null) => [appid, operation, code].join()
    const namesApp = this.#summaries.has(keyOf(appid)) || this.#summaries.size < maxSummariesOfApps
    const first = namesApp ? entry : { ...entry, appid: null }
    const summary = this.#summaries.get(keyOf(first.appid))
    if (summary) summary.count++
    else this.#summaries.set(keyOf(first.appid), { first, count: 1 })
  }
}
