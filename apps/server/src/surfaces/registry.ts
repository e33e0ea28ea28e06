import type { FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import { runsFromSources } from '../kernel/package.ts'

/** Cache-Control of archives: the version of a clone stays the same while its sources change. */
export const archiveCaching = runsFromSources ? 'no-cache' : 'public, max-age=31536000, immutable'

/** Returns the public URL, also behind a proxy that terminates TLS, or the other name that the client uses. */
export function originOf({ protocol, host }: FastifyRequest, publicUrl: string): string {
  const { host: publicHost, origin } = new URL(publicUrl)
  return host === publicHost ? origin : `${protocol}://${host}`
}

export function sendTagged(request: FastifyRequest, reply: FastifyReply, body: string | Buffer, digest: string) {
  const etag = `"${digest}"`
  reply.header('ETag', etag)
  // Without Cache-Control, which some clients add and `fresh` takes for a forced reload.
  const isKnown = fresh({ 'if-none-match': request.headers['if-none-match'] }, { etag })
  return isKnown ? reply.code(304).send() : reply.send(body)
}
