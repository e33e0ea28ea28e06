import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Nullable } from '../schemas.ts'
import { doctorCodes } from './doctorSentences.ts'
import { console } from './surface.ts'

/** Checks of `souk doctor`, in the order of its report. */
export const doctorChecks = [
  'version',
  'publicUrl',
  'proxies',
  'secrets',
  'masterKeys',
  'administrator',
  'issuers',
  'signOn',
  'providers',
  'events',
  'mail',
  'databaseVersion',
  'databaseRole',
  'databaseSettings',
  'databaseConnections',
  'jobs',
  'clock',
  'disk',
  'storage',
  'backup',
  'restoreCheck',
] as const
export type DoctorCheck = (typeof doctorChecks)[number]

const Sentences = Type.Array(
  Type.Object({
    code: Type.Enum([...doctorCodes]),
    arguments: Type.Record(Type.String(), Type.Unknown(), { description: 'Texts and numbers by name.' }),
  }),
)

/** Checks of a running installation. */
export const doctorOperations = {
  examine: operation({
    ...console,
    id: 'examine',
    method: 'GET',
    path: '/console/v1/doctor',
    summary: 'Check the installation: version, settings, database, issuers, mail, clock, disk and backups',
    access: 'administrator',
    parameters: Type.Object({
      check: Type.Optional(
        Type.Enum([...doctorChecks], {
          description: 'The only check to run; all if absent.',
          'x-allowed': `must be one of ${doctorChecks.join(', ')}`,
        }),
      ),
    }),
    result: Type.Array(
      Type.Object({
        check: Type.Enum([...doctorChecks]),
        state: Type.Enum(['ok', 'warning', 'error']),
        found: Type.String({ description: 'The finding, in English.' }),
        advice: Nullable(Type.String({ description: 'Recommended action, in English; null if there is none.' })),
        sentences: { ...Sentences, description: 'The sentences of `found` as codes, for texts in other languages.' },
        actions: { ...Sentences, description: 'The sentences of `advice` as codes; empty if there are none.' },
      }),
    ),
    errors: [],
    redact: [],
  }),
}
