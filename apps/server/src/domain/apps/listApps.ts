import type { consoleOperations, hostOperations, ResultOf } from '@souk/contract'
import type { Context } from '../context.ts'
import { selectApps, selectEnabledApps } from './store.ts'

/** All mini apps, newest first. */
export async function listApps(context: Context): Promise<ResultOf<typeof consoleOperations.listApps>> {
  return selectApps(context.sql)
}

/** The mini apps that a host user can open, by name. */
export async function listMiniApps(context: Context): Promise<ResultOf<typeof hostOperations.listMiniApps>> {
  return selectEnabledApps(context.sql)
}
