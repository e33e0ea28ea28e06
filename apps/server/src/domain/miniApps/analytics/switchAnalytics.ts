import { type consoleOperations, type ParametersOf, SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { ConsoleCaller } from '../../caller.ts'
import { liftState, lockProjectAnalytics, recordBlock, updateProjectAnalytics } from '../../console/index.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'

/**
 * Switches the analytics of a project on or off. What was counted stays until its retention ends.
 * @throws SoukError `project_not_found`, `blocked_by_operator` if an administrator has switched them off
 */
export async function switchAnalytics(
  context: Context<'mailer' | 'vault'>,
  caller: ConsoleCaller,
  { projectId, enabled, reason }: ParametersOf<(typeof consoleOperations)['switchAnalytics']>,
): Promise<true> {
  await context.sql.begin((tx) => switchInTransaction(context, tx, caller, { projectId, enabled, reason }))
  return true
}

/** Switches the analytics of a project in the transaction of the caller. */
export async function switchInTransaction(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  change: { projectId: string; enabled: boolean; reason?: string | undefined; answer?: string | undefined },
): Promise<void> {
  const { projectId, enabled, reason, answer } = change
  const project = await lockProjectAnalytics(tx, projectId)
  if (project === undefined) throw new SoukError('project_not_found')
  const subject = { state: 'analyticsOff', subject: projectId, name: project.name, projectId } as const
  if (enabled) await liftState(context, tx, caller, 'analyticsOff', projectId, answer)
  else await recordBlock(context, tx, caller, subject, { reason, wasSet: !project.analytics })
  await updateProjectAnalytics(tx, projectId, enabled)
  const detail = { enabled, ...(reason !== undefined && { reason }) }
  await audit(context, tx, caller, { action: 'project.analytics', subject: projectId, projectId, detail })
}
