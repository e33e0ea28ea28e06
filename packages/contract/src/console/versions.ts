import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { console, Time } from './surface.ts'

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
        version: Type.String({ description: 'Version of Souk.' }),
        lastMigration: Type.String({ description: 'The last migration of the schema that it runs on.' }),
        firstStart: Time,
        lastStart: Time,
      }),
    ),
    errors: [],
    redact: [],
  }),
}
