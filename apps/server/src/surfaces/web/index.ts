import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { SoukError } from '@souk/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { sendProblem } from '../json.ts'
import { notBuiltPage } from './notBuilt.ts'
import { contentSecurityPolicy, noncePlaceholder } from './policy.ts'

const built = join(import.meta.dirname, '../../../../console/dist')

/**
 * The web console (`/console/`) as it was built: files whose names hold their hash for ever, the page itself never from a
 * cache. Every other address below is the page's too, since the console routes in the browser. `directory` is for tests.
 */
export function webSurface(directory: string = built) {
  return async function register(server: FastifyInstance): Promise<void> {
    const page = await readFile(join(directory, 'index.html'), 'utf8').catch(() => undefined)
    server.get('/console', (_request, reply) => reply.redirect('/console/', 308))
    if (page === undefined) {
      server.get('/console/*', (_request, reply) => sendPage(reply.code(503), notBuiltPage))
      return
    }

    await server.register(fastifyStatic, {
      root: join(directory, 'assets'),
      prefix: '/console/assets/',
      preCompressed: true,
      immutable: true,
      maxAge: '1y',
      index: false,
      decorateReply: false,
      setHeaders: (reply) => {
        reply.header('X-Content-Type-Options', 'nosniff')
      },
    })
    server.get('/console/favicon.svg', async (_request, reply) =>
      reply
        .header('Content-Type', 'image/svg+xml')
        .header('Cache-Control', 'public, max-age=86400')
        .header('X-Content-Type-Options', 'nosniff')
        .send(await readFile(join(directory, 'favicon.svg'))),
    )
    server.get<{ Params: { '*': string } }>('/console/*', (request, reply) => {
      // An unknown operation is no page.
      if (/^v\d+(\/|$)/.test(request.params['*'])) return sendProblem(request, reply, new SoukError('route_unknown'))
      return sendPage(reply, page)
    })
  }
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  return reply
    .header('Content-Type', 'text/html; charset=utf-8')
    .header('Cache-Control', 'no-store')
    .header('Content-Security-Policy', contentSecurityPolicy(nonce))
    .header('X-Content-Type-Options', 'nosniff')
    .header('Referrer-Policy', 'same-origin')
    .header('Cross-Origin-Opener-Policy', 'same-origin')
    .send(page.replaceAll(noncePlaceholder, nonce))
}
