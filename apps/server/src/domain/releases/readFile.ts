import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type Domains, SoukError } from '@souk/contract'
import type { Sql } from '../../kernel/db/pool.ts'
import type { Context } from '../context.ts'
import { mediaTypeOf } from './mediaType.ts'
import { document, manifestFile } from './readArchive.ts'
import { findFile, findPart, type StoredFile } from './store.ts'

/** A file of a release as it is served. */
export interface ReleaseFile {
  mediaType: string
  encoding: 'gzip' | undefined
  /** Size of what `open` returns in bytes; undefined if that is decompressed on the way. */
  size: number | undefined
  /** SHA-256 of the file, hexadecimal. */
  hash: string
  /** Hashes of the inline scripts, for the content security policy of the document. */
  inlineScripts: readonly string[]
  /** True for the files that a host or browser loads first, which must be revalidated each time. */
  isEntry: boolean
  /** Hosts that the mini app may reach. */
  domains: Domains
  /**
   * Returns the content. A large one is read in parts, each when the previous one has been sent; the stream fails if
   * the release is deleted meanwhile.
   */
  open(): Buffer | Readable
}

/**
 * Returns a file of a release to anyone who has its URL (ADR 131). The empty path is the document.
 * @throws SoukError `file_not_found`, also while the mini app is disabled
 */
export async function readReleaseFile(
  context: Context,
  { appid, releaseId, path }: { appid: string; releaseId: string; path: string },
  acceptsGzip: boolean,
): Promise<ReleaseFile> {
  const app = await context.apps.find(appid)
  const canExist = app?.enabled && /^[0-9a-f]{32}$/.test(releaseId) && !path.includes('\0')
  const filePath = path === '' ? document : path
  const file = canExist ? await findFile(context.sql, { appid, releaseId, path: filePath }) : undefined
  if (!app || !file) throw new SoukError('file_not_found')
  const { hash, inlineScripts, gzipped } = file
  const mustDecompress = gzipped && !acceptsGzip
  return {
    mediaType: mediaTypeOf(filePath),
    encoding: gzipped && acceptsGzip ? 'gzip' : undefined,
    size: mustDecompress ? undefined : file.size,
    hash,
    inlineScripts: filePath === document ? inlineScripts : [],
    isEntry: filePath === document || filePath === manifestFile,
    domains: app.domains,
    open: () => (mustDecompress ? decompress(context.sql, file) : openStored(context.sql, file)),
  }
}

function openStored(sql: Sql, file: StoredFile): Buffer | Readable {
  const start = file.start ?? Buffer.alloc(0)
  return start.length === file.size ? start : Readable.from(readParts(sql, file))
}

/** Decompresses on the way, since a small content can be the gzip of a large file. */
function decompress(sql: Sql, file: StoredFile): Readable {
  // An error destroys both streams, and with them the response.
  return pipeline(readParts(sql, file), createGunzip(), () => {})
}

async function* readParts(sql: Sql, { hash, size, start }: StoredFile): AsyncGenerator<Buffer> {
  let sent = 0
  for (let part = 0; sent < size; part++) {
    const content = part === 0 ? start : await findPart(sql, hash, part)
    if (!content) throw new Error('The release was deleted while one of its files was sent.')
    sent += content.length
    yield content
  }
}
