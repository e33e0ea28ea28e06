import { type consoleOperations, type ParametersOf, SoukError } from '@souk/contract'
import { notify } from '../../kernel/outbox.ts'
import { audit } from '../audit/index.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { lockProject, requireActiveProject } from '../projects/index.ts'
import { lockArchive, updateArchivedTime } from './store.ts'

type Input = ParametersOf<typeof consoleOperations.archiveApp>

/**
 * Archives a mini app (ADR 336). Hosts and lists do not show it, its backend is refused with `app_archived`, and its
 * settings and releases cannot be changed. Payments that have begun, refunds and callbacks go on.
 * @throws SoukError `app_not_found`
 */
export async function archiveApp(context: Context, caller: ConsoleCaller, { appid }: Input): Promise<true> {
  return setArchived(context, caller, appid, true)
}

/**
 * Restores an archived mini app as it was.
 * @throws SoukError `app_not_found`, `app_not_archived`, `project_archived`
 */
export async function restoreApp(context: Context, caller: ConsoleCaller, { appid }: Input): Promise<true> {
  return setArchived(context, caller, appid, false)
}

async function setArchived(context: Context, caller: ConsoleCaller, appid: string, archived: boolean): Promise<true> {
  const found = await context.apps.find(appid)
  if (found === undefined) throw new SoukError('app_not_found')
  await context.sql.begin(async (tx) => {
    // Before the mini app, as when the project is archived.
    await lockProject(tx, found.projectId)
    const app = await lockArchive(tx, appid)
    if (app === undefined) throw new SoukError('app_not_found')
    const { projectId, name, archivedTime } = app
    if (!archived && archivedTime === null) throw new SoukError('app_not_archived')
    if (!archived) await requireActiveProject(tx, projectId)
    // Archiving again keeps the time of the first.
    await updateArchivedTime(tx, appid, archived ? (archivedTime ?? context.clock.now()) : null)
    const action = archived ? 'app.archive' : 'app.restore'
    await audit(context, tx, caller, { action, subject: appid, projectId, detail: { name } })
    await notify(tx, 'souk_app', appid)
  })
  context.apps.forget(appid)
  return true
}
