import {
  type DeclineReason,
  type FailReasonType,
  noFailReason,
  type TransactionStatus,
  transactionStatus,
} from '@souk/contract'

/**
 * The state machine of a trade (open-api §3.2, ADR 10), the only place that decides transitions. It is pure.
 *
 * | from 1 to   | trigger     | condition                                        | failReasonType | callback |
 * |-------------|-------------|--------------------------------------------------|----------------|----------|
 * | 2 succeeded | `confirmed` | amount and currency equal the trade's            | -1             | yes      |
 * | 3 failed    | `declined`  |                                                  | the decline's  | yes      |
 * | 4 expired   | `timedOut`  | timeExpire has passed, no attempt in flight      | 21             | yes      |
 * | 5 canceled  | `canceled`  | no attempt in flight                             | -1             | yes      |
 * | 6 closed    | `closed`    | no attempt in flight                             | 22             | no       |
 *
 * 2 to 6 are final.
 */
const transitions = {
  confirmed: { to: transactionStatus.succeeded, failReasonType: noFailReason, callback: true },
  declined: { to: transactionStatus.failed, failReasonType: 'of the decline', callback: true },
  timedOut: { to: transactionStatus.expired, failReasonType: 21, callback: true },
  canceled: { to: transactionStatus.canceled, failReasonType: noFailReason, callback: true },
  closed: { to: transactionStatus.closed, failReasonType: 22, callback: false },
} as const

/** An event that can change the status of a trade. Times in ms of the domain clock, amounts in cents. */
export type Trigger =
  | { kind: 'confirmed'; amount: number; currency: string }
  | { kind: 'declined'; failReasonType: DeclineReason }
  | { kind: 'timedOut'; now: number }
  | { kind: 'canceled' }
  | { kind: 'closed' }

/** The fields of a trade that transitions depend on. */
export interface TradeFacts {
  transactionStatus: TransactionStatus
  amount: number
  currency: string
  timeExpire: number
  /** The attempt that may still succeed. */
  attemptInFlight: string | null
}

/** A change of status. `callback` says whether the merchant receives a callback. */
export interface Transition {
  kind: 'transition'
  to: Exclude<TransactionStatus, 1>
  failReasonType: FailReasonType | typeof noFailReason
  callback: boolean
}

/** A decision not to change the status. After `confirmed`, the trade cannot accept the payment. */
export interface NoTransition {
  kind: 'none'
  reason: 'final' | 'mismatch' | 'notDue' | 'attemptInFlight'
}

/** Decides what a trigger does to a trade. */
export function decide(trade: TradeFacts, trigger: Trigger): Transition | NoTransition {
  if (trade.transactionStatus !== transactionStatus.processing) return noTransition('final')
  switch (trigger.kind) {
    case 'confirmed':
      if (trigger.amount !== trade.amount || trigger.currency !== trade.currency) return noTransition('mismatch')
      return transition(trigger.kind, noFailReason)
    case 'declined':
      return transition(trigger.kind, trigger.failReasonType)
    case 'timedOut':
      if (trigger.now < trade.timeExpire) return noTransition('notDue')
      if (trade.attemptInFlight !== null) return noTransition('attemptInFlight')
      return transition(trigger.kind, transitions.timedOut.failReasonType)
    case 'canceled':
    case 'closed':
      if (trade.attemptInFlight !== null) return noTransition('attemptInFlight')
      return transition(trigger.kind, transitions[trigger.kind].failReasonType)
  }
}

/** The trigger for withdrawing a trade, by who or what withdraws it. */
export const withdrawalTriggers: Record<'merchant' | 'payer' | 'expiry', (now: number) => Trigger> = {
  merchant: () => ({ kind: 'closed' }),
  payer: () => ({ kind: 'canceled' }),
  expiry: (now) => ({ kind: 'timedOut', now }),
}

/** "Transaction failed": the failReasonType if the provider gives no specific one. */
export const transactionFailed = 27

function transition(trigger: Trigger['kind'], failReasonType: Transition['failReasonType']): Transition {
  const { to, callback } = transitions[trigger]
  return { kind: 'transition', to, failReasonType, callback }
}

function noTransition(reason: NoTransition['reason']): NoTransition {
  return { kind: 'none', reason }
}

/**
 * Returns the `failCode` of `neu.requestPayment()` (open-api §2.5) if the trade cannot be paid, otherwise null. Expire
 * the trade first if that is due.
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
