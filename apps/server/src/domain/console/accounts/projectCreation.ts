import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context, FullContext } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { findProjectPermission, updateProjectPermission } from './store.ts'

type Operation = typeof consoleOperations.allowProjects

/** Returns whether an account may create projects, according to SOUK_PROJECT_CREATION. */
export async function mayCreateProjects(
  { sql, rules }: Pick<FullContext, 'rules'> & { sql: Sql | Tx },
  { accountId, administrator }: { accountId: string; administrator: boolean },
): Promise<boolean> {
  if (administrator || rules.projectCreation === 'everyone') return true
  return rules.projectCreation === 'allowed' && findProjectPermission(sql, accountId)
}

/** Allows an account to create projects, or stops allowing it. @throws SoukError `account_not_found` */
export async function allowProjects(
  context: Context,
  caller: ConsoleCaller,
  { accountId, allowed }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  await context.sql.begin(async (tx) => {
    if (!(await updateProjectPermission(tx, accountId, allowed))) throw new SoukError('account_not_found')
    await audit(context, tx, caller, { action: 'account.allowProjects', subject: accountId, detail: { allowed } })
  })
  return true
}
