import type { consoleOperations, ResultOf } from '@souk/contract'
import type { Context } from '../../context.ts'
import { deleteAdminToken } from '../adminToken/index.ts'
import { audit } from '../audit/index.ts'
import {
  type BackupRecord,
  findLastBackup,
  findLastRestoreCheck,
  type RestoreCheck,
  upsertLastBackup,
  upsertLastRestoreCheck,
} from './store.ts'

/** The operator at the machine of the installation, who can read its files. */
const operator = { kind: 'admin' } as const

/** Returns the newest backup that `souk backup` made, and the last check that a backup can be restored. */
export async function getLastBackup(
  context: Pick<Context, 'sql'>,
): Promise<ResultOf<typeof consoleOperations.getLastBackup>> {
  const [backup, check] = await Promise.all([findLastBackup(context.sql), findLastRestoreCheck(context.sql)])
  return { lastBackup: backup ?? null, lastRestoreCheck: check ?? null }
}

/** Records a backup whose file is complete. */
export async function recordBackup(context: Pick<Context, 'clock' | 'sql'>, backup: BackupRecord): Promise<void> {
  await context.sql.begin(async (tx) => {
    await upsertLastBackup(tx, backup)
    await audit(context, tx, operator, { action: 'backup.create', subject: 'installation', detail: { ...backup } })
  })
}

/** Records that a backup of this installation was restored into a temporary database, or why that failed. */
export async function recordRestoreCheck(context: Pick<Context, 'sql'>, check: RestoreCheck): Promise<void> {
  await context.sql.begin((tx) => upsertLastRestoreCheck(tx, check))
}

/** Records that the installation was restored from a backup of this time (real time, ms). */
export async function recordRestore(context: Pick<Context, 'clock' | 'sql'>, time: number): Promise<void> {
  await context.sql.begin(async (tx) => {
    await deleteAdminToken(tx)
    await audit(context, tx, operator, { action: 'backup.restore', subject: 'installation', detail: { time } })
  })
}
