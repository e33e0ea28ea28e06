import type { Outcome, Provider, ProviderSecrets, ProviderSettings } from '@souk/contract'
import type { Context } from '../../context.ts'
import { CheckoutProvider } from './checkout/checkout.ts'
import { PaytabsProvider } from './paytabs/paytabs.ts'
import type { PaymentProvider } from './port.ts'
import { SandboxProvider } from './sandbox/sandbox.ts'
import { StripeProvider } from './stripe/stripe.ts'

/** An account at a provider, opened. `settings` and `secrets` fit the provider's schemas in the contract. */
export type ProviderAccount = {
  [P in Provider]: {
    providerAccountId: string
    provider: P
    settings: ProviderSettings<P>
    secrets: ProviderSecrets<P>
  }
}[Provider]

/** Where the webhooks of an account are received. */
export function webhookUrlOf(
  { settings }: Pick<Context, 'settings'>,
  { providerAccountId }: Pick<ProviderAccount, 'providerAccountId'>,
): string {
  return `${settings.publicUrl}/webhooks/${providerAccountId}`
}

/**
 * The provider that works with an account.
 * @param outcome of payments that the sandbox's provider creates; absent: what their amount says.
 */
export function providerOf(
  context: Pick<Context, 'sql' | 'clock' | 'egress' | 'settings'>,
  account: ProviderAccount,
  outcome?: Outcome,
): PaymentProvider {
  const { egress, clock } = context
  const way = { egress, clock, webhookUrl: webhookUrlOf(context, account) }
  switch (account.provider) {
    case 'checkout':
      return new CheckoutProvider({ ...way, ...account })
    case 'stripe':
      return new StripeProvider({ ...way, ...account })
    case 'paytabs':
      return new PaytabsProvider({ ...way, ...account })
    case 'sandbox':
      return new SandboxProvider(context, outcome)
  }
}
