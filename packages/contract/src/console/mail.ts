import { Type } from 'typebox'
import { emailPattern } from '../accountRules.ts'
import { operation } from '../operation.ts'
import { Hex32, Nullable, RealTime } from '../schemas.ts'
import { consoleLanguages, LinkToken } from './accounts.ts'
import { AccountId, console } from './surface.ts'

/** E-mail address of a person who has an account or is invited. */
export const Email = Type.String({
  pattern: emailPattern.source,
  maxLength: 254,
  description: 'E-mail address, case-insensitive.',
  'x-allowed': 'must be an e-mail address such as layla@example.com, of at most 254 ASCII characters',
})

/** Kinds of mails. Each has a text per language. */
export const mailKinds = [
  'test',
  'invitation',
  'passwordReset',
  'emailConfirmation',
  'emailChanged',
  'newDevice',
  'passwordChanged',
  'credentialAdded',
  'credentialRemoved',
  'recoveryCodesCreated',
  'recoveryCodeUsed',
  'changeRequested',
  'changeApproved',
  'changeRejected',
  'releaseSubmitted',
  'releaseApproved',
  'releaseRejected',
  'canaryHalted',
  'alertRaised',
  'alertResolved',
  'miniAppReported',
  'callbacksDisabled',
  'endpointDisabled',
  'blocked',
  'blockLifted',
  'blockKept',
  'blockAppealed',
] as const
export type MailKind = (typeof mailKinds)[number]

/** A mail that was not sent at its last attempt. Times are ms of real time. */
const MailProblem = Type.Object({
  mailId: Hex32(),
  kind: Type.Enum([...mailKinds]),
  recipient: Type.String(),
  state: Type.Enum(['waiting', 'failed'], { description: 'waiting: it is tried again; failed: it is not.' }),
  attempts: Type.Integer(),
  error: Nullable(Type.String({ description: 'What the mail server answered, or why it could not be reached.' })),
  ctime: RealTime(),
})

/** The address that mail for an account is sent to. */
const EmailState = Type.Object({
  email: Nullable(Type.String({ description: 'The confirmed address.' })),
  pending: Nullable(Type.String({ description: 'The address that a confirmation link was sent to.' })),
})

/** Mail of the installation, and the addresses of accounts. */
export const mailOperations = {
  getMail: operation({
    ...console,
    id: 'getMail',
    method: 'GET',
    path: '/console/v1/mail',
    summary: 'Get the mail server and the mails that could not be sent in the last 30 days, at most 20',
    access: 'administrator',
    parameters: Type.Object({}),
    result: Type.Object({
      server: Nullable(Type.String({ description: 'URL without credentials; null if mail is not configured.' })),
      from: Nullable(Type.String({ description: 'Sender address.' })),
      waiting: Type.Integer({ description: 'Mails that have not been sent yet.' }),
      lastSent: Nullable(RealTime()),
      problems: Type.Array(MailProblem),
    }),
    errors: [],
    redact: ['recipient'],
  }),
  sendTestMail: operation({
    ...console,
    id: 'sendTestMail',
    method: 'POST',
    path: '/console/v1/mail/test',
    summary: 'Send a test mail at once and report what the mail server answers',
    access: 'administrator',
    body: ['json'],
    parameters: Type.Object({
      email: Email,
      language: Type.Optional(
        Type.Enum([...consoleLanguages], { 'x-allowed': `must be one of ${consoleLanguages.join(', ')}` }),
      ),
    }),
    example: { email: 'operator@mail.example' },
    result: Type.Boolean(),
    errors: ['mail_not_configured', 'mail_failed'],
    redact: ['email'],
  }),
  getEmail: operation({
    ...console,
    id: 'getEmail',
    method: 'GET',
    path: '/console/v1/profile/email',
    summary: 'Get the e-mail address of the account',
    access: 'account',
    parameters: Type.Object({}),
    result: EmailState,
    errors: [],
    redact: ['email', 'pending'],
  }),
  changeEmail: operation({
    ...console,
    id: 'changeEmail',
    method: 'POST',
    path: '/console/v1/profile/email',
    summary:
      'Send a confirmation link to an address, which becomes the account’s address once confirmed; null removes the address',
    access: 'account',
    body: ['json'],
    // Password reset links are sent to the address: a stolen session must not become the account.
    stepUp: 'access',
    parameters: Type.Object({ email: Nullable(Email) }),
    example: { email: 'layla.new@mail.example' },
    result: EmailState,
    errors: ['mail_not_configured', 'rate_limited'],
    redact: ['email', 'pending'],
  }),
  changeEmailOf: operation({
    ...console,
    id: 'changeEmailOf',
    method: 'POST',
    path: '/console/v1/accounts/{accountId}/email',
    summary: 'Send a confirmation link for an account to an address; null removes the address of the account',
    access: 'administrator',
    body: ['json'],
    // Otherwise an administrator could change their own address without the confirmation of changeEmail.
    stepUp: 'access',
    parameters: Type.Object({ accountId: AccountId, email: Nullable(Email) }),
    example: { email: 'layla.new@mail.example' },
    result: EmailState,
    errors: ['account_not_found', 'mail_not_configured', 'rate_limited'],
    redact: ['email', 'pending'],
  }),
  confirmEmail: operation({
    ...console,
    id: 'confirmEmail',
    method: 'POST',
    path: '/console/v1/profile/email/confirm',
    summary: 'Confirm an e-mail address with the link sent to it; the account must be signed in',
    access: 'account',
    body: ['json'],
    parameters: Type.Object({ token: LinkToken }),
    result: EmailState,
    errors: ['email_confirmation_not_found', 'email_taken'],
    redact: ['token', 'email', 'pending'],
  }),
  requestPasswordReset: operation({
    ...console,
    id: 'requestPasswordReset',
    unaudited: 'Anyone may call it, and it reveals nothing. The use of the link is audited.',
    method: 'POST',
    path: '/console/v1/password-resets/request',
    summary: 'Send a password reset link to the confirmed address of an account, if there is one; at most one per hour',
    auth: 'none',
    access: 'anyone',
    body: ['json'],
    parameters: Type.Object({
      username: Type.String({
        minLength: 1,
        maxLength: 254,
        description: 'User name or e-mail address.',
        'x-allowed': 'must be a user name or an e-mail address',
      }),
    }),
    example: { username: 'layla' },
    result: Type.Boolean(),
    errors: ['mail_not_configured', 'password_sign_in_off', 'rate_limited', 'csrf_invalid'],
    redact: ['username'],
  }),
  sendPasswordReset: operation({
    ...console,
    id: 'sendPasswordReset',
    method: 'POST',
    path: '/console/v1/accounts/{accountId}/password-reset/mail',
    summary: 'Send a password reset link to the confirmed address of an account, valid once and for one hour',
    access: { action: 'project.manage', by: 'accountId' },
    body: ['json'],
    parameters: Type.Object({ accountId: AccountId }),
    result: Type.Boolean(),
    errors: [
      'own_account',
      'account_disabled',
      'account_suspended',
      'signs_on_at_provider',
      'email_missing',
      'mail_not_configured',
    ],
    redact: [],
  }),
}
