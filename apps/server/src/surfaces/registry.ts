import { createHash } from 'node:crypto'
import { SoukError } from '@souk/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import type { FullContext } from '../domain/context.ts'
import { runsFromSources } from '../kernel/package.ts'

/** Cache-Control of archives: the version of a clone stays the same while its sources change. */
const archiveCaching = runsFromSources ? 'no-cache' : 'public, max-age=31536000, immutable'

/**
 * Returns a function that reads packages when it is first called, and again after a failure, which is logged. `name`
 * names them in errors and in the log.
 */
export function readOnce<T>(read: () => Promise<T>, name: string, log: Pick<FullContext['log'], 'error'>) {
  let reading: Promise<T> | undefined
  /** @throws SoukError `unavailable` */
  return function packed(): Promise<T> {
    reading ??= read().catch((cause: unknown) => {
      reading = undefined
      log.error({ error: String(cause) }, `${name} not packed`)
      throw new SoukError('unavailable', `The ${name} could not be packed. The log of the server says why.`)
    })
    return reading
  }
}

/** Keeps browsers from running anything in responses, which may contain texts of others. */
export function isolateResponses(server: FastifyInstance): void {
  server.addHook('onRequest', async (_request, reply) => {
    reply.header('Content-Security-Policy', "default-src 'none'; sandbox")
  })
}

/** Returns the public URL, also behind a proxy that terminates TLS, or the other name that the client uses. */
export function originOf({ protocol, host }: FastifyRequest, publicUrl: string): string {
  const { host: publicHost, origin } = new URL(publicUrl)
  return host === publicHost ? origin : `${protocol}://${host}`
}

/** Sends a file of a package. `digest` changes with its content. */
export function sendArchive(request: FastifyRequest, reply: FastifyReply, content: Buffer, digest: string) {
  reply.header('Content-Type', 'application/octet-stream').header('Cache-Control', archiveCaching)
  return sendTagged(request, reply, content, digest)
}

/** Sends what lists packages, and changes with the version of the server. */
export function sendIndex(request: FastifyRequest, reply: FastifyReply, type: string, body: string) {
  reply.header('Content-Type', type).header('Cache-Control', 'no-cache')
  return sendTagged(request, reply, body, createHash('sha1').update(body).digest('hex'))
}

/** Media type of JSON. */
export const json = 'application/json; charset=utf-8'

function sendTagged(request: FastifyRequest, reply: FastifyReply, body: string | Buffer, digest: string) {
  const etag = `"${digest}"`
  reply.header('ETag', etag)
  // Without Cache-Control, which some clients add and `fresh` takes for a forced reload.
  const isKnown = fresh({ 'if-none-match': request.headers['if-none-match'] }, { etag })
  return isKnown ? reply.code(304).send() : reply.send(body)
}
