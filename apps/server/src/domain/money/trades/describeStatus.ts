import { statusName } from '@souk/contract'

const states = {
  processing: 'is processing',
  succeeded: 'has succeeded',
  failed: 'has failed',
  expired: 'has expired',
  canceled: 'was canceled',
  closed: 'is closed',
} as const

/** Returns the predicate of a sentence about a trade, such as "has succeeded" or "is closed". */
export function describeStatus(status: number): string {
  return states[statusName(status)]
}
