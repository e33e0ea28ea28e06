import { createHash } from 'node:crypto'
import { SoukError } from '@souk/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FullContext } from '../../domain/context.ts'
import { archiveCaching, originOf, sendTagged } from '../registry.ts'
import { type Archive, type Clients, readClients } from './packedClients.ts'

const python = '/pypi'
const goProxy = '/go'
const composer = '/composer'

/** Serves the clients for backends in the version of this server, to pip, Go and Composer (ADR 417). */
export function clientsSurface({ settings, log }: Pick<FullContext, 'settings' | 'log'>) {
  let reading: Promise<Clients> | undefined
  /** Reads the clients on the first request, and again after a failure. */
  function clients(): Promise<Clients> {
    reading ??= readClients().catch((cause: unknown) => {
      reading = undefined
      log.error({ error: String(cause) }, 'clients not packed')
      throw new SoukError('unavailable', 'The clients could not be packed. The log of the server says why.')
    })
    return reading
  }

  /** @throws SoukError `package_not_found` */
  async function sendFile(request: FastifyRequest<{ Params: { file: string } }>, reply: FastifyReply) {
    const { archives } = await clients()
    const found = archives.get(request.params.file)
    if (found) return sendArchive(request, reply, found)
    throw new SoukError('package_not_found', `This server has ${[...archives.keys()].join(', ')}.`)
  }

  return async function register(server: FastifyInstance): Promise<void> {
    server.addHook('onRequest', async (_request, reply) => {
      reply.header('Content-Security-Policy', "default-src 'none'; sandbox")
    })

    server.get(`${python}/simple/`, async (request, reply) => {
      const { name } = (await clients()).python
      return sendPage(request, reply, `<a href="${name}/">${name}</a>`)
    })
    server.get<{ Params: { name: string } }>(`${python}/simple/:name/`, async (request, reply) => {
      const { python: client, archives } = await clients()
      if (request.params.name !== client.name) {
        throw new SoukError('package_not_found', `This index has ${client.name} only.`)
      }
      const requires = client.requiresPython.replaceAll('>', '&gt;').replaceAll('<', '&lt;')
      const links = client.files.map(
        (file) =>
          `<a href="../../files/${file}#sha256=${archives.get(file)!.sha256}" data-requires-python="${requires}">${file}</a><br>`,
      )
      return sendPage(request, reply, links.join('\n'))
    })
    server.get(`${python}/files/:file`, sendFile)

    server.get<{ Params: { '*': string } }>(`${goProxy}/*`, async (request, reply) => {
      const { go: client, archives } = await clients()
      const { module, version, mod, file } = client
      const [name, asked = ''] = request.params['*'].split('/@')
      // After 404, Go asks the next proxy of its list.
      if (name !== module) throw new SoukError('package_not_found', `This proxy has ${module} only.`)
      if (asked === `v/${version}.zip`) return sendArchive(request, reply, archives.get(file)!)
      const info = JSON.stringify({ Version: version })
      const texts = new Map([
        ['latest', info],
        [`v/${version}.info`, info],
        [`v/${version}.mod`, mod],
        ['v/list', `${version}\n`],
      ])
      const text = texts.get(asked)
      // After 400 it does not: another version must not come from elsewhere.
      if (text === undefined) throw new SoukError('parameter_invalid', `This server has ${module} ${version} only.`)
      reply.header('Content-Type', text === info ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8')
      return sendIndex(request, reply, text)
    })

    server.get(`${composer}/packages.json`, async (request, reply) => {
      const { php, archives } = await clients()
      const url = `${originOf(request, settings.publicUrl)}${composer}/files/${php.file}`
      const dist = { type: 'zip', url, shasum: archives.get(php.file)!.sha1 }
      const { name, version } = php.composer
      const body = JSON.stringify({ packages: { [name]: { [version]: { ...php.composer, dist } } } })
      reply.header('Content-Type', 'application/json; charset=utf-8')
      return sendIndex(request, reply, body)
    })
    server.get(`${composer}/files/:file`, sendFile)
  }
}

function sendArchive(request: FastifyRequest, reply: FastifyReply, { content, sha256 }: Archive) {
  reply.header('Content-Type', 'application/octet-stream').header('Cache-Control', archiveCaching)
  return sendTagged(request, reply, content, sha256)
}

/** Sends a page of the simple repository API of Python. */
function sendPage(request: FastifyRequest, reply: FastifyReply, links: string) {
  reply.header('Content-Type', 'text/html; charset=utf-8')
  return sendIndex(request, reply, `<!doctype html>\n<title>Souk</title>\n${links}\n`)
}

function sendIndex(request: FastifyRequest, reply: FastifyReply, body: string) {
  reply.header('Cache-Control', 'no-cache')
  return sendTagged(request, reply, body, createHash('sha1').update(body).digest('hex'))
}
