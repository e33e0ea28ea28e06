import { createHmac, KeyObject, type webcrypto } from 'node:crypto'
import { SoukError, second } from '@souk/contract'
import { decodeJwt, errors, type JWSHeaderParameters, type JWTPayload, jwtVerify } from 'jose'
import { MissingKeyError } from '../../../kernel/vault.ts'
import type { AccessToken, TokenCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { parseScopes } from './scopes.ts'

interface Claims extends JWTPayload {
  openId: string
  clientId: string
  scope: string
  jti: string
}

/**
 * Signs an access token (open-api §2.3) that is valid from `now`, in ms of the domain clock. Does not use jose, which
 * signs in another thread and takes four times as much processor time.
 */
export function issueAccessToken(
  { accessTokenLifetime, vault }: Context<'accessTokenLifetime' | 'vault'>,
  token: AccessToken,
  now: number,
): string {
  const iat = Math.floor(now / second)
  const exp = iat + accessTokenLifetime
  const claims: Claims = {
    iat,
    nbf: iat,
    exp,
    openId: token.openId,
    clientId: token.appid,
    scope: token.scopes.join(','),
    jti: token.tokenId,
  }
  const header = { alg: 'HS512', typ: 'JWT', kid: vault.keyId }
  const content = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const key = KeyObject.from(vault.tokenKey(vault.keyId))
  return `${content}.${createHmac('sha512', key).update(content).digest('base64url')}`
}

/**
 * Verifies an access token and returns its caller. `readUserInfo` checks for revocation, which requires the database.
 * @throws SoukError `access_token_invalid`
 */
export async function authenticateToken(context: Context<'vault'>, accessToken: string): Promise<TokenCaller> {
  return { kind: 'token', token: await verifyAccessToken(context, accessToken, context.clock.now()) }
}

/** Returns the appid that a token names, which may be expired or forged, or undefined. */
export function claimedAppid(accessToken: string): string | undefined {
  try {
    const { clientId } = decodeJwt<Partial<Claims>>(accessToken)
    return typeof clientId === 'string' ? clientId : undefined
  } catch {
    return undefined
  }
}

async function verifyAccessToken(context: Context<'vault'>, accessToken: string, now: number): Promise<AccessToken> {
  try {
    const { payload } = await jwtVerify<Claims>(accessToken, (header) => keyOf(context, header), {
      algorithms: ['HS512'],
      requiredClaims: ['iat', 'nbf', 'exp', 'openId', 'clientId', 'scope', 'jti'],
      currentDate: new Date(now),
    })
    return {
      openId: payload.openId,
      appid: payload.clientId,
      scopes: parseScopes(payload.scope),
      tokenId: payload.jti,
    }
  } catch (cause) {
    if (!(cause instanceof errors.JOSEError)) throw cause
    throw new SoukError('access_token_invalid', reasonOf(cause), { cause })
  }
}

function keyOf({ vault }: Context<'vault'>, { kid }: JWSHeaderParameters): webcrypto.CryptoKey {
  try {
    return vault.tokenKey(kid)
  } catch (cause) {
    if (cause instanceof MissingKeyError) throw new errors.JWKSNoMatchingKey(undefined, { cause })
    throw cause
  }
}

function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'It has expired; exchange a new login code.'
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'nbf') return 'It is not valid yet.'
  return 'It was not issued by this server; send the accessToken unchanged.'
}
