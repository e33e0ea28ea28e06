import type { ReviewState } from '@souk/contract'

/**
 * The events of a review. `skip` publishes a release without an approval, in an installation that requires no
 * reviews; `cancelSchedule` keeps the approval.
 */
export type ReviewEvent =
  | 'start'
  | 'approve'
  | 'reject'
  | 'withdraw'
  | 'schedule'
  | 'cancelSchedule'
  | 'publish'
  | 'skip'

const transitions: Record<ReviewState, Partial<Record<ReviewEvent, ReviewState>>> = {
  submitted: { start: 'inReview', approve: 'approved', reject: 'rejected', withdraw: 'withdrawn', skip: 'published' },
  inReview: { approve: 'approved', reject: 'rejected', withdraw: 'withdrawn', skip: 'published' },
  // A reviewer may find a fault after the approval.
  approved: { reject: 'rejected', withdraw: 'withdrawn', schedule: 'scheduled', publish: 'published' },
  scheduled: {
    reject: 'rejected',
    withdraw: 'withdrawn',
    schedule: 'scheduled',
    cancelSchedule: 'approved',
    publish: 'published',
  },
  published: { withdraw: 'withdrawn' },
  rejected: {},
  withdrawn: {},
}

/** Returns the state after an event; undefined if the event is not allowed in this state. */
export function nextState(state: ReviewState, event: ReviewEvent): ReviewState | undefined {
  return transitions[state][event]
}
