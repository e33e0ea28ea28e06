import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { RealTime } from '../schemas.ts'
import { console } from './surface.ts'

/** Versions of Souk that ran on the installation's database. */
export const versionOperations = {
  listVersions: operation({
    ...console,
    id: 'listVersions',
    method: 'GET',
    path: '/console/v1/versions',
    summary: 'List the versions of Souk that ran on the database, last started first',
    access: 'administrator',
    parameters: Type.Object({}),
    result: Type.Array(
      Type.Object({
        version: Type.String({
          description: 'Version of Souk. One that was not released names its commit: 1.4.0+1a2b3c4.',
        }),
        lastMigration: Type.String({ description: 'The last migration of the schema that it runs on.' }),
        firstStart: RealTime(),
        lastStart: RealTime(),
      }),
    ),
    errors: [],
    redact: [],
  }),
}
