import { accountOperations } from './account.ts'
import { datasetOperations } from './datasets.ts'

/** Operations for programs with an API key (`/api/v1`, open-api §4.2). */
export const platformOperations = { ...accountOperations, ...datasetOperations }

export { datasetLimits, type FieldType, fieldTypes, ownSystemFields } from './datasets.ts'
export * from './filter.ts'
export { type BuiltInDataset, builtInDatasets } from './surface.ts'
