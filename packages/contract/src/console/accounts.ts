import { Type } from 'typebox'
import { passwordLength } from '../accountRules.ts'
import { operation } from '../operation.ts'
import { Nullable, RealTime, Text } from '../schemas.ts'
import { BlockReason } from './blocks.ts'
import { AccountId, console, Flag, Name, Page, paging, SearchText, Sort } from './surface.ts'

/** Languages of the console (BCP 47). */
export const consoleLanguages = ['zh-CN', 'en', 'ar'] as const
export type ConsoleLanguage = (typeof consoleLanguages)[number]

const Language = Type.Enum([...consoleLanguages], {
  description: 'Language of the console.',
  'x-allowed': `must be one of ${consoleLanguages.join(', ')}`,
})

const Username = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._@+-]{1,63}$',
  description: 'Name to sign in with, case-insensitive; may be an e-mail address.',
  'x-allowed': 'must be 2 to 64 ASCII letters, digits and . _ @ + -, the first a letter or digit',
})

const NewPassword = Type.String({
  minLength: passwordLength.min,
  maxLength: passwordLength.max,
  description: 'The new password.',
  'x-allowed': `must have ${passwordLength.min} to ${passwordLength.max} characters`,
})

/** A password that is checked. */
export const Password = Type.String({ minLength: 1, maxLength: passwordLength.max, 'x-allowed': 'must be a password' })

/** The one-time token of a link. */
export const LinkToken = Type.String({
  pattern: '^[\\w-]{20,100}$',
  description: 'The part of the link after #.',
  'x-allowed': 'must be the part of the link after #',
})

/** The account that the holder of a link creates. */
export const NewAccount = Type.Object({
  token: LinkToken,
  username: Username,
  name: Name('Name shown to others.'),
  password: NewPassword,
  language: Type.Optional(Language),
})

/** A console account of a developer or operator; not a user of the host application. */
const Account = Type.Object({
  accountId: AccountId,
  username: Type.String(),
  name: Type.String(),
  language: Type.Enum([...consoleLanguages]),
  administrator: Type.Boolean({ description: 'Has the rights of an owner in every project.' }),
  ctime: RealTime(),
})

/** Reasons why the answer of a sign-on provider suspends an account. */
const suspensionReasons = ['claimMissing', 'groupsLost'] as const

const Suspension = Type.Object(
  {
    reason: Type.Enum([...suspensionReasons], {
      description:
        'claimMissing: the provider sent no groups. groupsLost: it sent a list of groups, and none may use the console.',
    }),
    claim: Type.String({ description: 'The claim that was read.' }),
    since: RealTime(),
    deletionTime: Nullable(
      RealTime('When its API key, second factors and roles of groups are deleted, ms of real time.'),
    ),
  },
  {
    description:
      'Set while its sessions, API key and roles cannot be used, because its sign-on provider did not name a group that may use the console.',
  },
)

/** Ways to confirm the identity of an account by `confirmSession`. */
export const confirmationMethods = ['passkey', 'code', 'recoveryCode', 'password'] as const
export type ConfirmationMethod = (typeof confirmationMethods)[number]
/** All ways; `signOn`: a fresh sign-in at the provider of the account. */
const identityMethods = [...confirmationMethods, 'signOn'] as const
export type IdentityMethod = (typeof identityMethods)[number]

/**
 * Reasons why a sign-in is incomplete: the second factor of the account, or one at all, if the installation requires
 * it.
 */
const pendingSignIns = ['secondFactor', 'enrolment'] as const
export type PendingSignIn = (typeof pendingSignIns)[number]

/** The signed-in account, with what the console needs for its requests. */
export const Session = Type.Object({
  account: Account,
  csrfToken: Type.String({ description: 'Value of the header `X-Souk-CSRF`, required for writes.' }),
  expires: RealTime('When the session ends unless it is used before, ms of real time.'),
  environment: Type.Enum(['sandbox', 'live']),
  mayCreateProjects: Type.Boolean(),
  pending: Nullable(
    Type.Enum([...pendingSignIns], {
      description: 'What the session still needs before it can be used; null if nothing.',
    }),
  ),
  confirmationMethods: Type.Array(Type.Enum([...identityMethods]), {
    description: 'How the account can confirm its identity, preferred first.',
  }),
  mail: Type.Boolean({ description: 'Whether the installation sends mail.' }),
})

/** Setup, sign-in, the account of the caller and its tokens, and management of other accounts. */
export const accountOperations = {
  getSetup: operation({
    ...console,
    id: 'getSetup',
    method: 'GET',
    path: '/console/v1/setup',
    summary: 'Get the setup state',
    auth: 'none',
    access: 'anyone',
    parameters: Type.Object({}),
    result: Type.Object({
      open: Type.Boolean(),
      environment: Type.Enum(['sandbox', 'live']),
      mail: Type.Boolean({ description: 'Whether the installation sends mail.' }),
    }),
    errors: [],
    redact: [],
  }),
  setUp: operation({
    ...console,
    id: 'setUp',
    method: 'POST',
    path: '/console/v1/setup',
    summary: 'Create the first administrator with the one-time link, and sign in',
    auth: 'none',
    access: 'anyone',
    body: ['json'],
    parameters: NewAccount,
    example: { username: 'newcomer', name: 'New', password: 'long enough now' },
    result: Session,
    errors: ['setup_closed', 'password_weak', 'rate_limited', 'csrf_invalid'],
    redact: ['token', 'password', 'csrfToken'],
  }),
  consoleSignIn: operation({
    ...console,
    id: 'consoleSignIn',
    method: 'POST',
    path: '/console/v1/session',
    summary: 'Sign in; sets the session cookie',
    auth: 'none',
    access: 'anyone',
    body: ['json'],
    parameters: Type.Object({
      username: Text(64, { description: 'User name.', 'x-allowed': 'must be the user name' }),
      password: Password,
    }),
    example: { username: 'layla', password: 'long enough now' },
    result: Session,
    errors: [
      'sign_in_failed',
      'account_disabled',
      'account_suspended',
      'password_sign_in_off',
      'rate_limited',
      'csrf_invalid',
    ],
    redact: ['password', 'csrfToken'],
  }),
  getSession: operation({
    ...console,
    id: 'getSession',
    pendingSignIn: 'any',
    method: 'GET',
    path: '/console/v1/session',
    summary: 'Get the signed-in account',
    access: 'account',
    parameters: Type.Object({}),
    result: Session,
    errors: [],
    redact: ['csrfToken'],
  }),
  consoleSignOut: operation({
    ...console,
    id: 'consoleSignOut',
    pendingSignIn: 'any',
    method: 'DELETE',
    path: '/console/v1/session',
    summary: 'Sign out',
    access: 'account',
    parameters: Type.Object({}),
    result: Type.Boolean(),
    errors: [],
    redact: [],
  }),
  changePassword: operation({
    ...console,
    id: 'changePassword',
    method: 'POST',
    path: '/console/v1/profile/password',
    summary: 'Change the password; ends all other sessions and tokens of the account',
    access: 'account',
    body: ['json'],
    parameters: Type.Object({ current: Password, password: NewPassword }),
    example: { current: 'long enough then', password: 'long enough now' },
    result: Type.Boolean(),
    errors: ['password_wrong', 'password_weak', 'rate_limited'],
    redact: ['current', 'password'],
  }),
  updateProfile: operation({
    ...console,
    id: 'updateProfile',
    method: 'PATCH',
    path: '/console/v1/profile',
    summary: 'Change name or language',
    access: 'account',
    body: ['json'],
    parameters: Type.Object({ name: Type.Optional(Name('Name shown to others.')), language: Type.Optional(Language) }),
    example: { language: 'ar' },
    result: Account,
    errors: [],
    redact: [],
  }),
  createToken: operation({
    ...console,
    id: 'createToken',
    stepUp: 'access',
    method: 'POST',
    path: '/console/v1/tokens',
    summary: 'Create a token for the platform data API, valid for one hour; shown once',
    section: '5.1',
    access: 'account',
    body: ['json'],
    parameters: Type.Object({}),
    result: Type.Object({
      token: Type.String({ description: 'Token for `Authorization: Bearer …`.' }),
      expire: Type.Integer({ description: 'Seconds.' }),
    }),
    errors: [],
    redact: ['token'],
  }),
  listAccounts: operation({
    ...console,
    id: 'listAccounts',
    method: 'GET',
    path: '/console/v1/accounts',
    summary: 'List accounts',
    access: 'administrator',
    parameters: Type.Object({
      text: SearchText('name, user name or confirmed e-mail address'),
      username: Type.Optional(Username),
      sort: Sort(['-ctime', 'ctime', 'name', '-name']),
      ...paging,
    }),
    result: Page(
      Type.Object({
        ...Account.properties,
        email: Nullable(Type.String({ description: 'The confirmed address.' })),
        enabled: Type.Boolean(),
        suspension: Nullable(Suspension),
        secondFactor: Type.Boolean({ description: 'Whether it has a passkey or an authenticator app.' }),
        mayCreateProjects: Type.Boolean({ description: 'Whether an administrator has allowed it to create projects.' }),
        lastSignIn: Nullable(RealTime()),
      }),
    ),
    errors: [],
    redact: ['email'],
  }),
  updateAccount: operation({
    ...console,
    id: 'updateAccount',
    method: 'PATCH',
    path: '/console/v1/accounts/{accountId}',
    summary: 'Disable an account including its API key, or enable it again',
    access: { action: 'project.manage', by: 'accountId' },
    body: ['json'],
    parameters: Type.Object({
      accountId: AccountId,
      enabled: Flag('Whether it may be used.'),
      reason: BlockReason,
    }),
    example: { enabled: false },
    result: Type.Boolean(),
    errors: ['own_account', 'last_owner', 'last_administrator', 'blocked_by_operator'],
    redact: [],
  }),
  restoreAccount: operation({
    ...console,
    id: 'restoreAccount',
    stepUp: 'access',
    method: 'POST',
    path: '/console/v1/accounts/{accountId}/restore',
    summary: 'End the suspension of an account: its API key, sessions and roles can be used again',
    access: 'administrator',
    body: ['json'],
    parameters: Type.Object({ accountId: AccountId }),
    result: Type.Boolean({ description: 'Whether it was suspended.' }),
    errors: ['account_not_found'],
    redact: [],
  }),
  createPasswordReset: operation({
    ...console,
    id: 'createPasswordReset',
    stepUp: 'access',
    method: 'POST',
    path: '/console/v1/accounts/{accountId}/password-reset',
    summary: 'Create a password reset link, valid once and for one hour; shown once',
    access: { action: 'project.manage', by: 'accountId' },
    body: ['json'],
    parameters: Type.Object({ accountId: AccountId }),
    result: Type.Object({
      token: Type.String({ description: 'The part of the link after #.' }),
      link: Type.String({ description: 'Page where the new password is set.' }),
      validUntil: RealTime(),
    }),
    errors: ['own_account', 'account_disabled', 'account_suspended', 'signs_on_at_provider'],
    redact: ['token', 'link'],
  }),
  showPasswordReset: operation({
    ...console,
    id: 'showPasswordReset',
    unaudited: 'Only reads. A POST, because URLs are logged.',
    method: 'POST',
    path: '/console/v1/password-resets/show',
    summary: 'Get the account that a password reset link belongs to',
    auth: 'none',
    access: 'anyone',
    body: ['json'],
    parameters: Type.Object({ token: LinkToken }),
    result: Type.Object({ username: Type.String(), name: Type.String(), validUntil: RealTime() }),
    errors: ['password_reset_not_found', 'csrf_invalid'],
    redact: ['token'],
  }),
  resetPassword: operation({
    ...console,
    id: 'resetPassword',
    method: 'POST',
    path: '/console/v1/password-resets/use',
    summary:
      'Set a new password with a reset link, and sign in; ends all sessions and tokens of the account, but not its API key',
    auth: 'none',
    access: 'anyone',
    body: ['json'],
    parameters: Type.Object({ token: LinkToken, password: NewPassword }),
    example: { password: 'long enough now' },
    result: Session,
    errors: ['password_reset_not_found', 'password_weak', 'password_sign_in_off', 'rate_limited', 'csrf_invalid'],
    redact: ['token', 'password', 'csrfToken'],
  }),
}
