import { day } from '@souk/contract'
import {
  attachPartition,
  createTable,
  listPartitions,
  lockPartitions,
  type PartitionedTable,
  partitionedTables,
} from '../src/kernel/db/partitions.ts'
import type { Sql } from '../src/kernel/db/pool.ts'

/**
 * Replaces the partitions of empty tables with one before and one after a time in ms, which does not depend on the date
 * like the months do.
 */
export async function splitPartitions(sql: Sql, timeOf: (table: PartitionedTable) => number): Promise<void> {
  await sql.begin(async (tx) => {
    const run = (statement: string) => tx.unsafe(statement)
    await lockPartitions(run)
    for (const table of Object.values<PartitionedTable>(partitionedTables)) {
      for (const { name, range } of await listPartitions(tx, table)) {
        if (range !== undefined) await tx.unsafe(`drop table ${name}`)
      }
      const time = timeOf(table)
      const ranges = {
        first: { from: Number.NEGATIVE_INFINITY, to: time },
        second: { from: time, to: time + 60 * day },
      }
      for (const [suffix, range] of Object.entries(ranges)) {
        const name = `${table.prefix}_${suffix}`
        await createTable(run, table.name, name)
        await attachPartition(run, table, name, range)
      }
    }
  })
}
