import type { Result } from '../../api/client.ts'

type Row = Result<'searchCallbacks'>['items'][number]

/** Returns the chip kind of a callback's state. A pending callback with failed attempts is a warning. */
export function kindOf({ state, attemptCount }: Pick<Row, 'state' | 'attemptCount'>) {
  if (state === 'delivered') return 'success'
  if (state === 'dead') return 'error'
  return attemptCount > 0 ? 'warning' : 'info'
}
