import { SoukError } from '@souk/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Maximum bytes of a body in memory, if it differs from the body limit of the route. */
    bodyMemory?: number
  }
}

/** Limits of the memory for request bodies, in bytes. */
const maxTotal = 96 * 1024 * 1024
/** A quarter, so that one client cannot keep the others from sending. */
const maxPerAddress = maxTotal / 4

/**
 * Limits the memory for bodies, which slow clients would otherwise fill. A request reserves the size that it announces
 * until it is answered, or all that its route allows if it announces none.
 */
export function limitBodyMemory(server: FastifyInstance): void {
  let total = 0
  const byAddress = new Map<string, number>()
  const reserve = (address: string, bytes: number) => {
    total += bytes
    const reserved = (byAddress.get(address) ?? 0) + bytes
    if (reserved === 0) byAddress.delete(address)
    else byAddress.set(address, reserved)
  }
  server.addHook('onRequest', (request, reply, done) => {
    const bytes = bodyMemory(request)
    const { ip } = request
    if (bytes > 0 && (total + bytes > maxTotal || (byAddress.get(ip) ?? 0) + bytes > maxPerAddress)) {
      reply.header('Retry-After', 5)
      return done(new SoukError('unavailable', 'Too many request bodies are being sent; try again in a few seconds.'))
    }
    reserve(ip, bytes)
    reply.raw.once('close', () => reserve(ip, -bytes))
    done()
  })
}

function bodyMemory({ headers, routeOptions: { bodyLimit = 0, config } }: FastifyRequest): number {
  const max = config?.bodyMemory ?? bodyLimit
  const announced = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : max
  return Math.min(announced, max)
}
