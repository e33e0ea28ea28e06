import {
  type DeclineReason,
  type FailReasonType,
  noFailReason,
  type TransactionStatus,
  transactionStatus,
} from '@souk/contract'

/**
 * The trade machine (open-api §3.2, ADR 10): the only place that decides a transition. It is pure: facts in, verdict out.
 *
 * | from 1 to   | trigger     | condition                                        | failReasonType | callback |
 * |-------------|-------------|--------------------------------------------------|----------------|----------|
 * | 2 succeeded | `confirmed` | amount and currency equal the trade's             | -1             | yes      |
 * | 3 failed    | `declined`  |                                                  | the decline's  | yes      |
 * | 4 expired   | `timedOut`  | timeExpire has come, no attempt in flight        | 21             | yes      |
 * | 5 canceled  | `canceled`  | no attempt in flight                             | -1             | yes      |
 * | 6 closed    | `closed`    | no attempt in flight                             | 22             | no       |
 *
 * 2 to 6 have no way out.
 */
const transitions = {
  confirmed: { to: transactionStatus.succeeded, failReasonType: noFailReason, callback: true },
  declined: { to: transactionStatus.failed, failReasonType: 'of the decline', callback: true },
  timedOut: { to: transactionStatus.expired, failReasonType: 21, callback: true },
  canceled: { to: transactionStatus.canceled, failReasonType: noFailReason, callback: true },
  closed: { to: transactionStatus.closed, failReasonType: 22, callback: false },
} as const

/** What can move a trade. Times in ms of the domain clock, amounts in cents. */
export type Trigger =
  | { kind: 'confirmed'; amount: number; currency: string }
  | { kind: 'declined'; failReasonType: DeclineReason }
  | { kind: 'timedOut'; now: number }
  | { kind: 'canceled' }
  | { kind: 'closed' }

/** What the machine has to know of a trade. */
export interface TradeFacts {
  transactionStatus: TransactionStatus
  amount: number
  currency: string
  timeExpire: number
  /** The attempt that may still bring money. */
  attemptInFlight: string | null
}

/** The trade moves; `callback` says whether the merchant is told. */
export interface Move {
  kind: 'moves'
  to: Exclude<TransactionStatus, 1>
  failReasonType: FailReasonType | typeof noFailReason
  callback: boolean
}

/** The trade stays what it is. Where the trigger was `confirmed`, money has come that the trade cannot take. */
export interface Stay {
  kind: 'stays'
  because: 'final' | 'mismatch' | 'notDue' | 'attemptInFlight'
}

/** What a trigger does to a trade. */
export function decide(trade: TradeFacts, trigger: Trigger): Move | Stay {
  if (trade.transactionStatus !== transactionStatus.processing) return stays('final')
  switch (trigger.kind) {
    case 'confirmed':
      if (trigger.amount !== trade.amount || trigger.currency !== trade.currency) return stays('mismatch')
      return moves(trigger.kind, noFailReason)
    case 'declined':
      return moves(trigger.kind, trigger.failReasonType)
    case 'timedOut':
      if (trigger.now < trade.timeExpire) return stays('notDue')
      if (trade.attemptInFlight !== null) return stays('attemptInFlight')
      return moves(trigger.kind, transitions.timedOut.failReasonType)
    case 'canceled':
    case 'closed':
      if (trade.attemptInFlight !== null) return stays('attemptInFlight')
      return moves(trigger.kind, transitions[trigger.kind].failReasonType)
  }
}

/** What becomes of a trade whose attempt was ended on the word of its merchant, of its payer, or of the clock. */
export const withdrawalTriggers: Record<'merchant' | 'payer' | 'expiry', (now: number) => Trigger> = {
  merchant: () => ({ kind: 'closed' }),
  payer: () => ({ kind: 'canceled' }),
  expiry: (now) => ({ kind: 'timedOut', now }),
}

/** "Transaction failed": the reason where no provider has given a better one. */
export const transactionFailed = 27

function moves(trigger: Trigger['kind'], failReasonType: Move['failReasonType']): Move {
  const { to, callback } = transitions[trigger]
  return { kind: 'moves', to, failReasonType, callback }
}

function stays(because: Stay['because']): Stay {
  return { kind: 'stays', because }
}

/**
 * Why the payer cannot begin a payment, as the `failCode` of `neu.requestPayment()` (open-api §2.5); null where it can begin.
 * The trade is to have been expired first, where that is due.
 */
export function paymentFailCode(trade: TradeFacts): FailReasonType | null {
  switch (trade.transactionStatus) {
    case transactionStatus.processing:
      return trade.attemptInFlight === null ? null : 23
    case transactionStatus.succeeded:
      return 20
    case transactionStatus.failed:
      return transactionFailed
    case transactionStatus.expired:
      return 21
    case transactionStatus.canceled:
    case transactionStatus.closed:
      return 22
  }
}
