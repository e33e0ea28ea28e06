import { SoukError } from '@souk/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientNetwork } from '../domain/clientNetwork.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Maximum bytes of a body in memory, if it differs from the body limit of the route. */
    bodyMemory?: number
  }
}

/** Limits of the memory for request bodies, in bytes. */
const maxTotal = 96 * 1024 * 1024
/** A quarter, so that one client cannot keep the others from sending. */
const maxPerClient = maxTotal / 4

/**
 * Limits the memory for bodies, which slow clients would otherwise fill. A request reserves the size that it announces
 * until it is answered, or all that its route allows if it announces none.
 */
export function limitBodyMemory(server: FastifyInstance): void {
  let total = 0
  const byClient = new Map<string, number>()
  const reserve = (client: string, bytes: number) => {
    total += bytes
    const reserved = (byClient.get(client) ?? 0) + bytes
    if (reserved === 0) byClient.delete(client)
    else byClient.set(client, reserved)
  }
  server.addHook('onRequest', (request, reply, done) => {
    const bytes = bodyMemory(request)
    if (bytes === 0) return done()
    const client = clientNetwork(request.ip)
    if (total + bytes > maxTotal || (byClient.get(client) ?? 0) + bytes > maxPerClient) {
      reply.header('Retry-After', 5)
      return done(new SoukError('unavailable', 'Too many request bodies are being sent; try again in a few seconds.'))
    }
    reserve(client, bytes)
    reply.raw.once('close', () => reserve(client, -bytes))
    done()
  })
}

function bodyMemory({ headers, routeOptions: { bodyLimit = 0, config } }: FastifyRequest): number {
  const max = config?.bodyMemory ?? bodyLimit
  const announced = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : max
  return Math.min(announced, max)
}
