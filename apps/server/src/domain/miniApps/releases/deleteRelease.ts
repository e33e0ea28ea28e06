import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { notify } from '../../../kernel/outbox.ts'
import type { ConsoleCaller } from '../../caller.ts'
import { withdrawPublication } from '../../console/index.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { lockApp } from '../apps/index.ts'
import { findOpenCanary } from './canary/store.ts'
import { stageConflict } from './changeRelease.ts'
import { requireDeletable } from './publishable.ts'
import { deleteReleaseRow, deleteUnusedContents, listReleaseIds, listReleaseRows } from './store.ts'

type Operation = typeof consoleOperations.deleteRelease

/**
 * Deletes a release with the files that no other release uses. Users who have it open cannot load further files.
 * @throws SoukError `release_not_found`, `release_stage_conflict` for the current release,
 * `blocked_by_operator`
 */
export async function deleteRelease(
  context: Context<'mailer' | 'vault' | 'web'>,
  caller: ConsoleCaller,
  { appid, releaseId }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  await context.sql.begin(async (tx) => {
    const projectId = await lockApp(tx, appid)
    const [release] = await listReleaseRows({ ...context, sql: tx }, appid, releaseId)
    if (projectId === undefined || release === undefined) throw new SoukError('release_not_found')
    if (release.current) throw stageConflict('The release is current; publish another one or roll back first.')
    if (await findOpenCanary(tx, releaseId)) throw stageConflict('It is being rolled out; roll the canary back first.')
    await requireDeletable(tx, caller, releaseId)
    await withdrawPublication(context, tx, caller, { appid, releaseId })
    await deleteUnusedContents(tx, await deleteReleaseRow(tx, releaseId), context.clock.real())
    const detail = { releaseId, platform: release.platform, version: release.version }
    await audit(context, tx, caller, { action: 'release.delete', subject: appid, projectId, detail })
    await notify(tx, 'souk_app', appid)
  })
  context.apps.forget(appid)
  return true
}

/** Deletes all releases of a deleted mini app, one after the other. */
export async function deleteReleases({ sql, clock }: Pick<Context, 'sql' | 'clock'>, appid: string): Promise<void> {
  for (const releaseId of await listReleaseIds(sql, appid)) {
    await sql.begin(async (tx) => deleteUnusedContents(tx, await deleteReleaseRow(tx, releaseId), clock.real()))
  }
}
