import type { Outcome, Provider, ProviderSecrets, ProviderSettings } from '@souk/contract'
import type { Context, FullContext } from '../../../context.ts'
import { withCheckedResults } from './checkedResults.ts'
import { CheckoutProvider } from './checkout/checkout.ts'
import { PaytabsProvider } from './paytabs/paytabs.ts'
import type { PaymentProvider } from './port.ts'
import { SandboxProvider } from './sandbox/sandbox.ts'
import { StripeProvider } from './stripe/stripe.ts'

/** A provider account with secrets. `settings` and `secrets` match the provider's schemas in the contract. */
export type ProviderAccount = {
  [P in Provider]: {
    providerAccountId: string
    provider: P
    settings: ProviderSettings<P>
    secrets: ProviderSecrets<P>
  }
}[Provider]

/** Returns the webhook URL of an account. */
export function webhookUrlOf(
  { settings }: Pick<Context, 'settings'>,
  { providerAccountId }: Pick<ProviderAccount, 'providerAccountId'>,
): string {
  return `${settings.publicUrl}/webhooks/${providerAccountId}`
}

/**
 * Returns the provider for an account. Its results have been checked.
 * @param outcome of payments that the sandbox provider creates; if absent, their amount decides
 */
export function providerOf(context: AdapterContext, account: ProviderAccount, outcome?: Outcome): PaymentProvider {
  return withCheckedResults(adapterOf(context, account, outcome), context.egress)
}

type AdapterContext = Pick<FullContext, 'sql' | 'clock' | 'egress' | 'settings'>

function adapterOf(context: AdapterContext, account: ProviderAccount, outcome?: Outcome): PaymentProvider {
  const { egress, clock } = context
  const connection = { egress, clock, webhookUrl: webhookUrlOf(context, account) }
  switch (account.provider) {
    case 'checkout':
      return new CheckoutProvider({ ...connection, ...account })
    case 'stripe':
      return new StripeProvider({ ...connection, ...account })
    case 'paytabs':
      return new PaytabsProvider({ ...connection, ...account })
    case 'sandbox':
      return new SandboxProvider(context, outcome)
  }
}
