import { SoukError } from '@souk/contract'
import type { Context } from '../../context.ts'
import { decodeToken, isStorable, type Provider, type VerifiedJwt, verifyJwt } from '../oidc/index.ts'
import { type Issuer, listIssuersByName } from './store.ts'

/** A token of a trusted issuer whose signature, audience and times are valid. */
export interface VerifiedToken extends VerifiedJwt {
  issuer: Issuer
}

/** Requirements for tokens of an issuer. */
interface Expectation {
  audiences(issuer: Issuer): string[]
  requiredClaims(issuer: Issuer): string[]
}

/**
 * Verifies a token of a trusted issuer: issuer, audience, algorithm, signature and times.
 *
 * @throws SoukError `token_malformed`, `token_issuer_unknown`, `token_audience_wrong`, `token_algorithm_refused`,
 * `token_time_invalid`, `token_signature_invalid`, `token_claim_missing`, `issuer_unavailable`
 */
export async function verifyToken(
  context: Context<'egress'>,
  token: string,
  { audiences, requiredClaims }: Expectation,
): Promise<VerifiedToken> {
  const { iss, aud } = decodeToken(token)
  const issuers = typeof iss === 'string' && isStorable(iss) ? await listIssuersByName(context.sql, iss) : []
  if (issuers.length === 0) {
    throw new SoukError(
      'token_issuer_unknown',
      'An administrator adds issuers in Platform settings or by souk issuers add.',
    )
  }
  const tokenAudiences = Array.isArray(aud) ? aud : [aud]
  const accepted = issuers.flatMap((issuer) => audiences(issuer).map((audience) => ({ issuer, audience })))
  const match = accepted.find(({ audience }) => tokenAudiences.includes(audience))
  if (!match) {
    const expected = accepted.map(({ audience }) => audience).join(' or ')
    throw new SoukError('token_audience_wrong', `The claim aud must contain ${expected}.`)
  }
  const { issuer, audience } = match
  const verified = await verifyJwt(context, providerOf(issuer), token, {
    audience,
    requiredClaims: requiredClaims(issuer),
  })
  return { issuer, ...verified }
}

/** Returns what verifies the tokens of an issuer. */
export function providerOf({ issuerId, ...issuer }: Issuer): Provider {
  return { providerId: issuerId, ...issuer }
}
