import type { Currency, PayMethod } from '@souk/contract'
import { sha256 } from '../../../kernel/crypto.ts'
import type { AccountRow, RoutingRule } from './store.ts'

/** What routing looks at of a payment. */
export interface RoutingInput {
  tradeNo: string
  merchantId: string
  /** Cents. */
  amount: number
  currency: Currency
  payMethod: PayMethod
}

/** The accounts that a payment is tried at, in this order, and the one that is asked beside them. */
export interface AccountChoice<A> {
  accounts: A[]
  shadowAccountId: string | null
}

/**
 * Which accounts take a payment: those of the first rule that it fits and whose share it falls into, as far as they are among
 * `usable`. Where no rule takes it, the merchant's own accounts, and where it has none those that are there for all.
 */
export function chooseAccounts<A extends AccountRow>(
  payment: RoutingInput,
  rules: readonly RoutingRule[],
  usable: readonly A[],
): AccountChoice<A> {
  for (const rule of rules) {
    if (!fits(rule, payment) || bucketOf(rule, payment) >= rule.share) continue
    const accounts = rule.providerAccountIds.flatMap((id) => usable.filter((it) => it.providerAccountId === id))
    if (accounts.length === 0) continue
    const shadow = usable.find((it) => it.providerAccountId === rule.shadowAccountId)
    return { accounts, shadowAccountId: shadow?.providerAccountId ?? null }
  }
  const own = usable.filter(({ merchantId }) => merchantId !== null)
  return { accounts: own.length > 0 ? own : [...usable], shadowAccountId: null }
}

function fits(rule: RoutingRule, { currency, amount, payMethod }: RoutingInput): boolean {
  return (
    (rule.currency === null || rule.currency === currency) &&
    (rule.amountFrom === null || rule.amountFrom <= amount) &&
    (rule.amountTo === null || rule.amountTo >= amount) &&
    (rule.payMethod === null || rule.payMethod === payMethod)
  )
}

/** 0 to 99, evenly over trades and always the same for one of them: whoever tries again goes the same way. */
function bucketOf({ ruleId }: RoutingRule, { tradeNo }: RoutingInput): number {
  return sha256(`${ruleId} ${tradeNo}`).readUInt32BE() % 100
}
