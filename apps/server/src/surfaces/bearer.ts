import type { FastifyRequest } from 'fastify'

/** Returns the token of `Authorization: Bearer <token>`, or undefined. */
export function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer ([\w.~+/=-]{1,512})$/i.exec(request.headers.authorization ?? '')?.[1]
}
