import type { SoukError } from '@souk/contract'
import type { FastifyReply } from 'fastify'

/** Answers with the envelope of a refusal (open-api §2.2), under HTTP 200 where the installation is set so. */
export function sendRefusal(reply: FastifyReply, refusal: SoukError, always200: boolean): FastifyReply {
  return reply.code(always200 ? 200 : refusal.status).send({
    responseHeader: {
      status: refusal.status,
      msg: refusal.message,
      code: refusal.code,
      ...(refusal.data ? { data: refusal.data } : {}),
    },
    response: null,
  })
}
