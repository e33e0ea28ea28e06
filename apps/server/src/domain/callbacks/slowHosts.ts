import { minute, second } from '@souk/contract'
import { LRUCache } from 'lru-cache'

/**
 * Maximum concurrent deliveries to a slow host. The queue runs 64 jobs at a time for all mini apps, and a hanging
 * receiver blocks each of them for 5 s. Hosts that respond promptly are not limited.
 */
const maxPerSlowHost = 16

/** Response time that makes a host slow, and how long it counts as slow, in ms. */
const slowAfter = second
const slowFor = minute
const maxSlowHosts = 10_000

const inFlight = new Map<string, number>()
const slowHosts = new LRUCache<string, true>({ max: maxSlowHosts, ttl: slowFor })

/** Returns whether a delivery to this host may start now. */
export function mayDeliverTo(host: string): boolean {
  return (inFlight.get(host) ?? 0) < maxPerSlowHost || !slowHosts.has(host)
}

/** Counts a delivery to this host. Call the returned function with the response time in ms when it has ended. */
export function startDelivery(host: string): (duration: number) => void {
  inFlight.set(host, (inFlight.get(host) ?? 0) + 1)
  return (duration) => {
    const left = inFlight.get(host)! - 1
    if (left > 0) inFlight.set(host, left)
    else inFlight.delete(host)
    if (duration < slowAfter) slowHosts.delete(host)
    else slowHosts.set(host, true)
  }
}
