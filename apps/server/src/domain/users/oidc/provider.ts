import { minute, SoukError, second, type TokenAlgorithm } from '@souk/contract'
import { LRUCache } from 'lru-cache'
import type { Context, FullContext } from '../../context.ts'
import { createFetch } from './fetch.ts'

/** An OpenID provider, or another issuer of signed tokens. */
export interface Provider {
  /** Identifies it in the caches of this process; 32 hexadecimal digits. */
  providerId: string
  /** The claim iss of its tokens, and the address of its discovery document. */
  issuer: string
  /** Source of its keys; if both are missing, the discovery document names it. */
  jwksUrl: string | null
  pem: string | null
  algorithms: readonly TokenAlgorithm[]
  /** Seconds. */
  clockTolerance: number
}

/** The part of a discovery document that Souk uses (OpenID Connect Discovery 1.0). */
export interface Metadata {
  issuer: string
  jwks_uri: string
  [name: string]: unknown
}

/** Minimum time between two requests for documents of a provider after a failure. */
export const cooldown = minute
/** Time after which documents are fetched again although they fit. */
export const maxAge = 15 * minute

interface CachedMetadata {
  /** The last one that could be read. */
  metadata?: Metadata | undefined
  /** Reason why documents of the provider could not be read. They are not requested again before `until`. */
  failure?: SoukError
  /** ms of real time */
  until: number
}

const documents = new LRUCache<string, CachedMetadata>({ max: 200 })

/** Forgets what this process has read from a provider. */
export function forgetProvider(providerId: string): void {
  documents.delete(providerId)
}

/**
 * Returns the discovery document of a provider, at most 15 minutes old.
 *
 * @throws SoukError `issuer_unavailable`
 */
export async function metadataOf(
  context: Pick<FullContext, 'egress' | 'clock'>,
  provider: Provider,
): Promise<Metadata> {
  const now = context.clock.real()
  const cached = documents.get(provider.providerId)
  if (cached && now < cached.until) {
    if (cached.failure) throw cached.failure
    if (cached.metadata) return cached.metadata
  }
  try {
    const metadata = await discover(context, provider.issuer)
    documents.set(provider.providerId, { metadata, until: now + maxAge })
    return metadata
  } catch (error) {
    throw rememberFailure(context, provider, error)
  }
}

/** Returns the last discovery document of a provider that could be read by this process, of any age. */
export function lastMetadataOf({ providerId }: Provider): Metadata | undefined {
  return documents.get(providerId)?.metadata
}

/** Returns why documents of a provider could not be read within the last minute, or undefined if they could. */
export function findFailure({ clock }: Pick<Context, 'clock'>, { providerId }: Provider): SoukError | undefined {
  const cached = documents.get(providerId)
  return cached && clock.real() < cached.until ? cached.failure : undefined
}

/** Stores that documents of a provider could not be read, and returns the error for the caller. */
export function rememberFailure(context: Pick<Context, 'clock'>, provider: Provider, error: unknown): SoukError {
  const failure = unavailable(provider, error)
  const metadata = documents.get(provider.providerId)?.metadata
  documents.set(provider.providerId, { metadata, failure, until: context.clock.real() + cooldown })
  return failure
}

/** Returns the error for a provider that cannot be reached or responds with something else. */
export function unavailable({ issuer }: Pick<Provider, 'issuer'>, error: unknown): SoukError {
  return new SoukError('issuer_unavailable', 'Try again in a minute; the operator finds the cause in the log.', {
    internal: `${issuer}: ${reasonOf(error)}`,
    data: { retryAfter: cooldown / second },
    cause: error,
  })
}

/** Path of the discovery document behind the issuer (OpenID Connect Discovery 1.0). */
export const discoveryPath = '/.well-known/openid-configuration'

/** A discovery document names another issuer than its address, or none. */
export class IssuerMismatch extends Error {
  override name = 'IssuerMismatch'
  /** The issuer in the document. */
  readonly found: unknown

  constructor(url: string, found: unknown) {
    super(`${url} belongs to the issuer ${String(found)}`)
    this.found = found
  }
}

/** Reads a discovery document. @throws IssuerMismatch, or Error whose message says what is wrong with it */
export async function discover({ egress }: Pick<FullContext, 'egress'>, issuer: string): Promise<Metadata> {
  const url = `${issuer.replace(/\/$/, '')}${discoveryPath}`
  const response = await createFetch(egress)(url, { method: 'GET', headers: { accept: 'application/json' } })
  if (response.status !== 200) throw new Error(`${url} responds with status ${response.status}`)
  const document = (await response.json()) as Metadata | null
  if (document?.issuer !== issuer) throw new IssuerMismatch(url, document?.issuer)
  if (!isWebUrl(document.jwks_uri)) throw new Error(`${url} has no valid jwks_uri`)
  return document
}

/** Returns whether a value is an http or https URL, which a browser may be sent to. */
export function isWebUrl(value: unknown): value is string {
  return typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '')
}

/** Returns the messages of an error and of its causes. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${reasonOf(error.cause)}` : error.message
}
