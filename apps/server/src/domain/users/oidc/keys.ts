import { day, SoukError, type TokenAlgorithm } from '@souk/contract'
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  type ExportedJWKSCache,
  errors,
  type FetchImplementation,
  importSPKI,
  importX509,
  type JWTVerifyGetKey,
  jwksCache,
} from 'jose'
import { LRUCache } from 'lru-cache'
import type { FullContext } from '../../context.ts'
import { createFetch } from './fetch.ts'
import {
  cooldown,
  discover,
  findFailure,
  lastMetadataOf,
  maxAge,
  metadataOf,
  type Provider,
  rememberFailure,
} from './provider.ts'

/** Returns the key that a token was signed with. */
export type KeySource = JWTVerifyGetKey

/** The keys at an address. */
interface KeySet {
  read: ReturnType<typeof createRemoteJWKSet>
  /** The keys that were read last. */
  cache: ExportedJWKSCache | Record<string, never>
}

/** Key sets by address, which the settings of a provider can change. */
const keySets = new LRUCache<string, KeySet>({ max: 200 })

/** Time for which keys verify tokens while their provider cannot be reached. */
const maxAgeInOutage = day

/**
 * Returns the source of a provider's keys. They are fetched when first needed, and again for an unknown `kid`, at most
 * once a minute. In an outage, those that were read in the last day are used.
 *
 * @throws SoukError `issuer_unavailable`, as does the source
 */
export async function keySourceOf(
  context: Pick<FullContext, 'egress' | 'clock'>,
  provider: Provider,
): Promise<KeySource> {
  const { pem } = provider
  if (pem !== null) return ({ alg }) => importPem(pem, alg as TokenAlgorithm)
  const url = provider.jwksUrl ?? (await findJwksUrl(context, provider))
  const keySet = keySets.get(url) ?? createKeySet(context, url)
  keySets.set(url, keySet)
  return async (header, token) => {
    const outage = findFailure(context, provider)
    if (outage) return findInOutage(keySet, outage)(header, token)
    try {
      return await keySet.read(header, token)
    } catch (error) {
      if (!isKeyFailure(error)) throw error
      return findInOutage(keySet, rememberFailure(context, provider, error))(header, token)
    }
  }
}

/** Finds the address of the keys; in an outage the last known one, whose keys are cached. */
async function findJwksUrl(context: Pick<FullContext, 'egress' | 'clock'>, provider: Provider): Promise<string> {
  try {
    return (await metadataOf(context, provider)).jwks_uri
  } catch (error) {
    const last = lastMetadataOf(provider)
    if (last === undefined) throw error
    return last.jwks_uri
  }
}

/** Returns the source of the keys that are already known, which throws `failure` for others. */
function findInOutage({ cache }: KeySet, failure: SoukError): KeySource {
  return async (header, token) => {
    if (!('jwks' in cache) || Date.now() - cache.uat > maxAgeInOutage) throw failure
    return createLocalJWKSet(cache.jwks)(header, token).catch((error: unknown) => {
      throw error instanceof errors.JWKSNoMatchingKey ? failure : error
    })
  }
}

function createKeySet({ egress }: Pick<FullContext, 'egress'>, url: string): KeySet {
  const cache: KeySet['cache'] = {}
  const read = createRemoteJWKSet(new URL(url), {
    [customFetch]: createFetch(egress) as FetchImplementation,
    [jwksCache]: cache,
    cooldownDuration: cooldown,
    cacheMaxAge: maxAge,
  })
  return { read, cache }
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
function isKeyFailure(error: unknown): boolean {
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) return false
  return !(error instanceof errors.JOSEError) || /^ERR_JWKS|^ERR_JOSE_GENERIC$/.test(error.code)
}

/** Fetches the keys of a provider, and returns why they cannot be read, if so. */
export async function explainKeys(
  context: Pick<FullContext, 'egress'>,
  { issuer, jwksUrl, pem }: Pick<Provider, 'issuer' | 'jwksUrl' | 'pem'>,
): Promise<string | undefined> {
  if (pem !== null) return undefined
  try {
    await createKeySet(context, jwksUrl ?? (await discover(context, issuer)).jwks_uri).read.reload()
    return undefined
  } catch (error) {
    return (error as Error).message.replace(/\.$/, '')
  }
}
