import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Hex32, Long, Nullable, RealTime, Text } from '../schemas.ts'
import { ClientParameters, console, Name, WebUrl } from './surface.ts'

/** Signature algorithms that an issuer may use. Symmetric ones and `none` are never accepted. */
export const tokenAlgorithms = ['RS256', 'ES256', 'EdDSA'] as const
export type TokenAlgorithm = (typeof tokenAlgorithms)[number]

/** The claim that each property of a user comes from by default, as in OpenID Connect. */
export const defaultClaims = {
  subject: 'sub',
  name: 'name',
  picture: 'picture',
  email: 'email',
  phone: 'phone_number',
  locale: 'locale',
} as const

const Claim = Text(128, { description: 'Name of the claim.' })
const Claims = Type.Object(
  {
    subject: Claim,
    name: Claim,
    picture: Claim,
    email: Claim,
    phone: Claim,
    locale: Claim,
  } satisfies Record<keyof typeof defaultClaims, unknown>,
  { additionalProperties: false },
)
const allowedClaims = `must be an object whose names are among ${Object.keys(defaultClaims).join(', ')}`
const Algorithms = Type.Array(Type.Enum([...tokenAlgorithms]), {
  minItems: 1,
  uniqueItems: true,
  'x-allowed': `must be a list of ${tokenAlgorithms.join(', ')}`,
})
const IssuerId = Hex32({ description: 'The issuer.' })

/** Sign-in to the host application at an issuer. The addresses are registered at the provider. */
const SignInClient = Type.Object({
  name: Type.String({ description: 'Name on the button of the sign-in page.' }),
  clientId: Type.String(),
  hasSecret: Type.Boolean({ description: 'False for a public client.' }),
  scopes: Type.Array(Type.String()),
  redirectUrl: Type.String({ description: 'Redirect URL.' }),
  signOutRedirectUrl: Type.String({ description: 'Redirect URL after the sign-out.' }),
  backChannelLogoutUrl: Type.String({ description: 'Address for logout tokens.' }),
})

const Issuer = Type.Object({
  issuerId: IssuerId,
  issuer: Type.String({ description: 'The claim iss.' }),
  audience: Type.String({ description: 'The claim aud, or one of its values.' }),
  jwksUrl: Nullable(Type.String({ description: 'Address of the keys; null: from discovery, or a PEM.' })),
  pem: Nullable(Type.String({ description: 'The public key.' })),
  algorithms: Type.Array(Type.Enum([...tokenAlgorithms])),
  claims: Claims,
  clockTolerance: Type.Integer({ description: 'Maximum clock difference, s.' }),
  signIn: Nullable({ ...SignInClient, description: 'How users sign in to the host application; null if they cannot.' }),
  ctime: RealTime(),
})

/** Issuers of tokens that sign the users of a company in to the host. */
export const issuerOperations = {
  listIssuers: operation({
    ...console,
    id: 'listIssuers',
    method: 'GET',
    path: '/console/v1/issuers',
    summary: 'List trusted issuers, oldest first, at most 100',
    access: 'administrator',
    parameters: Type.Object({}),
    result: Type.Array(Issuer),
    errors: [],
    redact: [],
  }),
  addIssuer: operation({
    ...console,
    id: 'addIssuer',
    stepUp: 'access',
    method: 'POST',
    path: '/console/v1/issuers',
    summary: 'Trust an issuer: its tokens sign users in to the host',
    access: 'administrator',
    body: ['json'],
    parameters: Type.Object({
      issuer: Text(1024, { description: 'The claim iss; an https URL unless jwksUrl or pem is given.' }),
      audience: Text(255, { description: 'The claim aud that tokens for this installation have.' }),
      jwksUrl: Type.Optional(WebUrl),
      pem: Type.Optional(Text(16_384, { description: 'A public key or certificate in PEM.' })),
      algorithms: Type.Optional(Algorithms),
      claims: Type.Optional(Type.Partial(Claims, { additionalProperties: false, 'x-allowed': allowedClaims })),
      clockTolerance: Type.Optional(
        Long({ maximum: 300, default: 60, 'x-allowed': 'must be a number of seconds from 0 to 300' }),
      ),
    }),
    example: { issuer: 'https://id.example', audience: 'souk', jwksUrl: 'https://id.example/jwks' },
    result: Issuer,
    errors: ['issuer_exists', 'issuer_limit_reached'],
    redact: [],
  }),
  removeIssuer: operation({
    ...console,
    id: 'removeIssuer',
    stepUp: 'access',
    method: 'DELETE',
    path: '/console/v1/issuers/{issuerId}',
    summary: 'Stop trusting an issuer, and end the sessions that its tokens started',
    access: 'administrator',
    parameters: Type.Object({ issuerId: IssuerId }),
    example: { issuerId: '0123456789abcdef0123456789abcdef' },
    result: Type.Boolean(),
    errors: ['issuer_not_found'],
    redact: [],
  }),
  enableSignIn: operation({
    ...console,
    id: 'enableSignIn',
    method: 'POST',
    path: '/console/v1/issuers/{issuerId}/sign-in',
    summary: 'Enable sign-in to the host application through an issuer, or change its settings',
    access: 'administrator',
    stepUp: 'access',
    body: ['json'],
    parameters: Type.Object({
      issuerId: IssuerId,
      name: Name('Name on the button of the sign-in page.'),
      ...ClientParameters,
    }),
    example: { issuerId: '0123456789abcdef0123456789abcdef', name: 'Example', clientId: 'souk' },
    result: Issuer,
    errors: ['issuer_not_found', 'issuer_unavailable'],
    redact: ['clientSecret'],
  }),
  disableSignIn: operation({
    ...console,
    id: 'disableSignIn',
    method: 'DELETE',
    path: '/console/v1/issuers/{issuerId}/sign-in',
    summary: 'Stop letting users sign in to the host application at an issuer; their sessions continue',
    access: 'administrator',
    stepUp: 'access',
    parameters: Type.Object({ issuerId: IssuerId }),
    example: { issuerId: '0123456789abcdef0123456789abcdef' },
    result: Issuer,
    errors: ['issuer_not_found'],
    redact: [],
  }),
}
