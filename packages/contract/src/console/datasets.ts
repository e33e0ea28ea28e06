import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { datasetOperations } from '../platform/datasets.ts'
import { console, ProjectId } from './surface.ts'

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
  removeRecords: operation({
    ...deleteRecords,
    ...console,
    id: 'removeRecords',
    path: '/console/v1/datasets/{datasetId}/records',
  }),
}
