import {
  type consoleOperations,
  type hostOperations,
  inspectionsLimits,
  type ParametersOf,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newId, newToken } from '../../../kernel/id.ts'
import type { ConsoleCaller, HostUserCaller } from '../../caller.ts'
import { lockProject } from '../../console/index.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { lockApp } from '../apps/index.ts'
import { deleteInspection } from './end.ts'
import {
  countInspections,
  deleteUnpaired,
  insertInspection,
  lockByCode,
  type Pairing,
  updateToPaired,
} from './store.ts'
import { announce } from './streams.ts'

type Console = typeof consoleOperations
type Host = typeof hostOperations

/**
 * Creates an inspection that waits for a phone. It replaces one of the caller for this mini app that still waits.
 * @throws SoukError `app_not_found`, `inspection_limit_reached`
 */
export async function createInspection(
  context: Context,
  caller: ConsoleCaller,
  { appid }: ParametersOf<Console['createInspection']>,
): Promise<ResultOf<Console['createInspection']>> {
  const found = await context.apps.find(appid)
  if (found === undefined) throw new SoukError('app_not_found', `appid: ${appid}`)
  const now = context.clock.real()
  const inspectionId = newId()
  const code = newToken('souk_inspect')
  const validUntil = now + inspectionsLimits.codeLifetime
  await context.sql.begin(async (tx) => {
    // Before the mini app, as when the project is archived.
    await lockProject(tx, found.projectId)
    const projectId = await lockApp(tx, appid)
    if (projectId === undefined) throw new SoukError('app_not_found', `appid: ${appid}`)
    await deleteUnpaired(tx, caller, appid)
    if ((await countInspections(tx, projectId, now)) >= inspectionsLimits.perProject)
      throw new SoukError('inspection_limit_reached', `${inspectionsLimits.perProject} are open.`)
    await insertInspection(tx, { inspectionId, appid }, caller, { code, validUntil, now })
    await audit(context, tx, caller, {
      action: 'inspection.create',
      subject: appid,
      projectId,
      detail: { inspectionId },
    })
  })
  return { inspectionId, code, validUntil }
}

/** Returns who wants to inspect what. @throws SoukError `inspection_code_invalid` */
export async function showInspection(
  context: Context,
  _caller: HostUserCaller,
  { code }: ParametersOf<Host['showInspection']>,
): Promise<ResultOf<Host['showInspection']>> {
  const { appid, developer, project } = await context.sql.begin((tx) => findByCode(context, tx, code))
  return { appid, developer, project }
}

async function findByCode(context: Context, tx: Tx, code: string): Promise<Pairing> {
  const found = await lockByCode(tx, code, context.clock.real())
  if (!found) throw new SoukError('inspection_code_invalid', 'Ask the developer for a new one.')
  return found
}

/**
 * Pairs the session of the user with the inspection, or ends it. The audit log does not name the user, since members of
 * the project do not know the users of their mini apps.
 *
 * @throws SoukError `inspection_code_invalid`
 */
export async function answerInspection(
  context: Context,
  user: HostUserCaller,
  { code, accepted }: ParametersOf<Host['answerInspection']>,
): Promise<ResultOf<Host['answerInspection']>> {
  return context.sql.begin(async (tx) => {
    const { inspectionId, appid, projectId } = await findByCode(context, tx, code)
    if (accepted) {
      await updateToPaired(tx, inspectionId, user, context.clock.real())
      await announce(tx, { inspectionId })
    } else await deleteInspection(tx, inspectionId, 'declined')
    const action = accepted ? 'inspection.accept' : 'inspection.decline'
    await audit(context, tx, { kind: 'system' }, { action, subject: appid, projectId, detail: { inspectionId } })
    return { inspectionId }
  })
}
