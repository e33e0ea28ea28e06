import { type consoleOperations, type ParametersOf, SoukError } from '@souk/contract'
import { enqueue, notify } from '../../../kernel/outbox.ts'
import type { ConsoleCaller } from '../../caller.ts'
import { requireLiftable } from '../../console/index.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { deleteReleases, lockArchive } from '../../miniApps/index.ts'
import { deleteRows, deleteSomeUsers, listUnfinished, updateAppToDeleted } from './deletions.store.ts'
import { requireName } from './requireName.ts'

/** Rows deleted per transaction. */
const batchSize = 10_000

/**
 * Deletes an archived mini app (ADR 317). It is unknown to all callers at once; a job erases what it has stored. Its
 * trades, refunds, callbacks and ledger entries stay, under its name.
 * @throws SoukError `app_not_found`, `app_not_archived`, `parameter_invalid` if `name` is not its name,
 *   `app_unfinished` while money or callbacks are under way, `blocked_by_operator`
 */
export async function deleteApp(
  context: Context,
  caller: ConsoleCaller,
  { appid, name }: ParametersOf<typeof consoleOperations.deleteApp>,
): Promise<true> {
  await context.sql.begin(async (tx) => {
    const app = await lockArchive(tx, appid)
    if (app === undefined) throw new SoukError('app_not_found')
    if (app.archivedTime === null) throw new SoukError('app_not_archived', 'Archive it first.')
    requireName(name, app.name)
    for (const state of ['appArchived', 'appDisabled'] as const) await requireLiftable(tx, caller, state, appid)
    const unfinished = await listUnfinished(tx, appid)
    if (unfinished.length > 0) throw new SoukError('app_unfinished', `Try again later: ${unfinished.join(', ')}.`)
    await updateAppToDeleted(tx, appid, context.clock.now())
    await enqueue(tx, { name: 'eraseApp', payload: { appid } })
    const { projectId } = app
    await audit(context, tx, caller, { action: 'app.delete', subject: appid, projectId, detail: { name: app.name } })
    await notify(tx, 'souk_app', appid)
  })
  context.apps.forget(appid)
  return true
}

/** Job: erases what a deleted mini app has stored. Continues where an interrupted run has stopped. */
export async function eraseApp(context: Pick<Context, 'sql' | 'clock'>, appid: string): Promise<void> {
  while ((await deleteSomeUsers(context.sql, appid, batchSize)) > 0);
  await deleteRows(context.sql, appid, batchSize, context.clock.real())
  await deleteReleases(context, appid)
}
