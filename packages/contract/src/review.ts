/** States of a review. The first four are open: of each release at most one review is. */
export const reviewStates = [
  'submitted',
  'inReview',
  'approved',
  'scheduled',
  'rejected',
  'published',
  'withdrawn',
] as const
export type ReviewState = (typeof reviewStates)[number]
export const openReviewStates = ['submitted', 'inReview', 'approved', 'scheduled'] as const satisfies ReviewState[]

/** The parts of a release that a reason for a rejection is about. */
export const reviewItems = [
  'content',
  'function',
  'pages',
  'permissions',
  'domains',
  'name',
  'icon',
  'merchant',
  'payment',
  'privacy',
  'testAccount',
  'other',
] as const
export type ReviewItem = (typeof reviewItems)[number]

/** Maximum number of screenshots of a submission. */
export const maxScreenshots = 8
/** Maximum length of the note of a reviewer with a decision. */
export const maxDecisionNote = 500
