import { minute } from './time.ts'

/**
 * Events that a host reports: `open` and `launch` or `launchFailure` once per opening, `card` besides if a shared
 * card was opened, the others as they happen.
 */
export const analyticsEventKinds = [
  'open',
  'card',
  'launch',
  'launchFailure',
  'page',
  'error',
  'request',
  'custom',
] as const
export type AnalyticsEventKind = (typeof analyticsEventKinds)[number]

/** Reasons why a mini app did not start. */
export const launchFailures = ['timeout', 'version', 'outdated', 'replaced', 'manifest', 'storage'] as const

/** Lengths of the periods for which analytics are shown, in days. */
export const analyticsDays = [1, 7, 30, 90, 365] as const

/** Limits of one report: number of events, bytes, characters of a text and of a stack, and times in ms. */
export const analyticsLimits = {
  batch: 50,
  body: 64 * 1024,
  text: 300,
  stack: 4000,
  delay: 10 * minute,
  launchTime: 10 * minute,
} as const

/** Limits of the recordings of testers' sessions that ended with a JavaScript error (ADR 426). */
export const errorRecordingLimits = {
  /** Newest recordings that are kept of a mini app, and of a user, who sends no more within an hour. */
  perApp: 20,
  perUser: 10,
  /** Days for which they are kept. */
  days: 14,
  /** Bytes of a recording, compressed and uncompressed. */
  compressed: 1024 ** 2,
  uncompressed: 16 * 1024 ** 2,
} as const
