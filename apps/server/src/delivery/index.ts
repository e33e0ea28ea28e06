import { type Egress, EgressRefused } from '../kernel/egress.ts'

/** One attempt to deliver a callback, ready to be sent: whoever asks has signed it. */
export interface CallbackRequest {
  url: string
  headers: Record<string, string>
  body: string
  /** Hosts that this one may reach although they are private. */
  privateHosts?: readonly string[]
}

/** What became of an attempt. Whether it counts as acknowledged is for the caller to say (`callbackAcknowledged`). */
export interface CallbackOutcome {
  /** HTTP status; null when no answer came. */
  status: number | null
  /** The first 1,024 bytes of the answer; null when none came. */
  reply: string | null
  /** In plain words, for the developer: why no answer came, or why a redirect is none. */
  error: string | null
  /** ms */
  duration: number
  /** What the answer's `Retry-After` asks for, ms; null when it does not ask. */
  retryAfter: number | null
}

const REPLY_BYTES = 1_024

/**
 * Makes the function that sends one callback by POST. It never rejects for what the receiver does; it rejects when the
 * sending itself is at fault.
 * @param limit time for the whole attempt, ms
 */
export function createDelivery(
  egress: Egress,
  { limit = 5_000 } = {},
): (request: CallbackRequest) => Promise<CallbackOutcome> {
  return async ({ url, headers, body, privateHosts: also = [] }) => {
    const begin = performance.now()
    const duration = () => Math.round(performance.now() - begin)
    try {
      const answer = await egress.request({
        url,
        method: 'POST',
        headers,
        body,
        also,
        timeout: limit,
        maxBytes: REPLY_BYTES,
      })
      return {
        status: answer.status,
        // The ledger is text in a database, which has no place for this one character.
        reply: answer.body.replaceAll('\0', '\uFFFD'),
        error: redirectError(answer.status),
        duration: duration(),
        retryAfter: parseRetryAfter(answer.headers['retry-after'], Date.parse(answer.headers.date ?? '') || Date.now()),
      }
    } catch (reason) {
      const error = describeFailure(reason, URL.parse(url)?.host ?? url, limit)
      return { status: null, reply: null, error, duration: duration(), retryAfter: null }
    }
  }
}

/** `Retry-After` in seconds or as a date (RFC 9110 §10.2.3), as ms from `now`; null when there is none or it makes no sense. */
export function parseRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  // `Date.parse` takes nearly any word with a digit for a date; all three forms of HTTP begin with the day of the week.
  const at = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

function redirectError(status: number): string | null {
  if (status < 300 || status > 399) return null
  return `redirect not followed (${status}): notifyUrl must be the address that answers`
}

const CLOSED_EARLY = 'the receiver closed the connection before its answer was complete'

const FAILURES: Record<string, (host: string) => string> = {
  ECONNREFUSED: (host) => `connection refused: nothing listens at ${host}`,
  ENOTFOUND: (host) => `the host name of ${host} does not exist`,
  EAI_AGAIN: (host) => `the host name of ${host} could not be looked up`,
  EHOSTUNREACH: (host) => `${host} cannot be reached`,
  ENETUNREACH: (host) => `${host} cannot be reached`,
  ECONNRESET: () => CLOSED_EARLY,
  EPIPE: () => CLOSED_EARLY,
  UND_ERR_SOCKET: () => CLOSED_EARLY,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: () => CLOSED_EARLY,
  UND_ERR_HEADERS_OVERFLOW: () => 'the headers of the answer are too large',
  DEPTH_ZERO_SELF_SIGNED_CERT: (host) => `the certificate of ${host} is self-signed`,
  SELF_SIGNED_CERT_IN_CHAIN: (host) => `the certificate of ${host} comes from an authority that is not trusted`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: (host) => `the certificate of ${host} comes from an authority that is not trusted`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: (host) =>
    `${host} does not send the certificates between its own and the authority's`,
  CERT_HAS_EXPIRED: (host) => `the certificate of ${host} has expired`,
  CERT_NOT_YET_VALID: (host) => `the certificate of ${host} is not valid yet`,
  ERR_TLS_CERT_ALTNAME_INVALID: (host) => `the certificate of ${host} is made out to another name`,
}

/** @throws what it was given, when that is no failure of the network. */
function describeFailure(reason: unknown, host: string, limit: number): string {
  if (reason instanceof EgressRefused) return `address not allowed: ${reason.message}`
  const { name, code } = reason as { name?: string; code?: unknown }
  if (name === 'TimeoutError' || code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') {
    return `timed out after ${limit / 1000} s`
  }
  if (name === 'HTTPParserError') return `the answer of ${host} is not HTTP`
  if (typeof code !== 'string') throw reason
  const known = FAILURES[code]
  if (known) return known(host)
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return `${host} does not speak TLS as it should (${code})`
  return `the request failed (${code})`
}
