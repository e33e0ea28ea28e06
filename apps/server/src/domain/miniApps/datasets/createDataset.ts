import {
  builtInDatasets,
  type FieldType,
  ownSystemFields,
  type ParametersOf,
  type platformOperations,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import { newId } from '../../../kernel/id.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { describeOwnDataset } from './findDataset.ts'
import { findDatasetId, insertDataset, type OwnDataset } from './store.ts'

type Operation = typeof platformOperations.createDataset

/**
 * Creates a dataset. Its schema cannot be changed later.
 * @throws SoukError `dataset_name_taken`, `parameter_invalid`
 */
export async function createDataset(
  context: Context,
  caller: ConsoleCaller,
  { projectId, name, description, fields }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const names = fields.map((field) => field.name)
  checkNames(names)
  if (builtInDatasets.some((each) => each === name)) {
    throw new SoukError('dataset_name_taken', `${name} is built in.`, { data: { datasetId: `${projectId}.${name}` } })
  }
  const dataset: OwnDataset = {
    datasetId: newId(),
    projectId,
    name,
    description: description ?? null,
    fields: fields.map((field) => ({
      name: field.name,
      type: field.type as FieldType,
      required: field.required ?? false,
      description: field.description ?? null,
    })),
    ctime: context.clock.now(),
  }
  await context.sql.begin(async (tx) => {
    if (!(await insertDataset(tx, dataset))) {
      const datasetId = await findDatasetId(tx, projectId, name)
      throw new SoukError('dataset_name_taken', undefined, { data: { datasetId } })
    }
    const detail = { name, fields: names }
    await audit(context, tx, caller, { action: 'dataset.create', subject: dataset.datasetId, projectId, detail })
  })
  return describeOwnDataset(dataset).detail
}

function checkNames(names: readonly string[]): void {
  const data = { parameters: ['fields'] }
  const reserved = names.find((name) => ownSystemFields.some((each) => each === name))
  if (reserved) throw new SoukError('parameter_invalid', `fields: ${reserved} is a system field.`, { data })
  const duplicate = names.find((name, index) => names.indexOf(name) !== index)
  if (duplicate) throw new SoukError('parameter_invalid', `fields: ${duplicate} is listed twice.`, { data })
}
