import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import {
  type consoleOperations,
  maxArchiveSize,
  maxReleaseSize,
  type ParametersOf,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit, openContent } from '../../installation/index.ts'
import { lockApp } from '../apps/index.ts'
import {
  deleteSourceMaps,
  deleteUnusedContents,
  insertSourceMaps,
  listMissingFiles,
  listReleaseRows,
  listScripts,
  lockContentsToDelete,
  type StoredFile,
} from './store.ts'
import { storeContents, storeObjects } from './storeContents.ts'
import { unpackSourceMaps } from './unpack.ts'

type Operation = typeof consoleOperations.uploadSourceMaps

/**
 * Stores the source maps of a release, and deletes those that it had. `archive` is a .tar.gz; `assets/a.js.map` is the
 * source map of `assets/a.js`.
 *
 * @throws SoukError `file_too_large`, `source_maps_refused`, `release_not_found`, `storage_unavailable`
 */
export async function uploadSourceMaps(
  context: Context<'objects' | 'storage' | 'web'>,
  caller: ConsoleCaller,
  { appid, releaseId, archive, signal }: ParametersOf<Operation> & { archive: Buffer; signal?: AbortSignal },
): Promise<ResultOf<Operation>> {
  if (archive.length > maxArchiveSize) {
    throw new SoukError('file_too_large', `The archive must be at most ${maxArchiveSize / 1024 / 1024} MB.`)
  }
  const files = await unpackSourceMaps(archive, signal)
  const objects = await storeObjects(context, files)
  await context.sql.begin(async (tx) => {
    const projectId = await lockApp(tx, appid)
    const [release] = await listReleaseRows({ ...context, sql: tx }, appid, releaseId)
    if (projectId === undefined || release === undefined) throw new SoukError('release_not_found')
    const [missing] = await listMissingFiles(tx, releaseId, [...files.keys()])
    if (missing !== undefined) {
      throw new SoukError('source_maps_refused', `The release does not contain ${missing}. Upload those of its build.`)
    }
    const previous = await deleteSourceMaps(tx, releaseId)
    if (previous.length > 0) await lockContentsToDelete(tx)
    await insertSourceMaps(tx, releaseId, await storeContents({ ...context, tx }, files, objects))
    await deleteUnusedContents(tx, previous, context.clock.real())
    const detail = { releaseId, platform: release.platform, version: release.version, sourceMaps: files.size }
    await audit(context, tx, caller, { action: 'release.sourceMaps', subject: appid, projectId, detail })
  })
  return { sourceMaps: files.size }
}

/** A script and its source map, decompressed. */
export interface MappedScript {
  path: string
  script: Uint8Array
  sourceMap: Uint8Array
}

/**
 * Reads scripts of a release that have a source map, as far as all of them are within the size limit of a release.
 * @throws SoukError `storage_unavailable`, `storage_damaged`
 */
export async function readMappedScripts(
  context: Context<'objects'>,
  releaseId: string,
  paths: readonly string[],
): Promise<MappedScript[]> {
  const read: MappedScript[] = []
  let size = 0
  for (const { path, script, sourceMap } of await listScripts(context.sql, releaseId, paths)) {
    const found = { path, script: await readAll(context, script), sourceMap: await readAll(context, sourceMap) }
    size += found.script.length + found.sourceMap.length
    if (size > maxReleaseSize) break
    read.push(found)
  }
  return read
}

async function readAll(context: Context<'objects'>, file: Omit<StoredFile, 'inlineScripts'>): Promise<Buffer> {
  const content = await openContent(context, { table: 'releases', id: file.hash, ...file })
  const bytes = Buffer.isBuffer(content) ? content : await buffer(content)
  return file.gzipped ? promisify(gunzip)(bytes, { maxOutputLength: maxReleaseSize }) : bytes
}
