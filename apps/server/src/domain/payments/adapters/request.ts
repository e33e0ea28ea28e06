import { type Egress, EgressRefused } from '../../../kernel/egress.ts'
import { ProviderUnavailable } from './port.ts'

/** For one request to a provider, its answer included; ms. An adapter makes two of them for a creation at most. */
export const requestTimeout = 20_000
/** Of an answer. */
export const maxResponseBytes = 1_000_000

/** One request to a provider that speaks JSON. */
export interface ProviderRequest {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: unknown
}

/** What a provider has answered: anything that says yes or no for certain. */
export interface ProviderAnswer {
  status: number
  /** Null where the body is no JSON. */
  body: unknown
}

/**
 * Asks a provider. What leaves open whether it has acted (no answer, 408, 409, 5xx) or says that it has not for now (429)
 * is thrown; every other status is an answer.
 * @throws ProviderUnavailable
 */
export async function sendRequest(egress: Egress, request: ProviderRequest): Promise<ProviderAnswer> {
  const { method, url, headers, body } = request
  const answer = await egress
    .request({
      method,
      url,
      timeout: requestTimeout,
      maxBytes: maxResponseBytes,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    .catch((error: unknown) => {
      throw toProviderUnavailable(url, error)
    })
  const { status } = answer
  if (status >= 500 || status === 408 || status === 409 || status === 429) {
    throw new ProviderUnavailable(`${new URL(url).host} answers ${status}`, { mayHaveActed: status !== 429 })
  }
  return { status, body: parsed(answer.body) }
}

/** What a failed connection means: where none came about, the provider has certainly done nothing. */
export function toProviderUnavailable(url: string, error: unknown): ProviderUnavailable {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const neverConnected = error instanceof EgressRefused || connectionFailures.test(code)
  const host = URL.canParse(url) ? new URL(url).host : url
  const why = error instanceof Error ? error.message : String(error)
  return new ProviderUnavailable(`${host} cannot be reached: ${why}`, { mayHaveActed: !neverConnected, cause: error })
}

const connectionFailures =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** What an answer holds, where it is an object. */
export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** A provider has answered something that its protocol does not know. */
export function unexpectedResponse(name: string, what: string): ProviderUnavailable {
  return new ProviderUnavailable(`${name} is not understood: ${what}`, { mayHaveActed: true })
}
