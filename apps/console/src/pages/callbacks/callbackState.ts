import type { Result } from '../../api/client.ts'

/** States of callbacks, those that need someone first. */
export const shownStates = ['dead', 'failing', 'waiting', 'delivered'] as const
export type ShownState = (typeof shownStates)[number]

type Row = Result<'searchCallbacks'>['items'][number]

/** Returns the state to show, by which lists and replays select: a pending callback waits for an attempt, or fails. */
export function shownState({ state, attemptCount }: Pick<Row, 'state' | 'attemptCount'>): ShownState {
  if (state !== 'pending') return state
  return attemptCount > 0 ? 'failing' : 'waiting'
}
