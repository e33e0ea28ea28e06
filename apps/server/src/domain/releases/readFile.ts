import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { SoukError } from '@souk/contract'
import type { Context } from '../context.ts'
import { document, manifestFile } from './manifest.ts'
import { mediaTypeOf } from './mediaType.ts'
import { findFile } from './store.ts'

/** A file of a release as it is served. */
export interface ReleaseFile {
  mediaType: string
  content: Buffer
  encoding: 'gzip' | undefined
  /** SHA-256 of the content, hexadecimal. */
  hash: string
  /** Hashes of the inline scripts, for the content security policy of the document. */
  inlineScripts: readonly string[]
  /** True for the files that a host or browser loads first, which must be revalidated each time. */
  isEntry: boolean
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
  if (!file) throw new SoukError('file_not_found')
  const { hash, inlineScripts, gzipped } = file
  return {
    mediaType: mediaTypeOf(filePath),
    ...(gzipped && !acceptsGzip
      ? { content: await promisify(gunzip)(file.content), encoding: undefined }
      : { content: file.content, encoding: gzipped ? 'gzip' : undefined }),
    hash,
    inlineScripts: filePath === document ? inlineScripts : [],
    isEntry: filePath === document || filePath === manifestFile,
  }
}
