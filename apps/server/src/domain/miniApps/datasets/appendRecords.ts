import { day, type ParametersOf, type platformOperations, type ResultOf, SoukError } from '@souk/contract'
import { sha256 } from '../../../kernel/crypto.ts'
import { newId } from '../../../kernel/id.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { requireOwnDataset } from './findDataset.ts'
import { validateRecords } from './records.ts'
import { deleteBatchesBefore, insertBatch, insertRecords, lockDataset } from './store.ts'

type Operation = typeof platformOperations.appendRecords

/** Retention of batchIds in real time. */
const batchRetention = day

/**
 * Appends all records or none. With a `batchId`, a repeated request has no further effect.
 * @throws SoukError `dataset_not_found`, `dataset_built_in`, `parameter_invalid`, `batch_conflict`
 */
export async function appendRecords(
  context: Context,
  caller: ConsoleCaller,
  { datasetId, records, batchId }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { own, projectId } = await requireOwnDataset(context, datasetId)
  const checked = await validateRecords(own.fields, records)
  const appended = checked.length
  await context.sql.begin(async (tx) => {
    if (!(await lockDataset(tx, datasetId))) throw new SoukError('dataset_not_found')
    if (batchId !== undefined) {
      const digest = sha256(checked.join('\n'))
      const earlier = await insertBatch(tx, {
        datasetId,
        batchId,
        digest,
        records: appended,
        time: context.clock.real(),
      })
      if (earlier?.digest.equals(digest)) return
      if (earlier) throw new SoukError('batch_conflict', `The batch has ${earlier.records} records.`)
    }
    const ids = checked.map(() => newId())
    await insertRecords(tx, datasetId, { ids, records: checked, ctime: context.clock.now() })
    const detail = { records: appended, ...(batchId === undefined ? {} : { batchId }) }
    await audit(context, tx, caller, { action: 'dataset.append', subject: datasetId, projectId, detail })
  })
  return { appended }
}

/** Job: deletes batchIds older than a day. */
export async function pruneBatches(context: Context): Promise<void> {
  await deleteBatchesBefore(context.sql, context.clock.real() - batchRetention)
}
