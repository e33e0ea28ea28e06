import { type ErrorCode, errors, type SoukError } from '@souk/contract'

/** Returns an error as problem details (RFC 9457). */
export function problemDetails({ code, status, message, data }: SoukError, requestId: string): object {
  return {
    type: `urn:souk:error:${code}`,
    title: errors[code].msg,
    status,
    code,
    detail: message,
    requestId,
    ...(data ? { data } : {}),
  }
}

/** Returns the value of `Link` (RFC 8288) that names the page of an error in the documentation. */
export function helpLink(code: ErrorCode): string {
  return `</docs/errors/${code}>; rel="help"`
}
