import type { FeedbackState } from '@souk/contract'

/** The kind of the chip that shows the state of a message. */
export const stateKinds = {
  open: 'warning',
  answered: 'success',
  closed: 'neutral',
} as const satisfies Record<FeedbackState, string>
