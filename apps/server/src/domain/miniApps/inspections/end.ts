import {
  type consoleOperations,
  type hostOperations,
  type InspectionEnd,
  inspectionsLimits,
  minute,
  type ParametersOf,
  SoukError,
} from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { ConsoleCaller, HostUserCaller, SystemCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { type Inspection, lockInspection } from './store.ts'
import { announce } from './streams.ts'

/** Ends an inspection for the developer. @throws SoukError `inspection_not_found` */
export async function endInspection(
  context: Context,
  caller: ConsoleCaller,
  input: ParametersOf<(typeof consoleOperations)['endInspection']>,
): Promise<boolean> {
  return context.sql.begin(async (tx) => {
    const found = await lockInspection(tx, caller, input)
    if (!found) throw new SoukError('inspection_not_found')
    await end(context, tx, caller, found, 'stopped')
    return true
  })
}

/** Ends an inspection for the user of the phone. @throws SoukError `inspection_not_found` */
export async function leaveInspection(
  context: Context,
  caller: HostUserCaller,
  input: ParametersOf<(typeof hostOperations)['leaveInspection']>,
): Promise<boolean> {
  return context.sql.begin(async (tx) => {
    const found = await lockInspection(tx, caller, input)
    if (!found) throw new SoukError('inspection_not_found')
    await end(context, tx, { kind: 'system' }, found, 'left')
    return true
  })
}

async function end(
  context: Context,
  tx: Tx,
  caller: ConsoleCaller | SystemCaller,
  { inspectionId, appid, projectId }: Inspection,
  reason: InspectionEnd,
): Promise<void> {
  await deleteInspection(tx, inspectionId, reason)
  const detail = { inspectionId, reason }
  await audit(context, tx, caller, { action: 'inspection.end', subject: appid, projectId, detail })
}

/** Deletes an inspection with its messages, and tells both sides. */
export async function deleteInspection(tx: Tx, inspectionId: string, reason: InspectionEnd): Promise<void> {
  await tx`delete from inspections where inspection_id = ${inspectionId}`
  await tx`delete from inspection_messages where inspection_id = ${inspectionId}`
  await announce(tx, { inspectionId, ended: reason })
}

/** Retention of messages for a side that reconnects, in ms. Their limits apply to the same period. */
export const messageLifetime = minute

/**
 * Job: ends idle inspections, those whose code has expired, and those whose user has signed out, and deletes old
 * messages.
 */
export async function pruneInspections(context: Context): Promise<void> {
  const now = context.clock.real()
  const idle = now - inspectionsLimits.idle
  await context.sql`delete from inspection_messages where time <= ${now - messageLifetime}`
  await context.sql.begin(async (tx) => {
    const ended = await tx<(Inspection & { hasLeft: boolean })[]>`
      select i.inspection_id, i.appid, apps.project_id, i.uid is not null and s.token_hash is null as has_left
      from inspections i join apps using (appid) left join host_sessions s on s.token_hash = i.session_hash
      where case when i.uid is null then i.code_valid_until <= ${now}
        else s.token_hash is null or least(i.last_used, i.console_seen, i.phone_seen) <= ${idle} end
      for no key update of i skip locked`
    for (const inspection of ended)
      await end(context, tx, { kind: 'system' }, inspection, inspection.hasLeft ? 'left' : 'idle')
  })
}
