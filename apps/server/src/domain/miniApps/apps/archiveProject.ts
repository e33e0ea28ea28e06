import { type consoleOperations, type ParametersOf, SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { notifyEach } from '../../../kernel/outbox.ts'
import type { ConsoleCaller } from '../../caller.ts'
import { liftState, lockProjectArchive, recordBlock, updateArchivedProject } from '../../console/index.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { updateArchivedApps } from './store.ts'

type Operations = typeof consoleOperations

/**
 * Archives a project with its mini apps (ADR 319). Its service accounts and API keys are refused.
 * @throws SoukError `project_not_found`
 */
export async function archiveProject(
  context: Context<'mailer' | 'vault'>,
  caller: ConsoleCaller,
  { projectId, reason }: ParametersOf<Operations['archiveProject']>,
): Promise<true> {
  const appids = await context.sql.begin(async (tx) => {
    const { name, archivedTime } = await lockForArchive(tx, projectId)
    const subject = { state: 'projectArchived', subject: projectId, name, projectId } as const
    await recordBlock(context, tx, caller, subject, { reason, wasSet: archivedTime !== null })
    // Archiving again keeps the time of the first.
    const changed = await updateArchived(tx, projectId, archivedTime ?? context.clock.now())
    const detail = { name, ...(reason !== undefined && { reason }) }
    await audit(context, tx, caller, { action: 'project.archive', subject: projectId, projectId, detail })
    return changed
  })
  for (const appid of appids) context.apps.forget(appid)
  return true
}

/**
 * Restores an archived project, and the mini apps that were archived with it.
 * @throws SoukError `project_not_found`, `project_not_archived`, `blocked_by_operator`
 */
export async function restoreProject(
  context: Context<'mailer' | 'vault'>,
  caller: ConsoleCaller,
  { projectId }: ParametersOf<Operations['restoreProject']>,
): Promise<true> {
  const appids = await context.sql.begin((tx) => restoreProjectInTransaction(context, tx, caller, { projectId }))
  for (const appid of appids) context.apps.forget(appid)
  return true
}

/** Restores an archived project in the transaction of the caller. Returns the mini apps to be forgotten afterwards. */
export async function restoreProjectInTransaction(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  { projectId, answer }: { projectId: string; answer?: string | undefined },
): Promise<string[]> {
  const { name, archivedTime } = await lockForArchive(tx, projectId)
  if (archivedTime === null) throw new SoukError('project_not_archived')
  await liftState(context, tx, caller, 'projectArchived', projectId, answer)
  const changed = await updateArchived(tx, projectId, null)
  const detail = { name }
  await audit(context, tx, caller, { action: 'project.restore', subject: projectId, projectId, detail })
  return changed
}

/** @throws SoukError `project_not_found` */
async function lockForArchive(tx: Tx, projectId: string) {
  const project = await lockProjectArchive(tx, projectId)
  if (project === undefined) throw new SoukError('project_not_found')
  return project
}

async function updateArchived(tx: Tx, projectId: string, time: number | null): Promise<string[]> {
  await updateArchivedProject(tx, projectId, time)
  const changed = await updateArchivedApps(tx, projectId, time)
  await notifyEach(tx, 'souk_app', changed)
  return changed
}
