import type { Currency, PayMethod } from '@souk/contract'
import { sha256 } from '../../../../kernel/crypto.ts'
import type { AccountRow, RoutingRule } from './store.ts'

/** The fields of a payment that routing depends on. */
export interface RoutingInput {
  tradeNo: string
  merchantId: string
  /** Cents. */
  amount: number
  currency: Currency
  payMethod: PayMethod
}

/** The accounts to try for a payment, in this order, and the shadow account. */
export interface AccountChoice<A> {
  accounts: A[]
  shadowAccountId: string | null
}

/**
 * Chooses the accounts for a payment: the `usable` ones of the first rule that matches the payment and whose share
 * includes it. Without such a rule: the merchant's own accounts, or the shared ones if it has none.
 */
export function chooseAccounts<A extends AccountRow>(
  payment: RoutingInput,
  rules: readonly RoutingRule[],
  usable: readonly A[],
): AccountChoice<A> {
  for (const rule of rules) {
    if (!matches(rule, payment) || bucketOf(rule, payment) >= rule.share) continue
    const accounts = rule.providerAccountIds.flatMap((id) => usable.filter((it) => it.providerAccountId === id))
    if (accounts.length === 0) continue
    const shadow = usable.find((it) => it.providerAccountId === rule.shadowAccountId)
    return { accounts, shadowAccountId: shadow?.providerAccountId ?? null }
  }
  const own = usable.filter(({ merchantId }) => merchantId !== null)
  return { accounts: own.length > 0 ? own : [...usable], shadowAccountId: null }
}

function matches(rule: RoutingRule, { currency, amount, payMethod }: RoutingInput): boolean {
  return (
    (rule.currency === null || rule.currency === currency) &&
    (rule.amountFrom === null || rule.amountFrom <= amount) &&
    (rule.amountTo === null || rule.amountTo >= amount) &&
    (rule.payMethod === null || rule.payMethod === payMethod)
  )
}

/** Returns 0 to 99, evenly distributed over trades and the same for each attempt of a trade. */
function bucketOf({ ruleId }: RoutingRule, { tradeNo }: RoutingInput): number {
  return sha256(`${ruleId} ${tradeNo}`).readUInt32BE() % 100
}
