/** Kinds of messages from users to developers. */
export const feedbackKinds = ['problem', 'idea', 'praise'] as const
export type FeedbackKind = (typeof feedbackKinds)[number]

/** Reasons for which users report a mini app to the operator. */
export const reportReasons = ['fraud', 'harmful', 'privacy', 'impersonation', 'other'] as const
export type ReportReason = (typeof reportReasons)[number]

export const feedbackStates = ['open', 'answered', 'closed'] as const
export type FeedbackState = (typeof feedbackStates)[number]

/** Maximum number of characters of a message and of its answer. */
export const maxFeedbackText = 2000
/** Maximum number of messages of a user per day. */
export const maxFeedbackPerDay = 20
/** Number of messages in a page of a user's own feedback. */
export const ownFeedbackPageSize = 50
