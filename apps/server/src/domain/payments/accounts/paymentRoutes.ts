import type { Outcome } from '@souk/contract'
import type { Context } from '../../context.ts'
import { providerOf } from '../adapters/index.ts'
import type { PaymentProvider } from '../adapters/port.ts'
import { chooseAccounts, type RoutingInput } from './chooseAccounts.ts'
import { builtIn, toProviderAccount } from './findAccount.ts'
import { type AccountWithSecrets, listRulesForMerchant, listUsableAccounts } from './store.ts'

/** Where a payment can be made. */
export interface PaymentRoute {
  /** Null for the provider that a sandbox has without an account. */
  account: AccountWithSecrets | null
  provider: PaymentProvider
  /** The account has been out, and one payment tries it before the others do: `claimTrial` says which. */
  isTrial: boolean
}

/**
 * The ways to pay, in the order in which they are tried: accounts that are taken out are left out, unless all of them are. A
 * sandbox in which no account takes the payment has its own provider, and so has a payment with a chosen outcome.
 */
export async function findPaymentRoutes(
  context: Context,
  payment: RoutingInput,
  outcome: Outcome | undefined,
): Promise<{ ways: PaymentRoute[]; shadowAccountId: string | null }> {
  const { sql, vault, clock, settings } = context
  const way = { account: null, provider: providerOf(context, builtIn, outcome), isTrial: false }
  const inside = { ways: [way], shadowAccountId: null }
  if (outcome !== undefined) return inside
  const usable = await listUsableAccounts(sql, vault, payment.merchantId)
  if (usable.length === 0) return settings.sandbox ? inside : { ways: [], shadowAccountId: null }

  const { accounts, shadowAccountId } = chooseAccounts(
    payment,
    await listRulesForMerchant(sql, payment.merchantId),
    usable,
  )
  const ready = accounts.filter(({ outUntil }) => outUntil === null || outUntil <= clock.real())
  const ways = (ready.length > 0 ? ready : accounts).map((account) => ({
    account,
    provider: providerOf(context, toProviderAccount(account)),
    isTrial: account.outUntil !== null && ready.length > 1,
  }))
  return { ways, shadowAccountId }
}
