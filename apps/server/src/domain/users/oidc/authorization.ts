import { minute, SoukError, second } from '@souk/contract'
import type { JWTPayload } from 'jose'
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  clockSkew,
  clockTolerance,
  customFetch,
  None,
  ResponseBodyError,
} from 'openid-client'
import { sha256 } from '../../../kernel/crypto.ts'
import { newOpaqueId } from '../../../kernel/id.ts'
import { issueToken, readToken, type TokenUse } from '../../../kernel/signedToken.ts'
import type { Context } from '../../context.ts'
import { createFetch } from './fetch.ts'
import { isWebUrl, type Metadata, metadataOf, type Provider, unavailable } from './provider.ts'
import { insertTokenId } from './usedTokens.store.ts'
import { readUserInfo } from './userInfo.ts'
import { checkText, verifyJwt } from './verifyJwt.ts'

/** A client of this installation at an OpenID provider. */
export interface Client {
  provider: Provider
  clientId: string
  /** Null for a public client. */
  clientSecret: string | null
  /** Besides `openid`. */
  scopes: readonly string[]
  redirectUrl: string
}

/** Scopes besides `openid` if none are chosen. */
export const defaultScopes = ['profile', 'email']

/** Time for signing in at the provider. */
export const flowLifetime = 10 * minute

/** Result of a completed authorization. */
export interface Authorized {
  /** The claims of the ID token, and those of the userinfo endpoint. */
  claims: JWTPayload & { sub: string }
  idToken: string
}

/** A sign-in that a browser has started. The secrets are derived from its cookie, which does not contain them. */
interface Flow {
  providerId: string
  state: string
  nonce: string
  /** The code verifier (RFC 7636 §4.1). */
  verifier: string
  /** Identifies the sign-in among those that have been completed. */
  id: string
  /** ms of real time */
  validUntil: number
}

type Use = 'host' | 'console'

/**
 * Starts a sign-in by authorization code with PKCE. Returns the provider's page and the cookie of the sign-in.
 *
 * @param use who signs in; a cookie is not valid for another use
 * @param extra more parameters of the authorization request
 * @throws SoukError `issuer_unavailable`
 */
export async function startAuthorization(
  context: Context<'egress' | 'vault'>,
  use: Use,
  client: Client,
  extra: Record<string, string> = {},
): Promise<{ url: string; flow: string }> {
  const configuration = configurationOf(context, client, await metadataOf(context, client.provider))
  const cookie = createFlow(context, use, client.provider.providerId)
  const flow = openFlow(context, use, cookie)
  try {
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: client.redirectUrl,
      scope: ['openid', ...client.scopes].join(' '),
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
      ...extra,
    })
    return { url: url.href, flow: cookie }
  } catch (error) {
    throw unavailable(client.provider, error)
  }
}

/** Returns the provider of a sign-in that this browser has started. @throws SoukError `sign_in_not_started` */
export function providerOfFlow(context: Context<'vault'>, use: Use, cookie: string | undefined): string {
  return openFlow(context, use, cookie).providerId
}

/**
 * Completes a sign-in, which is possible once: compares the state, exchanges the code, verifies the ID token and reads
 * the user's claims.
 *
 * @param response query string of the redirect URL
 * @throws SoukError `sign_in_not_started`, `sign_in_state_wrong`, `authorization_response_invalid`,
 * `authorization_refused`, `authorization_code_refused`, `id_token_nonce_wrong`, `issuer_unavailable`, and those of
 * `verifyJwt` and `readUserInfo`
 */
export async function completeAuthorization(
  context: Context<'egress' | 'vault'>,
  use: Use,
  client: Client,
  { cookie, response }: { cookie: string | undefined; response: string },
): Promise<Authorized> {
  const flow = openFlow(context, use, cookie)
  const { provider } = client
  const metadata = await metadataOf(context, provider)
  const configuration = configurationOf(context, client, metadata)
  const returned = new URL(client.redirectUrl)
  returned.search = response
  checkResponse(flow, provider, returned.searchParams)
  await claimFlow(context, flow)
  try {
    const tokens = await authorizationCodeGrant(configuration, returned, {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
    })
    const idToken = tokens.id_token!
    // openid-client trusts TLS for ID tokens that come from the token endpoint.
    const { claims } = await verifyJwt(context, provider, idToken, {
      audience: client.clientId,
      requiredClaims: ['sub', 'iat'],
    })
    const { sub, azp = client.clientId } = claims as { sub: string; azp?: unknown }
    // openid-client compares azp only if there are several audiences.
    if (azp !== client.clientId) {
      throw new SoukError('token_audience_wrong', 'The claim azp of the ID token names another client.')
    }
    const userInfo = await readUserInfo(context, client, metadata, { accessToken: tokens.access_token, sub })
    const all = { ...userInfo, ...claims, sub }
    checkText(all)
    return { claims: all, idToken }
  } catch (error) {
    throw asRefusal(provider, error)
  }
}

/**
 * Returns the provider's page that ends its session and comes back to `redirectUrl`, or null if it has none or cannot
 * be reached.
 */
export async function signOutUrl(
  context: Context<'egress'>,
  client: Client,
  { idToken, redirectUrl }: { idToken: string; redirectUrl: string },
): Promise<string | null> {
  try {
    const metadata = await metadataOf(context, client.provider)
    if (!isWebUrl(metadata.end_session_endpoint)) return null
    return buildEndSessionUrl(configurationOf(context, client, metadata), {
      id_token_hint: idToken,
      post_logout_redirect_uri: redirectUrl,
    }).href
  } catch (error) {
    context.log.warn({ issuer: client.provider.issuer, error: String(error) }, 'no sign-out at the provider')
    return null
  }
}

function configurationOf({ egress, clock }: Context<'egress'>, client: Client, metadata: Metadata): Configuration {
  const { provider, clientId } = client
  const configuration = new Configuration(
    { ...metadata, id_token_signing_alg_values_supported: [...provider.algorithms] },
    clientId,
    { [clockTolerance]: provider.clockTolerance, [clockSkew]: Math.round((clock.real() - Date.now()) / second) },
    authenticationOf(client, metadata),
  )
  configuration[customFetch] = createFetch(egress) as CustomFetch
  // The egress guard allows plain http only for hosts that the operator has listed.
  if (provider.issuer.startsWith('http:')) allowInsecureRequests(configuration)
  return configuration
}

function authenticationOf({ clientSecret }: Client, metadata: Metadata) {
  if (clientSecret === null) return None()
  const { token_endpoint_auth_methods_supported: methods } = metadata
  const acceptsBasic = !Array.isArray(methods) || methods.includes('client_secret_basic')
  return acceptsBasic ? ClientSecretBasic(clientSecret) : ClientSecretPost(clientSecret)
}

/** Returns the cookie of a new sign-in. It names the master key, because the secrets are derived from it. */
function createFlow(context: Context<'vault'>, use: Use, providerId: string): string {
  const id = [providerId, context.vault.keyId, newOpaqueId()].join('~')
  return issueToken(context, tokenUse(use), flowLifetime, id)
}

/** @throws SoukError `sign_in_not_started` */
function openFlow(context: Context<'vault'>, use: Use, cookie = ''): Flow {
  const token = readToken(context, tokenUse(use), cookie)
  if (!token) throw new SoukError('sign_in_not_started', 'Start again on the sign-in page.')
  const [providerId = '', keyId] = token.id.split('~')
  const derive = (part: string) => context.vault.sign(`sign-in ${use} ${part}`, token.id, keyId)
  const { id, validUntil } = token
  return { providerId, state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier'), id, validUntil }
}

/** Issuer of sign-ins among used tokens. */
const flowIssuer = 'souk sign-in'

/** Ends a sign-in for all processes, so that no other response completes it. @throws SoukError `sign_in_not_started` */
async function claimFlow({ sql, clock }: Context, { id, validUntil }: Flow): Promise<void> {
  const used = { issuer: flowIssuer, tokenId: sha256(id), validUntil }
  const isFirst = await sql.begin((tx) => insertTokenId(tx, used, clock.real()))
  if (!isFirst) throw new SoukError('sign_in_not_started', 'Start again on the sign-in page.')
}

const tokenUse = (use: Use): TokenUse => ({ use: 'sign-in', boundTo: use })

/** Compares what the response says before anything is sent to the provider. */
function checkResponse(flow: Flow, { issuer }: Provider, response: URLSearchParams): void {
  const isOther = response.get('state') !== flow.state || (response.has('iss') && response.get('iss') !== issuer)
  if (isOther) throw new SoukError('sign_in_state_wrong', 'Start again on the sign-in page.')
  const repeated = [...response.keys()].find((name) => response.getAll(name).length > 1)
  if (repeated !== undefined) throw invalidResponse(`It has ${JSON.stringify(repeated.slice(0, 64))} more than once.`)
  if (!response.has('code') && !response.has('error')) throw invalidResponse('It has neither code nor error.')
}

const invalidResponse = (reason: string) =>
  new SoukError('authorization_response_invalid', `${reason} Start again on the sign-in page.`)

function asRefusal(provider: Provider, error: unknown): SoukError {
  if (error instanceof SoukError) return error
  if (error instanceof AuthorizationResponseError) {
    return new SoukError('authorization_refused', 'Start again on the sign-in page.', {
      internal: `${provider.issuer}: ${error.error} ${error.error_description ?? ''}`,
    })
  }
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant') {
    return new SoukError('authorization_code_refused', 'Start again on the sign-in page.', {
      internal: `${provider.issuer}: ${error.error_description ?? error.error}`,
    })
  }
  return (error instanceof ClientError && asIdTokenRefusal(error)) || unavailable(provider, error)
}

/** Returns the error for an ID token that openid-client has rejected, or undefined if another part was wrong. */
function asIdTokenRefusal({ code, cause }: ClientError): SoukError | undefined {
  const { claim, header, claims } = ((cause as Error | undefined)?.cause ?? {}) as Record<string, unknown>
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') {
    return new SoukError('token_time_invalid', `The claim ${String(claim)} is not valid; check the issuer's clock.`)
  }
  if (code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED') {
    if (claim === 'nonce') return new SoukError('id_token_nonce_wrong', 'Start again on the sign-in page.')
    if (claim === 'iss') return new SoukError('token_issuer_unknown', 'The ID token is of another issuer.')
    return new SoukError('token_audience_wrong', 'The ID token is for another client.')
  }
  if (header) return new SoukError('token_algorithm_refused', 'The ID token has another algorithm.')
  if (claims) return new SoukError('token_claim_missing', (cause as Error).message)
  return undefined
}
