import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { Tx } from '../../kernel/db/pool.ts'
import { notify } from '../../kernel/outbox.ts'
import { requestChange, withdrawPublication } from '../approvals/index.ts'
import { approvePublication, isPublicationApproved, lockApp } from '../apps/index.ts'
import { audit } from '../audit/index.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { listReleaseRows, type Release, updateCurrent, updateStage } from './store.ts'

type Operations = typeof consoleOperations
type Input = ParametersOf<Operations['publishRelease']>

/**
 * Submits a release for review or moves it back to development, which withdraws the request to publish it.
 * @throws SoukError `release_not_found`, `release_stage_conflict` for a published one
 */
export async function setReleaseStage(
  context: Context,
  caller: ConsoleCaller,
  { stage, ...input }: ParametersOf<Operations['setReleaseStage']>,
): Promise<ResultOf<Operations['setReleaseStage']>> {
  return changeRelease(context, caller, input, async (tx, release) => {
    if (release.stage === 'published') throw stageConflict('The release has been published; upload a new one.')
    if (stage === 'development') await withdrawPublication(context, tx, caller, input)
    await updateStage(tx, input.releaseId, stage)
    return 'release.stage'
  })
}

/**
 * Publishes a release in place of the current one of its platform. The first publication of a mini app may need an
 * approval (ADR 283); until then the release is in review.
 * @throws SoukError `release_not_found`, `release_stage_conflict` if it has been published before, `release_unsigned`
 */
export async function publishRelease(
  context: Context,
  caller: ConsoleCaller,
  input: Input,
): Promise<ResultOf<Operations['publishRelease']>> {
  return changeRelease(context, caller, input, async (tx, release, projectId) => {
    if (release.stage === 'published') throw stageConflict('The release has been published before; roll back to it.')
    requireSignature(context, release)
    const { appid, releaseId } = input
    if (!(await isPublicationApproved(tx, appid))) {
      const { platform, version } = release
      const change = { kind: 'publication', before: null, value: { releaseId, platform, version } } as const
      if (!(await requestChange(context, tx, caller, { appid, projectId }, change))) {
        await updateStage(tx, releaseId, 'review')
        return 'release.stage'
      }
      await approvePublication(tx, appid)
    }
    await updateCurrent(tx, { ...release, appid }, context.clock.now())
    return 'release.publish'
  })
}

/**
 * Publishes the release that operators have approved for the first publication of a mini app.
 * @throws SoukError `release_not_found`, `release_unsigned`
 */
export async function publishApproved(context: Context, tx: Tx, appid: string, releaseId: string): Promise<void> {
  const [release] = await listReleaseRows({ ...context, sql: tx }, appid, releaseId)
  if (release === undefined) throw new SoukError('release_not_found')
  requireSignature(context, release)
  await approvePublication(tx, appid)
  await updateCurrent(tx, { ...release, appid }, context.clock.now())
}

/** Rejects a release that was uploaded before signatures were required, or with a key that has been revoked since. */
function requireSignature({ settings }: Context, { signedBy }: Release): void {
  if (settings.requireSignedReleases && signedBy?.state !== 'approved') {
    throw new SoukError('release_unsigned', 'Upload it again with an approved key.')
  }
}

/** Moves a release whose publication was rejected back to development. */
export async function returnToDevelopment(tx: Tx, releaseId: string): Promise<void> {
  await updateStage(tx, releaseId, 'development')
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
  return changeRelease(context, caller, input, async (tx, release) => {
    if (release.stage !== 'published') throw stageConflict('The release has not been published yet.')
    if (release.current) throw stageConflict('The release is already current.')
    await updateCurrent(tx, { ...release, appid: input.appid }, context.clock.now())
    return 'release.rollBack'
  })
}

/** Changes a release under the lock of its mini app, and announces and audits the action that `change` returns. */
async function changeRelease(
  context: Context,
  caller: ConsoleCaller,
  { appid, releaseId }: Input,
  change: (tx: Tx, release: Release, projectId: string) => Promise<string>,
): Promise<Release> {
  const release = await context.sql.begin(async (tx) => {
    const projectId = await lockApp(tx, appid)
    const [before] = await listReleaseRows({ ...context, sql: tx }, appid, releaseId)
    if (projectId === undefined || before === undefined) throw new SoukError('release_not_found')
    const action = await change(tx, before, projectId)
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
