import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Text } from '../schemas.ts'

/** Values of `grant_type` (RFC 8693 §2.1, RFC 6749 §6). */
export const tokenExchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const refreshTokenGrant = 'refresh_token'
/** Values of `subject_token_type` (RFC 8693 §3). */
const subjectTokenTypes = ['urn:ietf:params:oauth:token-type:jwt', 'urn:ietf:params:oauth:token-type:id_token'] as const
/** The type of the tokens that are issued (RFC 8693 §3). */
export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'

/** Errors of a token of a trusted issuer or OpenID provider. */
export const tokenErrors = [
  'token_malformed',
  'token_issuer_unknown',
  'token_audience_wrong',
  'token_algorithm_refused',
  'token_time_invalid',
  'token_signature_invalid',
  'token_claim_missing',
] as const

const token = { surface: 'host', auth: 'none', method: 'POST', body: ['form'], oauthErrors: true } as const

/** Tokens of host users for a company's own application or backend. */
export const tokenOperations = {
  exchangeToken: operation({
    ...token,
    id: 'exchangeToken',
    path: '/host/v1/token',
    summary: 'Exchange a token of a trusted issuer for a host session (RFC 8693), or refresh the session',
    parameters: Type.Object({
      grant_type: Text(255, { description: `${tokenExchangeGrant} or ${refreshTokenGrant}` }),
      subject_token: Type.Optional(Text(16_384, { description: 'JWT of a trusted issuer.' })),
      subject_token_type: Type.Optional(
        Type.Enum([...subjectTokenTypes], { 'x-allowed': `must be ${subjectTokenTypes.join(' or ')}` }),
      ),
      requested_token_type: Type.Optional(
        Type.Enum([accessTokenType], { 'x-allowed': `must be ${accessTokenType} or absent` }),
      ),
      refresh_token: Type.Optional(Text(255)),
      client_id: Type.Optional(Text(255, { description: 'Ignored; sent by common clients.' })),
      scope: Type.Optional(Text(1024, { description: 'Ignored; sent by common clients.' })),
    }),
    result: Type.Object({
      access_token: Type.String({ description: 'Bearer token of the host session.' }),
      issued_token_type: Type.String({ description: accessTokenType }),
      token_type: Type.String({ description: 'Bearer' }),
      expires_in: Type.Integer({ description: 'Lifetime of the access token, s.' }),
      refresh_token: Type.String({ description: 'Valid once, for 30 days.' }),
    }),
    errors: [
      'grant_type_unsupported',
      ...tokenErrors,
      'token_replayed',
      'issuer_unavailable',
      'refresh_token_invalid',
      'refresh_token_reused',
      'user_disabled',
      'rate_limited',
    ],
    redact: ['subject_token', 'refresh_token', 'access_token'],
  }),
  revokeToken: operation({
    ...token,
    id: 'revokeToken',
    path: '/host/v1/revoke',
    summary: 'Revoke an access or refresh token, with all others of its sign-in (RFC 7009)',
    parameters: Type.Object({
      token: Text(255),
      token_type_hint: Type.Optional(Text(255, { description: 'Ignored; the token shows its type.' })),
      client_id: Type.Optional(Text(255, { description: 'Ignored; sent by common clients.' })),
    }),
    retry: 'idempotent',
    result: Type.Object({}),
    errors: ['rate_limited'],
    redact: ['token'],
  }),
}
