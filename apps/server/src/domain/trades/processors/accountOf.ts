import { SoukError } from '@souk/contract'
import type { Context } from '../../context.ts'
import { type ProcessorAccount, providerOf } from '../providers/index.ts'
import type { PaymentProvider } from '../providers/port.ts'
import type { Attempt } from '../store.ts'
import { type OpenedAccount, selectAccount } from './store.ts'

/** An account by its id, also one that takes no new payments: what comes of old ones is still to be taken. */
export async function findProcessorAccount(
  context: Pick<Context, 'sql' | 'vault'>,
  processorAccountId: string,
): Promise<ProcessorAccount | undefined> {
  const account = await selectAccount(context.sql, context.vault, processorAccountId)
  return account && asProcessorAccount(account)
}

/** The account as an adapter takes it: settings and secrets were held to the processor's schemas when they were entered. */
export function asProcessorAccount(
  account: Pick<OpenedAccount, 'processorAccountId' | 'processor' | 'settings' | 'secrets'>,
): ProcessorAccount {
  const { processorAccountId, processor, settings, secrets } = account
  return { processorAccountId, processor, settings, secrets } as ProcessorAccount
}

/** The processor that a sandbox has without anybody opening an account. */
export const builtIn: ProcessorAccount = {
  processorAccountId: 'sandbox',
  processor: 'sandbox',
  settings: {},
  secrets: {},
}

/**
 * The provider at which an attempt was made.
 * @throws SoukError `unavailable` where this installation no longer has it
 */
export async function providerOfAttempt(
  context: Context,
  { processorAccountId, provider }: Pick<Attempt, 'processorAccountId' | 'provider'>,
): Promise<PaymentProvider> {
  const inside = context.settings.sandbox && provider === builtIn.processor ? builtIn : undefined
  const account = processorAccountId === null ? inside : await findProcessorAccount(context, processorAccountId)
  if (account) return providerOf(context, account)
  throw new SoukError('unavailable', 'The payment provider is not configured.', { internal: `provider ${provider}` })
}
