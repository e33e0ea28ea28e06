import { minute } from '@souk/contract'

/** The states of a payment attempt. The first four are in flight. */
export type AttemptState =
  | 'created'
  | 'pending'
  | 'challenge'
  | 'redirect'
  | 'succeeded'
  | 'failed'
  | 'canceled'
  | 'expired'

/** Returns whether the provider has not decided an attempt yet. */
export function inFlight(state: AttemptState): boolean {
  return state === 'created' || state === 'pending' || state === 'challenge' || state === 'redirect'
}

/**
 * Time after its creation from which an attempt unknown to the provider counts as failed, in ms. It is longer than the
 * timeout of a creation. Pending attempts are not queried earlier either.
 */
export const attemptGracePeriod = minute

/**
 * Returns the state of an attempt after a provider result, or null if the result changes nothing. A finished attempt
 * can still succeed, since a captured payment overrides earlier results. `age` is the attempt's age in ms.
 */
export function nextAttemptState(
  state: AttemptState,
  reported: Exclude<AttemptState, 'created'> | 'unknown',
  age: number,
): AttemptState | null {
  if (reported === 'succeeded') return state === 'succeeded' ? null : 'succeeded'
  if (!inFlight(state)) return null
  if (reported === 'unknown') return age >= attemptGracePeriod ? 'failed' : state
  return reported
}
