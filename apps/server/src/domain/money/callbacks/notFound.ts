import { SoukError } from '@souk/contract'
import { partitionedTables, timeOfUuid } from '../../../kernel/db/partitions.ts'
import type { Sql } from '../../../kernel/db/pool.ts'
import { findArchive } from '../../installation/index.ts'

/**
 * Returns the error for a notifyId without a callback: `callback_archived` if the callbacks of its time are archived
 * (ADR 346), otherwise `callback_not_found`. Whether an archived callback existed is known to its archive only.
 */
export async function callbackNotFound({ sql }: { sql: Sql }, notifyId: string): Promise<SoukError> {
  const archive = await findArchive(sql, partitionedTables.callbacks.name, timeOfUuid(notifyId))
  if (!archive) return new SoukError('callback_not_found')
  const until = new Date(archive.to).toISOString().slice(0, 10)
  return new SoukError(
    'callback_archived',
    `Callbacks of its time, before ${until}, are archived. Ask the operator of the installation for it.`,
  )
}
