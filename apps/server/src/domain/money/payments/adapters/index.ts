import {
  type ExternalProvider,
  externalProviderNames,
  type Outcome,
  type Provider,
  type ProviderSecrets,
  type ProviderSettings,
} from '@souk/contract'
import type { Context, FullContext } from '../../../context.ts'
import { withCheckedResults } from './checkedResults.ts'
import type { Connection, PaymentProvider } from './port.ts'
import * as registry from './registry.ts'
import { SandboxProvider } from './sandbox/sandbox.ts'

interface Adapter<P extends ExternalProvider> {
  new (connection: Connection<P>): PaymentProvider
  readonly prototype: PaymentProvider
}
const adapters: { readonly [P in ExternalProvider]: Adapter<P> } = registry

/** Names of the providers that can list their payments. */
export const listingProviders = externalProviderNames.filter((name) => 'listPaid' in adapters[name].prototype)

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
  if (account.provider === 'sandbox') return new SandboxProvider(context, outcome)
  const { egress, clock } = context
  const Adapter = adapters[account.provider] as Adapter<ExternalProvider>
  return new Adapter({ egress, clock, webhookUrl: webhookUrlOf(context, account), ...account })
}
