import { SoukError } from '@souk/contract'
import Fastify, { type FastifyInstance } from 'fastify'
import type { RequestLog } from '../domain/apps/index.ts'
import type { Context } from '../domain/context.ts'
import { newId } from '../kernel/id.ts'
import { consoleSurface } from './console/index.ts'
import { closeWhenAnswered } from './drain.ts'
import { fileSurface } from './files/index.ts'
import { hostSurface } from './host/index.ts'
import { sendProblem } from './json.ts'
import type { Live } from './live.ts'
import { openPrefix, openSurface } from './open/index.ts'
import { opsSurface } from './ops/index.ts'

export interface SurfacesOptions {
  context: Context
  requestLog: RequestLog
  live: Live
  adminToken: string
  rateLimit: number
  openApiAlways200: boolean
  trustProxy: boolean
  draining: () => boolean
}

/** The HTTP server with all its surfaces, not yet listening. */
export async function createHttpServer(options: SurfacesOptions): Promise<FastifyInstance> {
  const { context, requestLog, live, adminToken } = options
  const server = Fastify({
    genReqId: newId,
    requestIdHeader: false,
    trustProxy: options.trustProxy,
    bodyLimit: 64 * 1024,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    routerOptions: { querystringParser: (text) => Object.fromEntries(new URLSearchParams(text)) },
  })
  server.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id)
  })
  server.addHook('preClose', async () => {
    live.emit('stopping')
  })
  closeWhenAnswered(server)
  server.setNotFoundHandler((request, reply) => sendProblem(request, reply, new SoukError('route_unknown')))

  await server.register(
    openSurface({ context, requestLog, rateLimit: options.rateLimit, always200: options.openApiAlways200 }),
    {
      prefix: openPrefix,
    },
  )
  await server.register(hostSurface(context, live))
  await server.register(consoleSurface(context, live, adminToken))
  await server.register(fileSurface(context))
  await server.register(opsSurface(context, options.draining))
  return server
}
