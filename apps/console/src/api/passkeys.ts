import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { Problem } from '@souk/web'
import type { Input, Result } from './client.ts'

/** Returns whether passkeys can be used on this page: they belong to a host name, not to an IP address. */
export function supportsPasskeys(): boolean {
  return browserSupportsWebAuthn() && !/^[\d.]+$|^\[/.test(location.hostname)
}

/** Asks the browser to create a passkey. @throws Problem `passkey_exists`, `passkey_canceled` */
export async function createPasskey({ options }: Result<'startPasskey'>): Promise<Input<'addPasskey'>['passkey']> {
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  try {
    return (await startRegistration({ optionsJSON })) as Input<'addPasskey'>['passkey']
  } catch (error) {
    throw explain(error)
  }
}

/** Asks the browser for the answer of a passkey to a challenge. @throws Problem `passkey_canceled` */
export async function usePasskey({
  options,
}: Result<'startPasskeySignIn'>): Promise<Input<'passkeySignIn'>['passkey']> {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  try {
    return (await startAuthentication({ optionsJSON })) as Input<'passkeySignIn'>['passkey']
  } catch (error) {
    throw explain(error)
  }
}

/** Browsers do not say whether the user has canceled or has no passkey, for privacy. */
function explain(error: unknown): Problem {
  const { name = '', message = '' } = error as { name?: string; message?: string }
  const code = name === 'InvalidStateError' ? 'passkey_exists' : 'passkey_canceled'
  return new Problem({ code, status: 0, detail: name === 'NotAllowedError' ? '' : message })
}
