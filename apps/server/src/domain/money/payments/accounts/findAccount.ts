import { SoukError } from '@souk/contract'
import type { Context, FullContext } from '../../../context.ts'
import { type ProviderAccount, providerOf } from '../adapters/index.ts'
import type { PaymentProvider } from '../adapters/port.ts'
import type { Attempt } from '../store.ts'
import { type AccountWithSecrets, findAccount } from './store.ts'

/** Finds an account, even a disabled one, since its earlier payments still have to be settled. */
export async function findProviderAccount(
  context: Pick<FullContext, 'sql' | 'vault'>,
  providerAccountId: string,
): Promise<ProviderAccount | undefined> {
  const account = await findAccount(context.sql, context.vault, providerAccountId)
  return account && toProviderAccount(account)
}

/** Converts an account to the adapter's type. Its settings and secrets were validated when they were stored. */
export function toProviderAccount(
  account: Pick<AccountWithSecrets, 'providerAccountId' | 'provider' | 'settings' | 'secrets'>,
): ProviderAccount {
  const { providerAccountId, provider, settings, secrets } = account
  return { providerAccountId, provider, settings, secrets } as ProviderAccount
}

/** The provider of a sandbox that needs no account. */
export const builtIn: ProviderAccount = {
  providerAccountId: 'sandbox',
  provider: 'sandbox',
  settings: {},
  secrets: {},
}

/**
 * Returns the provider of an attempt.
 * @throws SoukError `unavailable` if it is no longer configured
 */
export async function providerOfAttempt(
  context: Context<'egress' | 'vault'>,
  { providerAccountId, provider }: Pick<Attempt, 'providerAccountId' | 'provider'>,
): Promise<PaymentProvider> {
  const builtInAccount = context.settings.sandbox && provider === builtIn.provider ? builtIn : undefined
  const account = providerAccountId === null ? builtInAccount : await findProviderAccount(context, providerAccountId)
  if (account) return providerOf(context, account)
  throw new SoukError('unavailable', 'The payment provider is not configured.', { internal: `provider ${provider}` })
}
