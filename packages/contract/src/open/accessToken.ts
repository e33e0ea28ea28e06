import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { signed, Text } from '../schemas.ts'

/** Exchanges a login code for an access token (open-api §4.3, open-api §2.3). */
export const accessToken = operation({
  id: 'accessToken',
  surface: 'open',
  method: 'POST',
  path: '/neuopenapi/oauth/mini/accessToken',
  summary: 'Exchange login code for access token',
  section: '4.3',
  auth: 'sign',
  capability: 'login',
  body: ['form', 'multipart'],
  // Exchanging a code twice revokes the token issued for it.
  retry: 'ifNotExecuted',
  parameters: Type.Object({
    ...signed,
    code: Text(128, { description: 'Code from neu.login() or neu.getAuthCode(); single use, 5 minutes.' }),
    grantType: Type.Enum(['authorization_code'], {
      description: 'Fixed value authorization_code.',
      'x-allowed': 'must be authorization_code',
    }),
    scope: Type.String({
      pattern: '^user\\.(info|phone|email)(,user\\.(info|phone|email))*$',
      default: 'user.info',
      description: 'user.info, or user.info,user.phone for the phone number as well.',
      'x-allowed': 'must be a comma-separated list of user.info, user.phone, user.email',
    }),
  }),
  result: Type.Object({
    accessToken: Type.String({ description: 'OAuth token.' }),
    expire: Type.Integer({ description: 'Lifetime in seconds.' }),
    tokenType: Type.Literal('bearer', { description: 'Token type.' }),
  }),
  errors: ['code_unknown', 'code_expired', 'code_used', 'code_foreign', 'scope_not_granted'],
  redact: ['code', 'accessToken', 'sign'],
})
