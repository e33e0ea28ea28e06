import { type Provider, second } from '@souk/contract'
import { type Egress, EgressRefused } from '../../../../kernel/egress.ts'
import { ProviderUnavailable } from './port.ts'

/** Timeout of one request to a provider, in ms. An adapter makes at most two requests to create a payment. */
export const requestTimeout = 20 * second
export const maxResponseBytes = 1_000_000

/** A request to a JSON API. */
export interface ProviderRequest {
  provider: Provider
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: unknown
}

/** A response that confirms or rejects the request. */
export interface ProviderResponse {
  status: number
  /** Null if the body is not valid JSON. */
  body: unknown
  /** True if the body is neither empty nor JSON, as that of a proxy’s error page. */
  isForeign: boolean
}

/**
 * Sends a request to a provider.
 * @throws ProviderUnavailable without a response, or for 408, 409, 429 and 5xx, which do not say what has happened
 */
export async function sendRequest(egress: Egress, request: ProviderRequest): Promise<ProviderResponse> {
  const { provider, method, url, headers, body } = request
  const response = await egress
    .request({
      purpose: provider,
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
  const { status } = response
  if (status >= 500 || status === 408 || status === 409 || status === 429) {
    throw new ProviderUnavailable(`${new URL(url).host} responded with ${status}`, { mayHaveActed: status !== 429 })
  }
  const parsed = parseJson(response.body)
  return { status, body: parsed, isForeign: parsed === null && !['', 'null'].includes(response.body.trim()) }
}

/** Converts a failed request. If no connection was established, the provider has certainly not acted. */
export function toProviderUnavailable(url: string, error: unknown): ProviderUnavailable {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const neverConnected = error instanceof EgressRefused || connectionFailures.test(code)
  const host = URL.canParse(url) ? new URL(url).host : url
  const why = error instanceof Error ? error.message : String(error)
  return new ProviderUnavailable(`Cannot reach ${host}: ${why}`, { mayHaveActed: !neverConnected, cause: error })
}

const connectionFailures =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns an object as it is, anything else as an empty object. */
export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** Creates the error for a response that the provider's protocol does not define. */
export function unexpectedResponse(name: string, what: string): ProviderUnavailable {
  return new ProviderUnavailable(`Unexpected response from ${name}: ${what}`, { mayHaveActed: true })
}
