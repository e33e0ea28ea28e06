import { type ParametersOf, parseFilter, type platformOperations, type ResultOf, SoukError } from '@souk/contract'
import { enqueue } from '../../../kernel/outbox.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { requireOwnDataset } from './findDataset.ts'
import { deleteStatement } from './statements.ts'
import { deleteDatasetRow, deleteSomeRecords } from './store.ts'

type Operations = typeof platformOperations

/** Number of records deleted per transaction. */
const batchSize = 10_000

/**
 * Deletes a dataset. Its records are inaccessible immediately; a job deletes them.
 * @throws SoukError `dataset_not_found`, `dataset_built_in`
 */
export async function deleteDataset(
  context: Context,
  caller: ConsoleCaller,
  { datasetId }: ParametersOf<Operations['deleteDataset']>,
): Promise<true> {
  const { own, projectId } = await requireOwnDataset(context, datasetId)
  await context.sql.begin(async (tx) => {
    if (!(await deleteDatasetRow(tx, datasetId))) throw new SoukError('dataset_not_found')
    await enqueue(tx, { name: 'clearDataset', payload: { datasetId } })
    const detail = { name: own.name }
    await audit(context, tx, caller, { action: 'dataset.delete', subject: datasetId, projectId, detail })
  })
  return true
}

/** Job: deletes the records of a deleted dataset. */
export async function clearDataset(context: Pick<Context, 'sql'>, datasetId: string): Promise<void> {
  while ((await deleteSomeRecords(context.sql, datasetId, batchSize)) === batchSize);
}

/**
 * Deletes the records that match the filter.
 * @throws SoukError `dataset_not_found`, `dataset_built_in`, `parameter_invalid`
 */
export async function deleteRecords(
  context: Context,
  caller: ConsoleCaller,
  { datasetId, filter }: ParametersOf<Operations['deleteRecords']>,
): Promise<ResultOf<Operations['deleteRecords']>> {
  const { source, scopes, projectId } = await requireOwnDataset(context, datasetId)
  const { text, values } = deleteStatement({ source, scopes, filter })
  return context.sql.begin(async (tx) => {
    const { count: deleted } = await tx.unsafe(text, values)
    // Without values, which can be personal data: the audit log is never erased.
    const fields = [...new Set(parseFilter(filter).map(({ field }) => field))]
    const detail = { fields, deleted }
    await audit(context, tx, caller, { action: 'dataset.deleteRecords', subject: datasetId, projectId, detail })
    return { deleted }
  })
}
