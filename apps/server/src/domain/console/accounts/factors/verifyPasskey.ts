import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { consoleOperations, ParametersOf } from '@souk/contract'
import { SoukError } from '@souk/contract'
import type { Context } from '../../../context.ts'
import { type ChallengeUse, challengeLifetime, createChallenge, useChallenge } from './challenges.ts'
import { listCredentials, type StoredPasskey, updatePasskeyUse } from './store.ts'

type Operations = typeof consoleOperations
export type Assertion = ParametersOf<Operations['passkeySignIn']>['passkey']
type NewCredential = ParametersOf<Operations['addPasskey']>['passkey']

/** Loads the library when it is first used, because it takes several MB of memory. */
export const loadWebAuthn = () => import('@simplewebauthn/server')

/** EdDSA, ES256 and RS256. Every authenticator supports one of them. */
export const supportedAlgorithmIDs = [-8, -7, -257]

/** Options of WebAuthn as JSON, for the browser. */
export interface PasskeyOptions {
  options: Record<string, unknown>
}

/** Returns the site that passkeys belong to: host and origin of the public URL. */
export function relyingParty({ settings }: Pick<Context, 'settings'>): { id: string; origin: string } {
  const { hostname, origin } = new URL(settings.publicUrl)
  return { id: hostname, origin }
}

/** Returns the options to ask for a passkey: one of an account, or any that the browser knows. */
export async function askForPasskey(
  context: Context<'vault'>,
  use: ChallengeUse,
  accountId?: string,
): Promise<PasskeyOptions> {
  const credentials = accountId === undefined ? [] : await listCredentials(context.sql, accountId)
  const { generateAuthenticationOptions } = await loadWebAuthn()
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(context).id,
    challenge: createChallenge(context, use),
    timeout: challengeLifetime,
    // A passkey that replaces the password must verify its user; as a second factor, its presence is enough.
    userVerification: accountId === undefined ? 'required' : 'preferred',
    allowCredentials: credentials.map(({ credentialId: id, transports }) => ({ id, transports })),
  })
  return { options: { ...options } }
}

/**
 * Checks the answer of a passkey to a challenge, and records its use.
 * @throws SoukError `passkey_origin_wrong`, `passkey_challenge_invalid`, `passkey_invalid`
 */
export async function verifyPasskey(
  context: Context<'vault'>,
  { passkey, assertion, use }: { passkey: StoredPasskey; assertion: Assertion; use: ChallengeUse },
): Promise<void> {
  await checkClientData(context, assertion.response.clientDataJSON, use)
  const { id, origin } = relyingParty(context)
  const { credentialId, publicKey, counter, passkeyId } = passkey
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const { verified, authenticationInfo } = await explained(
    verifyAuthenticationResponse({
      response: assertion as unknown as AuthenticationResponseJSON,
      // Checked above, where it is marked as used.
      expectedChallenge: () => true,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: use === 'sign in',
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter },
    }),
  )
  const isNew =
    verified && (await updatePasskeyUse(context.sql, passkeyId, authenticationInfo.newCounter, context.clock.real()))
  if (!isNew) throw new SoukError('passkey_invalid')
}

/**
 * Checks a new passkey and returns what is stored of it.
 * @throws SoukError `passkey_origin_wrong`, `passkey_challenge_invalid`, `passkey_invalid`
 */
export async function verifyNewPasskey(
  context: Context<'vault'>,
  credential: NewCredential,
  use: ChallengeUse,
): Promise<Pick<StoredPasskey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>> {
  await checkClientData(context, credential.response.clientDataJSON, use)
  const { id, origin } = relyingParty(context)
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const { verified, registrationInfo } = await explained(
    verifyRegistrationResponse({
      response: credential as unknown as RegistrationResponseJSON,
      expectedChallenge: () => true,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
      supportedAlgorithmIDs,
    }),
  )
  if (!verified) throw new SoukError('passkey_invalid')
  const { id: credentialId, publicKey, counter } = registrationInfo.credential
  const transports = credential.response.transports ?? []
  return { credentialId, publicKey: Buffer.from(publicKey), counter, transports }
}

/** Checks origin and challenge first, since the library does not tell them apart from other failures. */
async function checkClientData(context: Context<'vault'>, encoded: string, use: ChallengeUse): Promise<void> {
  const { origin, challenge } = parseClientData(encoded)
  const expected = relyingParty(context).origin
  if (origin !== expected) {
    throw new SoukError('passkey_origin_wrong', `Open the console at ${expected}, the public URL of this installation.`)
  }
  await useChallenge(context, use, challenge)
}

function parseClientData(encoded: string): { origin: string; challenge: string } {
  try {
    const { origin, challenge } = JSON.parse(Buffer.from(encoded, 'base64url').toString())
    return { origin: String(origin), challenge: String(challenge) }
  } catch {
    throw new SoukError('passkey_invalid', 'Its client data are not JSON.')
  }
}

/** Converts errors of the library to `passkey_invalid`. Their messages are for the operator. */
async function explained<T>(verification: Promise<T>): Promise<T> {
  try {
    return await verification
  } catch (error) {
    throw new SoukError('passkey_invalid', undefined, { internal: String(error), cause: error })
  }
}
