import type { FastifyInstance } from 'fastify'
import type { Context } from '../../domain/context.ts'
import { processWebhook } from '../../domain/money/index.ts'
import { sendProblem } from '../json.ts'
import { asSoukError } from '../refusal.ts'

const mostBytes = 512 * 1024

/**
 * What payment providers send (`/webhooks/<account>`). The body is kept byte for byte, since it is signed. 200 says that it
 * has been settled, or that it was about nothing that Souk keeps; everything else makes the provider send it again.
 */
export function webhookSurface(context: Context) {
  return async function register(server: FastifyInstance): Promise<void> {
    server.removeAllContentTypeParsers()
    server.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mostBytes }, (_request, body, done) =>
      done(null, body),
    )
    server.post<{ Params: { account: string }; Body?: Buffer }>('/webhooks/:account', async (request, reply) => {
      const { params, body = Buffer.alloc(0) } = request
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
      await processWebhook(context, params.account, body, Object.fromEntries(headers))
      return reply.header('Cache-Control', 'no-store').send('')
    })
    server.setErrorHandler((error, request, reply) => sendProblem(request, reply, asSoukError(error, context.log)))
  }
}
