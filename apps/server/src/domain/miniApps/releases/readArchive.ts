import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { createGunzip, gzipSync } from 'node:zlib'
import { inlineScripts } from './inlineScripts.ts'
import { isCompressible } from './mediaType.ts'
import { readTar, TarError, type TarHeader } from './tar.ts'

export const manifestFile = 'souk-app.json'
export const document = 'index.html'

/** Limits of the contract, passed in since loading the contract would take longer than reading an archive. */
export interface ArchiveLimits {
  files: number
  /** Total size of the files in bytes. */
  size: number
  /** Size of one source map in bytes. */
  sourceMap: number
}

/** A file of a build, as it is stored. */
interface BuildFile {
  /** SHA-256 of the file, hexadecimal. */
  hash: string
  /** Size of the file in bytes. */
  size: number
  gzipped: boolean
  /** The file, or its gzip. */
  content: Uint8Array<ArrayBuffer>
}

/** Contents of an archive. */
export interface Build {
  /** Files by path, without a leading slash. */
  files: Map<string, BuildFile>
  /** Text of souk-app.json, not validated; undefined if it is missing. */
  manifest: string | undefined
  /** Hashes of the inline scripts of index.html. */
  inlineScripts: string[]
}

/** The archive is not a valid release. The message tells its developer why. */
export class ArchiveError extends Error {}

/** Maximum size of souk-app.json and of index.html, in bytes. */
const maxEntrySize = 1024 * 1024
/** Maximum length of a path in characters. */
const maxPathLength = 255
/** Control and bidirectional characters, the backslash, and the replacement character of invalid UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are rejected
const forbiddenCharacters = /[\u0000-\u001f\u007f-\u009f\p{Bidi_Control}\\\ufffd]/u

/**
 * Reads a .tar.gz. Although nothing is written to disk, rejects archives that would be harmful there, which no build
 * produces. Skips names that start with a dot. Takes time linear in the size of the unpacked archive, and holds each
 * file in memory until it is compressed.
 *
 * @throws ArchiveError
 */
export async function readArchive(archive: Uint8Array, limits: ArchiveLimits): Promise<Build> {
  const build: Build = { files: new Map(), manifest: undefined, inlineScripts: [] }
  for await (const { path, content } of readFiles(archive, limits)) {
    if (path === manifestFile) build.manifest = content.toString()
    if (path === document) build.inlineScripts = inlineScripts(content)
    build.files.set(path, createFile(path, content))
  }
  return build
}

/**
 * Reads a .tar.gz of source maps, by the path of their script. Keeps only what maps a position: no sources.
 * @throws ArchiveError
 */
export async function readSourceMaps(archive: Uint8Array, limits: ArchiveLimits): Promise<Build> {
  const build: Build = { files: new Map(), manifest: undefined, inlineScripts: [] }
  for await (const { path, content } of readFiles(archive, limits)) {
    if (!path.endsWith('.js.map')) throw new ArchiveError(`${shown(path)} is not a source map of a script, a .js.map.`)
    if (content.length > limits.sourceMap)
      throw new ArchiveError(`${shown(path)} is larger than ${limits.sourceMap / 1024 / 1024} MB.`)
    const map = JSON.stringify(readSourceMap(path, content))
    // Buffer.from would return a slice of a larger, shared buffer, which could not be transferred.
    build.files.set(path.slice(0, -'.map'.length), createFile(path, Buffer.alloc(Buffer.byteLength(map), map)))
  }
  return build
}

/** Reads the files that `createFilter` accepts. @throws ArchiveError */
async function* readFiles(
  archive: Uint8Array,
  limits: ArchiveLimits,
): AsyncGenerator<{ path: string; content: Buffer<ArrayBuffer> }> {
  try {
    const entries = readTar(gunzip(archive, limits), createFilter(limits))
    for await (const { header, content } of entries) yield { path: pathOf(header), content }
  } catch (error) {
    if (error instanceof TarError)
      throw new ArchiveError('It is not a tar archive, or a damaged one.', { cause: error })
    throw error
  }
}

/** Maximum number of sources of one source map. */
const maxSources = 20_000

/** @throws ArchiveError */
function readSourceMap(path: string, content: Buffer): object {
  let map: unknown
  try {
    map = JSON.parse(content.toString())
  } catch (cause) {
    throw new ArchiveError(`${shown(path)} is not valid JSON.`, { cause })
  }
  const { version, sections, sources, names = [], mappings } = { ...(map as Record<string, unknown> | null) }
  if (sections !== undefined)
    throw new ArchiveError(`${shown(path)} has sections; upload the source map of one script instead.`)
  const isValid =
    version === 3 &&
    typeof mappings === 'string' &&
    Array.isArray(sources) &&
    sources.length <= maxSources &&
    sources.every((source) => source === null || typeof source === 'string') &&
    Array.isArray(names) &&
    names.every((name) => typeof name === 'string')
  if (!isValid) throw new ArchiveError(`${shown(path)} is not a source map of version 3.`)
  return { version, sources, names, mappings }
}

async function* gunzip(archive: Uint8Array, limits: ArchiveLimits): AsyncGenerator<Buffer> {
  const maxTarSize = limits.size + limits.files * 4096
  let size = 0
  try {
    for await (const chunk of Readable.from([archive]).pipe(createGunzip({ chunkSize: 64 * 1024 }))) {
      size += chunk.length
      if (size > maxTarSize) throw tooLarge(limits)
      yield chunk
    }
  } catch (error) {
    if (error instanceof ArchiveError) throw error
    throw new ArchiveError('It is not gzip; send a .tar.gz.', { cause: error })
  }
}

/** Returns a function that rejects headers of harmful or oversized archives, and skips folders and hidden files. */
function createFilter(limits: ArchiveLimits): (header: TarHeader) => boolean {
  const seen = new Set<string>()
  let size = 0
  return (header) => {
    const path = pathOf(header)
    if (header.type === 'directory') return false
    if (header.type !== 'file')
      throw new ArchiveError(`${shown(header.name)} is a ${header.type}; only files and folders are allowed.`)
    if (seen.has(path)) throw new ArchiveError(`${shown(path)} is in the archive twice.`)
    seen.add(path)
    size += header.size
    if (seen.size > limits.files) throw new ArchiveError(`It has more than ${limits.files} files.`)
    if (size > limits.size) throw tooLarge(limits)
    if ((path === manifestFile || path === document) && header.size > maxEntrySize)
      throw new ArchiveError(`${path} is larger than ${maxEntrySize / 1024 / 1024} MB.`)
    return !path.split('/').some((segment) => segment.startsWith('.'))
  }
}

/** Returns the normalized path of an entry. @throws ArchiveError if it leaves the release or is malformed */
function pathOf({ name, type }: TarHeader): string {
  if (name.length > maxPathLength + './'.length)
    throw new ArchiveError(`${shown(name)} is longer than ${maxPathLength} characters.`)
  const isDirectory = type === 'directory'
  // The root folder.
  if (isDirectory && (name === '.' || name === './')) return ''
  const relativeName = name.startsWith('./') ? name.slice(2) : name
  const path = isDirectory && relativeName.endsWith('/') ? relativeName.slice(0, -1) : relativeName
  if (path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..'))
    throw new ArchiveError(`${shown(name)} is not a path within the release.`)
  if (forbiddenCharacters.test(path))
    throw new ArchiveError(`${shown(name)} contains characters that are not allowed in a path.`)
  if (path.length > maxPathLength) throw new ArchiveError(`${shown(name)} is longer than ${maxPathLength} characters.`)
  return path
}

function createFile(path: string, content: Buffer<ArrayBuffer>): BuildFile {
  const file = { hash: createHash('sha256').update(content).digest('hex'), size: content.length }
  if (isCompressible(path)) {
    const gzipped = gzipSync(content)
    // A copy of the exact size, since gzipSync returns part of a larger buffer.
    if (gzipped.length < content.length * 0.9) return { ...file, gzipped: true, content: new Uint8Array(gzipped) }
  }
  return { ...file, gzipped: false, content: new Uint8Array(content.buffer) }
}

const shown = (name: string) => JSON.stringify(name.length > 80 ? `${name.slice(0, 79)}…` : name)

const tooLarge = ({ size }: ArchiveLimits) =>
  new ArchiveError(`Its files are larger than ${size / 1024 / 1024} MB in total.`)
