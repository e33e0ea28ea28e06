import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { pageOf, readCursor } from '../page.ts'
import { listEntries } from './store.ts'

type Operation = typeof consoleOperations.listAudit

/** Lists audit entries, newest first. The surface has already checked that the caller may read the audit log. */
export async function listAudit(
  context: Context,
  _caller: ConsoleCaller,
  input: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { projectId, accountId, action, from, to, cursor, limit = 50 } = input
  const [before] = readCursor(cursor, ['number'])
  const found = await listEntries(context.sql, {
    projectId,
    accountId,
    action,
    from,
    to,
    before,
    limit: limit + 1,
  })
  return pageOf(found, limit, ({ auditId }) => [auditId])
}
