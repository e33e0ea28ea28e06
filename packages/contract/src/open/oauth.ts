import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Hex32, Nullable, ScopeList, signed, Text } from '../schemas.ts'

/** The sign-in of users to a mini app. */
export const oauthOpenOperations = {
  /** Exchanges a login code for an access token (open-api §4.3, open-api §2.3). */
  accessToken: operation({
    id: 'accessToken',
    surface: 'open',
    method: 'POST',
    path: '/neuopenapi/oauth/mini/accessToken',
    summary: 'Exchange login code for access token',
    section: '4.3',
    notes:
      'A repeated attempt is the same signed request, which gets the same token. A code can be exchanged once: another call with it revokes the token. Scopes that the code does not include are not granted. If all attempts fail, request a new code on the page.',
    auth: 'sign',
    capability: 'login',
    body: ['form', 'multipart'],
    // With another sign, the code would count as used twice.
    retry: 'sameSignature',
    clientTypes: { result: { name: 'AccessToken', description: 'An access token of a user (open-api §2.3).' } },
    parameters: Type.Object({
      ...signed,
      code: Text(128, { description: 'Code from neu.login() or neu.getAuthCode(); single use, 5 minutes.' }),
      grantType: Type.Enum(['authorization_code'], {
        description: 'Fixed value authorization_code.',
        'x-allowed': 'must be authorization_code',
      }),
      scope: ScopeList({
        default: 'user.info',
        description: 'user.info, or user.info,user.phone for the phone number as well.',
      }),
    }),
    result: Type.Object({
      accessToken: Type.String({ description: 'OAuth token.' }),
      expire: Type.Integer({ description: 'Lifetime in seconds.' }),
      tokenType: Type.Literal('bearer', { description: 'Token type.' }),
      scope: Type.String({ description: 'Comma-separated list of the scopes that were granted.' }),
    }),
    errors: ['code_unknown', 'code_expired', 'code_used', 'code_foreign', 'scope_not_granted'],
    redact: ['code', 'accessToken', 'sign'],
  }),
  /**
   * Returns the user profile (open-api §4.3, open-api §2.4). Fields outside the token's scope, and those that require
   * consent without it, are null.
   */
  userInfo: operation({
    id: 'userInfo',
    surface: 'open',
    method: 'GET',
    alsoPost: true,
    path: '/neuopenapi/oauth/mini/user/info',
    summary: 'Read user info',
    section: '4.3',
    notes: 'Fields outside the token’s scope are null.',
    auth: 'accessToken',
    clientTypes: { result: { name: 'UserProfile', description: 'The profile of a user (open-api §2.4).' } },
    parameters: Type.Object({
      accessToken: Text(4096, { description: 'Token obtained from the access token operation.' }),
      appid: Type.Optional(signed.appid),
      timestamp: Type.Optional(signed.timestamp),
      sign: Type.Optional(signed.sign),
    }),
    result: Type.Object({
      openId: Hex32({ description: 'The user’s identifier under the appid.' }),
      nickName: Nullable(Type.String({ description: 'Nickname. Needs user.info.' })),
      avatar: Nullable(
        Type.String({ description: 'URL of the profile photo, or of a generated one. Needs user.info.' }),
      ),
      email: Nullable(Type.String({ description: 'E-mail address. Needs user.info or user.email, and consent.' })),
      country: Nullable(
        Type.String({ description: 'Country code: plus sign and digits. Needs user.phone, and consent.' }),
      ),
      phone: Nullable(Type.String({ description: 'Phone number. Needs user.phone, and consent.' })),
      unionId: Hex32({ description: 'Links the openIds of one user across the mini apps of one owner.' }),
      attributes: Type.Record(Type.String(), Nullable(Type.String()), {
        description: 'Fields of the scopes that the operator has defined, by name; null like the others.',
      }),
    }),
    errors: [
      'access_token_invalid',
      'appid_invalid',
      'timestamp_not_milliseconds',
      'timestamp_out_of_window',
      'sign_mismatch',
      'parameters_ambiguous',
      'sign_reused',
    ],
    redact: ['accessToken', 'nickName', 'avatar', 'email', 'country', 'phone', 'attributes', 'sign'],
  }),
}
