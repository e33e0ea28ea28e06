import { SoukError } from '@souk/contract'
import type { Context } from '../../context.ts'
import type { PaymentProvider } from './port.ts'
import { SandboxProvider } from './sandbox.ts'

/**
 * The provider under whose name an attempt was made.
 * @throws SoukError `unavailable` where this installation no longer has it.
 */
export function providerNamed(context: Context, name: string): PaymentProvider {
  if (context.settings.sandbox && name === SandboxProvider.providerName) return new SandboxProvider(context)
  throw new SoukError('unavailable', 'The payment provider is not configured.', { internal: `provider ${name}` })
}
