import type { Result } from '../../api/client.ts'

type Row = Result<'searchCallbacks'>['items'][number]

/** How a state looks: one that has failed so far is not as harmless as one that waits for its first attempt. */
export function kindOf({ state, attemptCount }: Pick<Row, 'state' | 'attemptCount'>) {
  if (state === 'delivered') return 'success'
  if (state === 'dead') return 'error'
  return attemptCount > 0 ? 'warning' : 'info'
}
