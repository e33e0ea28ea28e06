import { CallbackVerificationError } from '@souk/sdk'
import Fastify from 'fastify'
import { settleOrder } from './orders.ts'
import { souk } from './souk.ts'

export const app = Fastify()

// Fastify does not parse forms by default. In this plugin it passes the raw body.
app.register(async (callbacks) => {
  callbacks.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 65_536 },
    (_request, body, done) => done(null, body),
  )

  callbacks.post<{ Body: string }>('/souk/callback', async (request, reply) => {
    await settleOrder(souk.callbacks.verify(request.body, request.headers))
    return reply.type('text/plain').send('success')
  })

  callbacks.setErrorHandler((error, request, reply) => {
    request.log.error(error)
    const refused = error instanceof CallbackVerificationError
    return reply
      .code(refused ? 400 : 500)
      .type('text/plain')
      .send(refused ? error.message : 'fail')
  })
})
