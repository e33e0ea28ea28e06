import { openapi, opsOperations, SoukError } from '@souk/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../domain/context.ts'

/** Health checks and metrics, without authentication: block them at the proxy if they must not be public. */
export function opsSurface(context: Context, draining: () => boolean) {
  return async function register(server: FastifyInstance): Promise<void> {
    server.get(opsOperations.healthz.path, async () => ({ status: 'ok' }))

    server.get(opsOperations.readyz.path, async () => {
      if (draining()) throw new SoukError('unavailable', 'The server is stopping.')
      await context.sql`select 1`.then(
        () => context.metrics.databaseUp.set(1),
        (cause: unknown) => {
          context.metrics.databaseUp.set(0)
          throw new SoukError('unavailable', 'The database does not respond.', { cause })
        },
      )
      return { status: 'ready' }
    })

    const description = openapi(context.settings.publicUrl)
    server.get(opsOperations.openapi.path, async () => description)

    server.get(opsOperations.metrics.path, async (_request, reply) => {
      const { registry } = context.metrics
      return reply.header('Content-Type', registry.contentType).send(await registry.metrics())
    })
  }
}
