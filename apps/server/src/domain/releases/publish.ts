import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { Tx } from '../../kernel/db/pool.ts'
import { notify } from '../../kernel/outbox.ts'
import { lockApp } from '../apps/index.ts'
import { audit } from '../audit/index.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { listReleaseRows, type Release, updateCurrent, updateStage } from './store.ts'

type Operations = typeof consoleOperations
type Input = ParametersOf<Operations['publishRelease']>

/**
 * Submits a release for review or moves it back to development.
 * @throws SoukError `release_not_found`, `release_stage_conflict` for a published one
 */
export async function setReleaseStage(
  context: Context,
  caller: ConsoleCaller,
  { stage, ...input }: ParametersOf<Operations['setReleaseStage']>,
): Promise<ResultOf<Operations['setReleaseStage']>> {
  return changeRelease(context, caller, 'release.stage', input, async (tx, release) => {
    if (release.stage === 'published') throw stageConflict('The release has been published; upload a new one.')
    await updateStage(tx, input.releaseId, stage)
  })
}

/**
 * Publishes a release in place of the current one of its platform.
 * @throws SoukError `release_not_found`, `release_stage_conflict` if it has been published before, `release_unsigned`
 */
export async function publishRelease(
  context: Context,
  caller: ConsoleCaller,
  input: Input,
): Promise<ResultOf<Operations['publishRelease']>> {
  return changeRelease(context, caller, 'release.publish', input, async (tx, release) => {
    if (release.stage === 'published') throw stageConflict('The release has been published before; roll back to it.')
    // Uploaded before signatures were required, or with a key that has been revoked since.
    if (context.settings.requireSignedReleases && release.signedBy?.state !== 'approved')
      throw new SoukError('release_unsigned', 'Upload it again with an approved key.')
    await updateCurrent(tx, { ...release, appid: input.appid }, context.clock.now())
  })
}

/**
 * Makes a previously published release current again.
 * @throws SoukError `release_not_found`, `release_stage_conflict` if it was never published or is current
 */
export async function rollBack(
  context: Context,
  caller: ConsoleCaller,
  input: Input,
): Promise<ResultOf<Operations['rollBack']>> {
  return changeRelease(context, caller, 'release.rollBack', input, async (tx, release) => {
    if (release.stage !== 'published') throw stageConflict('The release has not been published yet.')
    if (release.current) throw stageConflict('The release is already current.')
    await updateCurrent(tx, { ...release, appid: input.appid }, context.clock.now())
  })
}

/** Changes a release under the lock of its mini app, and audits and announces the change. */
async function changeRelease(
  context: Context,
  caller: ConsoleCaller,
  action: string,
  { appid, releaseId }: Input,
  change: (tx: Tx, release: Release) => Promise<void>,
): Promise<Release> {
  const release = await context.sql.begin(async (tx) => {
    const projectId = await lockApp(tx, appid)
    const [before] = await listReleaseRows({ ...context, sql: tx }, appid, releaseId)
    if (before === undefined) throw new SoukError('release_not_found')
    await change(tx, before)
    const after = (await listReleaseRows({ ...context, sql: tx }, appid, releaseId))[0]!
    const { platform, version, stage } = after
    const detail = { releaseId, platform, version, stage }
    await audit(context, tx, caller, { action, subject: appid, projectId, detail })
    await notify(tx, 'souk_app', appid)
    return after
  })
  context.apps.forget(appid)
  return release
}

export const stageConflict = (reason: string) => new SoukError('release_stage_conflict', reason)
