import { type DeclineReason, declineReasons, failReasonTypes } from './trade.ts'

/**
 * What the sandbox provider does with a payment attempt. `succeeded`, `canceled`, `pending` and `failed:CODE` answer
 * at once; the others play out over the sandbox clock:
 * `challenge` asks for 3-D Secure first, `delayed` succeeds after 30 s, `delayed-failure` fails after 30 s with 27,
 * `late` succeeds 25 h after the attempt, when the trade is long final or the merchant has closed it,
 * `lost` succeeds at once but never tells: only asking the provider finds out.
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

/** Every outcome, in the order of the reference page. */
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

/** How long `delayed` and `delayed-failure` take, and `late`, in ms of the sandbox clock. */
export const sandboxDelay = { delayed: 30_000, late: 25 * 3_600_000 } as const

/**
 * Amounts (in cents) that choose an outcome by themselves, so that any client can rehearse it without a choice in the
 * cashier. A chosen outcome wins over the amount; any other amount succeeds. `9_00NN` fails with failReasonType NN.
 */
export const magicAmounts: Readonly<Record<number, { outcome: Outcome; meaning: string }>> = {
  ...Object.fromEntries(
    declineReasons.map((code) => [
      90_000 + code,
      { outcome: `failed:${code}` as const, meaning: failReasonTypes[code] },
    ]),
  ),
  90100: { outcome: 'pending', meaning: 'Stays in flight until it is resolved at the sandbox, or for 24 h' },
  90101: { outcome: 'challenge', meaning: 'Asks for 3-D Secure, then succeeds or fails with 6' },
  90102: { outcome: 'delayed', meaning: 'In flight for 30 s, then succeeds' },
  90103: { outcome: 'delayed-failure', meaning: 'In flight for 30 s, then fails with 27' },
  90104: { outcome: 'late', meaning: 'Succeeds 25 h later; where the trade is final by then, the money is returned' },
  90105: { outcome: 'lost', meaning: 'Succeeds, but the provider’s result is lost and found by asking' },
  90106: { outcome: 'canceled', meaning: 'The payer cancels' },
}
