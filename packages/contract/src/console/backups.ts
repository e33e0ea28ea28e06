import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Nullable, RealTime } from '../schemas.ts'
import { console } from './surface.ts'

/** Backups of the installation, which `souk backup` makes on its machine. */
export const backupOperations = {
  getLastBackup: operation({
    ...console,
    id: 'getLastBackup',
    method: 'GET',
    path: '/console/v1/last-backup',
    summary: 'Get the time and size of the newest backup made by souk backup',
    access: 'administrator',
    parameters: Type.Object({}),
    result: Type.Object({
      lastBackup: Nullable(
        Type.Object({
          time: RealTime('Time of its snapshot, ms.'),
          size: Type.Integer({ description: 'Bytes of the file.' }),
        }),
      ),
    }),
    errors: [],
    redact: [],
  }),
}
