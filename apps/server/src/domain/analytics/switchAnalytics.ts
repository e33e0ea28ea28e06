import type { consoleOperations, ParametersOf } from '@souk/contract'
import { audit } from '../audit/index.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'

/** Switches the analytics of a project on or off. What was counted stays until its retention ends. */
export async function switchAnalytics(
  context: Context,
  caller: ConsoleCaller,
  { projectId, enabled }: ParametersOf<(typeof consoleOperations)['switchAnalytics']>,
): Promise<true> {
  await context.sql.begin(async (tx) => {
    await tx`update projects set analytics = ${enabled} where project_id = ${projectId}`
    await audit(context, tx, caller, {
      action: 'project.analytics',
      subject: projectId,
      projectId,
      detail: { enabled },
    })
  })
  return true
}
