import { SoukError } from '@souk/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FullContext } from '../../domain/context.ts'
import { isolateResponses, json, originOf, readOnce, sendArchive, sendIndex } from '../registry.ts'
import { serveMaven } from './maven.ts'
import { type Archive, readClients, readJavaClient } from './packedClients.ts'

const python = '/pypi'
const goProxy = '/go'
const composer = '/composer'

/** Serves the clients for backends in the version of this server, to pip, Go, Composer and Maven (ADRs 417 and 430). */
export function clientsSurface({ settings, log }: Pick<FullContext, 'settings' | 'log'>) {
  const clients = readOnce(readClients, 'clients', log)

  /** @throws SoukError `package_not_found` */
  async function sendFile(request: FastifyRequest<{ Params: { file: string } }>, reply: FastifyReply) {
    const { archives } = await clients()
    const found = archives.get(request.params.file)
    if (found) return sendFound(request, reply, found)
    throw new SoukError('package_not_found', `This server has ${[...archives.keys()].join(', ')}.`)
  }

  return async function register(server: FastifyInstance): Promise<void> {
    isolateResponses(server)

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
      if (asked === `v/${version}.zip`) return sendFound(request, reply, archives.get(file)!)
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
      return sendIndex(request, reply, text === info ? json : 'text/plain; charset=utf-8', text)
    })

    server.get(`${composer}/packages.json`, async (request, reply) => {
      const { php, archives } = await clients()
      const url = `${originOf(request, settings.publicUrl)}${composer}/files/${php.file}`
      const dist = { type: 'zip', url, shasum: archives.get(php.file)!.sha1 }
      const { name, version } = php.composer
      const body = JSON.stringify({ packages: { [name]: { [version]: { ...php.composer, dist } } } })
      return sendIndex(request, reply, json, body)
    })
    server.get(`${composer}/files/:file`, sendFile)

    serveMaven(server, readOnce(readJavaClient, 'client for Java', log))
  }
}

function sendFound(request: FastifyRequest, reply: FastifyReply, { content, sha256 }: Archive) {
  return sendArchive(request, reply, content, sha256)
}

/** Sends a page of the simple repository API of Python. */
function sendPage(request: FastifyRequest, reply: FastifyReply, links: string) {
  return sendIndex(request, reply, 'text/html; charset=utf-8', `<!doctype html>\n<title>Souk</title>\n${links}\n`)
}
