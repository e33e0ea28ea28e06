import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { maxReleaseFiles, maxReleaseSize, SoukError } from '@souk/contract'
import { type ParsedTarEntryWithData, type TarHeader, unpackTar } from 'modern-tar'

/** What a tar has besides the content of its files: headers, some of them long, and padding. */
const most = maxReleaseSize + maxReleaseFiles * 4096
/** Characters of a path. */
const longestPath = 255
/** Control characters, those that turn the direction of what is read, the backslash, and what stands for bytes that are not UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const forbiddenCharacters = /[\u0000-\u001f\u007f-\u009f\p{Bidi_Control}\\\ufffd]/u

/**
 * The files of a .tar.gz by their paths, which have no slash before them. Nothing is written to a disk, but what an archive
 * would do to one is refused all the same: no build makes such a thing. Names that begin with a dot are left out.
 *
 * @throws SoukError `release_refused`
 */
export async function unpack(archive: Buffer): Promise<Map<string, Buffer>> {
  const tar = await gunzipped(archive)
  const seen = new Set<string>()
  let size = 0
  const entries = await read(tar, (header) => {
    const path = pathOf(header)
    if (header.type === 'directory') return false
    if (header.type !== 'file')
      throw releaseRefused(`${shown(header.name)} is a ${header.type}; only files and folders are taken.`)
    if (seen.has(path)) throw releaseRefused(`${shown(path)} is there twice.`)
    seen.add(path)
    size += header.size
    if (seen.size > maxReleaseFiles) throw releaseRefused(`It has more than ${maxReleaseFiles} files.`)
    if (size > maxReleaseSize) throw tooLarge()
    return !path.split('/').some((segment) => segment.startsWith('.'))
  })
  return new Map(entries.map(({ header, data }) => [pathOf(header), asBuffer(data)]))
}

async function gunzipped(archive: Buffer): Promise<Buffer> {
  try {
    return await promisify(gunzip)(archive, { maxOutputLength: most })
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw releaseRefused('It is not gzip; send a .tar.gz.', error)
  }
}

async function read(tar: Buffer, filter: (header: TarHeader) => boolean): Promise<ParsedTarEntryWithData[]> {
  try {
    return await unpackTar(tar, { strict: true, filter })
  } catch (error) {
    if (error instanceof SoukError) throw error
    throw releaseRefused('What it holds is not a tar archive, or a damaged one.', error)
  }
}

/** @throws SoukError where the path leads out of the release, or is no path that a build writes */
function pathOf({ name, type }: TarHeader): string {
  const inside = name.replace(/^(?:\.\/+)+/, '')
  const path = type === 'directory' ? inside.replace(/\/+$/, '') : inside
  // The folder that was packed.
  if (type === 'directory' && (inside === '' || inside === '.')) return ''
  const segments = path.split('/')
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw releaseRefused(`${shown(name)} is not a path within the release.`)
  }
  if (forbiddenCharacters.test(path))
    throw releaseRefused(`${shown(name)} has characters that a path here cannot have.`)
  if (path.length > longestPath) throw releaseRefused(`${shown(name)} is longer than ${longestPath} characters.`)
  return path
}

function asBuffer(data: Uint8Array = new Uint8Array()): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
}

const shown = (name: string) => JSON.stringify(name.length > 80 ? `${name.slice(0, 79)}…` : name)

const tooLarge = () => releaseRefused(`Its files have more than ${maxReleaseSize / 1024 / 1024} MB together.`)

export function releaseRefused(reason: string, cause?: unknown): SoukError {
  return new SoukError('release_refused', reason, cause instanceof Error ? { internal: cause.message } : {})
}
