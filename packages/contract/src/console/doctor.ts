import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Nullable } from '../schemas.ts'
import { console } from './surface.ts'

/** What `souk doctor` checks. */
export const doctorChecks = [
  'publicUrl',
  'administrator',
  'issuers',
  'providers',
  'databaseVersion',
  'databaseSettings',
  'clock',
  'disk',
] as const
export type DoctorCheck = (typeof doctorChecks)[number]

/** Checks of a running installation. */
export const doctorOperations = {
  examine: operation({
    ...console,
    id: 'examine',
    method: 'GET',
    path: '/console/v1/doctor',
    summary: 'Check the installation: settings, database, issuers, clock and disk',
    access: 'administrator',
    parameters: Type.Object({}),
    result: Type.Array(
      Type.Object({
        check: Type.Enum([...doctorChecks]),
        state: Type.Enum(['ok', 'warning', 'error']),
        found: Type.String({ description: 'What was found, as a sentence.' }),
        advice: Nullable(Type.String({ description: 'What to do; null if nothing.' })),
      }),
    ),
    errors: [],
    redact: [],
  }),
}
