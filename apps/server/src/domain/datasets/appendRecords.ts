import { type ParametersOf, type platformOperations, type ResultOf, SoukError } from '@souk/contract'
import { sha256 } from '../../kernel/crypto.ts'
import { newId } from '../../kernel/id.ts'
import { audit } from '../audit/index.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { requireOwnDataset } from './findDataset.ts'
import { validateRecords } from './records.ts'
import { claimBatch, deleteBatchesBefore, insertRecords, lockDataset } from './store.ts'

type Operation = typeof platformOperations.appendRecords

/** How long a batchId is remembered, ms of real time. */
const BATCH_MEMORY = 86_400_000

/**
 * Appends records, all or none. With a `batchId` the same append counts once, however often it arrives.
 * @throws SoukError `dataset_not_found`, `dataset_built_in`, `parameter_invalid`, `batch_conflict`
 */
export async function appendRecords(
  context: Context,
  caller: ConsoleCaller,
  { datasetId, records, batchId }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { own, projectId } = await requireOwnDataset(context.sql, datasetId)
  const checked = validateRecords(own.fields, records)
  const appended = checked.length
  await context.sql.begin(async (tx) => {
    if (!(await lockDataset(tx, datasetId))) throw new SoukError('dataset_not_found')
    if (batchId !== undefined) {
      const digest = sha256(checked.join('\n'))
      const before = await claimBatch(tx, { datasetId, batchId, digest, records: appended, time: context.clock.real() })
      if (before?.digest.equals(digest)) return
      if (before) throw new SoukError('batch_conflict', `It stands for ${before.records} records.`)
    }
    const ids = checked.map(() => newId())
    await insertRecords(tx, datasetId, { ids, records: checked, ctime: context.clock.now() })
    const detail = { records: appended, ...(batchId === undefined ? {} : { batchId }) }
    await audit(context, tx, caller, { action: 'dataset.append', subject: datasetId, projectId, detail })
  })
  return { appended }
}

/** Forgets batchIds of more than a day ago. A job. */
export async function pruneBatches(context: Context): Promise<void> {
  await deleteBatchesBefore(context.sql, context.clock.real() - BATCH_MEMORY)
}
