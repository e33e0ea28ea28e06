import type { ReviewState } from '@souk/contract'

/** The kind of the chip that shows the state of a review. */
export const stateKinds = {
  submitted: 'warning',
  inReview: 'warning',
  approved: 'info',
  scheduled: 'info',
  rejected: 'error',
  published: 'success',
  withdrawn: 'neutral',
} as const satisfies Record<ReviewState, string>
