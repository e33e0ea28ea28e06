import { type consoleOperations, type ParametersOf, SoukError } from '@souk/contract'
import { notifyEach } from '../../kernel/outbox.ts'
import { audit } from '../audit/index.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { lockProjectArchive } from '../projects/index.ts'
import { updateArchivedApps, updateArchivedProject } from './store.ts'

type Input = ParametersOf<typeof consoleOperations.archiveProject>

/**
 * Archives a project with its mini apps (ADR 336). Its service accounts and API keys are refused.
 * @throws SoukError `project_not_found`
 */
export async function archiveProject(context: Context, caller: ConsoleCaller, { projectId }: Input): Promise<true> {
  return setArchived(context, caller, projectId, true)
}

/**
 * Restores an archived project, and the mini apps that were archived with it.
 * @throws SoukError `project_not_found`, `project_not_archived`
 */
export async function restoreProject(context: Context, caller: ConsoleCaller, { projectId }: Input): Promise<true> {
  return setArchived(context, caller, projectId, false)
}

async function setArchived(
  context: Context,
  caller: ConsoleCaller,
  projectId: string,
  archived: boolean,
): Promise<true> {
  const appids = await context.sql.begin(async (tx) => {
    const project = await lockProjectArchive(tx, projectId)
    if (project === undefined) throw new SoukError('project_not_found')
    const { name, archivedTime } = project
    if (!archived && archivedTime === null) throw new SoukError('project_not_archived')
    // Archiving again keeps the time of the first.
    const time = archived ? (archivedTime ?? context.clock.now()) : null
    await updateArchivedProject(tx, projectId, time)
    const changed = await updateArchivedApps(tx, projectId, time)
    const action = archived ? 'project.archive' : 'project.restore'
    await audit(context, tx, caller, { action, subject: projectId, projectId, detail: { name } })
    await notifyEach(tx, 'souk_app', changed)
    return changed
  })
  for (const appid of appids) context.apps.forget(appid)
  return true
}
