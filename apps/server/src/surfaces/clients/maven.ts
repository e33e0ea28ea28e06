import { createHash } from 'node:crypto'
import { SoukError } from '@souk/contract'
import type { FastifyInstance } from 'fastify'
import { sendArchive, sendIndex } from '../registry.ts'
import type { JavaClient } from './packedClients.ts'

const maven = '/maven'
const text = 'text/plain; charset=utf-8'

/** Serves a repository with the client for Java, in the layout of Maven 2. */
export function serveMaven(server: FastifyInstance, readClient: () => Promise<JavaClient | undefined>): void {
  server.get<{ Params: { '*': string } }>(`${maven}/*`, async (request, reply) => {
    const client = await readClient()
    if (!client) {
      throw new SoukError(
        'package_not_found',
        'This server was built without a JDK, and has no client for Java. Build it again with the packages that sdks/java/README.md lists.',
      )
    }
    const { group, artifact, version, contents } = client
    const [, path = '', checksum] = /^(.*?)(?:\.(md5|sha1|sha256|sha512))?$/.exec(request.params['*'])!
    const folder = `${group.replaceAll('.', '/')}/${artifact}`
    const isIndex = path === `${folder}/maven-metadata.xml`
    const name = path.startsWith(`${folder}/${version}/`) ? path.slice(`${folder}/${version}/`.length) : ''
    const content = isIndex ? Buffer.from(metadata(client)) : contents.get(name)
    if (!content) {
      throw new SoukError('package_not_found', `This repository has ${group}:${artifact}:${version} only.`)
    }
    if (checksum) return sendIndex(request, reply, text, digest(checksum, content))
    if (isIndex) return sendIndex(request, reply, 'application/xml; charset=utf-8', content.toString())
    return sendArchive(request, reply, content, digest('sha256', content))
  })
}

/** Returns the list of versions, which Maven reads for a range of versions. */
function metadata({ group, artifact, version }: JavaClient): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<metadata>
  <groupId>${group}</groupId>
  <artifactId>${artifact}</artifactId>
  <versioning>
    <latest>${version}</latest>
    <release>${version}</release>
    <versions>
      <version>${version}</version>
    </versions>
  </versioning>
</metadata>
`
}

function digest(algorithm: string, content: Buffer): string {
  return createHash(algorithm).update(content).digest('hex')
}
