import { randomBytes } from 'node:crypto'
import { isListed, SoukError } from '@souk/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FullContext } from '../../domain/context.ts'
import { findApprovedDomains } from '../../domain/miniApps/index.ts'
import type { ReadAllowedOrigins } from '../allowedOrigins.ts'
import { sendProblem } from '../json.ts'
import { asSoukError } from '../refusal.ts'
import { webViewPath } from './path.ts'

/**
 * Serves the page in which the host application shows web pages for a mini app. It has no script and no bridge, and
 * only contains a frame, so that the host's own `frame-src` need not allow foreign pages (ADR 179). A live installation
 * shows pages of the approved hosts only.
 */
export function webViewSurface(
  context: Pick<FullContext, 'apps' | 'log' | 'settings'>,
  allowedOrigins: ReadAllowedOrigins,
) {
  return async function register(server: FastifyInstance): Promise<void> {
    server.get(webViewPath, async (request, reply) => {
      const { searchParams } = new URL(request.raw.url ?? '', 'http://host')
      const { webView } = await findApprovedDomains(context, searchParams.get('appid') ?? '')
      const domains = context.settings.sandbox ? undefined : webView
      const url = URL.parse(searchParams.get('url') ?? '')
      if (!url || !isFrameOfHost(request) || !mayShow(url, request.host, domains)) throw new SoukError('route_unknown')
      const nonce = randomBytes(16).toString('base64')
      return reply
        .header('Content-Type', 'text/html; charset=utf-8')
        .header('Cache-Control', 'no-store')
        .header('Content-Security-Policy', policy(nonce, domains, await allowedOrigins()))
        .header('Referrer-Policy', 'no-referrer')
        .send(page(url, nonce))
    })
    server.setErrorHandler((error, request, reply) =>
      sendProblem(request, reply, asSoukError(error, request, context.log)),
    )
  }
}

/**
 * Returns false for a browser that loads the page anywhere but in a frame of this server's pages: in a tab it would
 * show foreign content under this server's name, and in the frame of a mini app foreign content as the mini app.
 */
function isFrameOfHost({ headers }: FastifyRequest): boolean {
  const { 'sec-fetch-dest': dest = 'iframe', 'sec-fetch-site': site = 'same-origin' } = headers
  return dest === 'iframe' && site === 'same-origin'
}

/** Returns false for pages of this server, and of hosts that are not approved. */
function mayShow(url: URL, ownHost: string, domains: readonly string[] | undefined): boolean {
  if (!/^https?:$/.test(url.protocol) || url.host === ownHost) return false
  return domains === undefined || isListed(domains, url)
}

function policy(nonce: string, domains: readonly string[] | undefined, embedders: readonly string[]): string {
  const frames = domains?.map((domain) => `https://${domain}`) ?? ['https:', 'http://localhost:*', 'http://127.0.0.1:*']
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `frame-src ${frames.join(' ')}`,
    "form-action 'none'",
    "base-uri 'none'",
    ["frame-ancestors 'self'", ...embedders].join(' '),
  ].join('; ')
}

/** Returns the HTML. The framed page may do anything except navigate the host or use the device. */
function page(url: URL, nonce: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${escapeHtml(url.host)}</title>
    <style nonce="${nonce}">
      html, body, iframe { display: block; inline-size: 100%; block-size: 100%; margin: 0; border: 0; background: #fff }
    </style>
  </head>
  <body>
    <iframe src="${escapeHtml(url.href)}" title="${escapeHtml(url.host)}" allow="fullscreen" referrerpolicy="no-referrer"
      sandbox="allow-scripts allow-same-origin allow-forms allow-modals allow-downloads allow-popups allow-popups-to-escape-sandbox"></iframe>
  </body>
</html>
`
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
