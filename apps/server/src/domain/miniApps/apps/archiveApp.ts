import { type consoleOperations, type ParametersOf, SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { notify } from '../../../kernel/outbox.ts'
import type { ConsoleCaller } from '../../caller.ts'
import { liftState, lockProject, recordBlock, requireActiveProject } from '../../console/index.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { lockArchive, updateArchivedTime } from './store.ts'

type Operations = typeof consoleOperations

/**
 * Archives a mini app (ADR 336). Hosts and lists do not show it, its backend is refused with `app_archived`, and its
 * settings and releases cannot be changed. Payments that have begun, refunds and callbacks go on.
 * @throws SoukError `app_not_found`
 */
export async function archiveApp(
  context: Context<'mailer' | 'vault'>,
  caller: ConsoleCaller,
  { appid, reason }: ParametersOf<Operations['archiveApp']>,
): Promise<true> {
  await context.sql.begin(async (tx) => {
    const { projectId, name, archivedTime } = await lockForArchive(context, tx, appid)
    const subject = { state: 'appArchived', subject: appid, name, appid, projectId } as const
    await recordBlock(context, tx, caller, subject, { reason, wasSet: archivedTime !== null })
    // Archiving again keeps the time of the first.
    await updateArchivedTime(tx, appid, archivedTime ?? context.clock.now())
    const detail = { name, ...(reason !== undefined && { reason }) }
    await audit(context, tx, caller, { action: 'app.archive', subject: appid, projectId, detail })
    await notify(tx, 'souk_app', appid)
  })
  context.apps.forget(appid)
  return true
}

/**
 * Restores an archived mini app as it was.
 * @throws SoukError `app_not_found`, `app_not_archived`, `project_archived`, `blocked_by_operator`
 */
export async function restoreApp(
  context: Context<'mailer' | 'vault'>,
  caller: ConsoleCaller,
  { appid }: ParametersOf<Operations['restoreApp']>,
): Promise<true> {
  await context.sql.begin((tx) => restoreInTransaction(context, tx, caller, { appid }))
  context.apps.forget(appid)
  return true
}

/** Restores an archived mini app in the transaction of the caller, who has it forgotten afterwards. */
export async function restoreInTransaction(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  { appid, answer }: { appid: string; answer?: string | undefined },
): Promise<void> {
  const { projectId, name, archivedTime } = await lockForArchive(context, tx, appid)
  if (archivedTime === null) throw new SoukError('app_not_archived')
  await requireActiveProject(tx, projectId)
  await liftState(context, tx, caller, 'appArchived', appid, answer)
  await updateArchivedTime(tx, appid, null)
  await audit(context, tx, caller, { action: 'app.restore', subject: appid, projectId, detail: { name } })
  await notify(tx, 'souk_app', appid)
}

/** @throws SoukError `app_not_found` */
async function lockForArchive(context: Context, tx: Tx, appid: string) {
  const found = await context.apps.find(appid)
  if (found === undefined) throw new SoukError('app_not_found')
  // Before the mini app, as when the project is archived.
  await lockProject(tx, found.projectId)
  const app = await lockArchive(tx, appid)
  if (app === undefined) throw new SoukError('app_not_found')
  return app
}
