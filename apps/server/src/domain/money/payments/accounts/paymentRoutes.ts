import { type Outcome, SoukError } from '@souk/contract'
import type { Context } from '../../../context.ts'
import { providerOf } from '../adapters/index.ts'
import type { PaymentProvider } from '../adapters/port.ts'
import { chooseAccounts, type RoutingInput } from './chooseAccounts.ts'
import { builtIn, toProviderAccount } from './findAccount.ts'
import { type AccountWithSecrets, decryptIfPossible, listRulesForMerchant, listUsableAccounts } from './store.ts'

/** A provider account at which a payment can be made. */
export interface PaymentRoute {
  /** Null for the built-in sandbox provider. */
  account: AccountWithSecrets | null
  provider: PaymentProvider
  /** The account was suspended. The payment for which `claimTrial` returns true tries it first. */
  isTrial: boolean
}

/**
 * Finds the routes for a payment, in order of preference. Suspended accounts are skipped, unless all are suspended. In
 * a sandbox, payments without an account and those with a chosen outcome use the built-in provider.
 *
 * @throws SoukError `unavailable` if the secrets of no account can be decrypted
 */
export async function findPaymentRoutes(
  context: Context<'egress' | 'vault'>,
  payment: RoutingInput,
  outcome: Outcome | undefined,
): Promise<{ routes: PaymentRoute[]; shadowAccountId: string | null }> {
  const { sql, vault, clock, settings, log } = context
  const route = { account: null, provider: providerOf(context, builtIn, outcome), isTrial: false }
  const builtInRoute = { routes: [route], shadowAccountId: null }
  if (outcome !== undefined) return builtInRoute
  const usable = await listUsableAccounts(sql, payment.merchantId)
  if (usable.length === 0) return settings.sandbox ? builtInRoute : { routes: [], shadowAccountId: null }

  const rules = await listRulesForMerchant(sql, payment.merchantId)
  const { accounts: chosen, shadowAccountId } = chooseAccounts(payment, rules, usable)
  const accounts = chosen.flatMap((encrypted) => {
    const account = decryptIfPossible(vault, encrypted)
    if (account) return account
    const { providerAccountId } = encrypted
    log.error({ providerAccountId }, 'the secrets of a provider account cannot be decrypted, so it is skipped')
    return []
  })
  if (accounts.length === 0) throw new SoukError('unavailable', 'The payment provider cannot be used.')
  const available = accounts.filter(({ outUntil }) => outUntil === null || outUntil <= clock.real())
  const routes = (available.length > 0 ? available : accounts).map((account) => ({
    account,
    provider: providerOf(context, toProviderAccount(account)),
    isTrial: account.outUntil !== null && available.length > 1,
  }))
  return { routes, shadowAccountId }
}
