import { setTimeout as wait } from 'node:timers/promises'
import { minute, SoukError } from '@souk/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FullContext } from '../../domain/context.ts'
import { problemDetails, setErrorHeaders } from '../problem.ts'
import { asSoukError } from '../refusal.ts'
import { isolateResponses, json, originOf, readOnce, sendArchive, sendIndex } from '../registry.ts'
import { addressed } from './addressed.ts'
import { type DeveloperPackage, readPackages } from './packages.ts'

const prefix = '/npm'
const scope = '@souk/'
/** Media type of the packument that package managers install from, without texts. */
const abbreviated = 'application/vnd.npm.install-v1+json'

interface NpmOptions {
  read?: typeof readPackages
  /** Time in ms for which a request waits for the packages. After five minutes, npm gives up. */
  patience?: number
}

/** Serves a read-only npm registry of the packages for developers, in the version of this server (ADR 334). */
export function npmSurface(
  { settings, log }: Pick<FullContext, 'settings' | 'log'>,
  { read = readPackages, patience = 4 * minute }: NpmOptions = {},
) {
  const packed = readOnce(read, 'packages', log)
  async function packages({ socket }: FastifyRequest) {
    const reading = packed()
    const end = new AbortController()
    const late = wait(patience, undefined, { signal: end.signal, ref: false }).then(() => {
      throw new SoukError('unavailable', 'The packages are being packed.', { data: { retryAfter: 10 } })
    })
    // Nothing is sent while the request waits, which would close its connection.
    const { timeout = 0 } = socket
    socket.setTimeout(0)
    return Promise.race([reading, late]).finally(() => {
      end.abort()
      socket.setTimeout(timeout)
    })
  }

  /** @throws SoukError `package_not_found` */
  async function find(request: FastifyRequest, name: string): Promise<DeveloperPackage> {
    if (!name.startsWith(scope))
      throw new SoukError('package_not_found', `This registry has packages of ${scope} only.`)
    const available = await packages(request)
    const found = available.get(name)
    if (found) return found
    throw new SoukError(
      'package_not_found',
      `There is no ${name}. This registry has ${[...available.keys()].join(', ')}.`,
    )
  }

  return async function register(server: FastifyInstance): Promise<void> {
    isolateResponses(server)
    server.setErrorHandler((error, request, reply) => sendNpmError(request, reply, asSoukError(error, request, log)))

    server.route({
      method: ['GET', 'HEAD'],
      url: `${prefix}/-/ping`,
      handler: async (_request, reply) => reply.header('Cache-Control', 'no-store').send({}),
    })
    server.route<{ Params: { '*': string } }>({
      method: ['GET', 'HEAD'],
      url: `${prefix}/*`,
      handler: async (request, reply) => {
        const [owner, name, ...rest] = request.params['*'].split('/')
        const base = `${originOf(request, settings.publicUrl)}${prefix}`
        const found = addressed(await find(request, `${owner}/${name}`), `${base}/`)
        const [first, file] = rest
        if (rest.length === 2 && first === '-') return sendTarball(request, reply, found, file!)
        if (rest.length === 0) return sendPackument(request, reply, found, base)
        if (rest.length === 1) return sendVersion(request, reply, found, base, first!)
        throw new SoukError('package_not_found', 'The path is not one of a package, a version or a tarball.')
      },
    })
    server.route({
      method: ['POST', 'PUT', 'PATCH', 'DELETE'],
      url: `${prefix}/*`,
      // Before a body is read, which `npm publish` sends.
      onRequest: async (_request, reply) => {
        reply.header('Allow', 'GET, HEAD')
        throw new SoukError('method_not_allowed', 'This registry is read-only.')
      },
      handler: async () => {},
    })
  }
}

function sendPackument(request: FastifyRequest, reply: FastifyReply, found: DeveloperPackage, base: string) {
  const { manifest, readme, time } = found
  const { name, version, description, license } = manifest
  const tags = { 'dist-tags': { latest: version } }
  reply.header('Vary', 'Accept')
  if (request.headers.accept?.includes(abbreviated)) {
    const versions = { [version]: abbreviate(versionDocument(found, base)) }
    return sendIndex(request, reply, abbreviated, JSON.stringify({ name, ...tags, modified: time, versions }))
  }
  const versions = { [version]: versionDocument(found, base) }
  // pnpm refuses versions without a time if the user wants those of a minimum age only.
  const times = { time: { created: time, modified: time, [version]: time } }
  const packument = { _id: name, name, description, license, ...tags, ...times, versions, readme }
  return sendIndex(request, reply, json, JSON.stringify(packument))
}

/** @throws SoukError `package_not_found` */
function sendVersion(
  request: FastifyRequest,
  reply: FastifyReply,
  found: DeveloperPackage,
  base: string,
  version: string,
) {
  if (version !== found.manifest.version && version !== 'latest') throw otherVersion(found)
  return sendIndex(request, reply, json, JSON.stringify(versionDocument(found, base)))
}

/** @throws SoukError `package_not_found` */
function sendTarball(request: FastifyRequest, reply: FastifyReply, found: DeveloperPackage, file: string) {
  if (file !== tarballName(found)) throw otherVersion(found)
  return sendArchive(request, reply, found.tarball, found.shasum)
}

function otherVersion({ manifest }: DeveloperPackage): SoukError {
  const advice = `This server has ${manifest.name} ${manifest.version} only; update the mini app's lock file.`
  return new SoukError('package_not_found', advice)
}

const tarballName = ({ manifest: { name, version } }: DeveloperPackage) => `${name.slice(scope.length)}-${version}.tgz`

function versionDocument(found: DeveloperPackage, base: string) {
  const { manifest, shasum, integrity } = found
  const tarball = `${base}/${manifest.name}/-/${tarballName(found)}`
  return { ...manifest, _id: `${manifest.name}@${manifest.version}`, dist: { tarball, shasum, integrity } }
}

/** Returns the fields of a version that package managers need in order to install it. */
function abbreviate(document: ReturnType<typeof versionDocument>) {
  const { name, version, dependencies, optionalDependencies, peerDependencies, bin, engines, dist } =
    document as typeof document & Record<string, unknown>
  return { name, version, dependencies, optionalDependencies, peerDependencies, bin, engines, dist }
}

/** Responds with problem details, and with the field that npm prints. */
function sendNpmError(request: FastifyRequest, reply: FastifyReply, refusal: SoukError): void {
  setErrorHeaders(reply, refusal)
    .header('Content-Type', 'application/problem+json; charset=utf-8')
    .header('Cache-Control', 'no-store')
    .send(JSON.stringify({ error: refusal.message, ...problemDetails(refusal, request.id) }))
}
