import { randomBytes } from 'node:crypto'
import { SoukError } from '@souk/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sendProblem } from '../json.ts'
import { webViewPath } from './path.ts'

/**
 * The page in which the host application shows foreign web pages. It has no script and no bridge, and only contains a
 * frame, so that the host's own `frame-src` need not allow foreign pages (ADR 284).
 */
export function webViewSurface({ sandbox }: { sandbox: boolean }) {
  return async function register(server: FastifyInstance): Promise<void> {
    server.get(webViewPath, (request, reply) => {
      const url = isFrameOfHost(request) ? shownUrl(request) : undefined
      if (!url) return sendProblem(request, reply, new SoukError('route_unknown'))
      const nonce = randomBytes(16).toString('base64')
      return reply
        .header('Content-Type', 'text/html; charset=utf-8')
        .header('Cache-Control', 'no-store')
        .header('Content-Security-Policy', policy(nonce, sandbox))
        .header('Referrer-Policy', 'no-referrer')
        .send(page(url, nonce))
    })
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

/** Returns the address in the query; undefined if it is not of a web page, or of a page of this server. */
function shownUrl({ raw, host }: FastifyRequest): URL | undefined {
  const url = URL.parse(new URL(raw.url ?? '', 'http://host').searchParams.get('url') ?? '')
  return url && /^https?:$/.test(url.protocol) && url.host !== host ? url : undefined
}

function policy(nonce: string, sandbox: boolean): string {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `frame-src https:${sandbox ? ' http://localhost:* http://127.0.0.1:*' : ''}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ')
}

/** The page inside may do anything except navigate the host or use the device. */
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
