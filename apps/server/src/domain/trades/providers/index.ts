import type { Outcome, Processor, ProcessorSecrets, ProcessorSettings } from '@souk/contract'
import type { Context } from '../../context.ts'
import { CheckoutProvider } from './checkout/checkout.ts'
import { PaytabsProvider } from './paytabs/paytabs.ts'
import type { PaymentProvider } from './port.ts'
import { SandboxProvider } from './sandbox.ts'
import { StripeProvider } from './stripe/stripe.ts'

/** An account at a processor, opened. `settings` and `secrets` fit the processor's schemas in the contract. */
export type ProcessorAccount = {
  [P in Processor]: {
    processorAccountId: string
    processor: P
    settings: ProcessorSettings<P>
    secrets: ProcessorSecrets<P>
  }
}[Processor]

/** Where the webhooks of an account are received. */
export function webhookUrlOf(
  { settings }: Pick<Context, 'settings'>,
  { processorAccountId }: Pick<ProcessorAccount, 'processorAccountId'>,
): string {
  return `${settings.publicUrl}/webhooks/${processorAccountId}`
}

/**
 * The provider that works with an account.
 * @param outcome of payments that the sandbox's processor creates; absent: what their amount says.
 */
export function providerOf(
  context: Pick<Context, 'sql' | 'clock' | 'egress' | 'settings'>,
  account: ProcessorAccount,
  outcome?: Outcome,
): PaymentProvider {
  const { egress, clock } = context
  const way = { egress, clock, webhookUrl: webhookUrlOf(context, account) }
  switch (account.processor) {
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
