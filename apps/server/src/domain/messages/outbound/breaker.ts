import { minute, second } from '@souk/contract'

/** Consecutive attempts without a response after which a receiver is paused. */
export const failureLimit = 5

/** Shortest and longest pause before the next probe, ms. */
const shortestPause = 15 * second
export const longestPause = minute

/** A receiver whose last attempt was not acknowledged. Times in ms of the domain clock. */
export interface FailingReceiver {
  receiver: string
  /** The first failure since the last acknowledgement. */
  failingSince: number
  /** Consecutive attempts without a response. */
  failures: number
  /** Time of the next probe, if the number of failures has reached the limit. */
  pausedUntil: number
}

/** The result of an attempt, as far as its receiver is concerned. */
export interface Verdict {
  acknowledged: boolean
  responded: boolean
}

/**
 * Returns the state of a receiver after attempts, or undefined if it has acknowledged one. A response of any kind ends
 * a pause, since only silence and unreachable hosts hold up other messages.
 */
export function applyVerdicts(
  receiver: string,
  before: FailingReceiver | undefined,
  verdicts: readonly Verdict[],
  now: number,
): FailingReceiver | undefined {
  if (verdicts.some(({ acknowledged }) => acknowledged)) return undefined
  const failingSince = before?.failingSince ?? now
  if (verdicts.some(({ responded }) => responded)) return { receiver, failingSince, failures: 0, pausedUntil: now }
  const failures = (before?.failures ?? 0) + verdicts.length
  const pausedUntil = failures < failureLimit ? now : now + pauseAfter(now - failingSince)
  return { receiver, failingSince, failures, pausedUntil }
}

/** Returns the pause after a failed probe: the longer the receiver has failed, the longer. */
function pauseAfter(failingFor: number): number {
  return Math.min(longestPause, Math.max(shortestPause, Math.round(failingFor / 4)))
}
