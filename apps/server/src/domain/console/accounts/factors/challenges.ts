import { minute, SoukError } from '@souk/contract'
import { sha256 } from '../../../../kernel/crypto.ts'
import { issueToken, readToken, type TokenUse } from '../../../../kernel/signedToken.ts'
import type { FullContext } from '../../../context.ts'
import { insertUsedChallenge } from './store.ts'

/** Lifetime of a challenge in real time: what a user needs to find a security key. */
export const challengeLifetime = 5 * minute

/** Purpose of a challenge: a sign-in, a confirmation in a session, or a new passkey of an account. */
export type ChallengeUse = 'sign in' | `confirm ${string}` | `add ${string}`

/**
 * Returns a challenge. Nothing is stored until it is answered, so that anonymous requests cannot fill the disk
 * (ADR 293).
 */
export function createChallenge(context: Pick<FullContext, 'vault' | 'clock'>, use: ChallengeUse): string {
  return issueToken(context, tokenUse(use), challengeLifetime)
}

/**
 * Checks a challenge, and marks it as used.
 * @param encoded the challenge in the client data: base64url
 * @throws SoukError `passkey_challenge_invalid`
 */
export async function useChallenge(
  context: Pick<FullContext, 'vault' | 'clock' | 'sql'>,
  use: ChallengeUse,
  encoded: string,
): Promise<void> {
  const challenge = Buffer.from(encoded, 'base64url').toString()
  const valid = readToken(context, tokenUse(use), challenge)
  if (valid && (await insertUsedChallenge(context.sql, sha256(challenge), valid.validUntil))) return
  throw new SoukError('passkey_challenge_invalid', 'Start again.')
}

const tokenUse = (use: ChallengeUse): TokenUse => ({ use: 'passkey challenge', boundTo: use })
