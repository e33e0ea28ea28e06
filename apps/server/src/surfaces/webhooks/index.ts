import type { FastifyInstance } from 'fastify'
import type { FullContext } from '../../domain/context.ts'
import { processWebhook, requireWebhookAccount } from '../../domain/money/index.ts'
import { receiveBody } from '../bodies.ts'

/** Providers send disputes with 150,000 characters of evidence. The signature is checked before anything is parsed. */
const maxBody = 512 * 1024

/**
 * Receives webhooks of payment providers (`/webhooks/<account>`). The body is passed on as bytes, since it is signed.
 * Status 200 means that it was settled or is irrelevant to Souk; for any other status the provider repeats it.
 */
export function webhookSurface(context: FullContext) {
  return async function register(server: FastifyInstance): Promise<void> {
    server.removeAllContentTypeParsers()
    server.addContentTypeParser('*', (request, payload, done) => receiveBody(request, payload, maxBody, done))
    server.post<{ Params: { account: string }; Body?: Buffer }>('/webhooks/:account', {
      onRequest: async ({ params }) => {
        await requireWebhookAccount(context, params.account)
      },
      handler: async (request, reply) => {
        const { params, body = Buffer.alloc(0) } = request
        const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
        await processWebhook(context, params.account, body, Object.fromEntries(headers))
        return reply.header('Cache-Control', 'no-store').send('')
      },
    })
  }
}
