import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Hex32, Nullable, signed, Text } from '../schemas.ts'

/**
 * Returns the user profile (open-api §4.3, open-api §2.4). Fields outside the token's scope, and those that require
 * consent without it, are null.
 */
export const userInfo = operation({
  id: 'userInfo',
  surface: 'open',
  method: 'GET',
  path: '/neuopenapi/oauth/mini/user/info',
  summary: 'Read user info',
  section: '4.3',
  auth: 'accessToken',
  parameters: Type.Object({
    accessToken: Text(4096, { description: 'Token obtained from the access token operation.' }),
    appid: Type.Optional(signed.appid),
    timestamp: Type.Optional(signed.timestamp),
    sign: Type.Optional(signed.sign),
  }),
  result: Type.Object({
    openId: Hex32({ description: 'The user’s identifier under the appid.' }),
    nickName: Nullable(Type.String({ description: 'Nickname. Needs user.info.' })),
    avatar: Nullable(Type.String({ description: 'URL of the profile photo, or of a generated one. Needs user.info.' })),
    email: Nullable(Type.String({ description: 'E-mail address. Needs user.info or user.email, and consent.' })),
    country: Nullable(
      Type.String({ description: 'Country code: plus sign and digits. Needs user.phone, and consent.' }),
    ),
    phone: Nullable(Type.String({ description: 'Phone number. Needs user.phone, and consent.' })),
    unionId: Hex32({ description: 'Links the openIds of one user across the mini apps of one owner.' }),
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
  redact: ['accessToken', 'nickName', 'avatar', 'email', 'country', 'phone', 'sign'],
})
