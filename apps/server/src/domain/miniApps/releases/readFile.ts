import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type Domains, SoukError } from '@souk/contract'
import { isAvailable } from '../../app.ts'
import type { Context } from '../../context.ts'
import { openContent } from '../../installation/index.ts'
import { mediaTypeOf } from './mediaType.ts'
import { document } from './readArchive.ts'
import { findFile } from './store.ts'

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
  /** True for the file that a browser loads first, which must be revalidated each time. */
  isDocument: boolean
  /** Hosts that the mini app may reach. */
  domains: Domains
  /**
   * Returns the content; the stream fails if the release is deleted during the read.
   * @throws SoukError `storage_unavailable`, `storage_damaged`
   */
  open(): Promise<Buffer | Readable>
}

/**
 * Returns a file of a release to anyone who has its URL (ADR 161). The empty path is the document.
 * @throws SoukError `file_not_found`, also while the mini app is disabled or archived
 */
export async function readReleaseFile(
  context: Context<'objects'>,
  { appid, releaseId, path }: { appid: string; releaseId: string; path: string },
  acceptsGzip: boolean,
): Promise<ReleaseFile> {
  const app = await context.apps.find(appid)
  const canExist = app && isAvailable(app) && /^[0-9a-f]{32}$/.test(releaseId) && !path.includes('\0')
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
    isDocument: filePath === document,
    domains: app.domains,
    async open() {
      const content = await openContent(context, { table: 'releases', id: hash, ...file })
      return mustDecompress ? decompress(content) : content
    },
  }
}

/** Decompresses on the way, since a small content can be the gzip of a large file. */
function decompress(content: Buffer | Readable): Readable {
  // An error destroys both streams, and with them the response.
  return pipeline(Buffer.isBuffer(content) ? Readable.from([content]) : content, createGunzip(), () => {})
}
