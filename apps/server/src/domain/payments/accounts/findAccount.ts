import { SoukError } from '@souk/contract'
import type { Context } from '../../context.ts'
import { type ProviderAccount, providerOf } from '../adapters/index.ts'
import type { PaymentProvider } from '../adapters/port.ts'
import type { Attempt } from '../store.ts'
import { type AccountWithSecrets, findAccount } from './store.ts'

/** An account by its id, also one that takes no new payments: what comes of old ones is still to be taken. */
export async function findProviderAccount(
  context: Pick<Context, 'sql' | 'vault'>,
  providerAccountId: string,
): Promise<ProviderAccount | undefined> {
  const account = await findAccount(context.sql, context.vault, providerAccountId)
  return account && toProviderAccount(account)
}

/** The account as an adapter takes it: settings and secrets were held to the provider's schemas when they were entered. */
export function toProviderAccount(
  account: Pick<AccountWithSecrets, 'providerAccountId' | 'provider' | 'settings' | 'secrets'>,
): ProviderAccount {
  const { providerAccountId, provider, settings, secrets } = account
  return { providerAccountId, provider, settings, secrets } as ProviderAccount
}

/** The provider that a sandbox has without anybody opening an account. */
export const builtIn: ProviderAccount = {
  providerAccountId: 'sandbox',
  provider: 'sandbox',
  settings: {},
  secrets: {},
}

/**
 * The provider at which an attempt was made.
 * @throws SoukError `unavailable` where this installation no longer has it
 */
export async function providerOfAttempt(
  context: Context,
  { providerAccountId, provider }: Pick<Attempt, 'providerAccountId' | 'provider'>,
): Promise<PaymentProvider> {
  const inside = context.settings.sandbox && provider === builtIn.provider ? builtIn : undefined
  const account = providerAccountId === null ? inside : await findProviderAccount(context, providerAccountId)
  if (account) return providerOf(context, account)
  throw new SoukError('unavailable', 'The payment provider is not configured.', { internal: `provider ${provider}` })
}
