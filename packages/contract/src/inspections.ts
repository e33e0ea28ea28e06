import { minute } from './time.ts'

/** Limits of an inspection of a mini app on a phone (ADR 331). */
export const inspectionsLimits = {
  /** Time in which the phone has to use the code, in ms. */
  codeLifetime: 10 * minute,
  /** An inspection ends when nothing has happened, or one side has been away, for this time in ms. */
  idle: 15 * minute,
  perProject: 5,
  /** Characters of a message, and bytes of the body of the request that sends it. */
  message: 500_000,
  body: 2 * 1024 ** 2,
  /** Limits per minute and inspection, for both directions together. */
  messagesPerMinute: 600,
  charactersPerMinute: 24 * 1024 ** 2,
} as const

/** Reasons why an inspection ended. `replaced`: the browser tab or page that connected last continues it. */
export const inspectionEnds = ['declined', 'left', 'stopped', 'idle', 'replaced'] as const
export type InspectionEnd = (typeof inspectionEnds)[number]
