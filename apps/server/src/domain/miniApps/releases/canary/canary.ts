import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { Tx } from '../../../../kernel/db/pool.ts'
import type { ConsoleCaller } from '../../../caller.ts'
import { recordBlock } from '../../../console/index.ts'
import type { Context } from '../../../context.ts'
import { recordEvent, sendToMembers } from '../../../messages/index.ts'
import { changeRelease, stageConflict } from '../changeRelease.ts'
import { liftRelease, requirePublishable } from '../publishable.ts'
import { requireUsers } from '../requireUsers.ts'
import { listReleaseRows, type Release } from '../store.ts'
import { type Audience, isWiderThan } from './audience.ts'
import {
  type Canary,
  deleteCountedUsers,
  findCanary,
  findOpenCanary,
  findOpenCanaryOf,
  type HaltReason,
  insertCanary,
  listCanaryRows,
  listFailingCanaries,
  updateAudience,
  updateCanaryState,
} from './store.ts'

type Operations = typeof consoleOperations

/**
 * Starts a canary: some users get this release. It must be publishable, and its platform must have a published release,
 * which the other users keep.
 * @throws SoukError `release_not_found`, `release_stage_conflict`, `release_unsigned`, `release_review_required`,
 * `canary_state_conflict` if the platform has a canary, `user_not_found`, `parameter_invalid` if its audience is empty
 */
export async function startCanary(
  context: Context<'mailer' | 'rules' | 'vault' | 'web'>,
  caller: ConsoleCaller,
  { appid, releaseId, factor, minOpenings, ...chosen }: ParametersOf<Operations['startCanary']>,
): Promise<ResultOf<Operations['startCanary']>> {
  const audience: Audience = { share: 0, uids: [], languages: [], systems: [], ...chosen }
  if (audience.share === 0 && audience.uids.length === 0) {
    throw new SoukError('parameter_invalid', 'Send share or uids, otherwise the canary has no users.', {
      data: { parameters: ['share', 'uids'] },
    })
  }
  await changeRelease(context, caller, { appid, releaseId }, async (tx, release) => {
    if (release.stage === 'published') throw stageConflict('The release has been published already.')
    await liftRelease(context, tx, caller, { appid, releaseId })
    await requirePublishable(context, tx, release)
    const { platform } = release
    const releases = await listReleaseRows({ ...context, sql: tx }, appid)
    if (!releases.some((each) => each.current && each.platform === platform)) {
      throw stageConflict(`There is no published release for ${platform} that the other users would keep.`)
    }
    const other = await findOpenCanaryOf(tx, { appid, platform })
    if (other) {
      throw new SoukError('canary_state_conflict', `Version ${other.version} is being rolled out for ${platform}.`)
    }
    await requireUsers(tx, audience.uids)
    const canary = { appid, releaseId, platform, ...audience, factor: factor!, minOpenings: minOpenings! }
    await insertCanary(tx, canary, caller, context.clock.real())
    await announce(context, tx, (await findOpenCanary(tx, releaseId))!)
    return { action: 'release.startCanary', detail: { ...audience, factor, minOpenings } }
  })
  return (await findOpenCanary(context.sql, releaseId))!
}

/** Lists the last canaries of a mini app, newest first. */
export async function listCanaries(
  context: Context,
  _caller: ConsoleCaller,
  { appid }: ParametersOf<Operations['listCanaries']>,
): Promise<ResultOf<Operations['listCanaries']>> {
  return listCanaryRows(context.sql, appid)
}

/**
 * Extends a canary to more users: a higher percentage, more listed users, or fewer limits.
 * @throws SoukError `release_not_found`, `canary_not_found`, `user_not_found`, `parameter_invalid` if someone would
 * lose it
 */
export async function widenCanary(
  context: Context<'web'>,
  caller: ConsoleCaller,
  { appid, releaseId, ...chosen }: ParametersOf<Operations['widenCanary']>,
): Promise<ResultOf<Operations['widenCanary']>> {
  return changeCanary(context, caller, { appid, releaseId }, async (tx, canary) => {
    const { share, uids, languages, systems } = canary
    const audience = { share, uids, languages, systems, ...chosen }
    if (!isWiderThan(audience, canary)) {
      throw new SoukError('parameter_invalid', 'Users would lose the release. Roll it back to start with fewer.', {
        data: { parameters: Object.keys(chosen) },
      })
    }
    audience.uids = await requireUsers(tx, audience.uids, uids)
    await updateAudience(tx, canary.canaryId, audience, context.clock.real())
    return { action: 'release.widenCanary', detail: audience }
  })
}

/**
 * Pauses a canary: all users get the published release until it is resumed.
 * @throws SoukError `release_not_found`, `canary_not_found`, `canary_state_conflict`
 */
export async function pauseCanary(
  context: Context<'mailer' | 'vault' | 'web'>,
  caller: ConsoleCaller,
  { reason, ...input }: ParametersOf<Operations['pauseCanary']>,
): Promise<ResultOf<Operations['pauseCanary']>> {
  const { appid, releaseId } = input
  return changeCanary(context, caller, input, async (tx, canary, projectId) => {
    if (canary.state !== 'running') throw stateConflict(canary)
    await updateCanaryState(tx, canary.canaryId, { state: 'paused', haltReason: null }, context.clock.real())
    const subject = { state: 'canaryPaused', subject: releaseId, name: canary.version, appid, projectId } as const
    await recordBlock(context, tx, caller, subject, { reason, wasSet: false })
    return { action: 'release.pauseCanary', detail: reason === undefined ? {} : { reason } }
  })
}

/**
 * Resumes a canary. After a halt its figures start again, since they would halt it immediately.
 * @throws SoukError `release_not_found`, `canary_not_found`, `canary_state_conflict`
 */
export async function resumeCanary(
  context: Context<'mailer' | 'vault' | 'web'>,
  caller: ConsoleCaller,
  input: ParametersOf<Operations['resumeCanary']>,
): Promise<ResultOf<Operations['resumeCanary']>> {
  return changeCanary(context, caller, input, async (tx, canary) => {
    if (canary.state === 'running') throw stateConflict(canary)
    await liftRelease(context, tx, caller, input)
    await updateCanaryState(tx, canary.canaryId, { state: 'running', haltReason: null }, context.clock.real())
    return { action: 'release.resumeCanary' }
  })
}

/**
 * Ends a canary, so that all users get the published release.
 * @throws SoukError `release_not_found`, `canary_not_found`
 */
export async function rollBackCanary(
  context: Context<'web'>,
  caller: ConsoleCaller,
  input: ParametersOf<Operations['rollBackCanary']>,
): Promise<ResultOf<Operations['rollBackCanary']>> {
  return changeCanary(context, caller, input, async (tx, canary) => {
    await updateCanaryState(tx, canary.canaryId, { state: 'rolledBack', haltReason: null }, context.clock.real())
    return { action: 'release.rollBackCanary' }
  })
}

const stateConflict = ({ state }: Canary) => new SoukError('canary_state_conflict', `It is ${state}.`)

/** Changes the open canary of a release under the lock of its mini app, and announces and audits it. */
async function changeCanary(
  context: Context<'web'>,
  caller: ConsoleCaller,
  input: { appid: string; releaseId: string },
  change: (tx: Tx, canary: Canary, projectId: string) => Promise<{ action: string; detail?: object }>,
): Promise<Canary> {
  let canaryId = ''
  await changeRelease(context, caller, input, async (tx, _release, projectId) => {
    const canary = await findOpenCanary(tx, input.releaseId)
    if (!canary) throw new SoukError('canary_not_found')
    canaryId = canary.canaryId
    const { action, detail = {} } = await change(tx, canary, projectId)
    const changed = await findCanary(tx, canaryId)
    await announce(context, tx, changed)
    return { action, detail: { share: changed.share, ...detail } }
  })
  return findCanary(context.sql, canaryId)
}

/**
 * Ends the canary of the platform of a release that is published, rolled back to or withdrawn. The canary itself is
 * published; any other can no longer be compared, because the release of the other users changes.
 */
export async function endCanaryOf(
  context: Context,
  tx: Tx,
  { appid, release, isPublished }: { appid: string; release: Release; isPublished: boolean },
): Promise<void> {
  const canary = await findOpenCanaryOf(tx, { appid, platform: release.platform })
  if (!canary) return
  const state = isPublished && canary.releaseId === release.releaseId ? 'published' : 'rolledBack'
  await updateCanaryState(tx, canary.canaryId, { state, haltReason: null }, context.clock.real())
  await announce(context, tx, await findCanary(tx, canary.canaryId))
}

/** Ends the canary of a release that returns to development. */
export async function withdrawCanary(context: Context, tx: Tx, releaseId: string): Promise<void> {
  const canary = await findOpenCanary(tx, releaseId)
  if (!canary) return
  await updateCanaryState(tx, canary.canaryId, { state: 'rolledBack', haltReason: null }, context.clock.real())
  await announce(context, tx, await findCanary(tx, canary.canaryId))
}

/** Rows of ended canaries that each run of the job deletes. */
const batchSize = 50_000

/** Recurring job: halts canaries that fail more often than the published release. */
export async function watchCanaries(context: Context<'mailer' | 'vault' | 'web'>): Promise<void> {
  for (const { canaryId, ...release } of await listFailingCanaries(context.sql)) {
    await halt(context, release, canaryId).catch((error: unknown) => {
      context.log.error({ err: error, canaryId }, 'cannot halt a canary')
    })
  }
  await deleteCountedUsers(context.sql, batchSize)
}

async function halt(
  context: Context<'mailer' | 'vault' | 'web'>,
  release: { appid: string; releaseId: string },
  canaryId: string,
): Promise<void> {
  await changeRelease(context, { kind: 'system' }, release, async (tx, { version }, projectId) => {
    // It may have been paused or resumed since.
    const [failing] = await listFailingCanaries(tx, canaryId)
    if (!failing) return undefined
    await updateCanaryState(tx, canaryId, { state: 'halted', haltReason: failing.reason }, context.clock.real())
    const canary = await findCanary(tx, canaryId)
    await announce(context, tx, canary)
    await notifyOwners(context, tx, { ...release, version, projectId, reason: failing.reason })
    context.log.warn({ ...release, canaryId, ...canary.figures }, 'a canary fails too often and is halted')
    return { action: 'release.haltCanary', detail: { reason: failing.reason, ...canary.figures } }
  })
}

async function notifyOwners(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  {
    appid,
    version,
    projectId,
    reason: failures,
  }: { appid: string; version: string; projectId: string; reason: HaltReason },
): Promise<void> {
  const app = (await context.apps.find(appid))?.name ?? appid
  const recipients = { projectId, action: 'release.publish' } as const
  const values = { app, version, appid, projectId, failures }
  await sendToMembers(context, tx, recipients, { kind: 'canaryHalted', values })
}

async function announce(context: Context, tx: Tx, canary: Canary): Promise<void> {
  const { appid, canaryId, releaseId, platform, version, state, share, haltReason, mtime } = canary
  const data = { appid, canaryId, releaseId, platform, version, state, share, haltReason, mtime }
  await recordEvent(context, tx, { type: 'canary.changed', data })
}
