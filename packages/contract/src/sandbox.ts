import { day, hour, second } from './time.ts'
import { type DeclineReason, declineReasons, failReasonTypes, noFailReason, type PayType, payType } from './trade.ts'

/**
 * The outcome of a payment attempt at the sandbox provider. `succeeded`, `canceled`, `pending` and `failed:CODE` are
 * returned immediately; the others follow the sandbox clock:
 * `challenge` requires 3-D Secure first, `delayed` succeeds after 30 s, `delayed-failure` fails after 30 s with 27,
 * `late` succeeds 25 h after the attempt, when the trade is already final,
 * `lost` succeeds immediately but sends no result: only a query to the provider finds it.
 */
export type Outcome =
  | 'succeeded'
  | 'canceled'
  | 'pending'
  | `failed:${DeclineReason}`
  | 'challenge'
  | 'delayed'
  | 'delayed-failure'
  | 'late'
  | 'lost'

/** All outcomes, in the order of the reference page. */
export const outcomes: readonly Outcome[] = [
  'succeeded',
  'canceled',
  'pending',
  'challenge',
  'delayed',
  'delayed-failure',
  'late',
  'lost',
  ...declineReasons.map((code): Outcome => `failed:${code}`),
]

/** Delays of the outcomes `delayed`, `delayed-failure` and `late`, in ms of the sandbox clock. */
export const sandboxDelay = { delayed: 30 * second, late: 25 * hour } as const

/**
 * Amounts in cents that select an outcome, so that any client can test it without the cashier. An outcome chosen
 * explicitly takes precedence; any other amount succeeds. `900NN` fails with failReasonType NN.
 */
export const magicAmounts: Readonly<Record<number, { outcome: Outcome; meaning: string }>> = {
  ...Object.fromEntries(
    declineReasons.map((code) => [
      90_000 + code,
      { outcome: `failed:${code}` as const, meaning: failReasonTypes[code] },
    ]),
  ),
  90100: { outcome: 'pending', meaning: 'Stays pending until resolved in the sandbox, at most 24 h' },
  90101: { outcome: 'challenge', meaning: 'Requires 3-D Secure, then succeeds or fails with 6' },
  90102: { outcome: 'delayed', meaning: 'Pending for 30 s, then succeeds' },
  90103: { outcome: 'delayed-failure', meaning: 'Pending for 30 s, then fails with 27' },
  90104: { outcome: 'late', meaning: 'Succeeds 25 h later; if the trade is final by then, the payment is refunded' },
  90105: { outcome: 'lost', meaning: 'Succeeds, but the result is lost until the provider is queried' },
  90106: { outcome: 'canceled', meaning: 'The payer cancels' },
}

/** A decision of the sandbox provider about a payment. `decidesAt`: when it decides again, in ms of its clock. */
export interface SandboxPaymentState {
  state: 'pending' | 'challenge' | 'succeeded' | 'failed' | 'canceled'
  failReasonType: DeclineReason | typeof noFailReason
  decidesAt: number | null
}

/** Time after which an undecided payment of the sandbox fails with 27, in ms. */
const undecidedLifetime = day

/** Returns the first decision of the sandbox provider about a payment with an outcome. */
export function startSandboxPayment(outcome: Outcome, now: number): SandboxPaymentState {
  switch (outcome) {
    case 'succeeded':
    case 'lost':
      return { state: 'succeeded', failReasonType: noFailReason, decidesAt: null }
    case 'canceled':
      return { state: 'canceled', failReasonType: noFailReason, decidesAt: null }
    case 'pending':
    case 'late':
      return { state: 'pending', failReasonType: noFailReason, decidesAt: now + undecidedLifetime }
    case 'challenge':
      return { state: 'challenge', failReasonType: noFailReason, decidesAt: now + undecidedLifetime }
    case 'delayed':
    case 'delayed-failure':
      return { state: 'pending', failReasonType: noFailReason, decidesAt: now + sandboxDelay.delayed }
    default:
      return {
        state: 'failed',
        failReasonType: Number(outcome.slice('failed:'.length)) as DeclineReason,
        decidesAt: null,
      }
  }
}

/** Returns the decision of the sandbox provider about a payment at the time `decidesAt` of its last one. */
export function decideSandboxPayment(outcome: Outcome, decidesAt: number, isPending: boolean): SandboxPaymentState {
  if (outcome === 'delayed') return { state: 'succeeded', failReasonType: noFailReason, decidesAt: null }
  if (outcome !== 'late') return { state: 'failed', failReasonType: 27, decidesAt: null }
  // A late payment fails like any undecided one, and succeeds afterwards.
  if (isPending)
    return { state: 'failed', failReasonType: 27, decidesAt: decidesAt - undecidedLifetime + sandboxDelay.late }
  return { state: 'succeeded', failReasonType: noFailReason, decidesAt: null }
}

/** Returns the kind of provider that a sandbox payment with an outcome appears to use. */
export function sandboxPayType(outcome: Outcome): PayType {
  switch (outcome) {
    case 'failed:24':
    case 'failed:25':
      return payType.hostedCheckout
    case 'failed:5':
    case 'failed:6':
    case 'challenge':
      return payType.cardProcessorB
    default:
      return payType.cardProcessorA
  }
}

/** The result of a refund at the sandbox provider. */
export type RefundOutcome = 'declined' | 'late' | 'lost'

/** Amounts of refunds in cents that select an outcome. The provider makes any other refund at once. */
export const magicRefundAmounts: Readonly<Record<number, { outcome: RefundOutcome; meaning: string }>> = {
  90201: { outcome: 'declined', meaning: 'The provider declines the refund' },
  90202: { outcome: 'late', meaning: 'The provider accepts the refund, and makes it 25 h later' },
  90203: { outcome: 'lost', meaning: 'The provider makes the refund, but its response is lost until Souk asks again' },
}
