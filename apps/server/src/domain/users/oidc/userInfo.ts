import { SoukError } from '@souk/contract'
import type { JWTPayload } from 'jose'
import type { FullContext } from '../../context.ts'
import { createFetch } from './fetch.ts'
import { isWebUrl, type Metadata, type Provider } from './provider.ts'
import { verifySignature } from './verifyJwt.ts'

/** Statuses of a request that may succeed later. */
const temporary = new Set([408, 429])

/**
 * Reads the claims of a user from the userinfo endpoint (OpenID Connect Core 1.0), as JSON or as a signed JWT. Returns
 * none if the provider has no such endpoint.
 *
 * @throws SoukError `userinfo_refused`, `userinfo_invalid`, and those of `verifySignature`
 * @throws Error if the provider does not answer, or answers that it cannot at the moment
 */
export async function readUserInfo(
  context: Pick<FullContext, 'egress' | 'clock'>,
  { provider, clientId }: { provider: Provider; clientId: string },
  metadata: Metadata,
  { accessToken, sub }: { accessToken: string; sub: string },
): Promise<JWTPayload> {
  const { userinfo_endpoint: url } = metadata
  if (!isWebUrl(url)) return {}
  const headers = { accept: 'application/json, application/jwt', authorization: `Bearer ${accessToken}` }
  const response = await createFetch(context.egress)(url, { method: 'GET', headers })
  const { status } = response
  if (status >= 400 && status < 500 && !temporary.has(status)) {
    const advice = 'Ask the operator to allow the client the claims of its scopes at the provider.'
    throw new SoukError('userinfo_refused', `Its userinfo endpoint answered with ${status}. ${advice}`, {
      internal: `${provider.issuer}: ${url} responds with status ${status}`,
    })
  }
  if (status !== 200) throw new Error(`${url} responds with status ${status}`)
  const [mediaType] = (response.headers.get('content-type') ?? '').split(';', 1)
  const isSigned = mediaType?.trim().toLowerCase() === 'application/jwt'
  const claims: unknown = isSigned
    ? await readSigned(context, provider, { token: await response.text(), clientId })
    : await response.json().catch(() => undefined)
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) {
    throw new SoukError('userinfo_invalid', 'Its userinfo endpoint must answer with a JSON object or a signed JWT.')
  }
  if (!('sub' in claims) || claims.sub !== sub) {
    throw new SoukError('userinfo_invalid', 'Its claim sub is not that of the ID token.')
  }
  return claims as JWTPayload
}

/** Verifies a signed response. Providers may leave out issuer, audience and times. */
async function readSigned(
  context: Pick<FullContext, 'egress' | 'clock'>,
  provider: Provider,
  { token, clientId }: { token: string; clientId: string },
): Promise<JWTPayload> {
  const claims = await verifySignature(context, provider, token)
  const { iss = provider.issuer, aud = clientId } = claims
  if (iss !== provider.issuer) throw new SoukError('userinfo_invalid', 'Its claim iss is that of another issuer.')
  if (![aud].flat().includes(clientId)) throw new SoukError('userinfo_invalid', 'Its claim aud is for another client.')
  return claims
}
