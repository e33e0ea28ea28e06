import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Hex32, Nullable, Text } from '../schemas.ts'
import { HostSession } from './session.ts'
import { tokenErrors } from './token.ts'

/** The claim events of a logout token has a member with this name (OpenID Connect Back-Channel Logout 1.0). */
export const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

const IssuerId = Hex32({ description: 'The issuer.' })

/** Errors of a response of an OpenID provider, for users and for accounts of the console. */
export const authorizationErrors = [
  'sign_in_not_started',
  'sign_in_state_wrong',
  'authorization_response_invalid',
  'authorization_refused',
  'authorization_code_refused',
  'userinfo_refused',
  'userinfo_invalid',
  ...tokenErrors,
  'id_token_nonce_wrong',
  'issuer_unavailable',
  'rate_limited',
] as const

/** The query of the address to which a provider returns a browser. */
export const AuthorizationResponse = Text(8192, {
  description: 'The query string of the address to which the provider returned the browser: code, state and others.',
  'x-allowed': 'must be a query string of at most 8192 characters',
})

const host = { surface: 'host', auth: 'none' } as const

/** Sign-in of the users of a company by OpenID Connect, for the host application in a browser. */
export const signInOperations = {
  listSignInIssuers: operation({
    ...host,
    id: 'listSignInIssuers',
    method: 'GET',
    path: '/host/v1/sign-in',
    summary: 'List the issuers at which users can sign in, by name',
    parameters: Type.Object({}),
    result: Type.Array(Type.Object({ issuerId: IssuerId, name: Type.String() })),
    errors: ['rate_limited'],
    redact: [],
  }),
  startSignIn: operation({
    ...host,
    id: 'startSignIn',
    method: 'POST',
    path: '/host/v1/sign-in',
    summary: 'Start a sign-in: sets a cookie, and returns the page of the provider to open',
    body: ['json'],
    parameters: Type.Object({ issuerId: IssuerId }),
    result: Type.Object({ url: Type.String({ description: 'Page of the provider.' }) }),
    errors: ['issuer_not_found', 'issuer_unavailable', 'rate_limited'],
    redact: ['url'],
  }),
  completeSignIn: operation({
    ...host,
    id: 'completeSignIn',
    method: 'POST',
    path: '/host/v1/sign-in/complete',
    summary: 'Complete a sign-in with the response of the provider, in the browser that started it',
    body: ['json'],
    parameters: Type.Object({ response: AuthorizationResponse }),
    result: HostSession,
    errors: [...authorizationErrors, 'issuer_not_found', 'user_disabled'],
    redact: ['response', 'session', 'user'],
  }),
}

/** Requests of OpenID providers. */
export const logoutOperations = {
  backChannelLogout: operation({
    ...host,
    id: 'backChannelLogout',
    method: 'POST',
    path: '/host/v1/back-channel-logout',
    summary: 'End the sessions that a logout token names (OpenID Connect Back-Channel Logout 1.0)',
    body: ['form'],
    oauthErrors: true,
    parameters: Type.Object({ logout_token: Text(16_384, { description: 'Logout token of a trusted issuer.' }) }),
    result: Type.Object({}),
    errors: [...tokenErrors, 'token_replayed', 'logout_token_invalid', 'issuer_unavailable', 'rate_limited'],
    redact: ['logout_token'],
  }),
}

/** The result of a sign-out. */
export const SignedOut = Type.Object({
  signOutUrl: Nullable(
    Type.String({
      description: 'The provider’s page that also ends its own session; null for sessions without a provider.',
    }),
  ),
})
