import { openapi, opsOperations, SoukError } from '@souk/contract'
import { schema } from '@souk/pages'
import type { FastifyInstance } from 'fastify'
import type { FullContext } from '../../domain/context.ts'
import { explainWrongClock } from '../../kernel/clock.ts'
import { createWriteProbe } from '../../kernel/db/writeProbe.ts'

/** Serves health checks, metrics and schemas without authentication: block them at the proxy if necessary. */
export function opsSurface(context: FullContext, draining: () => boolean) {
  const checkWritable = createWriteProbe(context.sql)

  return async function register(server: FastifyInstance): Promise<void> {
    // Many monitors send HEAD.
    server.get(opsOperations.healthz.path, { exposeHeadRoute: true }, async () => ({ status: 'ok' }))

    server.get(opsOperations.readyz.path, { exposeHeadRoute: true }, async () => {
      if (draining()) throw new SoukError('unavailable', 'The server is stopping.')
      if (context.clock.isWrong()) throw new SoukError('unavailable', explainWrongClock(context.clock))
      await checkWritable().catch((cause: unknown) => {
        throw new SoukError('unavailable', 'The database does not accept writes.', { cause, data: { retryAfter: 2 } })
      })
      return { status: 'ready' }
    })

    serveJson(server, opsOperations.openapi.path, openapi(context.settings.publicUrl))
    serveJson(server, opsOperations.pagesSchema.path, schema())

    server.get(opsOperations.metrics.path, async (request, reply) => {
      // The router decodes a path such as /%6detrics, which a proxy that blocks /metrics may let pass.
      if (request.url.split('?', 1)[0] !== opsOperations.metrics.path) throw new SoukError('route_unknown')
      const { registry } = context.metrics
      return reply.header('Content-Type', registry.contentType).send(await registry.metrics())
    })
  }
}

/** Serves a document. It is serialized once: that takes tens of milliseconds, and anyone can ask for it. */
function serveJson(server: FastifyInstance, path: string, document: unknown): void {
  const content = Buffer.from(JSON.stringify(document))
  server.get(path, (_request, reply) => reply.header('Content-Type', 'application/json; charset=utf-8').send(content))
}
