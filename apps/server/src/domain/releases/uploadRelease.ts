import {
  type consoleOperations,
  maxArchiveSize,
  maxReleases,
  type ParametersOf,
  type ReleasePlatform,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import pLimit from 'p-limit'
import type { Tx } from '../../kernel/db/pool.ts'
import { newOpaqueId } from '../../kernel/id.ts'
import { notify } from '../../kernel/outbox.ts'
import { lockApp } from '../apps/index.ts'
import { audit } from '../audit/index.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { storeObject, storesObjects } from '../storage/index.ts'
import { readManifest } from './manifest.ts'
import { notesOf } from './notes.ts'
import type { Build } from './readArchive.ts'
import { admitSigner, useKey, verifySignature } from './signature.ts'
import {
  countReleases,
  hasVersion,
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
 * @throws SoukError `file_too_large`, `release_refused`, `release_limit_reached`, `release_version_taken`,
 * `app_not_found`, `storage_unavailable`, and those of `verifySignature` and `admitSigner`
 */
export async function uploadRelease(
  context: Context,
  caller: ConsoleCaller,
  input: ParametersOf<Operation> & { archive: Buffer },
): Promise<ResultOf<Operation>> {
  const { appid, platform, version, archive } = input
  if (archive.length > maxArchiveSize) throw new SoukError('file_too_large', archiveLimit)
  const signature = verifySignature(input)
  const signedBy = await admitSigner(context, caller, signature)
  const build = await unpack(archive)
  const manifest = readManifest(build)
  if (platform !== undefined && platform !== manifest.platform) {
    throw releaseRefused(`It was built for ${manifest.platform}, not for ${platform}.`)
  }

  const releaseId = newOpaqueId()
  const notes = await notesOf(context, input)
  const { files } = build
  const size = [...files.values()].reduce((sum, file) => sum + file.size, 0)
  const objects = await storeObjects(context, files)
  const release = await context.sql.begin(async (tx) => {
    // Serializes uploads, so that the limit holds.
    const projectId = await lockApp(tx, appid)
    if (projectId === undefined) throw new SoukError('app_not_found')
    if ((await countReleases(tx, appid)) >= maxReleases) {
      throw new SoukError('release_limit_reached', `The limit is ${maxReleases}; delete unused releases.`)
    }
    await rejectKnownVersion(tx, { appid, platform: manifest.platform, version })
    if (signedBy !== undefined) await useKey(context, tx, signedBy)
    await insertRelease(tx, {
      releaseId,
      appid,
      platform: manifest.platform,
      version,
      ...notes,
      minRuntime: manifest.minRuntime,
      pages: manifest.pages,
      tabs: manifest.tabs,
      inlineScripts: build.inlineScripts,
      files: files.size,
      size,
      uploadedBy: caller.kind === 'account' ? caller.accountId : null,
      serviceAccountId: caller.kind === 'serviceAccount' ? caller.serviceAccountId : null,
      signature: signature?.signature ?? null,
      archiveHash: signature?.archiveHash ?? null,
      signedBy: signedBy ?? null,
      ctime: context.clock.now(),
    })
    await storeFiles({ ...context, tx }, releaseId, files, objects)
    const detail = {
      releaseId,
      platform: manifest.platform,
      version,
      files: files.size,
      size,
      ...(signedBy && { signedBy }),
    }
    await audit(context, tx, caller, { action: 'release.upload', subject: appid, projectId, detail })
    await notify(tx, 'souk_app', appid)
    return (await listReleaseRows({ ...context, sql: tx }, appid, releaseId))[0]!
  })
  context.apps.forget(appid)
  return release
}

/**
 * A version names one build, for developers, reviewers and users alike. Releases from before this rule may share one.
 * @throws SoukError `release_version_taken`
 */
async function rejectKnownVersion(
  tx: Tx,
  { appid, platform, version }: { appid: string; platform: ReleasePlatform; version: string },
): Promise<void> {
  if (!(await hasVersion(tx, appid, platform, version))) return
  throw new SoukError(
    'release_version_taken',
    `Version ${version} for ${platform} has been uploaded: choose another version, or delete that release.`,
  )
}

/** Objects of a release that are uploaded at the same time. */
const maxUploads = 8

const archiveLimit = `The archive must be at most ${maxArchiveSize / 1024 / 1024} MB.`

/**
 * Stores new contents as objects, if the installation has an object storage. Returns their objects by content hash.
 * @throws SoukError `storage_unavailable`
 */
async function storeObjects(context: Context, files: Build['files']): Promise<Map<string, string>> {
  const objects = new Map<string, string>()
  if (!storesObjects(context)) return objects
  const byHash = new Map([...files.values()].map((file) => [file.hash, file]))
  const stored = await listStoredContents(context.sql, [...byHash.keys()])
  const limit = pLimit(maxUploads)
  const missing = [...byHash.values()].filter(({ hash }) => !stored.has(hash))
  await limit.map(missing, async ({ hash, content }) => objects.set(hash, await storeObject(context, content)))
  return objects
}

async function storeFiles(
  context: Pick<Context, 'clock'> & { tx: Tx },
  releaseId: string,
  files: Build['files'],
  objects: ReadonlyMap<string, string>,
): Promise<void> {
  const { tx } = context
  const hashes = new Map([...files].map(([path, { hash }]) => [path, hash]))
  await lockContents(tx)
  const stored = await listStoredContents(tx, [...hashes.values()])
  const newFiles = new Map([...files.values()].filter(({ hash }) => !stored.has(hash)).map((file) => [file.hash, file]))
  // A content without an object was deleted since the objects were stored; it goes to the database.
  for (const file of newFiles.values()) await insertContent(context, { ...file, object: objects.get(file.hash) })
  await insertFiles(tx, releaseId, hashes)
}
