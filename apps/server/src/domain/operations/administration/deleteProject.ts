import { type consoleOperations, type ParametersOf, SoukError } from '@souk/contract'
import { enqueue } from '../../../kernel/outbox.ts'
import type { ConsoleCaller } from '../../caller.ts'
import { lockProjectArchive, requireLiftable } from '../../console/index.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { deleteSomeUnionIds, existsApp, updateProjectToDeleted } from './deletions.store.ts'
import { requireName } from './requireName.ts'

/** Rows deleted per transaction. */
const batchSize = 10_000

/**
 * Deletes an archived project whose mini apps are deleted (ADR 319). Its row stays for their money, which only
 * administrators read.
 * @throws SoukError `project_not_found`, `project_not_archived`, `project_not_empty`, `parameter_invalid` if the name
 *   differs, `blocked_by_operator`
 */
export async function deleteProject(
  context: Context,
  caller: ConsoleCaller,
  { projectId, name }: ParametersOf<typeof consoleOperations.deleteProject>,
): Promise<true> {
  await context.sql.begin(async (tx) => {
    const project = await lockProjectArchive(tx, projectId)
    if (project === undefined) throw new SoukError('project_not_found')
    if (project.archivedTime === null) throw new SoukError('project_not_archived', 'Archive it first.')
    requireName(name, project.name)
    await requireLiftable(tx, caller, 'projectArchived', projectId)
    if (await existsApp(tx, projectId)) throw new SoukError('project_not_empty', 'Delete its mini apps first.')
    const datasetIds = await updateProjectToDeleted(tx, projectId, context.clock)
    for (const datasetId of datasetIds) await enqueue(tx, { name: 'clearDataset', payload: { datasetId } })
    await enqueue(tx, { name: 'eraseProject', payload: { projectId } })
    const detail = { name: project.name }
    await audit(context, tx, caller, { action: 'project.delete', subject: projectId, projectId, detail })
  })
  return true
}

/** Job: erases what a deleted project has stored about users. Continues where an interrupted run has stopped. */
export async function eraseProject(context: Pick<Context, 'sql'>, projectId: string): Promise<void> {
  while ((await deleteSomeUnionIds(context.sql, projectId, batchSize)) === batchSize);
}
