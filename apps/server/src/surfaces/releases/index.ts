import { SoukError } from '@souk/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../domain/context.ts'
import { readReleaseFile } from '../../domain/releases/index.ts'
import { sendProblem } from '../json.ts'
import { asSoukError } from '../refusal.ts'
import { contentSecurityPolicy, permissionsPolicy } from './policy.ts'

interface Address {
  appid: string
  releaseId: string
  '*': string
}

/** The files of releases (`/mini/<appid>/<releaseId>/…`), for the frames of mini apps. Nothing here knows who asks. */
export function releaseSurface(context: Context) {
  return async function register(server: FastifyInstance): Promise<void> {
    server.get<{ Params: Omit<Address, '*'> }>('/mini/:appid/:releaseId', (request, reply) =>
      reply.redirect(
        `/mini/${encodeURIComponent(request.params.appid)}/${encodeURIComponent(request.params.releaseId)}/`,
        308,
      ),
    )
    server.get<{ Params: Address }>('/mini/:appid/:releaseId/*', async (request, reply) => {
      refuseForOwnPages(request)
      const { appid, releaseId, '*': path } = request.params
      const file = await readReleaseFile(context, { appid, releaseId, path }, acceptsGzip(request))
      const tag = `"${file.hash.slice(0, 32)}${file.encoding ? '-gzip' : ''}"`
      reply
        .header('Content-Type', file.mediaType)
        .header('ETag', tag)
        .header('Vary', 'Accept-Encoding')
        // Entry files are revalidated each time, so that a deleted release is gone at once.
        .header('Cache-Control', file.isEntry ? 'no-cache' : 'public, max-age=31536000, immutable')
        // A frame with an origin of its own is a stranger to every server, this one included.
        .header('Access-Control-Allow-Origin', '*')
        .header('X-Content-Type-Options', 'nosniff')
        .header('Referrer-Policy', 'no-referrer')
        .header('Permissions-Policy', permissionsPolicy)
        .header('Content-Security-Policy', contentSecurityPolicy(file.inlineScripts))
      if (request.headers['if-none-match']?.split(/\s*,\s*/).includes(tag)) return reply.code(304).send()
      if (file.encoding) reply.header('Content-Encoding', file.encoding)
      return reply.send(file.content)
    })
    server.setErrorHandler((error, request, reply) => {
      reply.header('Access-Control-Allow-Origin', '*').header('Cache-Control', 'no-store')
      sendProblem(request, reply, asSoukError(error, context.log))
    })
  }
}

/** What pages of this server's own may read here: the manifest, icons and fonts of bars, the document of a frame. */
const forOwnPages = ['empty', 'document', 'iframe', 'image', 'font']

/**
 * The console and the host run what comes from their own server, and this does and is not theirs. A mini app is a stranger to
 * its server, so whoever loads a script from the same origin is no mini app. @throws SoukError `file_not_found`
 */
function refuseForOwnPages({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  const dest = headers['sec-fetch-dest']
  if (typeof dest !== 'string' || (site !== 'same-origin' && site !== 'same-site')) return
  if (!forOwnPages.includes(dest)) throw new SoukError('file_not_found', 'It is for the frame of its mini app only.')
}

function acceptsGzip({ headers }: FastifyRequest): boolean {
  const taken = String(headers['accept-encoding'] ?? '').split(',')
  return taken.some((item) => /^\s*(x-)?gzip\s*($|;(?!\s*q=0(\.0*)?\s*$))/i.test(item))
}
