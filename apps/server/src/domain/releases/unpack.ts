import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { maxReleaseFiles, maxReleaseSize, SoukError } from '@souk/contract'
import { type ParsedTarEntryWithData, type TarHeader, unpackTar } from 'modern-tar'

/** Maximum size of an unpacked archive: the files, headers and padding. */
const maxTarSize = maxReleaseSize + maxReleaseFiles * 4096
/** Maximum length of a path in characters. */
const maxPathLength = 255
/** Control and bidirectional characters, the backslash, and the replacement character of invalid UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are rejected
const forbiddenCharacters = /[\u0000-\u001f\u007f-\u009f\p{Bidi_Control}\\\ufffd]/u

/**
 * Unpacks a .tar.gz into files by path, without a leading slash. Although nothing is written to disk, rejects archives
 * that would be harmful there, which no build produces. Skips names that start with a dot.
 *
 * @throws SoukError `release_refused`
 */
export async function unpack(archive: Buffer): Promise<Map<string, Buffer>> {
  const tar = await decompress(archive)
  const seen = new Set<string>()
  let size = 0
  const entries = await readTar(tar, (header) => {
    const path = pathOf(header)
    if (header.type === 'directory') return false
    if (header.type !== 'file')
      throw releaseRefused(`${shown(header.name)} is a ${header.type}; only files and folders are allowed.`)
    if (seen.has(path)) throw releaseRefused(`${shown(path)} is in the archive twice.`)
    seen.add(path)
    size += header.size
    if (seen.size > maxReleaseFiles) throw releaseRefused(`It has more than ${maxReleaseFiles} files.`)
    if (size > maxReleaseSize) throw tooLarge()
    return !path.split('/').some((segment) => segment.startsWith('.'))
  })
  return new Map(entries.map(({ header, data }) => [pathOf(header), asBuffer(data)]))
}

async function decompress(archive: Buffer): Promise<Buffer> {
  try {
    return await promisify(gunzip)(archive, { maxOutputLength: maxTarSize })
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw releaseRefused('It is not gzip; send a .tar.gz.', error)
  }
}

async function readTar(tar: Buffer, filter: (header: TarHeader) => boolean): Promise<ParsedTarEntryWithData[]> {
  try {
    return await unpackTar(tar, { strict: true, filter })
  } catch (error) {
    if (error instanceof SoukError) throw error
    throw releaseRefused('It is not a tar archive, or a damaged one.', error)
  }
}

/** Returns the normalized path of an entry. @throws SoukError if it leaves the release or is malformed */
function pathOf({ name, type }: TarHeader): string {
  const relativeName = name.replace(/^(?:\.\/+)+/, '')
  const path = type === 'directory' ? relativeName.replace(/\/+$/, '') : relativeName
  // The root folder.
  if (type === 'directory' && (relativeName === '' || relativeName === '.')) return ''
  const segments = path.split('/')
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw releaseRefused(`${shown(name)} is not a path within the release.`)
  }
  if (forbiddenCharacters.test(path))
    throw releaseRefused(`${shown(name)} contains characters that are not allowed in a path.`)
  if (path.length > maxPathLength) throw releaseRefused(`${shown(name)} is longer than ${maxPathLength} characters.`)
  return path
}

function asBuffer(data: Uint8Array = new Uint8Array()): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
}

const shown = (name: string) => JSON.stringify(name.length > 80 ? `${name.slice(0, 79)}…` : name)

const tooLarge = () => releaseRefused(`Its files are larger than ${maxReleaseSize / 1024 / 1024} MB in total.`)

export function releaseRefused(reason: string, cause?: unknown): SoukError {
  return new SoukError('release_refused', reason, cause instanceof Error ? { internal: cause.message } : {})
}
