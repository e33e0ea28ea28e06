import { readdir, readFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { SoukError } from '@souk/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lookup } from 'mrmime'
import type { FullContext } from '../../domain/context.ts'
import { packageFolder, runsFromSources } from '../../kernel/package.ts'
import type { ReadAllowedOrigins } from '../allowedOrigins.ts'
import { sendProblem } from '../json.ts'
import { serveDocs } from './docs.ts'
import { createNonce } from './nonce.ts'
import { notBuiltPage } from './notBuilt.ts'
import {
  consolePolicy,
  embedPolicy,
  environmentPlaceholder,
  hostPolicy,
  mapTilesPlaceholder,
  noncePlaceholder,
  type PageSettings,
} from './policy.ts'

/** A web application of this repository, whose build is served below `/<name>/`. */
interface WebApp {
  name: 'console' | 'host'
  policy: (page: PageSettings) => string
}
const webApps: readonly WebApp[] = [
  { name: 'console', policy: consolePolicy },
  { name: 'host', policy: hostPolicy },
]

type WebSettings = Pick<
  FullContext['settings'] & FullContext['web'],
  'sandbox' | 'publicUrl' | 'miniAppsUrl' | 'mapTiles'
>

/** Link checkers and previews ask for pages with HEAD. */
const withHead = { exposeHeadRoute: true }

const built = runsFromSources ? dirname(packageFolder) : join(packageFolder, 'web')

/**
 * Serves the builds of the web console (`/console/`) and the host application (`/host/`), and of the documentation
 * (`/docs/`). Files with a hash in their names are cached forever, the pages of the applications never. All other
 * addresses of an application serve its page, since both route in the browser. The root redirects to the host
 * application.
 * @param directory contains a folder for each, for tests
 */
export function webSurface(settings: WebSettings, allowedOrigins: ReadAllowedOrigins, directory = built) {
  return async function register(server: FastifyInstance): Promise<void> {
    for (const app of webApps) await serve(server, app, join(directory, app.name, 'dist'), settings)
    await serveEmbed(server, join(directory, 'host', 'dist'), settings, allowedOrigins)
    await serveDocs(server, join(directory, 'docs', 'dist'), settings.publicUrl)
    // Users and developers open the address of the server first.
    server.get('/', withHead, (_request, reply) => reply.redirect('/host/', 302))
  }
}

/** Returns the script that the page of the console loads, whose name each build changes; undefined without a build. */
export async function readConsoleEntry(): Promise<string | undefined> {
  const page = await readFile(join(built, 'console', 'dist', 'index.html'), 'utf8').catch(() => '')
  return /<script type="module"[^<>]* src="([^"]+)"/.exec(page)?.[1]
}

/** Serves a page with a new nonce. */
function sendPage(reply: FastifyReply, page: string, nonce: string, policy: string) {
  return reply
    .header('Content-Type', 'text/html; charset=utf-8')
    .header('Cache-Control', 'no-store')
    .header('Content-Security-Policy', policy)
    .header('Referrer-Policy', 'same-origin')
    .header('Cross-Origin-Opener-Policy', 'same-origin')
    .send(page.replaceAll(noncePlaceholder, nonce))
}

/** Reads a page of a build; undefined if it has not been built. */
async function readPage(directory: string, file: string, { sandbox, mapTiles }: WebSettings) {
  const page = await readFile(join(directory, file), 'utf8').catch(() => undefined)
  return page
    ?.replaceAll(environmentPlaceholder, sandbox ? 'sandbox' : 'live')
    .replaceAll(mapTilesPlaceholder, () => (mapTiles ? attributeValue(JSON.stringify(mapTiles)) : ''))
}

/** Serves the page of embedded mini apps (ADR 339). It says itself which address below it does not exist. */
async function serveEmbed(
  server: FastifyInstance,
  directory: string,
  settings: WebSettings,
  allowedOrigins: ReadAllowedOrigins,
) {
  const { sandbox, miniAppsUrl } = settings
  const page = await readPage(directory, 'embed.html', settings)
  server.get('/host/embed/*', withHead, async ({ host }, reply) => {
    const nonce = createNonce()
    const policy = embedPolicy({ nonce, sandbox, host, miniAppsUrl }, await allowedOrigins())
    return sendPage(page === undefined ? reply.code(503) : reply, page ?? notBuiltPage('host'), nonce, policy)
  })
}

async function serve(server: FastifyInstance, { name, policy }: WebApp, directory: string, settings: WebSettings) {
  const { sandbox, miniAppsUrl } = settings
  const send = ({ host }: FastifyRequest, reply: FastifyReply, page: string) => {
    const nonce = createNonce()
    return sendPage(reply, page, nonce, policy({ nonce, sandbox, host, miniAppsUrl }))
  }
  const page = await readPage(directory, 'index.html', settings)
  server.get(`/${name}`, withHead, (_request, reply) => reply.redirect(`/${name}/`, 308))
  if (page === undefined) {
    server.get(`/${name}/*`, withHead, (request, reply) => send(request, reply.code(503), notBuiltPage(name)))
    return
  }

  await server.register(fastifyStatic, {
    root: join(directory, 'assets'),
    prefix: `/${name}/assets/`,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
    index: false,
    decorateReply: false,
  })
  for (const file of await readdir(directory)) {
    const mediaType = lookup(file)
    if (mediaType === undefined || extname(file) === '.html') continue
    server.get(`/${name}/${file}`, withHead, async (_request, reply) =>
      reply
        .header('Content-Type', extname(file) === '.js' ? `${mediaType}; charset=utf-8` : mediaType)
        // A script without a hash is a service worker, which must be revalidated.
        .header('Cache-Control', extname(file) === '.js' ? 'no-cache' : 'public, max-age=86400')
        .send(await readFile(join(directory, file))),
    )
  }
  server.get<{ Params: { '*': string } }>(`/${name}/*`, withHead, (request, reply) => {
    // Unknown operations must not return the page.
    if (/^v\d+(\/|$)/.test(request.params['*'])) return sendProblem(request, reply, new SoukError('route_unknown'))
    return send(request, reply, page)
  })
}

/** Escapes text for an attribute in double quotes. */
const attributeValue = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
