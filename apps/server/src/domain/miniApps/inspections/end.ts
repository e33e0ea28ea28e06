import {
  type consoleOperations,
  type hostOperations,
  type InspectionEnd,
  inspectionsLimits,
  type ParametersOf,
  SoukError,
} from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { ConsoleCaller, HostUserCaller, SystemCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { deleteInspectionRows, deleteOldMessages, type Inspection, lockEnded, lockInspection } from './store.ts'
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
  await deleteInspectionRows(tx, inspectionId)
  await announce(tx, { inspectionId, ended: reason })
}

/**
 * Job: ends idle inspections, those whose code has expired, and those whose user has signed out, and deletes old
 * messages.
 */
export async function pruneInspections(context: Context): Promise<void> {
  const now = context.clock.real()
  await deleteOldMessages(context.sql, now)
  await context.sql.begin(async (tx) => {
    const ended = await lockEnded(tx, { now, idleSince: now - inspectionsLimits.idle })
    for (const inspection of ended)
      await end(context, tx, { kind: 'system' }, inspection, inspection.hasLeft ? 'left' : 'idle')
  })
}
