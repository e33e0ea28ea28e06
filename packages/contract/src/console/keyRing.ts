import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Nullable, RealTime } from '../schemas.ts'
import { console } from './surface.ts'

/** `added`: waits until all processes have it; `old`: replaced, still needed to read values and tokens. */
export const keyStates = ['added', 'current', 'old', 'retired'] as const
export type KeyState = (typeof keyStates)[number]

/**
 * `distributing`: a new key waits for processes; `retiring`: the old key waits until its access tokens have expired.
 */
export const rotationPhases = ['idle', 'distributing', 'resealing', 'retiring'] as const

const KeyId = Type.String({
  pattern: '^[0-9a-f]{16}$',
  description: 'Identifies a master key without revealing it.',
  'x-allowed': 'must be 16 lowercase hexadecimal digits',
})

const KeyRing = Type.Object({
  source: Type.Enum(['file', 'environment'], { description: 'Where this process reads its keys from.' }),
  phase: Type.Enum([...rotationPhases]),
  values: Type.Integer({ description: 'Number of sealed values.' }),
  resealed: Type.Integer({ description: 'Number of those sealed with the current key.' }),
  keys: Type.Array(
    Type.Object({
      keyId: KeyId,
      state: Type.Enum([...keyStates]),
      values: Type.Integer({ description: 'Number of values sealed with it.' }),
      addedAt: RealTime(),
      replacedAt: Nullable(RealTime()),
      retiresAt: Nullable(RealTime('When its access tokens have expired, for an old key, ms.')),
      retiredAt: Nullable(RealTime()),
    }),
    { description: 'Oldest first, the newest 100.' },
  ),
  processes: Type.Array(
    Type.Object({
      host: Type.String(),
      pid: Type.Integer(),
      source: Type.Enum(['file', 'environment']),
      keyIds: Type.Array(KeyId),
      currentKeyId: KeyId,
      seenAt: RealTime(),
      ready: Type.Boolean({ description: 'Whether it has all keys in use, and seals with the current one.' }),
    }),
  ),
  unreadable: Type.Array(
    Type.Object({
      row: Type.String({ description: 'Table and primary key.' }),
      keyId: KeyId,
      reason: Type.Enum(['missingKey', 'damaged']),
      foundAt: RealTime(),
    }),
    { description: 'Values that could not be decrypted, at most 100.' },
  ),
  missing: Type.Array(KeyId, { description: 'Keys of sealed values that the installation has never had.' }),
})

/** Master keys of the installation and their rotation. */
export const keyRingOperations = {
  getKeyRing: operation({
    ...console,
    id: 'getKeyRing',
    method: 'GET',
    path: '/console/v1/key-ring',
    summary: 'Show the master keys by id, the progress of a rotation, and the processes that use them',
    access: 'administrator',
    parameters: Type.Object({}),
    result: KeyRing,
    errors: [],
    redact: [],
  }),
  rotateKeys: operation({
    ...console,
    id: 'rotateKeys',
    method: 'POST',
    path: '/console/v1/key-ring/rotate',
    summary: 'Add a master key, seal all values with it in the background, then retire the old one',
    access: 'administrator',
    stepUp: 'content',
    body: ['json'],
    parameters: Type.Object({}),
    result: KeyRing,
    errors: ['key_rotation_running', 'key_ring_fixed'],
    redact: [],
  }),
  retireKey: operation({
    ...console,
    id: 'retireKey',
    method: 'POST',
    path: '/console/v1/key-ring/{keyId}/retire',
    summary: 'Retire a master key at once, which ends its access tokens; or abandon one that is not in use yet',
    access: 'administrator',
    stepUp: 'content',
    body: ['json'],
    parameters: Type.Object({ keyId: KeyId }),
    example: { keyId: '0123456789abcdef' },
    result: KeyRing,
    errors: ['key_not_found', 'key_in_use'],
    redact: [],
  }),
}
