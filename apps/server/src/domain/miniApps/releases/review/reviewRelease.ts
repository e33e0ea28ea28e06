import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { readCursor, readPage } from '../../../../kernel/db/page.ts'
import type { Tx } from '../../../../kernel/db/pool.ts'
import type { ConsoleCaller } from '../../../caller.ts'
import {
  existsBlockOf,
  existsOtherAdministrator,
  listPendingChanges,
  recordBlock,
  sideOf,
  withdrawPublication,
} from '../../../console/index.ts'
import type { Context } from '../../../context.ts'
import { getApp } from '../../apps/index.ts'
import { checkImages } from '../../files/index.ts'
import { grantHostFunctions, listGrantedNames } from '../../hostFunctions/index.ts'
import { endCanaryOf, withdrawCanary } from '../canary/canary.ts'
import { changeRelease, stageConflict } from '../changeRelease.ts'
import { notesOf } from '../notes.ts'
import { liftRelease } from '../publishable.ts'
import { listReleaseRows, type Release, updateCurrentToWithdrawn, updateNotes, updateStage } from '../store.ts'
import { announceSubmission, changeReview } from './change.ts'
import { type ChangedFile, pairByName } from './changedFiles.ts'
import type { ReviewEvent } from './machine.ts'
import {
  findLastReview,
  findLastReviewRow,
  findReview,
  findReviewRow,
  insertReview,
  listChangedFiles,
  listPages,
  listRequestedFunctions,
  listReviewEvents,
  listReviewRows,
  type Reason,
  type Review,
  type StoredReview,
  type Submission,
} from './store.ts'

type Operations = typeof consoleOperations

/**
 * Submits a release for review.
 * @throws SoukError `release_not_found`, `release_stage_conflict` if it is published or under review, `file_not_found`
 * if a screenshot is not an image of the mini app
 */
export async function submitRelease(
  context: Context<'mailer' | 'vault' | 'web'>,
  caller: ConsoleCaller,
  { appid, releaseId, notes, note, testAccount, screenshots }: ParametersOf<Operations['submitRelease']>,
): Promise<ResultOf<Operations['submitRelease']>> {
  let reviewId = ''
  await changeRelease(context, caller, { appid, releaseId }, async (tx, release) => {
    const review = await findLastReview(tx, releaseId)
    if (review && isOpen(review)) throw stageConflict('The release is under review; withdraw it first.')
    if (screenshots) await checkImages(tx, appid, screenshots)
    if (notes !== undefined) await updateNotes(tx, releaseId, await notesOf(context, { appid, notes }))
    reviewId = await submit(context, tx, caller, {
      appid,
      release,
      note: note ?? null,
      testAccount: testAccount ?? null,
      screenshots: screenshots ?? [],
    })
    return 'release.submit'
  })
  return findReviewRow(context.sql, reviewId)
}

/** Submits a release in the transaction of the caller. @throws SoukError `release_stage_conflict` */
export async function submit(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  review: { appid: string; release: Release } & Submission,
): Promise<string> {
  const { appid, release, ...submission } = review
  const { releaseId } = release
  if (release.stage === 'published') throw stageConflict('The release has been published; upload a new one.')
  const reviewId = await insertReview(tx, { appid, releaseId, ...submission }, caller, context.clock.real())
  await updateStage(tx, releaseId, 'review')
  await announceSubmission(context, tx, caller, await findReviewRow(tx, reviewId))
  return reviewId
}

/** Returns whether a review has not ended. */
export function isOpen({ state }: StoredReview): boolean {
  return state === 'submitted' || state === 'inReview' || state === 'approved' || state === 'scheduled'
}

/** Lists reviews of a mini app, or of all, newest first. */
export async function listReviews(
  context: Context,
  _caller: ConsoleCaller,
  { appid, state, open, cursor, ...page }: ParametersOf<Operations['listReviews']>,
): Promise<ResultOf<Operations['listReviews']>> {
  const [ctime, reviewId] = readCursor(cursor, ['number', 'id'])
  const before = ctime === undefined ? undefined : ([ctime, reviewId] as const)
  return readPage(context.sql, page, {
    list: (part) => listReviewRows(context.sql, { appid, state, open, ...part }),
    before,
    keyOf: (review) => [review.ctime, review.reviewId],
  })
}

/** Maximum number of files of each kind of difference that a reviewer gets. */
const maxFiles = 200

/**
 * Returns the last review of a release, and what differs from the published release of its platform.
 * @throws SoukError `release_not_found`, `review_not_found`
 */
export async function getReview(
  context: Context<'web'>,
  caller: ConsoleCaller,
  { appid, releaseId }: ParametersOf<Operations['getReview']>,
): Promise<ResultOf<Operations['getReview']>> {
  const { sql } = context
  const releases = await listReleaseRows(context, appid)
  const release = releases.find((each) => each.releaseId === releaseId)
  if (!release) throw new SoukError('release_not_found')
  const review = await findLastReviewRow(sql, releaseId)
  if (!review) throw new SoukError('review_not_found', 'The release has not been submitted.')
  const published = releases.find((each) => each.current && each.platform === release.platform) ?? null
  const [history, paths, pages, earlierPages, { capabilities, domains }, changes, requested, granted] =
    await Promise.all([
      listReviewEvents(sql, releaseId),
      listChangedFiles(sql, releaseId, published?.releaseId ?? null),
      listPages(sql, releaseId),
      published ? listPages(sql, published.releaseId) : ([] as string[]),
      getApp(context, caller, { appid }),
      listPendingChanges(sql, appid),
      listRequestedFunctions(sql, releaseId),
      listGrantedNames(sql, appid),
    ])
  const files = pairByName(paths)
  const filesOf = (kind: ChangedFile['change']) => {
    const found = files.filter(({ change }) => change === kind)
    const listed = found.slice(0, maxFiles).map(({ change: _, ...file }) => file)
    return { count: found.length, files: listed }
  }
  return {
    review,
    history,
    release,
    published,
    files: { added: filesOf('added'), changed: filesOf('changed'), removed: filesOf('removed') },
    pages: {
      added: pages.filter((path) => !earlierPages.includes(path)),
      removed: earlierPages.filter((path) => !pages.includes(path)),
    },
    approved: { capabilities, domains },
    hostFunctions: { requested, granted },
    changes,
  }
}

/**
 * Starts a review, so that others see who is at it.
 * @throws SoukError `review_not_found`, `review_state_conflict`, `release_stage_conflict` if the release is published
 */
export async function startReview(
  context: Context<'mailer' | 'vault' | 'web'>,
  caller: ConsoleCaller,
  { reviewId }: ParametersOf<Operations['startReview']>,
): Promise<ResultOf<Operations['startReview']>> {
  return decide(context, caller, reviewId, 'start')
}

/**
 * Approves a release. Its owners publish it. `hostFunctions` are granted to the mini app.
 * @throws SoukError `review_not_found`, `review_state_conflict`, `release_stage_conflict`, `own_change_request`,
 * `parameter_invalid` for a function that the release does not ask for
 */
export async function approveRelease(
  context: Context<'mailer' | 'vault' | 'web'>,
  caller: ConsoleCaller,
  { reviewId, note, hostFunctions }: ParametersOf<Operations['approveRelease']>,
): Promise<ResultOf<Operations['approveRelease']>> {
  return decide(context, caller, reviewId, 'approve', { note, hostFunctions })
}

/**
 * Rejects a release, which returns to development.
 * @throws SoukError `review_not_found`, `review_state_conflict`, `release_stage_conflict` if the release is published
 */
export async function rejectRelease(
  context: Context<'mailer' | 'vault' | 'web'>,
  caller: ConsoleCaller,
  { reviewId, reasons, note }: ParametersOf<Operations['rejectRelease']>,
): Promise<ResultOf<Operations['rejectRelease']>> {
  return decide(context, caller, reviewId, 'reject', { reasons, note })
}

const actions = { start: 'release.startReview', approve: 'release.approve', reject: 'release.reject' } as const

interface Decision {
  reasons?: readonly Reason[]
  note?: string | undefined
  /** Functions of the host that are granted; undefined leaves them as they are. */
  hostFunctions?: readonly string[] | undefined
}

async function decide(
  context: Context<'mailer' | 'vault' | 'web'>,
  caller: ConsoleCaller,
  reviewId: string,
  event: ReviewEvent & keyof typeof actions,
  { reasons = [], note, hostFunctions }: Decision = {},
): Promise<Review> {
  const found = await findReview(context.sql, reviewId)
  if (!found) throw new SoukError('review_not_found')
  const { appid, releaseId } = found
  await changeRelease(context, caller, found, async (tx, release, projectId) => {
    if (release.stage === 'published') throw stageConflict('The release has been published.')
    const review = await findLastReview(tx, found.releaseId)
    if (review?.reviewId !== reviewId) throw new SoukError('review_state_conflict', 'The release was submitted again.')
    if (event === 'approve') {
      await rejectOwnRelease(tx, caller, review)
      await liftRelease(context, tx, caller, found)
      if (hostFunctions) {
        const requested = await listRequestedFunctions(tx, releaseId)
        await grantHostFunctions(context, tx, { appid, requested, chosen: hostFunctions })
      }
    }
    await changeReview(context, tx, caller, review, { event, reasons, note })
    if (event === 'reject') {
      await withdrawPublication(context, tx, caller, found)
      await withdrawCanary(context, tx, found.releaseId)
      await updateStage(tx, releaseId, 'development')
      const subject = { state: 'releaseRejected', subject: releaseId, name: release.version, appid, projectId } as const
      const reason = reasons
        .map(({ text }) => text)
        .join(' ')
        .slice(0, 500)
      await recordBlock(context, tx, caller, subject, { reason, wasSet: false })
    }
    return {
      action: actions[event],
      detail: {
        reviewId,
        ...(reasons.length > 0 && { reasons }),
        ...(note && { note }),
        ...(hostFunctions && { hostFunctions }),
      },
    }
  })
  return findReviewRow(context.sql, reviewId)
}

/** Requires a second person for each release, unless the installation has only one administrator. */
async function rejectOwnRelease(tx: Tx, caller: ConsoleCaller, { submittedBy }: StoredReview): Promise<void> {
  if (caller.kind !== 'account' || caller.accountId !== submittedBy) return
  if (await existsOtherAdministrator(tx, caller.accountId)) {
    throw new SoukError('own_change_request', 'Ask another administrator.')
  }
}

/**
 * Withdraws a release from review or from its schedule, or the current one from users, who then cannot open the mini
 * app on this platform until another release is published. An operator can withdraw a release in any stage, and keeps
 * it from users until an operator lifts this (ADR 355).
 * @throws SoukError `release_not_found`, `release_stage_conflict`
 */
export async function withdrawRelease(
  context: Context<'mailer' | 'vault' | 'web'>,
  caller: ConsoleCaller,
  { appid, releaseId, reason }: ParametersOf<Operations['withdrawRelease']>,
): Promise<ResultOf<Operations['withdrawRelease']>> {
  return changeRelease(context, caller, { appid, releaseId }, async (tx, release, projectId) => {
    if (sideOf(caller) !== 'operator' || (await existsBlockOf(tx, ['releaseWithdrawn'], releaseId))) {
      requireWithdrawable(release)
    }
    const subject = { state: 'releaseWithdrawn', subject: releaseId, name: release.version, appid, projectId } as const
    await recordBlock(context, tx, caller, subject, { reason, wasSet: false })
    if (release.current) {
      await endCanaryOf(context, tx, { appid, release, isPublished: false })
      await updateCurrentToWithdrawn(tx, { appid, releaseId })
    }
    await endReview(context, tx, caller, { appid, releaseId })
    return { action: 'release.withdraw', detail: reason === undefined ? {} : { reason } }
  })
}

/** @throws SoukError `release_stage_conflict` */
function requireWithdrawable({ stage, current }: Release): void {
  if (stage === 'development') throw stageConflict('The release is in development.')
  if (stage === 'published' && !current) throw stageConflict('The release has been replaced already.')
}

/** Withdraws the review and the requested publication of a release, which returns to development. */
export async function endReview(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  { appid, releaseId }: { appid: string; releaseId: string },
): Promise<void> {
  const review = await findLastReview(tx, releaseId)
  if (review && (isOpen(review) || review.state === 'published')) {
    await changeReview(context, tx, caller, review, { event: 'withdraw' })
  }
  await withdrawPublication(context, tx, caller, { appid, releaseId })
  await withdrawCanary(context, tx, releaseId)
  await updateStage(tx, releaseId, 'development')
}
