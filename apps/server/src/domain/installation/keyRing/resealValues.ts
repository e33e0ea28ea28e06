import type { Tx } from '../../../kernel/db/pool.ts'
import { sealedColumns } from '../../../kernel/sealedColumns.ts'
import { DamagedValueError, MissingKeyError } from '../../../kernel/vault.ts'
import type { Context } from '../../context.ts'
import { useCurrentKey } from './followKeyRing.ts'
import { deleteUnreadableBefore, lockOldValues, type SealedRow, updateSealedValue, upsertUnreadable } from './store.ts'

type Name = keyof typeof sealedColumns

/** Rows per transaction, which keeps the locks short. */
const batchSize = 100

/**
 * Seals all values with the current master key, in batches. A crash loses the current batch only: the next run finds
 * what is left. Reports values that cannot be decrypted and continues.
 */
export async function resealValues(context: Context<'keyRingFile' | 'stopping' | 'vault'>): Promise<void> {
  const began = context.clock.real()
  await useCurrentKey(context)
  for (const name of Object.keys(sealedColumns) as Name[]) {
    let after: string[] | undefined
    do {
      if (context.stopping.aborted) return
      after = await context.sql.begin((tx) => resealBatch(context, tx, name, after))
    } while (after)
  }
  await deleteUnreadableBefore(context.sql, began)
}

/** Seals the next batch and returns the primary key of its last row, or undefined if there is none. */
async function resealBatch(
  context: Context<'vault'>,
  tx: Tx,
  name: Name,
  after: string[] | undefined,
): Promise<string[] | undefined> {
  const { vault } = context
  const rows = await lockOldValues(tx, name, { current: vault.keyId, after, limit: batchSize })
  for (const row of rows) {
    const text = await openOrReport(context, tx, row)
    if (text !== undefined) await updateSealedValue(tx, name, row.key, vault.seal(text, row.context))
  }
  return rows.at(-1)?.key
}

async function openOrReport(context: Context<'vault'>, tx: Tx, row: SealedRow): Promise<string | undefined> {
  const { vault, log, clock } = context
  try {
    return vault.open(row, row.context)
  } catch (error) {
    if (!(error instanceof MissingKeyError || error instanceof DamagedValueError)) throw error
    const reason = error instanceof MissingKeyError ? 'missingKey' : 'damaged'
    log.error({ reason: error.message }, 'a value could not be sealed with the new master key')
    await upsertUnreadable(tx, { context: row.context, keyId: row.keyId, reason, foundAt: clock.real() })
    return undefined
  }
}
