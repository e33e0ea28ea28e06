/** The states of one payment attempt. The first four are in flight. */
export type AttemptState =
  | 'created'
  | 'pending'
  | 'challenge'
  | 'redirect'
  | 'succeeded'
  | 'failed'
  | 'canceled'
  | 'expired'

/** Whether the provider may still bring money by this attempt without contradicting itself. */
export function inFlight(state: AttemptState): boolean {
  return state === 'created' || state === 'pending' || state === 'challenge' || state === 'redirect'
}

/**
 * How long a provider may not know an attempt, in ms, before it is taken to never have received it. Adapters give a
 * creation up well before. It is also how long an attempt is left alone before the provider is asked about it.
 */
export const attemptGracePeriod = 60_000

/**
 * The state of an attempt after the provider has spoken; null where that is no news. An attempt that is over can still
 * succeed: a provider's money outweighs its earlier word. `age` is the attempt's, in ms.
 */
export function nextAttemptState(
  state: AttemptState,
  said: Exclude<AttemptState, 'created'> | 'unknown',
  age: number,
): AttemptState | null {
  if (said === 'succeeded') return state === 'succeeded' ? null : 'succeeded'
  if (!inFlight(state)) return null
  if (said === 'unknown') return age >= attemptGracePeriod ? 'failed' : state
  return said
}
