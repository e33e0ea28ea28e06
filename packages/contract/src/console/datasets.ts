import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { datasetLimits, datasetOperations } from '../platform/datasets.ts'
import { Hex32 } from '../schemas.ts'
import { console, Page, ProjectId, paging } from './surface.ts'

const { listDatasets, createDataset, getDataset, deleteDataset } = datasetOperations
const { listRecords, exportRecords, appendRecords, deleteRecords } = datasetOperations

/** Datasets: parameters and results are those of the platform data API, whose keys the console does not have. */
export const consoleDatasetOperations = {
  searchDatasets: operation({
    ...listDatasets,
    ...console,
    id: 'searchDatasets',
    path: '/console/v1/projects/{projectId}/datasets',
    summary: 'List datasets of a project by name',
    access: { action: 'dataset.read', by: 'projectId' },
    parameters: Type.Object({ ...listDatasets.parameters.properties, projectId: ProjectId }),
  }),
  addDataset: operation({
    ...createDataset,
    ...console,
    id: 'addDataset',
    path: '/console/v1/projects/{projectId}/datasets',
  }),
  describeDataset: operation({
    ...getDataset,
    ...console,
    id: 'describeDataset',
    path: '/console/v1/datasets/{datasetId}',
  }),
  removeDataset: operation({
    ...deleteDataset,
    ...console,
    id: 'removeDataset',
    path: '/console/v1/datasets/{datasetId}',
  }),
  searchRecords: operation({
    ...listRecords,
    ...console,
    id: 'searchRecords',
    path: '/console/v1/datasets/{datasetId}/records',
    parameters: Type.Object({ ...listRecords.parameters.properties, total: paging.total }),
    result: Page(listRecords.result.properties.items.items),
  }),
  downloadRecords: operation({
    ...exportRecords,
    ...console,
    id: 'downloadRecords',
    path: '/console/v1/datasets/{datasetId}/export',
  }),
  importRecords: operation({
    ...appendRecords,
    ...console,
    id: 'importRecords',
    path: '/console/v1/datasets/{datasetId}/records',
  }),
  changeRecord: operation({
    ...console,
    id: 'changeRecord',
    method: 'PATCH',
    path: '/console/v1/datasets/{datasetId}/records/{recordId}',
    summary: 'Change fields of a record',
    // The old values are lost, as with a deletion.
    access: { action: 'dataset.delete', by: 'datasetId' },
    body: ['json'],
    maxValues: datasetLimits.recordValues,
    parameters: Type.Object({
      datasetId: deleteRecords.parameters.properties.datasetId,
      recordId: Hex32({ description: 'The record.' }),
      values: Type.Record(Type.String(), Type.Unknown(), {
        description: 'New values by field; null removes a value. Other fields stay as they are.',
        'x-allowed': 'must be an object with values of fields',
      }),
    }),
    example: { values: { title: 'Two coffees' } },
    result: Type.Boolean(),
    errors: ['dataset_built_in', 'record_not_found'],
    redact: [],
  }),
  removeRecords: operation({
    ...deleteRecords,
    ...console,
    id: 'removeRecords',
    path: '/console/v1/datasets/{datasetId}/records',
  }),
}
