import { SoukError, second } from '@souk/contract'
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'
import type { FullContext } from '../../context.ts'
import { keySourceOf } from './keys.ts'
import type { Provider } from './provider.ts'

/** A token whose signature, issuer, audience and times are valid. */
export interface VerifiedJwt {
  claims: JWTPayload
  /** The end of its lifetime and tolerance, ms of real time. */
  validUntil: number
}

/**
 * Verifies a token of a provider: issuer, audience, algorithm, signature, times, and that it has the claims.
 *
 * @throws SoukError `token_malformed`, `token_audience_wrong`, `token_algorithm_refused`, `token_time_invalid`,
 * `token_signature_invalid`, `token_claim_missing`, `issuer_unavailable`
 */
export async function verifyJwt(
  context: Pick<FullContext, 'egress' | 'clock'>,
  provider: Provider,
  token: string,
  { audience, requiredClaims }: { audience: string; requiredClaims: string[] },
): Promise<VerifiedJwt> {
  const { aud } = decodeToken(token)
  if (aud !== audience && !(Array.isArray(aud) && aud.includes(audience))) {
    throw new SoukError('token_audience_wrong', `The claim aud must contain ${audience}.`)
  }
  const claims = await verifySignature(context, provider, token, {
    issuer: provider.issuer,
    audience,
    requiredClaims: ['exp', ...requiredClaims],
  })
  return { claims, validUntil: (claims.exp! + provider.clockTolerance) * second }
}

/**
 * Verifies algorithm and signature of a token of a provider, its times if it has them, and what `options` require.
 * Returns its claims.
 *
 * @throws SoukError like `verifyJwt`
 */
export async function verifySignature(
  context: Pick<FullContext, 'egress' | 'clock'>,
  provider: Provider,
  token: string,
  options: Pick<JWTVerifyOptions, 'issuer' | 'audience' | 'requiredClaims'> = {},
): Promise<JWTPayload> {
  const { alg } = decodeToken(token)
  if (!provider.algorithms.some((accepted) => accepted === alg)) {
    throw new SoukError('token_algorithm_refused', `The issuer may use ${provider.algorithms.join(', ')}.`)
  }
  const keys = await keySourceOf(context, provider)
  try {
    const { payload } = await jwtVerify(token, keys, {
      ...options,
      algorithms: [...provider.algorithms],
      clockTolerance: provider.clockTolerance,
      currentDate: new Date(context.clock.real()),
    })
    checkText(payload)
    return payload
  } catch (error) {
    throw asRefusal(error)
  }
}

/**
 * Reads the claims that name the issuer's settings. The signature is not verified. @throws SoukError `token_malformed`
 */
export function decodeToken(token: string): { iss: unknown; aud: unknown; alg: unknown; typ: unknown } {
  try {
    const { iss, aud } = decodeJwt(token)
    const { alg, typ } = decodeProtectedHeader(token)
    return { iss, aud, alg, typ }
  } catch (error) {
    throw new SoukError('token_malformed', 'Send the compact form: three parts of base64url, separated by dots.', {
      cause: error,
    })
  }
}

/** Rejects text that the database cannot store. */
export function checkText(claims: JWTPayload): void {
  const texts = Object.values(claims).filter((value) => typeof value === 'string')
  if (!texts.every(isStorable))
    throw new SoukError('token_malformed', 'A claim contains U+0000 or half of a surrogate pair.')
}

export const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

function asRefusal(error: unknown): SoukError {
  if (error instanceof SoukError) return error
  if (error instanceof errors.JWTExpired) return new SoukError('token_time_invalid', 'It has expired.')
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.reason === 'missing') return new SoukError('token_claim_missing', `It needs the claim ${error.claim}.`)
    return new SoukError('token_time_invalid', `The claim ${error.claim} is not valid; check the issuer's clock.`)
  }
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSMultipleMatchingKeys) {
    return new SoukError('token_signature_invalid')
  }
  if (error instanceof errors.JWKSNoMatchingKey) {
    return new SoukError('token_signature_invalid', 'The issuer has no key with this kid and algorithm.')
  }
  return new SoukError('token_malformed', undefined, { cause: error })
}
