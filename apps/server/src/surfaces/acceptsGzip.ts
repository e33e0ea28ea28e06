import type { FastifyRequest } from 'fastify'

/** Returns whether the client accepts responses that are compressed with gzip. */
export function acceptsGzip({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const accepted = String(headers['accept-encoding'] ?? '').split(',')
  return accepted.some((item) => /^\s*(x-)?gzip\s*($|;(?!\s*q=0(\.0*)?\s*$))/i.test(item))
}
