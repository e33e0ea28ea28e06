import type { FastifyInstance } from 'fastify'
import type { Context } from '../../domain/context.ts'
import { processWebhook } from '../../domain/money/index.ts'

const maxBody = 512 * 1024

/**
 * Receives webhooks of payment providers (`/webhooks/<account>`). The body is passed on as bytes, since it is signed.
 * Status 200 means that it was settled or is irrelevant to Souk; for any other status the provider repeats it.
 */
export function webhookSurface(context: Context) {
  return async function register(server: FastifyInstance): Promise<void> {
    server.removeAllContentTypeParsers()
    server.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBody }, (_request, body, done) =>
      done(null, body),
    )
    const config = { bodyMemory: maxBody }
    server.post<{ Params: { account: string }; Body?: Buffer }>(
      '/webhooks/:account',
      { config },
      async (request, reply) => {
        const { params, body = Buffer.alloc(0) } = request
        const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
        await processWebhook(context, params.account, body, Object.fromEntries(headers))
        return reply.header('Cache-Control', 'no-store').send('')
      },
    )
  }
}
