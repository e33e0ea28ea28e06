import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { notBuiltPage } from './notBuilt.ts'
import { docsPolicy, examplesPolicy } from './policy.ts'

/** The address of the installation in a build of the site. */
const addressPlaceholder = '__SOUK_URL__'

/**
 * Serves the build of the documentation site, a file for each page, below `/docs/`. A page that does not exist is
 * answered with the site's own page and 404.
 * @param directory the build
 * @param publicUrl the address of this installation, which the metadata of the pages contains
 */
export async function serveDocs(server: FastifyInstance, directory: string, publicUrl: string): Promise<void> {
  const missing = await readFile(join(directory, '404.html'), 'utf8').catch(() => undefined)
  const page = missing ?? notBuiltPage('documentation')
  const pageHeaders = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': docsPolicy(hashesOfScripts(page)),
    'Referrer-Policy': 'same-origin',
  }
  const examples = join(directory, 'examples') + sep
  server.get('/docs', (_request, reply) => reply.redirect('/docs/', 308))
  if (missing === undefined) {
    server.get('/docs/*', (_request, reply) => reply.code(503).headers(pageHeaders).send(page))
    return
  }
  await server.register(
    async (docs) => {
      docs.setNotFoundHandler((_request, reply) => reply.code(404).headers(pageHeaders).send(page))
      docs.addHook('onSend', async (_request, reply, payload) => {
        const isPage = /^(?:text\/html|application\/xml)/.test(String(reply.getHeader('Content-Type')))
        if (!isPage || !(payload instanceof Readable)) return payload
        reply.removeHeader('Content-Length')
        return (await text(payload)).replaceAll(addressPlaceholder, () => publicUrl)
      })
      await docs.register(fastifyStatic, {
        root: directory,
        prefix: '/',
        extensions: ['html'],
        dotfiles: 'ignore',
        preCompressed: true,
        cacheControl: false,
        decorateReply: false,
        // Parts of a page would have the places of its file.
        acceptRanges: false,
        setHeaders(reply, path) {
          if (path.startsWith(examples)) {
            const isLocalPage = path.startsWith(join(examples, 'hybrid'))
            reply.header('Content-Security-Policy', examplesPolicy({ isLocalPage }))
            // Their frame has an opaque origin, so that all its requests are cross-origin.
            reply.header('Access-Control-Allow-Origin', '*')
          }
          if (path.includes('/assets/')) reply.header('Cache-Control', 'public, max-age=31536000, immutable')
          else if (!path.endsWith('.html') || path.startsWith(examples)) reply.header('Cache-Control', 'no-cache')
          else for (const [name, value] of Object.entries(pageHeaders)) reply.header(name, value)
        },
      })
    },
    { prefix: '/docs' },
  )
}

/** Returns the sources of the inline scripts, which are the same on all pages, for a content security policy. */
function hashesOfScripts(page: string): string[] {
  return [...page.matchAll(/<script(?: id="[\w-]*")?>([^<]*)<\/script>/g)].map(
    ([, script]) => `'sha256-${createHash('sha256').update(script!).digest('base64')}'`,
  )
}
