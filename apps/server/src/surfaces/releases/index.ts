import { createHash } from 'node:crypto'
import { SoukError } from '@souk/contract'
import { localPages } from '@souk/contract/bridge'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import type { FullContext } from '../../domain/context.ts'
import {
  contentSecurityPolicy,
  documentVersion,
  localPagePolicy,
  permissionsPolicy,
  type ReleaseFile,
  readReleaseFile,
} from '../../domain/miniApps/index.ts'
import { acceptsGzip } from '../acceptsGzip.ts'
import type { ReadAllowedOrigins } from '../allowedOrigins.ts'
import { sendProblem } from '../json.ts'
import { asSoukError } from '../refusal.ts'
import { isNamedByPolicies } from '../web/policy.ts'

interface Address {
  appid: string
  releaseId: string
  '*': string
}

/**
 * Serves the files of releases (`/mini/<appid>/<releaseId>/…`) to the frames of mini apps, without authentication.
 * Local pages in their web-views have a path of their own (`/local-pages/…`), which the host's `frame-src` does not
 * name: the frame of a mini app, which has the bridge, cannot show them (ADR 284).
 */
export function releaseSurface(context: FullContext, allowedOrigins: ReadAllowedOrigins) {
  const { settings, web } = context
  return async function register(server: FastifyInstance): Promise<void> {
    server.get<{ Params: Omit<Address, '*'> }>('/mini/:appid/:releaseId', (request, reply) =>
      reply.redirect(
        `/mini/${encodeURIComponent(request.params.appid)}/${encodeURIComponent(request.params.releaseId)}/`,
        308,
      ),
    )
    server.get<{ Params: Address }>('/mini/:appid/:releaseId/*', (request, reply) => {
      rejectOtherFrames(request, context)
      return send(request, reply, contentSecurityPolicy)
    })
    server.get<{ Params: Address }>('/local-pages/:appid/:releaseId/*', (request, reply) => {
      requireLocalPage(request, settings)
      return send(request, reply, localPagePolicy)
    })

    async function send(
      request: FastifyRequest<{ Params: Address }>,
      reply: FastifyReply,
      policyFor: typeof contentSecurityPolicy,
    ) {
      rejectOwnPages(request)
      const { appid, releaseId, '*': path } = request.params
      const file = await readReleaseFile(context, { appid, releaseId, path }, acceptsGzip(request))
      const { domains, inlineScripts } = file
      const policySettings = { settings, web, allowedOrigins: await allowedOrigins(), domains }
      const policy = policyFor({ ...policySettings, inlineScripts })
      const { searchParams } = new URL(request.raw.url ?? '', 'http://host')
      const isLasting = !file.isDocument || searchParams.get('v') === documentVersion(policySettings)
      const tag = tagOf(file, policy)
      const { 'if-none-match': known } = request.headers
      // Without Cache-Control, which `fetch` adds and `fresh` takes for a forced reload.
      const isKnown = fresh({ 'if-none-match': known }, { etag: tag })
      // Before the headers, which an error does not have.
      const content = isKnown ? undefined : await file.open()
      reply
        .header('Content-Type', file.mediaType)
        .header('ETag', tag)
        // Browsers must not take their copy for a request that is rejected.
        .header('Vary', `Accept-Encoding, Sec-Fetch-Dest, Sec-Fetch-Site${web.miniAppsUrl ? ', Referer' : ''}`)
        // Hosts ask if a release may be opened, and know the address of its document. Others have to ask for it each
        // time, so that a deleted release is gone immediately.
        .header('Cache-Control', isLasting ? 'public, max-age=31536000, immutable' : 'no-cache')
        // A sandboxed frame has an opaque origin, so all its requests are cross-origin.
        .header('Access-Control-Allow-Origin', '*')
        .header('Referrer-Policy', 'no-referrer')
        .header('Permissions-Policy', permissionsPolicy)
        .header('Content-Security-Policy', policy)
      if (content === undefined) return reply.code(304).send()
      if (file.encoding) reply.header('Content-Encoding', file.encoding)
      if (file.size !== undefined) reply.header('Content-Length', file.size)
      return reply.send(content)
    }
    server.setErrorHandler((error, request, reply) => {
      reply.header('Access-Control-Allow-Origin', '*').header('Cache-Control', 'no-store')
      sendProblem(request, reply, asSoukError(error, request, context.log))
    })
  }
}

/** Files that the console and the host may load: the manifest, icons and fonts of bars, the document of a frame. */
const allowedForOwnPages = ['empty', 'document', 'iframe', 'image', 'font']

/**
 * Rejects scripts for the console and the host, which trust their own origin, while releases are third-party code on
 * the same origin. Mini apps have an opaque origin, so a same-origin request does not come from one.
 *
 * @throws SoukError `file_not_found`
 */
function rejectOwnPages({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  const dest = headers['sec-fetch-dest']
  if (typeof dest !== 'string' || (site !== 'same-origin' && site !== 'same-site')) return
  if (!allowedForOwnPages.includes(dest))
    throw new SoukError('file_not_found', 'This file is only for the frame of its mini app.')
}

/**
 * Rejects a frame that does not come from a page of this server: a mini app that navigates its frame to another release
 * would give that release its bridge (ADR 284). If releases have their own origin, all frames are cross-site, but
 * only pages of this server can have its origin as referrer.
 *
 * @throws SoukError `file_not_found`
 */
function rejectOtherFrames({ headers }: FastifyRequest, { settings, web }: FullContext): void {
  const { 'sec-fetch-dest': dest, 'sec-fetch-site': site = 'same-origin', referer = '' } = headers
  const isFromHost = web.miniAppsUrl
    ? URL.parse(referer)?.origin === new URL(settings.publicUrl).origin
    : site === 'same-origin'
  if (dest === 'iframe' && !isFromHost)
    throw new SoukError('file_not_found', 'A release can be framed only by a page of this server.')
}

/**
 * Rejects files that are not local pages or parts of them. At an address whose policies cannot name paths, the frame of
 * a mini app could navigate to them.
 *
 * @throws SoukError `file_not_found`
 */
function requireLocalPage(
  { params, headers: { host = '' } }: FastifyRequest<{ Params: Address }>,
  { sandbox }: FullContext['settings'],
): void {
  if (!localPages.test(params['*'])) throw new SoukError('file_not_found', 'Local pages are files in hybrid/html.')
  if (!sandbox && !isNamedByPolicies(host))
    throw new SoukError('file_not_found', 'Local pages need a server with a name, not an IP address.')
}

/** Contains the policy, because a browser keeps the policy of its copy when a file is unchanged. */
function tagOf({ hash, encoding }: ReleaseFile, policy: string): string {
  const policyHash = createHash('sha256').update(policy).digest('hex')
  return `"${hash.slice(0, 32)}-${policyHash.slice(0, 16)}${encoding ? '-gzip' : ''}"`
}
