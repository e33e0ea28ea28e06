import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { operations, opsOperations, SoukError, second } from '@souk/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientNetwork } from '../kernel/clientNetwork.ts'
import { fastifyPath } from './json.ts'

/** Fraction of the connections that one client network can have open. */
const shareOfNetwork = 1 / 16
/** Connections above the maximum from this machine: the command line, and a proxy beside the server. */
const keptForLoopback = 100
/** Connections above all others, which get answers to health checks only. */
const keptForHealth = 50
/** Maximum time of such a connection without a byte. */
const idleTimeout = 2 * second

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const { healthz, readyz, metrics } = opsOperations
const healthChecks: readonly (string | undefined)[] = [healthz.path, readyz.path, metrics.path]
/** Requests that last. Their streams are limited per caller, and an office can have many users. */
const streams = new Set(operations.filter(({ stream }) => stream).map(({ path }) => fastifyPath(path)))

/**
 * Limits open connections, and those of each client network to a share of them. Connections above that are accepted for
 * health checks, so that an orchestrator does not take a busy server for a dead one; other requests on them get 503.
 *
 * All connections of a trusted proxy come from its address. Then the share limits requests in progress instead.
 */
export function shareConnections(server: Server, max: number, trustedProxies: number) {
  const perNetwork = Math.max(1, Math.floor(max * shareOfNetwork))
  const networks = new Map<string, number>()
  /** Connections that get answers to health checks only, oldest first. */
  const excess = new Set<Socket>()
  let open = 0

  // Above all that is accepted here.
  server.maxConnections = max + keptForLoopback + 2 * keptForHealth
  server.prependListener('connection', (socket: Socket) => {
    if (loopback.has(socket.remoteAddress ?? '')) {
      if (open >= max + keptForLoopback) return keepForHealth(socket)
    } else if (open >= max || (trustedProxies === 0 && !takeShare(socket))) return keepForHealth(socket)
    open++
    socket.once('close', () => open--)
  })

  function takeShare(socket: Socket): boolean {
    const network = clientNetwork(socket.remoteAddress ?? '')
    if (!increase(network)) return false
    socket.once('close', () => decrease(network))
    return true
  }

  /** Ends the oldest connection that is kept for health checks if there are too many. */
  function keepForHealth(socket: Socket): void {
    excess.add(socket)
    socket.once('close', () => excess.delete(socket))
    const [oldest] = excess
    if (excess.size > keptForHealth) oldest?.destroy()
    // After the server has set its own.
    setImmediate(() => socket.setTimeout(idleTimeout))
  }

  function increase(network: string): boolean {
    const used = networks.get(network) ?? 0
    if (used >= perNetwork) return false
    networks.set(network, used + 1)
    return true
  }

  function decrease(network: string): void {
    const used = networks.get(network)! - 1
    if (used === 0) networks.delete(network)
    else networks.set(network, used)
  }

  const isHealthCheck = ({ routeOptions }: FastifyRequest) => healthChecks.includes(routeOptions.url)

  /** Refuses requests on connections that are kept for health checks, and closes them after their response. */
  function refuseExcess(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      if (excess.size === 0 || !excess.has(request.raw.socket)) return done()
      reply.header('Connection', 'close')
      done(isHealthCheck(request) ? undefined : tooMany('connections are open'))
    })
    if (trustedProxies === 0) return
    fastify.addHook('onRequest', (request, reply, done) => {
      const network = clientNetwork(request.ip)
      const isExempt = isHealthCheck(request) || streams.has(request.routeOptions.url ?? '')
      if (isExempt || loopback.has(network)) return done()
      if (!increase(network)) return done(tooMany('of your requests are in progress'))
      reply.raw.once('close', () => decrease(network))
      done()
    })
  }

  return { refuseExcess }
}

function tooMany(what: string): SoukError {
  return new SoukError('unavailable', `Too many ${what}; try again in a few seconds.`, { data: { retryAfter: 5 } })
}
