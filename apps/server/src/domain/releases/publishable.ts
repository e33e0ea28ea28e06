import { SoukError } from '@souk/contract'
import type { Tx } from '../../kernel/db/pool.ts'
import type { Context } from '../context.ts'
import { findLastReview, findRequireReviews, type StoredReview } from './review/store.ts'
import type { Release } from './store.ts'

/**
 * Rejects a release that users must not get: without a sufficient signature, or without an approved review where
 * reviews are required.
 * @throws SoukError `release_unsigned`, `release_review_required`
 */
export async function requirePublishable(context: Context, tx: Tx, release: Release): Promise<void> {
  requireSignature(context, release)
  const review = await findLastReview(tx, release.releaseId)
  if (isReviewed(review)) return
  if (await findRequireReviews(tx)) throw reviewRequired(review)
}

/** Rejects a release that was uploaded before signatures were required, or with a key that has been revoked since. */
export function requireSignature(context: Context, release: Release): void {
  if (!isSignatureSufficient(context, release)) {
    throw new SoukError('release_unsigned', 'Upload it again with an approved key.')
  }
}

export function isSignatureSufficient({ settings }: Context, { signedBy }: Release): boolean {
  return !settings.requireSignedReleases || signedBy?.state === 'approved'
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
