import {
  type consoleOperations,
  maxArchiveSize,
  maxReleases,
  type ParametersOf,
  type ReleasePlatform,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newOpaqueId } from '../../../kernel/id.ts'
import { notify } from '../../../kernel/outbox.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { lockApp } from '../apps/index.ts'
import { declareOfRelease } from '../customEvents/index.ts'
import { listUndeclared } from '../hostFunctions/index.ts'
import { readManifest } from './manifest.ts'
import { notesOf } from './notes.ts'
import { admitSigner, useKey, verifySignature } from './signature.ts'
import { countReleases, existsVersion, insertFiles, insertRelease, listReleaseRows } from './store.ts'
import { storeContents, storeObjects } from './storeContents.ts'
import { releaseRefused, unpack } from './unpack.ts'

type Operation = typeof consoleOperations.uploadRelease

/**
 * Stores a build of a mini app as a release in development. `archive` is a .tar.gz of the build output; `signal` is
 * aborted when nobody waits for it any longer.
 *
 * @throws SoukError `file_too_large`, `release_refused`, `release_limit_reached`, `release_version_taken`,
 * `app_not_found`, `storage_unavailable`, and those of `verifySignature` and `admitSigner`
 */
export async function uploadRelease(
  context: Context<'mailer' | 'objects' | 'rules' | 'storage' | 'vault' | 'web'>,
  caller: ConsoleCaller,
  input: ParametersOf<Operation> & { archive: Buffer; signal?: AbortSignal },
): Promise<ResultOf<Operation>> {
  const { appid, platform, version, archive } = input
  if (archive.length > maxArchiveSize) throw new SoukError('file_too_large', archiveLimit)
  const signature = verifySignature(input)
  const signedBy = await admitSigner(context, caller, signature)
  const build = await unpack(archive, { signal: input.signal })
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
    const projectId = await lockBelowLimit(tx, appid)
    await rejectUndeclared(tx, manifest.hostFunctions)
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
      hostFunctions: manifest.hostFunctions,
      inlineScripts: build.inlineScripts,
      files: files.size,
      size,
      uploadedBy: caller.kind === 'account' ? caller.accountId : null,
      serviceAccountId: caller.kind === 'serviceAccount' ? caller.serviceAccountId : null,
      signature: signature?.signature ?? null,
      archiveHash: signature?.archiveHash ?? null,
      signedBy: signedBy ?? null,
      // Real time, so that the last upload is the newest after the clock of a sandbox was set back.
      ctime: context.clock.real(),
    })
    const problem = await declareOfRelease(
      tx,
      { appid, version, declared: manifest.customEvents },
      context.clock.real(),
    )
    if (problem !== undefined) throw releaseRefused(`Its custom events cannot be added: ${problem}.`)
    await insertFiles(tx, releaseId, await storeContents({ ...context, tx }, files, objects))
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
 * Locks the mini app, which serializes uploads, so that the limit holds. Returns its project.
 * @throws SoukError `app_not_found`, `release_limit_reached`
 */
async function lockBelowLimit(tx: Tx, appid: string): Promise<string> {
  const projectId = await lockApp(tx, appid)
  if (projectId === undefined) throw new SoukError('app_not_found')
  if ((await countReleases(tx, appid)) >= maxReleases) {
    throw new SoukError('release_limit_reached', `The limit is ${maxReleases}; delete unused releases.`)
  }
  return projectId
}

/**
 * Checks that a version names one build only, for developers, reviewers and users alike. Old releases may share one.
 * @throws SoukError `release_version_taken`
 */
async function rejectKnownVersion(
  tx: Tx,
  { appid, platform, version }: { appid: string; platform: ReleasePlatform; version: string },
): Promise<void> {
  if (!(await existsVersion(tx, appid, platform, version))) return
  throw new SoukError(
    'release_version_taken',
    `Version ${version} for ${platform} has been uploaded: choose another version, or delete that release.`,
  )
}

/** @throws SoukError `release_refused` if the operator has not declared a function that the release asks for */
async function rejectUndeclared(tx: Tx, hostFunctions: readonly string[]): Promise<void> {
  const [missing] = await listUndeclared(tx, hostFunctions)
  if (missing === undefined) return
  throw releaseRefused(`It asks for the function ${missing} of the host, which this installation does not have.`)
}

const archiveLimit = `The archive must be at most ${maxArchiveSize / 1024 / 1024} MB.`
