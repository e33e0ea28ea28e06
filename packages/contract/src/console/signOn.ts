import { Type } from 'typebox'
import { AuthorizationResponse, authorizationErrors } from '../host/signIn.ts'
import { operation } from '../operation.ts'
import { roles } from '../roles.ts'
import { Hex32, Long, RealTime, Text } from '../schemas.ts'
import { Session } from './accounts.ts'
import { ClientParameters, console, Flag, Name, ProjectId } from './surface.ts'

const ProviderId = Hex32({ description: 'The sign-on provider.' })
const GroupRole = Type.Object(
  {
    group: Text(255, { description: 'A value of the groups claim.' }),
    role: Type.Enum(['administrator', ...roles]),
    projectId: Type.Optional(ProjectId),
  },
  { additionalProperties: false },
)
const GroupRoles = Type.Array(GroupRole, {
  maxItems: 200,
  description:
    'Roles by group: administrator, or a role in a project. If any are set, accounts that match no group are rejected.',
  'x-allowed': `must be a list of at most 200 objects with group, role (administrator, ${roles.join(', ')}) and, for a role in a project, projectId`,
})
const GroupsClaim = Text(128, { description: 'The claim with the groups; groups by default.' })

/** Days for which an account that has left all mapped groups is suspended. */
export const defaultSuspensionDays = 30
const SuspensionDays = Long({
  minimum: 1,
  maximum: 3650,
  default: defaultSuspensionDays,
  description:
    'Days after which the API key, second factors and roles of an account are deleted that has left all groups with a role. Until then it is suspended.',
  'x-allowed': 'must be a number of days from 1 to 3650',
})

const Provider = Type.Object({
  providerId: ProviderId,
  name: Type.String({ description: 'Name on the button of the sign-in page.' }),
  issuer: Type.String(),
  clientId: Type.String(),
  hasSecret: Type.Boolean({ description: 'False for a public client.' }),
  scopes: Type.Array(Type.String()),
  groupsClaim: Type.String(),
  roles: Type.Array(GroupRole),
  suspensionDays: Type.Integer({ description: 'Days for which an account that has left all groups is suspended.' }),
  redirectUrl: Type.String({ description: 'Redirect URL to register at the provider.' }),
  ctime: RealTime(),
})

const path = '/console/v1/sign-on'
const anyone = { ...console, auth: 'none', access: 'anyone' } as const
const administrators = { ...console, access: 'administrator' } as const

/** Sign-in to the console at OpenID providers. */
export const signOnOperations = {
  getSignOn: operation({
    ...anyone,
    id: 'getSignOn',
    method: 'GET',
    path,
    summary: 'Get how accounts can sign in',
    parameters: Type.Object({}),
    result: Type.Object({
      passwordSignIn: Type.Boolean({ description: 'Whether accounts can sign in with a password.' }),
      providers: Type.Array(Type.Object({ providerId: ProviderId, name: Type.String() })),
    }),
    errors: [],
    redact: [],
  }),
  startSignOn: operation({
    ...anyone,
    id: 'startSignOn',
    method: 'POST',
    path,
    summary: 'Start a sign-in at a provider: sets a cookie, and returns the page of the provider to open',
    unaudited: 'Changes nothing. The sign-in is recorded when it is complete.',
    body: ['json'],
    parameters: Type.Object({
      providerId: ProviderId,
      fresh: Type.Optional(Flag('Whether the provider asks for credentials although it knows the browser.')),
    }),
    example: { providerId: '0123456789abcdef0123456789abcdef' },
    result: Type.Object({ url: Type.String({ description: 'Page of the provider.' }) }),
    errors: ['sign_on_provider_not_found', 'issuer_unavailable', 'rate_limited', 'csrf_invalid'],
    redact: ['url'],
  }),
  completeSignOn: operation({
    ...anyone,
    id: 'completeSignOn',
    method: 'POST',
    path: `${path}/complete`,
    summary: 'Complete a sign-in with the response of the provider, in the browser that started it',
    body: ['json'],
    parameters: Type.Object({ response: AuthorizationResponse }),
    example: { response: 'code=YWJj&state=ZGVm' },
    result: Session,
    errors: [
      ...authorizationErrors,
      'sign_on_provider_not_found',
      'sign_on_not_allowed',
      'sign_on_groups_missing',
      'sign_on_groups_unreadable',
      'account_disabled',
      'csrf_invalid',
    ],
    redact: ['response', 'csrfToken'],
  }),
  listSignOnProviders: operation({
    ...administrators,
    id: 'listSignOnProviders',
    method: 'GET',
    path: `${path}/providers`,
    summary: 'List sign-on providers, oldest first, at most 20',
    parameters: Type.Object({}),
    result: Type.Array(Provider),
    errors: [],
    redact: [],
  }),
  addSignOnProvider: operation({
    ...administrators,
    id: 'addSignOnProvider',
    stepUp: 'access',
    method: 'POST',
    path: `${path}/providers`,
    summary: 'Let accounts of an OpenID provider sign in to the console',
    body: ['json'],
    parameters: Type.Object({
      name: Name('Name on the button of the sign-in page.'),
      issuer: Text(1024, { description: 'Issuer URL, whose discovery document is read.' }),
      ...ClientParameters,
      groupsClaim: Type.Optional(GroupsClaim),
      roles: Type.Optional(GroupRoles),
      suspensionDays: Type.Optional(SuspensionDays),
    }),
    example: { name: 'Example', issuer: 'https://id.example', clientId: 'souk-console' },
    result: Provider,
    errors: ['sign_on_provider_exists', 'sign_on_provider_limit_reached', 'project_not_found', 'issuer_unavailable'],
    redact: ['clientSecret'],
  }),
  removeSignOnProvider: operation({
    ...administrators,
    id: 'removeSignOnProvider',
    stepUp: 'access',
    method: 'DELETE',
    path: `${path}/providers/{providerId}`,
    summary: 'Remove a sign-on provider, and end the sessions of its accounts',
    parameters: Type.Object({ providerId: ProviderId }),
    example: { providerId: '0123456789abcdef0123456789abcdef' },
    result: Type.Boolean(),
    errors: ['sign_on_provider_not_found', 'sign_on_not_working'],
    redact: [],
  }),
  allowPasswordSignIn: operation({
    ...administrators,
    id: 'allowPasswordSignIn',
    stepUp: 'access',
    method: 'POST',
    path: `${path}/passwords`,
    summary: 'Allow or forbid sign-in with a password',
    body: ['json'],
    parameters: Type.Object({ allowed: Flag('Whether accounts can sign in with a password.') }),
    example: { allowed: true },
    result: Type.Boolean({ description: 'Whether accounts can sign in with a password.' }),
    errors: ['sign_on_not_working'],
    redact: [],
  }),
}
