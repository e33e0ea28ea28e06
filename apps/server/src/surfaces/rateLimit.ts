import { SoukError } from '@souk/contract'
import type { FastifyReply } from 'fastify'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'

/** Counts a request of `key`, says in the answer's headers what is left, and refuses what is too much. */
export type WithinLimit = (key: string, reply: FastifyReply) => Promise<void>

/**
 * So many requests a second for each key, measured over two seconds, in this process (ADR 60); 0 switches the limit off.
 * `policy` is its name in the headers. What it gives throws SoukError `rate_limited`.
 */
export function rateLimitOf(policy: string, perSecond: number): WithinLimit {
  if (perSecond === 0) return async () => {}
  const points = perSecond * 2
  const limiter = new RateLimiterMemory({ points, duration: 2 })
  return async (key, reply) => {
    const result = await limiter.consume(key).catch((refused: RateLimiterRes) => refused)
    const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000))
    reply.header('RateLimit-Policy', `"${policy}";q=${points};w=2`)
    reply.header('RateLimit', `"${policy}";r=${result.remainingPoints};t=${seconds}`)
    if (result.consumedPoints > points) {
      reply.header('Retry-After', seconds)
      throw new SoukError('rate_limited', `${perSecond} a second are allowed; try again in ${seconds} s.`)
    }
  }
}
