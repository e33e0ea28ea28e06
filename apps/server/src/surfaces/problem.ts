import { type ErrorCode, errors, type SoukError } from '@souk/contract'
import type { FastifyReply } from 'fastify'

/** Returns an error as problem details (RFC 9457). */
export function problemDetails({ code, status, message, data }: SoukError, requestId: string): object {
  return {
    type: `urn:souk:error:${code}`,
    title: errors[code].msg,
    status,
    code,
    detail: message,
    requestId,
    ...(data ? { data } : {}),
  }
}

/** Sets the headers of an error in any format: its status, when to retry, and its page in the documentation. */
export function setErrorHeaders(reply: FastifyReply, { code, status, data }: SoukError): FastifyReply {
  if (typeof data?.retryAfter === 'number') reply.header('Retry-After', data.retryAfter)
  return reply.code(status).header('Link', helpLink(code))
}

/** Returns the value of `Link` (RFC 8288) that names the page of an error in the documentation. */
export function helpLink(code: ErrorCode): string {
  return `</docs/errors/${code}>; rel="help"`
}
