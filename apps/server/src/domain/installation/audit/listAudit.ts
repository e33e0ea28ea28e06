import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import { readCursor, readPage } from '../../../kernel/db/page.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { listEntries } from './store.ts'

type Operation = typeof consoleOperations.listAudit

/** Lists audit entries, newest first. The surface has already checked that the caller may read the audit log. */
export async function listAudit(
  context: Context,
  _caller: ConsoleCaller,
  input: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { projectId, accountId, action, text, from, to, sort, cursor, ...page } = input
  const [before] = readCursor(cursor, ['number'])
  return readPage(context.sql, page, {
    list: (part) => listEntries(context.sql, { projectId, accountId, action, text, from, to, sort, ...part }),
    before,
    keyOf: ({ auditId }) => [auditId],
  })
}
