import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { signingKeyStates } from '../release.ts'
import { Hex32, Nullable, RealTime } from '../schemas.ts'
import { console, Page, paging } from './surface.ts'

export const PublicKey = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: 'Ed25519 public key: its 32 bytes in base64url.',
  'x-allowed': 'must be 43 characters of base64url, without padding',
})
const KeyId = Hex32({ description: 'The first 16 bytes of the SHA-256 of the public key.' })

const SigningKey = Type.Object({
  keyId: KeyId,
  owner: Type.String({ description: 'Name of the account, or admin.' }),
  state: Type.Enum([...signingKeyStates]),
  ctime: RealTime('When it was registered, ms of real time.'),
  lastUsedAt: Nullable(RealTime('When it last signed a release, ms of real time.')),
})

/** Keys with which developers sign the releases that they upload. */
export const signingKeyOperations = {
  listSigningKeys: operation({
    ...console,
    id: 'listSigningKeys',
    method: 'GET',
    path: '/console/v1/signing-keys',
    summary: 'List the account’s signing keys, newest first; administrators get all keys',
    access: 'signedIn',
    parameters: Type.Object({ ...paging }),
    result: Page(SigningKey),
    errors: [],
    redact: [],
  }),
  registerSigningKey: operation({
    ...console,
    id: 'registerSigningKey',
    method: 'POST',
    path: '/console/v1/signing-keys',
    summary: 'Register a signing key of the account, pending until an administrator approves it',
    access: 'account',
    body: ['json'],
    parameters: Type.Object({ publicKey: PublicKey }),
    example: { publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
    result: SigningKey,
    errors: ['signing_key_foreign', 'signing_key_revoked', 'signing_key_limit_reached'],
    redact: [],
  }),
  approveSigningKey: operation({
    ...console,
    id: 'approveSigningKey',
    method: 'POST',
    path: '/console/v1/signing-keys/{keyId}/approve',
    summary: 'Approve a signing key for installations that require signed releases',
    access: 'administrator',
    body: ['json'],
    parameters: Type.Object({ keyId: KeyId }),
    example: { keyId: '0123456789abcdef0123456789abcdef' },
    result: SigningKey,
    errors: ['signing_key_not_found', 'signing_key_revoked'],
    redact: [],
  }),
  revokeSigningKey: operation({
    ...console,
    id: 'revokeSigningKey',
    method: 'POST',
    path: '/console/v1/signing-keys/{keyId}/revoke',
    summary: 'Revoke a signing key of the account, for administrators any; it can never sign again',
    access: 'signedIn',
    body: ['json'],
    parameters: Type.Object({ keyId: KeyId }),
    example: { keyId: '0123456789abcdef0123456789abcdef' },
    result: SigningKey,
    errors: ['signing_key_not_found'],
    redact: [],
  }),
}
