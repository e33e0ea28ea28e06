import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Operation } from '@souk/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import { acceptsGzip } from './acceptsGzip.ts'

const compress = promisify(gzip)

/** Length of a response from which on compressing it saves more than it costs. */
const minCompressed = 2048

/**
 * Sends the result of an operation as JSON, compressed if the client accepts that. A client that has the response of a
 * revalidated operation already gets none.
 */
export async function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  { revalidated }: Operation,
  result: unknown,
): Promise<FastifyReply> {
  const body = JSON.stringify(result)
  reply
    .header('Content-Type', 'application/json; charset=utf-8')
    .header('Cache-Control', revalidated ? 'private, no-cache' : 'no-store')
    .header('Vary', [reply.getHeader('Vary'), 'Accept-Encoding'].flat().filter(Boolean).join(', '))
  if (revalidated) {
    // Weak, as the compressed response has the same.
    const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    reply.header('ETag', etag)
    if (fresh(request.headers, { etag })) return reply.code(304).send()
  }
  if (body.length < minCompressed || !acceptsGzip(request)) return reply.send(body)
  return reply.header('Content-Encoding', 'gzip').send(await compress(body, { level: 4 }))
}
