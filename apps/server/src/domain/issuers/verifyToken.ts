import { SoukError, second, type TokenAlgorithm } from '@souk/contract'
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose'
import type { Context } from '../context.ts'
import { isKeyFailure, keySourceOf, rememberFailure } from './keys.ts'
import { type Issuer, listIssuersByName } from './store.ts'

/** A token of a trusted issuer whose signature, audience and times are valid. */
export interface VerifiedToken {
  issuer: Issuer
  claims: JWTPayload
  /** The end of its lifetime and tolerance, ms of real time. */
  validUntil: number
}

/**
 * Verifies a subject token: issuer, audience, algorithm, signature and times.
 *
 * @throws SoukError `token_malformed`, `token_issuer_unknown`, `token_audience_wrong`, `token_algorithm_refused`,
 * `token_time_invalid`, `token_signature_invalid`, `token_claim_missing`, `issuer_unavailable`
 */
export async function verifyToken(context: Context, token: string): Promise<VerifiedToken> {
  const issuer = await findIssuer(context, token)
  const keys = await keySourceOf(context, issuer)
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: issuer.issuer,
      audience: issuer.audience,
      algorithms: issuer.algorithms,
      clockTolerance: issuer.clockTolerance,
      currentDate: new Date(context.clock.real()),
      requiredClaims: ['exp', issuer.claims.subject],
    })
    checkText(payload)
    return { issuer, claims: payload, validUntil: (payload.exp! + issuer.clockTolerance) * second }
  } catch (error) {
    throw asRefusal(context, issuer, error)
  }
}

/** Finds the issuer that the token names. Its signature is verified afterwards. */
async function findIssuer(context: Context, token: string): Promise<Issuer> {
  const { iss, aud, alg } = decode(token)
  const issuers = typeof iss === 'string' && isStorable(iss) ? await listIssuersByName(context.sql, iss) : []
  if (issuers.length === 0) {
    throw new SoukError(
      'token_issuer_unknown',
      'An administrator adds issuers in Platform settings or by souk issuers add.',
    )
  }
  const audiences = Array.isArray(aud) ? aud : [aud]
  const issuer = issuers.find(({ audience }) => audiences.includes(audience))
  if (!issuer) {
    const expected = issuers.map(({ audience }) => audience).join(' or ')
    throw new SoukError('token_audience_wrong', `The claim aud must contain ${expected}.`)
  }
  if (!issuer.algorithms.includes(alg as TokenAlgorithm)) {
    throw new SoukError('token_algorithm_refused', `The issuer may use ${issuer.algorithms.join(', ')}.`)
  }
  return issuer
}

/** @throws SoukError `token_malformed` */
function decode(token: string): { iss: unknown; aud: unknown; alg: unknown } {
  try {
    const { iss, aud } = decodeJwt(token)
    return { iss, aud, alg: decodeProtectedHeader(token).alg }
  } catch (error) {
    throw new SoukError('token_malformed', 'Send the compact form: three parts of base64url, separated by dots.', {
      cause: error,
    })
  }
}

/** Rejects text that the database cannot store. */
function checkText(claims: JWTPayload): void {
  const texts = Object.values(claims).filter((value) => typeof value === 'string')
  if (!texts.every(isStorable))
    throw new SoukError('token_malformed', 'A claim contains U+0000 or half of a surrogate pair.')
}

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

function asRefusal(context: Context, issuer: Issuer, error: unknown): SoukError {
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
  if (isKeyFailure(error)) return rememberFailure(context, issuer, error)
  return new SoukError('token_malformed', undefined, { cause: error })
}
