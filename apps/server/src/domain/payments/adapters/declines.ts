import { type DeclineReason, type PayMethod, payMethod } from '@souk/contract'

/** What a provider's codes mean as failReasonType (open-api §2.5): one for all methods, or one for each. */
export type Declines = Readonly<Record<string, DeclineReason | Partial<Record<PayMethod, DeclineReason>>>>

/** Of wallet A, of wallet B. */
export function wallets(a: DeclineReason, b: DeclineReason): Partial<Record<PayMethod, DeclineReason>> {
  return { [payMethod['wallet-a']]: a, [payMethod['wallet-b']]: b }
}

/** The failReasonType of the first code that the table has for this method, else `otherwise`. */
export function declineReason(
  declines: Declines,
  otherwise: DeclineReason,
  method: number,
  ...codes: (string | null | undefined)[]
): DeclineReason {
  for (const code of codes) {
    const found = code ? declines[code] : undefined
    const reason = typeof found === 'object' ? found[method as PayMethod] : found
    if (reason !== undefined) return reason
  }
  return otherwise
}
