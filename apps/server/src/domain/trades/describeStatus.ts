import { statusName } from '@souk/contract'

const states = {
  processing: 'is processing',
  succeeded: 'has succeeded',
  failed: 'has failed',
  expired: 'has expired',
  canceled: 'was canceled',
  closed: 'is closed',
} as const

/** What a sentence says about a trade of this `transactionStatus`: "has succeeded", "is closed". */
export function describeStatus(status: number): string {
  return states[statusName(status)]
}
