import { defaultMaxBody, SoukError, second } from '@souk/contract'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { FullContext } from '../domain/context.ts'
import type { RequestLog } from '../domain/miniApps/index.ts'
import { newId } from '../kernel/id.ts'
import { createAllowedOrigins } from './allowedOrigins.ts'
import { limitBodies } from './bodies.ts'
import type { ArrivalLimits } from './bodyShare.ts'
import { clientsSurface } from './clients/index.ts'
import { shareConnections } from './connections.ts'
import { consoleSurface } from './console/index.ts'
import { announceStop, closeWhenAnswered, discardBody } from './drain.ts'
import { Exports } from './exports.ts'
import { fileSurface } from './files/index.ts'
import { hostSurface } from './host/index.ts'
import { sendProblem } from './json.ts'
import { acceptJson } from './jsonBody.ts'
import { requireKnownHost } from './knownHosts.ts'
import type { Live } from './live.ts'
import { separateMiniApps } from './miniAppsHost.ts'
import { npmSurface } from './npm/index.ts'
import { sendRefusal } from './open/envelope.ts'
import { openPrefix, openSurface } from './open/index.ts'
import { opsSurface } from './ops/index.ts'
import { platformSurface } from './platform/index.ts'
import { observeProxies } from './proxies.ts'
import { asSoukError } from './refusal.ts'
import { releaseSurface } from './releases/index.ts'
import { requireRightClock } from './rightClock.ts'
import { SharedCounts } from './sharedCounts.ts'
import { traceRequests } from './tracing.ts'
import { answerUnreadable, ignoreExpectations } from './unreadable.ts'
import { readConsoleEntry, webSurface } from './web/index.ts'
import { sendMissingPage, wantsPage } from './web/missingPage.ts'
import { webhookSurface } from './webhooks/index.ts'
import { webViewSurface } from './webView/index.ts'

/** Limits of connections, so that slow or silent clients cannot collect memory. Times in ms. */
export interface ConnectionLimits {
  /** Maximum number of open connections, besides those that are kept for health checks and this machine. */
  max: number
  /** Maximum time for a request to arrive, head and body. */
  requestTimeout: number
  /** Maximum time without any byte in either direction. */
  idleTimeout: number
  /** Minimum rate of bodies. */
  arrival?: ArrivalLimits
}

/** Maximum size of the request line and the headers together, in bytes. */
const maxHeadSize = 16 * 1024
/** Maximum time for the head of a request to arrive. */
const headTimeout = 15 * second
/** Interval of the checks for requests that take too long to arrive. */
const timeoutInterval = second

export interface SurfacesOptions {
  context: FullContext
  requestLog: RequestLog
  live: Live
  rateLimit: number
  /** Maximum time that a request waits for the count of all processes, ms. */
  limitPatience?: number
  openApiAlways200: boolean
  openApi2023: boolean
  /** Number of trusted proxies that append to `X-Forwarded-For`. */
  trustProxy: number
  /** Host names and addresses of this server, besides those of its URLs and loopback. */
  allowedHosts: readonly string[]
  connections: ConnectionLimits
  draining: () => boolean
  /** Serves health and metrics only, for a process that runs jobs only. */
  onlyOps: boolean
}

/** Creates the HTTP server with all surfaces; it does not listen yet. */
export async function createHttpServer(options: SurfacesOptions): Promise<FastifyInstance> {
  const { context, live } = options
  const securityHeaders = securityHeadersOf(context.settings)
  const server = createFastify(options)
  const connections = shareConnections(server.server, options.connections.max, options.trustProxy)
  traceRequests(server)
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...securityHeaders, 'X-Request-Id': request.id })
    done()
  })
  connections.refuseExcess(server)
  server.addHook('onRequest', requireKnownHost(context, options.allowedHosts))
  observeProxies(server, context, options.trustProxy)
  server.addHook('preClose', async () => {
    live.stop()
  })
  closeWhenAnswered(server)
  announceStop(server, options.draining)
  ignoreExpectations(server.server)
  limitBodies(server, options.connections.arrival)
  // Fastify's own parsers read a body of any structure, of anybody.
  server.removeAllContentTypeParsers()
  acceptJson(server)
  // If the body is still being sent, an error response would break the connection before the client reads it.
  server.addHook('onSend', (request, _reply, payload, done) => {
    // Statements of this event-loop tick are sent first, so that the database works while responses are written.
    if (request.raw.complete) setImmediate(done, null, payload)
    else discardBody(request.raw).then(() => done(null, payload), done)
  })
  server.setNotFoundHandler((request, reply) =>
    !options.onlyOps && wantsPage(request)
      ? sendMissingPage(request, reply)
      : sendProblem(request, reply, new SoukError('route_unknown')),
  )
  // Before all routes, because a route keeps the handler that is set when it is added.
  server.setErrorHandler((error, request, reply) =>
    sendProblem(request, reply, asSoukError(error, request, context.log)),
  )

  await server.register(opsSurface(context, options.draining))
  if (options.onlyOps) return server

  const { miniAppsUrl } = context.web
  server.addHook('onRequest', requireRightClock(context))
  if (miniAppsUrl) server.addHook('onRequest', separateMiniApps(miniAppsUrl))

  await registerSurfaces(server, options)
  return server
}

function createFastify({ context, ...options }: SurfacesOptions) {
  const securityHeaders = securityHeadersOf(context.settings)
  return Fastify({
    genReqId: newId,
    requestIdHeader: false,
    trustProxy: (_address, hop) => hop < options.trustProxy,
    bodyLimit: defaultMaxBody,
    forceCloseConnections: 'idle',
    // Fastify's own response has neither envelope nor problem details.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    requestTimeout: options.connections.requestTimeout,
    connectionTimeout: options.connections.idleTimeout,
    http: {
      maxHeaderSize: maxHeadSize,
      headersTimeout: Math.min(headTimeout, options.connections.requestTimeout),
      connectionsCheckingInterval: timeoutInterval,
    },
    // Errors that Fastify reports before it knows the route.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...securityHeaders, 'X-Request-Id': request.id })
      const refusal = asSoukError(error, request, context.log)
      if (request.url.startsWith(openPrefix)) sendRefusal(reply as FastifyReply, refusal, options.openApiAlways200)
      else sendProblem(request as FastifyRequest, reply as FastifyReply, refusal)
    },
    clientErrorHandler: answerUnreadable,
    // Each surface reads the query string itself.
    routerOptions: { querystringParser: () => ({}) },
    // The contract checks parameters. Fastify would load its own validator and serializer, which take memory.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
  })
}

function refuseSchemas(): never {
  throw new Error('Routes have no schemas; the contract checks their parameters.')
}

async function registerSurfaces(server: FastifyInstance, options: SurfacesOptions): Promise<void> {
  const { context, requestLog, live, rateLimit } = options
  const counts = new SharedCounts(context, options.limitPatience)
  server.addHook('onClose', async () => counts.stop())
  const openApi = { always200: options.openApiAlways200, accepts2023: options.openApi2023 }
  await server.register(openSurface({ context, requestLog, counts, rateLimit, ...openApi }), { prefix: openPrefix })
  const allowedOrigins = createAllowedOrigins(context)
  const exports = new Exports()
  await server.register(hostSurface({ context, live, counts, rateLimit, allowedOrigins }))
  const entry = await readConsoleEntry()
  await server.register(consoleSurface({ context, live, counts, exports, rateLimit, entry }))
  await server.register(platformSurface({ context, counts, exports, rateLimit }))
  await server.register(fileSurface(context))
  await server.register(releaseSurface(context, allowedOrigins))
  await server.register(webhookSurface(context))
  await server.register(webViewSurface(context, allowedOrigins))
  await server.register(npmSurface(context))
  await server.register(clientsSurface(context))
  await server.register(webSurface({ ...context.settings, ...context.web }, allowedOrigins))
}

/** Returns the headers of every response. Browsers then use https only, if the installation is live and has it. */
function securityHeadersOf({ sandbox, publicUrl }: FullContext['settings']): Record<string, string> {
  const httpsOnly = !sandbox && publicUrl.startsWith('https:')
  return {
    'X-Content-Type-Options': 'nosniff',
    ...(httpsOnly && { 'Strict-Transport-Security': 'max-age=31536000' }),
  }
}
