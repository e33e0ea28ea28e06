import { second } from '@souk/contract'
import type { Egress } from '../../../kernel/egress.ts'

/** Maximum size of a document of a provider, bytes. */
const maxDocument = 256 * 1024
const timeout = 5 * second
/** Statuses whose responses cannot have a body. */
const withoutBody = new Set([204, 205, 304])

/** The part of `fetch` that `jose` and `openid-client` use. */
type Fetch = (
  url: string,
  options: { method: string; headers: Headers | Record<string, string>; body?: unknown },
) => Promise<Response>

/**
 * Returns a fetch function that goes through the egress guard, follows no redirects, and reads small documents only.
 */
export function createFetch(egress: Egress): Fetch {
  return async (url, { method, headers, body }) => {
    const response = await egress.request({
      purpose: 'identity',
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(headers)),
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      timeout,
      maxBytes: maxDocument + 1,
    })
    if (Buffer.byteLength(response.body) > maxDocument) throw new Error(`${url} is larger than ${maxDocument} bytes`)
    // Constructing a response with another status throws.
    const status = response.status >= 200 && response.status <= 599 ? response.status : 502
    const contentType = response.headers['content-type']
    return new Response(withoutBody.has(status) ? null : response.body, {
      status,
      headers: contentType === undefined ? {} : { 'Content-Type': contentType },
    })
  }
}
