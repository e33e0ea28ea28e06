import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Hex32, Nullable, RealTime, Text } from '../schemas.ts'
import { Password, Session } from './accounts.ts'
import { AccountId, console, Name } from './surface.ts'

/** Maximum number of passkeys per account. */
export const maxPasskeys = 20
/** Number of recovery codes that are created at a time. */
export const recoveryCodeCount = 10

const Base64Url = (maxLength: number) =>
  Type.String({ pattern: '^[\\w-]+$', maxLength, 'x-allowed': 'must be base64url' })
const credential = {
  id: Base64Url(2048),
  rawId: Base64Url(2048),
  type: Type.Literal('public-key'),
  authenticatorAttachment: Type.Optional(Type.String()),
  clientExtensionResults: Type.Optional(Type.Object({})),
}
const allowedCredential = { 'x-allowed': 'must be the credential that the browser returned, as JSON' }

/** `RegistrationResponseJSON` of WebAuthn. */
const NewCredential = Type.Object(
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: Base64Url(8192),
      attestationObject: Base64Url(32_768),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 })),
    }),
  },
  allowedCredential,
)
/** `AuthenticationResponseJSON` of WebAuthn. */
const Assertion = Type.Object(
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: Base64Url(8192),
      authenticatorData: Base64Url(8192),
      signature: Base64Url(8192),
      userHandle: Type.Optional(Base64Url(128)),
    }),
  },
  allowedCredential,
)
const Options = (description: string) =>
  Type.Object({ options: Type.Record(Type.String(), Type.Unknown(), { description }) })
const RequestOptions = Options('`PublicKeyCredentialRequestOptionsJSON` of WebAuthn, valid for 5 minutes.')

const TotpCode = Type.String({
  pattern: '^\\d{6}$',
  description: 'The current code of the authenticator app.',
  'x-allowed': 'must be the 6 digits that the authenticator app shows',
})
const RecoveryCode = Text(64, { description: 'A recovery code; case and hyphens do not matter.' })
const PasskeyId = Hex32({ description: 'The passkey.' })

/** A passkey of an account. Times are ms of real time. */
const Passkey = Type.Object({
  passkeyId: PasskeyId,
  name: Type.String(),
  ctime: RealTime(),
  lastUsed: Nullable(RealTime()),
})

/** Recovery codes, shown once: with the first factor of an account. */
const RecoveryCodes = Type.Array(Type.String(), {
  description: 'Each can be used once instead of another factor. Shown only once.',
})
const FirstRecoveryCodes = Nullable(RecoveryCodes)

const passkeyErrors = ['passkey_challenge_invalid', 'passkey_origin_wrong', 'passkey_invalid'] as const
const example = {
  code: '000000',
  passkeyId: '0123456789abcdef0123456789abcdef',
  assertion: {
    id: 'AA',
    rawId: 'AA',
    type: 'public-key',
    response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' },
  },
  newCredential: {
    id: 'AA',
    rawId: 'AA',
    type: 'public-key',
    response: { clientDataJSON: 'AA', attestationObject: 'AA' },
  },
}

/** Second factors of console accounts, sign-in with passkeys, and the confirmation of an identity. */
export const factorOperations = {
  startPasskeySignIn: operation({
    ...console,
    id: 'startPasskeySignIn',
    unaudited: 'Only creates a challenge.',
    method: 'POST',
    path: '/console/v1/session/passkey/options',
    summary: 'Get the options to sign in with a passkey',
    auth: 'none',
    access: 'anyone',
    body: ['json'],
    parameters: Type.Object({}),
    result: RequestOptions,
    errors: ['csrf_invalid'],
    redact: [],
  }),
  passkeySignIn: operation({
    ...console,
    id: 'passkeySignIn',
    method: 'POST',
    path: '/console/v1/session/passkey',
    summary: 'Sign in with a passkey that has verified its user; sets the session cookie',
    auth: 'none',
    access: 'anyone',
    body: ['json'],
    parameters: Type.Object({ passkey: Assertion }),
    example: { passkey: example.assertion },
    result: Session,
    errors: [
      'passkey_unknown',
      ...passkeyErrors,
      'account_disabled',
      'account_suspended',
      'rate_limited',
      'csrf_invalid',
    ],
    redact: ['csrfToken'],
  }),
  startConfirmation: operation({
    ...console,
    id: 'startConfirmation',
    pendingSignIn: 'any',
    unaudited: 'Only creates a challenge.',
    method: 'POST',
    path: '/console/v1/session/confirm/options',
    summary: 'Get the options to confirm the identity of the account with a passkey',
    access: 'account',
    body: ['json'],
    parameters: Type.Object({}),
    result: RequestOptions,
    errors: [],
    redact: [],
  }),
  confirmSession: operation({
    ...console,
    id: 'confirmSession',
    pendingSignIn: 'any',
    method: 'POST',
    path: '/console/v1/session/confirm',
    summary:
      'Confirm the account’s identity with one of its methods: completes a sign-in that lacks its second factor, and allows operations that require confirmation for 10 minutes',
    access: 'account',
    body: ['json'],
    parameters: Type.Object({
      passkey: Type.Optional(Assertion),
      code: Type.Optional(TotpCode),
      recoveryCode: Type.Optional(RecoveryCode),
      password: Type.Optional(Password),
    }),
    result: Session,
    errors: [
      'confirmation_refused',
      'passkey_unknown',
      ...passkeyErrors,
      'totp_code_wrong',
      'totp_code_used',
      'recovery_code_wrong',
      'password_wrong',
      'rate_limited',
    ],
    redact: ['recoveryCode', 'password', 'csrfToken'],
  }),
  getFactors: operation({
    ...console,
    id: 'getFactors',
    pendingSignIn: 'enrolment',
    method: 'GET',
    path: '/console/v1/profile/factors',
    summary: 'Get the second factors of the account',
    access: 'account',
    parameters: Type.Object({}),
    result: Type.Object({
      passkeys: Type.Array(Passkey),
      totp: Nullable(Type.Object({ ctime: RealTime(), lastUsed: Nullable(RealTime()) })),
      recoveryCodes: Type.Integer({ description: 'Number of unused recovery codes.' }),
      required: Type.Boolean({ description: 'Whether the installation requires a second factor.' }),
    }),
    errors: [],
    redact: [],
  }),
  startPasskey: operation({
    ...console,
    id: 'startPasskey',
    pendingSignIn: 'enrolment',
    stepUp: 'access',
    unaudited: 'Only creates a challenge.',
    method: 'POST',
    path: '/console/v1/profile/passkeys/options',
    summary: 'Get the options to create a passkey of the account',
    access: 'account',
    body: ['json'],
    parameters: Type.Object({}),
    result: Options('`PublicKeyCredentialCreationOptionsJSON` of WebAuthn, valid for 5 minutes.'),
    errors: ['passkey_limit_reached'],
    redact: [],
  }),
  addPasskey: operation({
    ...console,
    id: 'addPasskey',
    pendingSignIn: 'enrolment',
    stepUp: 'access',
    method: 'POST',
    path: '/console/v1/profile/passkeys',
    summary: 'Add a passkey to the account; the first factor comes with recovery codes',
    access: 'account',
    body: ['json'],
    parameters: Type.Object({ name: Name('Name of the passkey, for its owner.'), passkey: NewCredential }),
    example: { name: 'Phone', passkey: example.newCredential },
    result: Type.Object({ passkey: Passkey, recoveryCodes: FirstRecoveryCodes }),
    errors: [...passkeyErrors, 'passkey_exists', 'passkey_limit_reached'],
    redact: ['recoveryCodes'],
  }),
  renamePasskey: operation({
    ...console,
    id: 'renamePasskey',
    method: 'PATCH',
    path: '/console/v1/profile/passkeys/{passkeyId}',
    summary: 'Rename a passkey of the account',
    access: 'account',
    body: ['json'],
    parameters: Type.Object({ passkeyId: PasskeyId, name: Name('Name of the passkey, for its owner.') }),
    example: { passkeyId: example.passkeyId, name: 'Phone' },
    result: Passkey,
    errors: ['passkey_not_found'],
    redact: [],
  }),
  removePasskey: operation({
    ...console,
    id: 'removePasskey',
    stepUp: 'access',
    method: 'DELETE',
    path: '/console/v1/profile/passkeys/{passkeyId}',
    summary: 'Remove a passkey of the account; recovery codes end with the last factor',
    access: 'account',
    parameters: Type.Object({ passkeyId: PasskeyId }),
    example: { passkeyId: example.passkeyId },
    result: Type.Boolean(),
    errors: ['passkey_not_found', 'last_factor'],
    redact: [],
  }),
  startTotp: operation({
    ...console,
    id: 'startTotp',
    pendingSignIn: 'enrolment',
    stepUp: 'access',
    unaudited: 'The secret has no effect until enableTotp.',
    method: 'POST',
    path: '/console/v1/profile/totp',
    summary: 'Create the secret of an authenticator app; shown once, without effect until enableTotp',
    access: 'account',
    body: ['json'],
    parameters: Type.Object({}),
    result: Type.Object({
      secret: Type.String({ description: 'Base32, to type into the app.' }),
      uri: Type.String({ description: '`otpauth:` URI, for a QR code.' }),
    }),
    errors: ['totp_exists'],
    redact: ['secret', 'uri'],
  }),
  enableTotp: operation({
    ...console,
    id: 'enableTotp',
    pendingSignIn: 'enrolment',
    stepUp: 'access',
    method: 'POST',
    path: '/console/v1/profile/totp/enable',
    summary: 'Enable one-time codes with a code of the app; the first factor comes with recovery codes',
    access: 'account',
    body: ['json'],
    parameters: Type.Object({ code: TotpCode }),
    example: { code: example.code },
    result: Type.Object({ recoveryCodes: FirstRecoveryCodes }),
    errors: ['totp_not_started', 'totp_exists', 'totp_code_wrong', 'rate_limited'],
    redact: ['recoveryCodes'],
  }),
  removeTotp: operation({
    ...console,
    id: 'removeTotp',
    stepUp: 'access',
    method: 'DELETE',
    path: '/console/v1/profile/totp',
    summary: 'Disable one-time codes; recovery codes end with the last factor',
    access: 'account',
    parameters: Type.Object({}),
    result: Type.Boolean(),
    errors: ['totp_not_started', 'last_factor'],
    redact: [],
  }),
  createRecoveryCodes: operation({
    ...console,
    id: 'createRecoveryCodes',
    stepUp: 'access',
    method: 'POST',
    path: '/console/v1/profile/recovery-codes',
    summary: `Create ${recoveryCodeCount} recovery codes, which replace earlier ones; shown once`,
    access: 'account',
    body: ['json'],
    parameters: Type.Object({}),
    result: Type.Object({ recoveryCodes: RecoveryCodes }),
    errors: ['factor_missing'],
    redact: ['recoveryCodes'],
  }),
  resetFactors: operation({
    ...console,
    id: 'resetFactors',
    stepUp: 'access',
    method: 'DELETE',
    path: '/console/v1/accounts/{accountId}/factors',
    summary: 'Remove all second factors of another account that has lost them, and end its sessions',
    access: 'administrator',
    parameters: Type.Object({ accountId: AccountId }),
    result: Type.Boolean(),
    errors: ['account_not_found', 'own_account', 'factor_missing'],
    redact: [],
  }),
}
