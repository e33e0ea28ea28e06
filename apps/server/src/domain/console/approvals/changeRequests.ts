import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import { readCursor, readPage } from '../../../kernel/db/page.ts'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { closeChange } from './changes.ts'
import { findPendingChange, listChangeRows } from './store.ts'

type Operations = typeof consoleOperations

/** Lists change requests of a mini app, or of all, newest first. */
export async function listChangeRequests(
  context: Context,
  _caller: ConsoleCaller,
  { appid, state, cursor, ...page }: ParametersOf<Operations['listChangeRequests']>,
): Promise<ResultOf<Operations['listChangeRequests']>> {
  const [before] = readCursor(cursor, ['id'])
  return readPage(context.sql, page, {
    list: (part) => listChangeRows(context.sql, { appid, state, ...part }),
    before,
    keyOf: ({ changeId }) => [changeId],
  })
}

/** Withdraws the pending publication of a release, if there is one. The caller has locked the mini app. */
export async function withdrawPublication(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  { appid, releaseId }: { appid: string; releaseId: string },
): Promise<void> {
  const pending = await findPendingChange(tx, appid, 'publication')
  if (pending?.value?.releaseId === releaseId) await closeChange(context, tx, caller, pending, { state: 'withdrawn' })
}
