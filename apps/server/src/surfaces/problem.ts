import { errors, type SoukError } from '@souk/contract'

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
