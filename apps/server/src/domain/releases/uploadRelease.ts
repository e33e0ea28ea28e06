import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import {
  type consoleOperations,
  maxArchiveSize,
  maxReleases,
  type ParametersOf,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import type { Tx } from '../../kernel/db/pool.ts'
import { newOpaqueId } from '../../kernel/id.ts'
import { notify } from '../../kernel/outbox.ts'
import { lockApp } from '../apps/index.ts'
import { audit } from '../audit/index.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { inlineScripts } from './inlineScripts.ts'
import { document, readManifest } from './manifest.ts'
import { isCompressible } from './mediaType.ts'
import {
  countReleases,
  insertContent,
  insertFiles,
  insertRelease,
  listReleaseRows,
  listStoredContents,
  lockContents,
} from './store.ts'
import { releaseRefused, unpack } from './unpack.ts'

type Operation = typeof consoleOperations.uploadRelease

/**
 * Stores a build of a mini app as a release in development. `archive` is a .tar.gz of the build output.
 *
 * @throws SoukError `file_too_large`, `release_refused`, `release_limit_reached`, `app_not_found`
 */
export async function uploadRelease(
  context: Context,
  caller: ConsoleCaller,
  { appid, platform, version, note, archive }: ParametersOf<Operation> & { archive: Buffer },
): Promise<ResultOf<Operation>> {
  if (archive.length > maxArchiveSize) throw new SoukError('file_too_large', archiveLimit)
  const files = await unpack(archive)
  const manifest = readManifest(files)
  if (platform !== undefined && platform !== manifest.platform) {
    throw releaseRefused(`It was built for ${manifest.platform}, not for ${platform}.`)
  }

  const releaseId = newOpaqueId()
  const size = [...files.values()].reduce((sum, content) => sum + content.length, 0)
  const release = await context.sql.begin(async (tx) => {
    // Serializes uploads, so that the limit holds.
    const projectId = await lockApp(tx, appid)
    if (projectId === undefined) throw new SoukError('app_not_found')
    if ((await countReleases(tx, appid)) >= maxReleases) {
      throw new SoukError('release_limit_reached', `The limit is ${maxReleases}; delete unused releases.`)
    }
    await insertRelease(tx, {
      releaseId,
      appid,
      platform: manifest.platform,
      version,
      note: note ?? null,
      pages: manifest.pages,
      inlineScripts: inlineScripts(files.get(document)!),
      files: files.size,
      size,
      uploadedBy: caller.kind === 'account' ? caller.accountId : null,
      ctime: context.clock.now(),
    })
    await storeFiles(tx, releaseId, files)
    const detail = { releaseId, platform: manifest.platform, version, files: files.size, size }
    await audit(context, tx, caller, { action: 'release.upload', subject: appid, projectId, detail })
    await notify(tx, 'souk_app', appid)
    return (await listReleaseRows(tx, appid, releaseId))[0]!
  })
  context.apps.forget(appid)
  return release
}

const archiveLimit = `The archive must be at most ${maxArchiveSize / 1024 / 1024} MB.`

async function storeFiles(tx: Tx, releaseId: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  const hashes = new Map([...files].map(([path, content]) => [path, sha256(content)]))
  await lockContents(tx)
  const existing = await listStoredContents(tx, [...hashes.values()])
  const pathsByNewHash = new Map(
    [...hashes].filter(([, hash]) => !existing.has(hash)).map(([path, hash]) => [hash, path]),
  )
  const compressed = await Promise.all(
    [...pathsByNewHash].map(async ([hash, path]) => [hash, await compress(path, files.get(path)!)] as const),
  )
  for (const [hash, content] of compressed) await insertContent(tx, hash, content)
  await insertFiles(tx, releaseId, hashes)
}

async function compress(path: string, content: Buffer): Promise<{ gzipped: boolean; content: Buffer }> {
  if (isCompressible(path)) {
    const gzipped = await promisify(gzip)(content, { level: 9 })
    if (gzipped.length < content.length * 0.9) return { gzipped: true, content: gzipped }
  }
  return { gzipped: false, content }
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')
