import type { SoukError } from '@souk/contract'
import type { FastifyReply } from 'fastify'
import { setErrorHeaders } from '../problem.ts'

/** Responds with the envelope of an error (open-api §2.2), with HTTP 200 if clients expect it. */
export function sendRefusal(reply: FastifyReply, refusal: SoukError, always200: boolean): FastifyReply {
  return setErrorHeaders(reply, refusal)
    .code(always200 ? 200 : refusal.status)
    .send(failure(refusal))
}

/** Returns the envelope of an error. */
export function failure({ status, message, code, data }: SoukError) {
  return { responseHeader: { status, msg: message, code, ...(data ? { data } : {}) }, response: null }
}
