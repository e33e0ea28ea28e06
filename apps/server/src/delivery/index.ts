import { second } from '@souk/contract'
import { type Egress, EgressRefused } from '../kernel/egress.ts'

/** A signed message, ready to be sent. */
export interface OutboundRequest {
  /** Purpose of the request, in traces and metrics. */
  purpose: string
  url: string
  headers: Record<string, string>
  body: string
  /** Private hosts that this message may reach in addition to the operator's list. */
  privateHosts?: readonly string[]
}

/** The outcome of an attempt. */
export interface SendOutcome {
  /** HTTP status, or null without a response. */
  status: number | null
  /** The first 1,024 bytes of the response, or null without one. */
  reply: string | null
  /** Explanation for the developer or operator if there was no response, or if it was a redirect. */
  error: string | null
  /** ms */
  duration: number
  /** `Retry-After` of the response in ms, or null. */
  retryAfter: number | null
  /** Set if nothing was sent, because the address is not allowed. */
  unsent?: boolean
}

const maxReply = 1_024

/**
 * Creates the function that sends a message by POST. Failures of the receiver are part of the outcome; it rejects only
 * for errors in Souk itself, and if no connection was free in time (EgressBusy), which is not an attempt.
 * @param timeout time limit of an attempt, ms. It starts when the attempt has a connection or opens one.
 */
export function createDelivery(
  egress: Egress,
  { timeout = 5 * second } = {},
): (request: OutboundRequest) => Promise<SendOutcome> {
  return async ({ purpose, url, headers, body, privateHosts: extraHosts = [] }) => {
    let start = performance.now()
    const duration = () => Math.round(performance.now() - start)
    try {
      const response = await egress.request({
        purpose,
        url,
        method: 'POST',
        headers,
        body,
        extraHosts,
        timeout,
        onStart: () => {
          start = performance.now()
        },
        maxBytes: maxReply,
      })
      return {
        status: response.status,
        // PostgreSQL cannot store NUL in text.
        reply: response.body.replaceAll('\0', '\uFFFD'),
        error: redirectError(response.status),
        duration: duration(),
        retryAfter: parseRetryAfter(
          response.headers['retry-after'],
          Date.parse(response.headers.date ?? '') || Date.now(),
        ),
      }
    } catch (reason) {
      const error = describeFailure(reason, URL.parse(url)?.host ?? url, timeout)
      const unsent = reason instanceof EgressRefused && { unsent: true }
      return { status: null, reply: null, error, duration: duration(), retryAfter: null, ...unsent }
    }
  }
}

/**
 * Parses `Retry-After`, in seconds or as a date (RFC 9110 §10.2.3), into ms from `now`. Returns null if absent or
 * invalid.
 */
export function parseRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null
  if (/^\d{1,9}$/.test(value)) return Number(value) * second
  // `Date.parse` accepts nearly any word with a digit; all three HTTP date formats start with the day of the week.
  const at = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

function redirectError(status: number): string | null {
  if (status < 300 || status > 399) return null
  return `redirect not followed (${status}): use the final address`
}

const closedEarly = 'the receiver closed the connection before its response was complete'

const failures: Record<string, (host: string) => string> = {
  ECONNREFUSED: (host) => `connection refused: nothing listens at ${host}`,
  ENOTFOUND: (host) => `the host name of ${host} does not exist`,
  EAI_AGAIN: (host) => `the host name of ${host} could not be resolved`,
  EHOSTUNREACH: (host) => `${host} cannot be reached`,
  ENETUNREACH: (host) => `${host} cannot be reached`,
  ECONNRESET: () => closedEarly,
  EPIPE: () => closedEarly,
  UND_ERR_SOCKET: () => closedEarly,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: () => closedEarly,
  UND_ERR_HEADERS_OVERFLOW: () => 'the headers of the response are too large',
  DEPTH_ZERO_SELF_SIGNED_CERT: (host) => `the certificate of ${host} is self-signed`,
  SELF_SIGNED_CERT_IN_CHAIN: (host) => `the certificate of ${host} comes from an authority that is not trusted`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: (host) => `the certificate of ${host} comes from an authority that is not trusted`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: (host) => `${host} does not send its intermediate certificates`,
  CERT_HAS_EXPIRED: (host) => `the certificate of ${host} has expired`,
  CERT_NOT_YET_VALID: (host) => `the certificate of ${host} is not valid yet`,
  ERR_TLS_CERT_ALTNAME_INVALID: (host) => `the certificate of ${host} is for another name`,
}

/** Explains a network failure. Throws `reason` if it is a different error. */
function describeFailure(reason: unknown, host: string, timeout: number): string {
  if (reason instanceof EgressRefused) return `address not allowed: ${reason.message}`
  const { name, code } = reason as { name?: string; code?: unknown }
  if (name === 'TimeoutError' || code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') {
    return `timed out after ${timeout / second} s`
  }
  if (name === 'HTTPParserError') return `the response of ${host} is not HTTP`
  if (typeof code !== 'string') throw reason
  const describe = failures[code]
  if (describe) return describe(host)
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return `TLS with ${host} failed (${code})`
  return `the request failed (${code})`
}
