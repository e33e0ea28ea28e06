import { type hostOperations, type ResultOf, SoukError } from '@souk/contract'
import type { Context } from '../context.ts'
import { selectUsers } from './store.ts'

/** The mock users that can sign in to a sandbox, oldest first; without anything private. @throws SoukError sandbox_only */
export async function listSandboxUsers(context: Context): Promise<ResultOf<typeof hostOperations.listSandboxUsers>> {
  if (!context.settings.sandbox) throw new SoukError('sandbox_only')
  return selectUsers(context.sql)
}
