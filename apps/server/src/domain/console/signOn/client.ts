import { tokenAlgorithms } from '@souk/contract'
import type { Context } from '../../context.ts'
import type { Client, Provider } from '../../users/index.ts'
import type { SignOnProvider } from './store.ts'

/** Maximum difference of the clocks, s. */
const clockTolerance = 60

/** Returns what verifies the tokens of a provider. */
export function providerOf({ providerId, issuer }: Pick<SignOnProvider, 'providerId' | 'issuer'>): Provider {
  return { providerId, issuer, jwksUrl: null, pem: null, algorithms: tokenAlgorithms, clockTolerance }
}

export function clientOf(context: Context<'vault'>, provider: SignOnProvider): Client {
  const { providerId, clientId, keyId, ciphertext, scopes } = provider
  const isPublic = keyId === null || ciphertext === null
  return {
    provider: providerOf(provider),
    clientId,
    clientSecret: isPublic ? null : context.vault.open({ keyId, ciphertext }, sealContext(providerId)),
    scopes,
    redirectUrl: redirectUrlOf(context),
  }
}

export const redirectUrlOf = ({ settings }: Pick<Context, 'settings'>) => `${settings.publicUrl}/console/signed-on`

export const sealContext = (providerId: string) => `sign-on provider ${providerId}` as const
