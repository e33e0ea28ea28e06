import { minute, SoukError, second, type TokenAlgorithm } from '@souk/contract'
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  importSPKI,
  importX509,
  type JWTVerifyGetKey,
} from 'jose'
import { LRUCache } from 'lru-cache'
import type { Egress } from '../../kernel/egress.ts'
import type { Context } from '../context.ts'
import type { Issuer } from './store.ts'

/** Maximum size of a discovery document or a key set, bytes. */
const maxDocument = 256 * 1024
const fetchTimeout = 5 * second
/** Minimum time between two requests for the keys of an issuer. */
const cooldown = minute
/** Time after which keys are fetched again although they fit. */
const maxAge = 15 * minute

/** Returns the key that a token was signed with. */
export type KeySource = JWTVerifyGetKey

interface KeySet {
  source?: KeySource
  /** Why the keys could not be read, which is not tried again before `retryAt`, ms of real time. */
  failure?: SoukError
  retryAt: number
}

const keySets = new LRUCache<string, KeySet>({ max: 200 })

/** Forgets the keys of an issuer. */
export function forgetKeys(issuerId: string): void {
  keySets.delete(issuerId)
}

/**
 * Returns the source of an issuer's keys. They are fetched when first needed, and again for an unknown `kid`, at most
 * once a minute.
 *
 * @throws SoukError `issuer_unavailable`
 */
export async function keySourceOf(context: Pick<Context, 'egress' | 'clock'>, issuer: Issuer): Promise<KeySource> {
  const { pem } = issuer
  if (pem !== null) return ({ alg }) => importPem(pem, alg as TokenAlgorithm)
  const known = keySets.get(issuer.issuerId)
  if (known?.source) return known.source
  if (known?.failure && context.clock.real() < known.retryAt) throw known.failure
  try {
    const url = issuer.jwksUrl ?? (await discover(context.egress, issuer.issuer))
    const source = createRemoteJWKSet(new URL(url), {
      [customFetch]: fetchThrough(context.egress),
      timeoutDuration: fetchTimeout,
      cooldownDuration: cooldown,
      cacheMaxAge: maxAge,
    })
    keySets.set(issuer.issuerId, { source, retryAt: 0 })
    return source
  } catch (error) {
    throw rememberFailure(context, issuer, error)
  }
}

/** Stores that the keys of an issuer could not be read, and returns the error for the caller. */
export function rememberFailure(context: Pick<Context, 'clock'>, issuer: Issuer, error: unknown): SoukError {
  const failure = new SoukError(
    'issuer_unavailable',
    'Try again in a minute; the operator finds the cause in the log.',
    {
      internal: `${issuer.issuer}: ${error instanceof Error ? error.message : String(error)}`,
      data: { retryAfter: cooldown / second },
    },
  )
  keySets.set(issuer.issuerId, { failure, retryAt: context.clock.real() + cooldown })
  return failure
}

/** Returns the address of the keys in the issuer's discovery document (OpenID Connect Discovery). */
async function discover(egress: Egress, issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetchThrough(egress)(url, { headers: new Headers({ accept: 'application/json' }) } as never)
  if (response.status !== 200) throw new Error(`${url} responds with status ${response.status}`)
  const document = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown } | null
  if (document?.issuer !== issuer) throw new Error(`${url} belongs to the issuer ${String(document?.issuer)}`)
  if (typeof document.jwks_uri !== 'string' || !URL.canParse(document.jwks_uri)) {
    throw new Error(`${url} has no valid jwks_uri`)
  }
  return document.jwks_uri
}

/** Returns a fetch function for JSON documents that goes through the egress guard and follows no redirects. */
function fetchThrough(egress: Egress): FetchImplementation {
  return async (url, { headers }) => {
    const { status, body } = await egress.request({
      url,
      method: 'GET',
      headers: Object.fromEntries(headers),
      timeout: fetchTimeout,
      maxBytes: maxDocument + 1,
    })
    if (Buffer.byteLength(body) > maxDocument) throw new Error(`${url} is larger than ${maxDocument} bytes`)
    // Constructing a response with another status can throw.
    return new Response(body, { status: status === 200 ? 200 : 502, headers: { 'content-type': 'application/json' } })
  }
}

function importPem(pem: string, algorithm: TokenAlgorithm) {
  return pem.includes('-----BEGIN CERTIFICATE-----') ? importX509(pem, algorithm) : importSPKI(pem, algorithm)
}

/**
 * Returns the algorithms that a public key can verify.
 * @throws SoukError `parameter_invalid` if there are none
 */
export async function algorithmsOf(pem: string, allowed: readonly TokenAlgorithm[]): Promise<TokenAlgorithm[]> {
  const fitting: TokenAlgorithm[] = []
  for (const algorithm of allowed) {
    const key = await importPem(pem, algorithm).catch(() => undefined)
    if (key) fitting.push(algorithm)
  }
  if (fitting.length > 0) return fitting
  throw new SoukError(
    'parameter_invalid',
    `pem must be a public key or a certificate for ${allowed.join(', ')}, such as the output of openssl pkey -pubout.`,
    { data: { parameters: ['pem'] } },
  )
}

/** Returns whether an error of `jose` came from reading the keys, not from the token. */
export function isKeyFailure(error: unknown): boolean {
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) return false
  return !(error instanceof errors.JOSEError) || /^ERR_JWKS|^ERR_JOSE_GENERIC$/.test(error.code)
}

/** Fetches the keys of an issuer, and returns why they cannot be read, if so. */
export async function explainKeys(
  { egress }: Pick<Context, 'egress'>,
  { issuer, jwksUrl, pem }: Issuer,
): Promise<string | undefined> {
  if (pem !== null) return undefined
  try {
    const url = jwksUrl ?? (await discover(egress, issuer))
    await createRemoteJWKSet(new URL(url), { [customFetch]: fetchThrough(egress) }).reload()
    return undefined
  } catch (error) {
    return (error as Error).message.replace(/\.$/, '')
  }
}
