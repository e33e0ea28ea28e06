import { SoukError } from '@souk/contract'
import { partitionedTables, timeOfUuid } from '../../../kernel/db/partitions.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { findArchive } from '../../installation/index.ts'

/**
 * Returns the error for a tradeNo without a trade: `trade_archived` if the trades of its time are archived (ADR 346),
 * otherwise `trade_not_found`. Whether an archived trade existed is known to its archive only.
 */
export async function tradeNotFound({ sql }: { sql: Sql | Tx }, tradeNo: string): Promise<SoukError> {
  const archive = await findArchive(sql, partitionedTables.all_trades.name, timeOfUuid(tradeNo))
  if (!archive) return new SoukError('trade_not_found')
  const until = new Date(archive.to).toISOString().slice(0, 10)
  return new SoukError(
    'trade_archived',
    `Trades of its time, before ${until}, are archived. Ask the operator of the installation for it.`,
  )
}
