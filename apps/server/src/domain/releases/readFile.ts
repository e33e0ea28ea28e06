import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { SoukError } from '@souk/contract'
import type { Context } from '../context.ts'
import { document, manifestFile } from './manifest.ts'
import { mediaTypeOf } from './mediaType.ts'
import { findFile } from './store.ts'

/** A file of a release as it is answered. */
export interface ReleaseFile {
  mediaType: string
  content: Buffer
  encoding: 'gzip' | undefined
  /** Names the content: SHA-256, hexadecimal. */
  hash: string
  /** How its document's policy names the scripts within it. */
  inlineScripts: readonly string[]
  /** Whether a host or browser begins with it: such a file is asked for each time. */
  begins: boolean
}

/**
 * A file of a release, for anyone who has its address (ADR 131). The empty path is the document.
 * @throws SoukError `file_not_found`, also while the mini app cannot be used
 */
export async function readReleaseFile(
  context: Context,
  { appid, releaseId, path }: { appid: string; releaseId: string; path: string },
  acceptsGzip: boolean,
): Promise<ReleaseFile> {
  const app = await context.apps.find(appid)
  const isPossible = app?.enabled && /^[0-9a-f]{32}$/.test(releaseId) && !path.includes('\0')
  const wanted = path === '' ? document : path
  const file = isPossible ? await findFile(context.sql, { appid, releaseId, path: wanted }) : undefined
  if (!file) throw new SoukError('file_not_found')
  const { hash, inlineScripts, gzipped } = file
  return {
    mediaType: mediaTypeOf(wanted),
    ...(gzipped && !acceptsGzip
      ? { content: await promisify(gunzip)(file.content), encoding: undefined }
      : { content: file.content, encoding: gzipped ? 'gzip' : undefined }),
    hash,
    inlineScripts: wanted === document ? inlineScripts : [],
    begins: wanted === document || wanted === manifestFile,
  }
}
