import { type DeclineReason, type PayMethod, payMethod } from '@souk/contract'

/** The failReasonType (open-api §2.5) of a provider's decline codes: one for all methods, or one per method. */
export type Declines = Readonly<Record<string, DeclineReason | Partial<Record<PayMethod, DeclineReason>>>>

/** Returns separate reasons for wallets A and B. */
export function wallets(a: DeclineReason, b: DeclineReason): Partial<Record<PayMethod, DeclineReason>> {
  return { [payMethod['wallet-a']]: a, [payMethod['wallet-b']]: b }
}

/** Returns the failReasonType of the first code in the table, otherwise `fallback`. */
export function declineReason(
  declines: Declines,
  fallback: DeclineReason,
  method: number,
  ...codes: (string | null | undefined)[]
): DeclineReason {
  for (const code of codes) {
    const found = code ? declines[code] : undefined
    const reason = typeof found === 'object' ? found[method as PayMethod] : found
    if (reason !== undefined) return reason
  }
  return fallback
}
