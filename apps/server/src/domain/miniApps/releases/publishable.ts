import { releaseStates, SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { ConsoleCaller, SystemCaller } from '../../caller.ts'
import { blocked, existsBlockOf, findBlockedCopy, liftState, requireLiftable, sideOf } from '../../console/index.ts'
import type { Context } from '../../context.ts'
import { findLastReview, findRequireReviews, type StoredReview } from './review/store.ts'
import type { Release } from './store.ts'

/**
 * Rejects a release that users must not get: without a sufficient signature, or without an approved review where
 * reviews are required.
 * @throws SoukError `release_unsigned`, `release_review_required`
 */
export async function requirePublishable(context: Context<'rules'>, tx: Tx, release: Release): Promise<void> {
  requireSignature(context, release)
  const review = await findLastReview(tx, release.releaseId)
  if (isReviewed(review)) return
  if (await findRequireReviews(tx)) throw reviewRequired(review)
}

/**
 * Rejects a release that an operator keeps from users, and any other with the same files; for an operator, ends its
 * blocks. The caller has locked the mini app.
 * @throws SoukError `blocked_by_operator`
 */
export async function liftRelease(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller | SystemCaller,
  { appid, releaseId }: { appid: string; releaseId: string },
): Promise<void> {
  for (const state of releaseStates) await liftState(context, tx, caller, state, releaseId)
  if (sideOf(caller) !== 'operator' && (await findBlockedCopy(tx, appid, releaseId))) throw blocked('releaseWithdrawn')
}

/** Returns whether an operator keeps a release, or another one with the same files, from users. */
export async function isKeptFromUsers(tx: Tx, { appid, releaseId }: { appid: string; releaseId: string }) {
  return (
    (await existsBlockOf(tx, releaseStates, releaseId)) || (await findBlockedCopy(tx, appid, releaseId)) !== undefined
  )
}

/** Rejects the deletion of a release that an operator keeps from users. @throws SoukError `blocked_by_operator` */
export async function requireDeletable(tx: Tx, caller: ConsoleCaller, releaseId: string): Promise<void> {
  for (const state of ['releaseWithdrawn', 'canaryPaused'] as const) await requireLiftable(tx, caller, state, releaseId)
}

/** Rejects a release that was uploaded before signatures were required, or with a key that has been revoked since. */
export function requireSignature(context: Context<'rules'>, release: Release): void {
  if (!isSignatureSufficient(context, release)) {
    throw new SoukError('release_unsigned', 'Upload it again with an approved key.')
  }
}

export function isSignatureSufficient({ rules }: Context<'rules'>, { signedBy }: Release): boolean {
  return !rules.requireSignedReleases || signedBy?.state === 'approved'
}

/** Returns whether an administrator has approved the release. */
export function isReviewed(review: StoredReview | undefined): review is StoredReview {
  return review?.state === 'approved' || review?.state === 'scheduled'
}

export function reviewRequired(review: StoredReview | undefined): SoukError {
  const isSubmitted = review?.state === 'submitted' || review?.state === 'inReview'
  const advice = isSubmitted
    ? 'It has been submitted: an administrator has to approve it.'
    : 'Submit it: souk submit, or in the console.'
  return new SoukError('release_review_required', advice)
}
