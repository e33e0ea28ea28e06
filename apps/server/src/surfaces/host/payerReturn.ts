import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FullContext } from '../../domain/context.ts'
import { handlePayerReturn } from '../../domain/money/index.ts'

const attemptId = /^[0-9a-f]{32}$/

/**
 * Adds the route to which providers' pages return payers, by a link or a form. It ignores everything in the request,
 * queries the provider and redirects the payer to the host application.
 */
export async function payerReturnRoute(server: FastifyInstance, { context }: { context: FullContext }): Promise<void> {
  server.removeAllContentTypeParsers()
  // The form is discarded with the response.
  server.addContentTypeParser('*', (_request, _payload, done) => done(null))
  server.route({
    method: ['GET', 'POST'],
    url: '/host/v1/return/:attemptId',
    handler: async (request: FastifyRequest<{ Params: { attemptId: string } }>, reply) => {
      const { params } = request
      const address = attemptId.test(params.attemptId)
        ? await handlePayerReturn(context, params.attemptId)
        : context.web.hostUrl
      return reply.header('Cache-Control', 'no-store').header('Referrer-Policy', 'no-referrer').redirect(address, 303)
    },
  })
}
