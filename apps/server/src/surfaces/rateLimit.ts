import { SoukError, second } from '@souk/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { clientNetwork } from '../kernel/clientNetwork.ts'
import type { Clock } from '../kernel/clock.ts'
import { type SharedCounts, windowLength } from './sharedCounts.ts'

/** Counts a request of `key` and reports what remains of the limit in the headers; throws `rate_limited` above it. */
export type WithinLimit = (key: string, reply: FastifyReply) => Promise<void>

export interface RateLimitOptions {
  counts: SharedCounts
  /** Subject of the limit; limits with different scopes count separately. */
  scope: string
  /** Name in the headers. */
  policy: string
  /** 0 disables the limit. */
  perSecond: number
  /** Count each request in the database before it is admitted, so that all processes together keep the limit. */
  isExact?: boolean
  clock: Pick<Clock, 'real'>
}

/** Fraction of the limit that a process may admit before it tells the others. */
const slackShare = 1 / 20

/** Maximum sign-ins per second of an address, which can be that of an office. Each sends requests to a provider. */
export const signInsPerSecond = 20

/** Maximum reports of events per second of an address, which can be that of an office. */
export const reportsPerSecond = 20

/** Limits the requests of each address to the operations of a plugin, before they are read. */
export function limitAddresses(server: FastifyInstance, options: Omit<RateLimitOptions, 'policy'>): void {
  const withinLimit = createRateLimit({ policy: 'address', ...options })
  server.addHook('onRequest', (request, reply) => withinLimit(clientNetwork(request.ip), reply))
}

/** Creates a limit of all processes together (ADR 311), with fixed windows of two seconds per key. */
export function createRateLimit(options: RateLimitOptions): WithinLimit {
  const { counts, scope, policy, perSecond, isExact = false, clock } = options
  if (perSecond === 0) return async () => {}
  const limit = perSecond * (windowLength / second)
  const slack = isExact ? 0 : Math.floor(limit * slackShare)
  const description = `"${policy}";q=${limit};w=${windowLength / second}`
  return async (key, reply) => {
    const { position, end } = await counts.count(`${scope} ${policy} ${key}`, { limit, slack })
    const seconds = Math.max(1, Math.ceil((end - clock.real()) / second))
    reply.header('RateLimit-Policy', description)
    reply.header('RateLimit', `"${policy}";r=${Math.max(0, limit - position)};t=${seconds}`)
    if (position > limit) {
      reply.header('Retry-After', seconds)
      throw new SoukError('rate_limited', `${perSecond} a second are allowed; try again in ${seconds} s.`)
    }
  }
}
