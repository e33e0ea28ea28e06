import type { ErrorCode, SoukError } from '@souk/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { problemDetails, setErrorHeaders } from './problem.ts'

/** Values of `error` in RFC 6749 §5.2 and RFC 7009 §2.2.1. All other codes of status 400 are `invalid_grant`. */
const oauthErrors: Partial<Record<ErrorCode, string>> = {
  grant_type_unsupported: 'unsupported_grant_type',
  parameter_missing: 'invalid_request',
  parameter_invalid: 'invalid_request',
  parameter_unknown: 'invalid_request',
  parameter_repeated: 'invalid_request',
  parameter_malformed: 'invalid_request',
  parameter_control_character: 'invalid_request',
  body_unsupported: 'invalid_request',
  body_too_large: 'invalid_request',
  token_malformed: 'invalid_request',
  logout_token_invalid: 'invalid_request',
  host_unknown: 'invalid_request',
  rate_limited: 'temporarily_unavailable',
  unavailable: 'temporarily_unavailable',
  read_only: 'temporarily_unavailable',
  issuer_unavailable: 'temporarily_unavailable',
  internal: 'server_error',
}

/** Responds with an error in the form of RFC 6749 §5.2, which also has the fields of problem details. */
export function sendOAuthError(request: FastifyRequest, reply: FastifyReply, refusal: SoukError): void {
  setErrorHeaders(reply, refusal)
    .headers({
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      Pragma: 'no-cache',
    })
    .send({
      error: oauthErrors[refusal.code] ?? 'invalid_grant',
      error_description: refusal.message,
      ...problemDetails(refusal, request.id),
    })
}
