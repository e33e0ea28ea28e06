import { SoukError } from '@souk/contract'
import type { Session } from '../../../kernel/db/session.ts'
import { figuresOf, findDifference } from './figures.ts'
import { entries, type Figures, type Table } from './format.ts'
import type { Progress } from './makeBackup.ts'
import {
  addJobs,
  copyJobsFrom,
  copyJobsTo,
  copyTableFrom,
  copyTableTo,
  createJobTable,
  emptyTables,
  enableTriggers,
  setSequences,
} from './tables.ts'

export interface CopyOptions {
  /** In the transaction that `takeSnapshot` began. */
  source: Session
  /** In a transaction, on a database with the same tables. */
  target: Session
  tables: readonly Table[]
  progress: Progress
}

/**
 * Copies all rows and jobs from one database to another, and compares numbers of rows, sequences, balances of the
 * ledger and the recomputed audit chain.
 * @returns the figures that both databases have
 * @throws SoukError `copy_mismatch`
 */
export async function copyRows({ source, target, tables, progress }: CopyOptions): Promise<Figures> {
  await emptyTables(target, tables)
  await createJobTable(target)
  const copies = tables.map((table) => [table.name, copyTableTo(table), copyTableFrom(table)] as const)
  for (const [name, read, write] of [...copies, [entries.jobs, copyJobsTo, copyJobsFrom] as const]) {
    await target.copyFrom(write, counted(source.copyTo(read), name, progress))
  }
  await addJobs(target)
  progress('comparing', 0)
  const expected = await figuresOf(source)
  await setSequences(target, expected.sequences)
  await enableTriggers(target, tables)
  const difference = findDifference(await figuresOf(target), expected)
  if (difference) throw new SoukError('copy_mismatch', `${difference}. Nothing has changed.`)
  return expected
}

async function* counted(parts: AsyncIterable<Buffer>, name: string, progress: Progress): AsyncGenerator<Buffer> {
  let bytes = 0
  progress(name, bytes)
  for await (const part of parts) {
    yield part
    bytes += part.length
    progress(name, bytes)
  }
}
