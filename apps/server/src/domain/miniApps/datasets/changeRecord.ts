import { type consoleOperations, type ParametersOf, SoukError } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { requireOwnDataset } from './findDataset.ts'
import { validateRecords } from './records.ts'
import { lockDataset, lockRecord, updateRecord } from './store.ts'

/**
 * Changes some fields of a record, which keeps its id and time.
 * @throws SoukError `dataset_not_found`, `dataset_built_in`, `record_not_found`, `parameter_invalid`
 */
export async function changeRecord(
  context: Context,
  caller: ConsoleCaller,
  { datasetId, recordId, values }: ParametersOf<typeof consoleOperations.changeRecord>,
): Promise<true> {
  const { own, projectId } = await requireOwnDataset(context, datasetId)
  await context.sql.begin(async (tx) => {
    if (!(await lockDataset(tx, datasetId))) throw new SoukError('dataset_not_found')
    const record = await lockRecord(tx, datasetId, recordId)
    if (record === undefined) throw new SoukError('record_not_found')
    const changed = { ...record, ...values }
    const [json] = await validateRecords(own.fields, [changed], { parameter: 'values', nameOf: () => 'values' })
    await updateRecord(tx, datasetId, { recordId, record: json! })
    const detail = { recordId, fields: Object.keys(values) }
    await audit(context, tx, caller, { action: 'dataset.changeRecord', subject: datasetId, projectId, detail })
  })
  return true
}
