import { LRUCache } from 'lru-cache'

/**
 * The queue runs 64 jobs at a time for all mini apps together, and a receiver that hangs holds each for 5 s. A host that
 * was slow gets a share of them in this process; one that answers promptly may have them all.
 */
const share = 16

/** An answer that takes longer makes its host slow, ms; it is remembered for so long, ms. */
const slowAfter = 1_000
const remembered = 60_000
const mostRemembered = 10_000

const underWay = new Map<string, number>()
const slowHosts = new LRUCache<string, true>({ max: mostRemembered, ttl: remembered })

/** Whether a delivery to this host may begin now. */
export function mayBegin(host: string): boolean {
  return (underWay.get(host) ?? 0) < share || !slowHosts.has(host)
}

/** Counts a delivery to this host; to be called with how long the receiver took, ms, when it is over. */
export function begins(host: string): (duration: number) => void {
  underWay.set(host, (underWay.get(host) ?? 0) + 1)
  return (duration) => {
    const left = underWay.get(host)! - 1
    if (left > 0) underWay.set(host, left)
    else underWay.delete(host)
    if (duration < slowAfter) slowHosts.delete(host)
    else slowHosts.set(host, true)
  }
}
