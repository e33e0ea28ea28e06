import type { ParametersOf, platformOperations, ResultOf } from '@souk/contract'
import { whoAmI } from '../../domain/accounts/index.ts'
import type { ConsoleCaller } from '../../domain/caller.ts'
import type { Context } from '../../domain/context.ts'
import {
  appendRecords,
  createDataset,
  deleteDataset,
  deleteRecords,
  getDataset,
  listDatasets,
  listRecords,
} from '../../domain/datasets/index.ts'
import { getProject, pageProjects } from '../../domain/projects/index.ts'

/** `exportRecords` is a stream and stands in the surface itself. */
type Operations = Omit<typeof platformOperations, 'exportRecords'>

/** What each operation does. A missing one does not compile. */
export const handlers: {
  [Id in keyof Operations]: (
    context: Context,
    caller: ConsoleCaller,
    input: ParametersOf<Operations[Id]>,
  ) => Promise<ResultOf<Operations[Id]>>
} = {
  whoAmI,
  pageProjects,
  readProject: getProject,

  listDatasets,
  createDataset,
  getDataset,
  deleteDataset,
  listRecords,
  appendRecords,
  deleteRecords,
}
