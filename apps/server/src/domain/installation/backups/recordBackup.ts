import type { consoleOperations, ResultOf } from '@souk/contract'
import type { Context } from '../../context.ts'
import { deleteAdminToken } from '../adminToken/index.ts'
import { audit } from '../audit/index.ts'
import { type BackupRecord, findLastBackup, upsertLastBackup } from './store.ts'

/** The operator at the machine of the installation, who can read its files. */
const operator = { kind: 'admin' } as const

/** Returns time and size of the newest backup that `souk backup` made, if there is one. */
export async function getLastBackup(
  context: Pick<Context, 'sql'>,
): Promise<ResultOf<typeof consoleOperations.getLastBackup>> {
  return { lastBackup: (await findLastBackup(context.sql)) ?? null }
}

/** Records a backup whose file is complete. */
export async function recordBackup(context: Pick<Context, 'clock' | 'sql'>, backup: BackupRecord): Promise<void> {
  await context.sql.begin(async (tx) => {
    await upsertLastBackup(tx, backup)
    await audit(context, tx, operator, { action: 'backup.create', subject: 'installation', detail: { ...backup } })
  })
}

/** Records that the installation was restored from a backup of this time (real time, ms). */
export async function recordRestore(context: Pick<Context, 'clock' | 'sql'>, time: number): Promise<void> {
  await context.sql.begin(async (tx) => {
    await deleteAdminToken(tx)
    await audit(context, tx, operator, { action: 'backup.restore', subject: 'installation', detail: { time } })
  })
}
