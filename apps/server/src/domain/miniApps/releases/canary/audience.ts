import { hash } from 'node:crypto'
import type { CanarySystem } from '@souk/contract'
import { normalized, primary } from '../languageTags.ts'

/** The users who get a canary. */
export interface Audience {
  /** Percentage of the users that `languages` and `systems` select. */
  share: number
  /** Users who get it regardless of the percentage. */
  uids: readonly number[]
  /** All if empty, like `systems`. A primary language includes its variants. */
  languages: readonly string[]
  systems: readonly CanarySystem[]
}

/** A user as the host describes it when it opens a mini app. */
export interface Opener {
  uid: number
  language?: string | undefined
  system?: CanarySystem | undefined
}

/** Returns whether a user gets the canary with this id. A user who does also does after the canary was widened. */
export function isInAudience(canaryId: string, audience: Audience, { uid, language, system }: Opener): boolean {
  const { share, uids, languages, systems } = audience
  if (uids.includes(uid)) return true
  if (systems.length > 0 && (system === undefined || !systems.includes(system))) return false
  if (languages.length > 0 && (language === undefined || !languages.some((each) => includes(each, language)))) {
    return false
  }
  return percentileOf(canaryId, uid) < share
}

/**
 * Returns the place of a user among all users of a canary, from 0 up to, but without, 100. It depends on the canary, so
 * that different users come first in each one.
 */
export function percentileOf(canaryId: string, uid: number): number {
  // The one-shot function with text is several times faster than createHash.
  const digits = hash('sha256', `${canaryId} ${uid}`, 'hex').slice(0, 8)
  return (Number.parseInt(digits, 16) / 2 ** 32) * 100
}

function includes(chosen: string, language: string): boolean {
  const [one, other] = [normalized(chosen), normalized(language)]
  return one === other || one === primary(other)
}

/** Returns whether everyone of one audience is in the other. */
export function isWiderThan(wider: Audience, audience: Audience): boolean {
  return (
    wider.share >= audience.share &&
    audience.uids.every((uid) => wider.uids.includes(uid)) &&
    includesAll(wider.languages, audience.languages, includes) &&
    includesAll(wider.systems, audience.systems, (one, other) => one === other)
  )
}

/** Compares two lists that select all if they are empty. */
function includesAll<T>(wider: readonly T[], list: readonly T[], covers: (one: T, other: T) => boolean): boolean {
  if (wider.length === 0) return true
  return list.length > 0 && list.every((each) => wider.some((one) => covers(one, each)))
}
