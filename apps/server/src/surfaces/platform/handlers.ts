import type { ParametersOf, platformOperations, ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../../domain/caller.ts'
import * as operators from '../../domain/console/index.ts'
import { getProject } from '../../domain/console/index.ts'
import type { FullContext } from '../../domain/context.ts'
import * as miniApps from '../../domain/miniApps/index.ts'

/** All operations except `exportRecords`, which streams. */
type Operations = Omit<typeof platformOperations, 'exportRecords'>

type Handlers = {
  [Id in keyof Operations]: (
    context: FullContext,
    caller: ConsoleCaller,
    input: ParametersOf<Operations[Id]>,
  ) => Promise<ResultOf<Operations[Id]>>
}

/** The verb of each operation: what a wing exports under the operation's id. Does not compile if one is missing. */
export const handlers: Handlers = {
  ...miniApps,
  ...operators,
  readProject: getProject,
}
