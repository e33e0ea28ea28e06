import type { ParametersOf, platformOperations, ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../../domain/caller.ts'
import * as accounts from '../../domain/console/accounts/index.ts'
import * as projects from '../../domain/console/projects/index.ts'
import { getProject } from '../../domain/console/projects/index.ts'
import type { Context } from '../../domain/context.ts'
import * as datasets from '../../domain/miniApps/datasets/index.ts'

/** All operations except `exportRecords`, which streams. */
type Operations = Omit<typeof platformOperations, 'exportRecords'>

type Handlers = {
  [Id in keyof Operations]: (
    context: Context,
    caller: ConsoleCaller,
    input: ParametersOf<Operations[Id]>,
  ) => Promise<ResultOf<Operations[Id]>>
}

/** The verb of each operation: what a domain exports under the operation's id. Does not compile if one is missing. */
export const handlers: Handlers = {
  ...accounts,
  ...datasets,
  ...projects,
  readProject: getProject,
}
