import { SoukError, second } from '@souk/contract'
import type { FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../kernel/clock.ts'

/** Counts a request of `key` and reports the remaining quota in the headers; throws `rate_limited` above the limit. */
export type WithinLimit = (key: string, reply: FastifyReply) => Promise<void>

export interface RateLimitOptions {
  /** Its name in the headers. */
  policy: string
  /** 0 disables the limit. */
  perSecond: number
  clock: Pick<Clock, 'real'>
}

interface Window {
  start: number
  count: number
}

const windowLength = 2 * second
/** More keys than one process can serve within a window. */
const maxKeys = 20_000

/** Creates a limit in the memory of this process (ADR 60), with fixed windows of two seconds per key. */
export function createRateLimit({ policy, perSecond, clock }: RateLimitOptions): WithinLimit {
  if (perSecond === 0) return async () => {}
  const quota = perSecond * (windowLength / second)
  const windows = new LRUCache<string, Window>({ max: maxKeys })
  return async (key, reply) => {
    const now = clock.real()
    let window = windows.get(key)
    // A wall clock that is set back starts a new window too.
    if (!window || now < window.start || now >= window.start + windowLength) {
      window = { start: now, count: 0 }
      windows.set(key, window)
    }
    window.count++
    const seconds = Math.ceil((window.start + windowLength - now) / second)
    reply.header('RateLimit-Policy', `"${policy}";q=${quota};w=${windowLength / second}`)
    reply.header('RateLimit', `"${policy}";r=${Math.max(0, quota - window.count)};t=${seconds}`)
    if (window.count > quota) {
      reply.header('Retry-After', seconds)
      throw new SoukError('rate_limited', `${perSecond} a second are allowed; try again in ${seconds} s.`)
    }
  }
}
