import type { Result } from '../../api/client.ts'

type Row = Result<'searchCallbacks'>['items'][number]

/** Returns the state to show: a pending callback with failed attempts is failing. */
export function shownState({ state, attemptCount }: Pick<Row, 'state' | 'attemptCount'>) {
  return state === 'pending' && attemptCount > 0 ? 'failing' : state
}
