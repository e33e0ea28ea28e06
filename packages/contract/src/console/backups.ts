import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Nullable, RealTime } from '../schemas.ts'
import { console } from './surface.ts'

/** Backups of the installation, which `souk backup` makes and `souk restore --verify` checks on its machine. */
export const backupOperations = {
  getLastBackup: operation({
    ...console,
    id: 'getLastBackup',
    method: 'GET',
    path: '/console/v1/last-backup',
    summary: 'Get the newest backup made by souk backup, and the last check that a backup can be restored',
    access: 'administrator',
    parameters: Type.Object({}),
    result: Type.Object({
      lastBackup: Nullable(
        Type.Object({
          time: RealTime('Time of its snapshot, ms.'),
          size: Type.Integer({ description: 'Bytes of the file.' }),
        }),
      ),
      lastRestoreCheck: Nullable(
        Type.Object({
          time: RealTime('When it ended, ms.'),
          failure: Nullable(Type.String({ description: 'Code of the error; null if the backup was restored.' })),
          backupTime: Nullable(RealTime('Time of the newest backup that passed a check, ms; null if none did.')),
        }),
      ),
    }),
    errors: [],
    redact: [],
  }),
}
