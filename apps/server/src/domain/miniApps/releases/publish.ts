import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { ConsoleCaller } from '../../caller.ts'
import { findPendingChange, recordBlock, requestChange, withdrawPublication } from '../../console/index.ts'
import type { Context } from '../../context.ts'
import { findPublicationApproval, updatePublicationApproval } from '../apps/index.ts'
import { endCanaryOf, withdrawCanary } from './canary/canary.ts'
import { changeRelease, stageConflict } from './changeRelease.ts'
import {
  isKeptFromUsers,
  isReviewed,
  isSignatureSufficient,
  liftRelease,
  requirePublishable,
  requireSignature,
  reviewRequired,
} from './publishable.ts'
import { changeReview } from './review/change.ts'
import { endReview, isOpen, submit } from './review/reviewRelease.ts'
import { findLastReview, listDueReviews, type StoredReview } from './review/store.ts'
import { listReleaseRows, type Release, updateCurrent, updateStage } from './store.ts'

type Operations = typeof consoleOperations
type Input = ParametersOf<Operations['rollBack']>

/**
 * Submits a release for review or moves it back to development, which withdraws its review and the request to publish
 * it.
 * @throws SoukError `release_not_found`, `release_stage_conflict` for a published one
 */
export async function setReleaseStage(
  context: Context<'mailer' | 'vault' | 'web'>,
  caller: ConsoleCaller,
  { stage, reason, ...input }: ParametersOf<Operations['setReleaseStage']>,
): Promise<ResultOf<Operations['setReleaseStage']>> {
  return changeRelease(context, caller, input, async (tx, release, projectId) => {
    if (release.stage === 'published') throw stageConflict('The release has been published; upload a new one.')
    if (stage === 'development') {
      const { version: name } = release
      const subject = { ...input, state: 'releaseWithdrawn', subject: input.releaseId, name, projectId } as const
      if (release.stage === 'review') await recordBlock(context, tx, caller, subject, { reason, wasSet: false })
      await endReview(context, tx, caller, input)
    } else if (!isUnderReview(await findLastReview(tx, input.releaseId))) {
      await submit(context, tx, caller, { appid: input.appid, release, note: null, testAccount: null, screenshots: [] })
    }
    return 'release.stage'
  })
}

const isUnderReview = (review: StoredReview | undefined) => review !== undefined && isOpen(review)

/**
 * Publishes a release, replacing the current one of its platform, now or at `publishTime`. An installation may require
 * an approved review (ADR 320); otherwise, the first publication of a mini app may need an approval (ADR 283), and the
 * release is in review until then.
 * @throws SoukError `release_not_found`, `release_stage_conflict` if it has been published before, `release_unsigned`,
 * `release_review_required`, `parameter_invalid` for a time in the past, `blocked_by_operator`
 */
export async function publishRelease(
  context: Context<'mailer' | 'rules' | 'vault' | 'web'>,
  caller: ConsoleCaller,
  { publishTime, ...input }: ParametersOf<Operations['publishRelease']>,
): Promise<ResultOf<Operations['publishRelease']>> {
  return changeRelease(context, caller, input, async (tx, release, projectId) => {
    if (release.stage === 'published') throw stageConflict('The release has been published before; roll back to it.')
    await liftRelease(context, tx, caller, input)
    await requirePublishable(context, tx, release)
    const { appid, releaseId } = input
    const review = await findLastReview(tx, releaseId)
    if (!isReviewed(review) && publishTime !== undefined) throw reviewRequired(review)
    if (isReviewed(review) && publishTime !== undefined) {
      requireFuture(context, publishTime)
      // The approved review replaces the decision about it.
      await withdrawPublication(context, tx, caller, input)
      await changeReview(context, tx, caller, review, { event: 'schedule', publishTime })
      return { action: 'release.schedule', detail: { publishTime } }
    }

    if (!isReviewed(review) && !(await findPublicationApproval(tx, appid))) {
      const { platform, version } = release
      const change = { kind: 'publication', before: null, value: { releaseId, platform, version } } as const
      const replaced = await findPendingChange(tx, appid, 'publication')
      const approved = await requestChange(context, tx, caller, { appid, projectId }, change)
      if (replaced) await leaveReview(tx, replaced.value!.releaseId)
      if (!approved) {
        await updateStage(tx, releaseId, 'review')
        return 'release.stage'
      }
    }
    await withdrawPublication(context, tx, caller, input)
    await makeCurrent(context, tx, caller, { appid, release, review })
    return 'release.publish'
  })
}

function requireFuture({ clock }: Context, time: number): void {
  if (time > clock.now()) return
  throw new SoukError('parameter_invalid', 'publishTime must be in the future.', {
    data: { parameters: ['publishTime'] },
  })
}

/** Publishes a release, and ends its review. */
async function makeCurrent(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: Parameters<typeof changeReview>[2],
  { appid, release, review }: { appid: string; release: Release; review: StoredReview | undefined },
): Promise<void> {
  await updatePublicationApproval(tx, appid)
  await endCanaryOf(context, tx, { appid, release, isPublished: true })
  await updateCurrent(tx, caller, { ...release, appid }, context.clock.now())
  if (!review || !isOpen(review)) return
  await changeReview(context, tx, caller, review, { event: isReviewed(review) ? 'publish' : 'skip' })
}

/** Recurring job: publishes scheduled releases that are due. */
export async function publishScheduledReleases(context: Context<'mailer' | 'rules' | 'vault' | 'web'>): Promise<void> {
  for (const due of await listDueReviews(context.sql, context.clock.now())) {
    await publishScheduled(context, due).catch((error: unknown) => {
      context.log.error({ err: error, reviewId: due.reviewId }, 'cannot publish a scheduled release')
    })
  }
}

/**
 * Publishes a scheduled release. If its signing key has been revoked, or an operator keeps it from users, it stays
 * approved and unpublished.
 */
async function publishScheduled(
  context: Context<'mailer' | 'rules' | 'vault' | 'web'>,
  due: StoredReview,
): Promise<void> {
  const system = { kind: 'system' } as const
  await changeRelease(context, system, due, async (tx, release) => {
    const review = await findLastReview(tx, due.releaseId)
    const isDue = review?.state === 'scheduled' && review.publishTime! <= context.clock.now()
    // It was withdrawn or published since.
    if (!isDue) return undefined
    if (!isSignatureSufficient(context, release) || (await isKeptFromUsers(tx, due))) {
      await changeReview(context, tx, system, review, { event: 'cancelSchedule' })
      return 'release.cancelSchedule'
    }
    await makeCurrent(context, tx, system, { appid: due.appid, release, review })
    return 'release.publish'
  })
}

/**
 * Publishes the release that operators have approved for the first publication of a mini app.
 * @throws SoukError `release_not_found`, `release_unsigned`
 */
export async function publishApproved(
  context: Context<'mailer' | 'rules' | 'vault' | 'web'>,
  tx: Tx,
  caller: ConsoleCaller,
  { appid, releaseId }: Input,
): Promise<void> {
  const [release] = await listReleaseRows({ ...context, sql: tx }, appid, releaseId)
  if (release === undefined) throw new SoukError('release_not_found')
  await liftRelease(context, tx, caller, { appid, releaseId })
  requireSignature(context, release)
  await makeCurrent(context, tx, caller, { appid, release, review: await findLastReview(tx, releaseId) })
}

/** Moves a release whose publication is no longer requested back to development, unless its review is open. */
export async function leaveReview(tx: Tx, releaseId: string): Promise<void> {
  if (!isUnderReview(await findLastReview(tx, releaseId))) await updateStage(tx, releaseId, 'development')
}

/** Moves a release whose publication was rejected back to development, and rejects its review. */
export async function returnToDevelopment(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  releaseId: string,
  reason: string,
): Promise<void> {
  const review = await findLastReview(tx, releaseId)
  if (review && isOpen(review)) {
    await changeReview(context, tx, caller, review, { event: 'reject', reasons: [{ item: 'other', text: reason }] })
  }
  await withdrawCanary(context, tx, releaseId)
  await updateStage(tx, releaseId, 'development')
}

/**
 * Makes a previously published release current again.
 * @throws SoukError `release_not_found`, `release_stage_conflict` if it was never published or is current,
 * `blocked_by_operator`
 */
export async function rollBack(
  context: Context<'mailer' | 'vault' | 'web'>,
  caller: ConsoleCaller,
  input: Input,
): Promise<ResultOf<Operations['rollBack']>> {
  return changeRelease(context, caller, input, async (tx, release) => {
    if (release.stage !== 'published') throw stageConflict('The release has not been published yet.')
    if (release.current) throw stageConflict('The release is already current.')
    await liftRelease(context, tx, caller, input)
    await endCanaryOf(context, tx, { appid: input.appid, release, isPublished: false })
    await updateCurrent(tx, caller, { ...release, appid: input.appid }, context.clock.now())
    return 'release.rollBack'
  })
}
