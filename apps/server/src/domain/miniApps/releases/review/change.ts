import { type ReviewState, SoukError } from '@souk/contract'
import type { Tx } from '../../../../kernel/db/pool.ts'
import { notify } from '../../../../kernel/outbox.ts'
import type { Context } from '../../../context.ts'
import { recordEvent, sendToAccount, sendToAdministrators } from '../../../messages/index.ts'
import { nextState, type ReviewEvent } from './machine.ts'
import {
  findRequireReviews,
  findReviewRow,
  type Reason,
  type Review,
  type Reviewer,
  type StoredReview,
  updateReview,
} from './store.ts'

interface ReviewChange {
  event: ReviewEvent
  reasons?: readonly Reason[]
  /** Note of the reviewer with the decision. */
  note?: string | undefined
  publishTime?: number | null
}

/**
 * Applies an event to a review that the caller has read under the lock of its mini app, and tells its submitter, the
 * company's backend and the administrators about it.
 * @throws SoukError `review_state_conflict`
 */
export async function changeReview(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: Reviewer,
  review: StoredReview,
  { event, reasons = [], note, publishTime = null }: ReviewChange,
): Promise<Review> {
  const state = nextState(review.state, event)
  if (state === undefined) throw new SoukError('review_state_conflict', `It is ${describe(review.state)}.`)
  await updateReview(
    tx,
    { reviewId: review.reviewId, state, reasons, note: note ?? null, publishTime },
    caller,
    context.clock.real(),
  )
  const changed = await findReviewRow(tx, review.reviewId)
  await announceDecision(context, tx, caller, review, changed)
  await announceState(context, tx, changed)
  return changed
}

const describe = (state: ReviewState) => (state === 'inReview' ? 'in review' : state)

/** Records the event of a submission, and sends a mail to the administrators where reviews are required. */
export async function announceSubmission(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: Reviewer,
  review: Review,
): Promise<void> {
  if (await findRequireReviews(tx)) {
    await sendToAdministrators(context, tx, caller, {
      kind: 'releaseSubmitted',
      values: { ...describeRelease(review), submittedBy: review.submittedBy },
      // A release that is withdrawn and submitted again is not announced again.
      topic: `review ${review.releaseId}`,
    })
  }
  await announceState(context, tx, review)
}

/** Sends the account that submitted a release a mail about the decision. */
async function announceDecision(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: Reviewer,
  { submittedBy }: StoredReview,
  review: Review,
): Promise<void> {
  const { state, reasons, changedBy: decidedBy } = review
  if (submittedBy === null || (state !== 'approved' && state !== 'rejected')) return
  if (caller.kind === 'account' && caller.accountId === submittedBy) return
  const values = { ...describeRelease(review), decidedBy }
  await (state === 'approved'
    ? sendToAccount(context, tx, submittedBy, { kind: 'releaseApproved', values })
    : sendToAccount(context, tx, submittedBy, {
        kind: 'releaseRejected',
        values: { ...values, reason: reasons.map(({ text }) => text).join(' ') },
      }))
}

function describeRelease({ appName, version, projectName }: Review) {
  return { app: appName, version, project: projectName }
}

async function announceState(context: Context, tx: Tx, review: Review): Promise<void> {
  const { appid, reviewId, releaseId, platform, version, state, reasons, publishTime, mtime } = review
  const data = { appid, reviewId, releaseId, platform, version, state, reasons, publishTime, mtime }
  await recordEvent(context, tx, { type: 'release.reviewed', data })
  await notify(tx, 'souk_list', JSON.stringify({ appid, list: 'reviews' }))
}
