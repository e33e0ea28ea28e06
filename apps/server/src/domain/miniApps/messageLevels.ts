import {
  type consoleOperations,
  type hostOperations,
  type ParametersOf,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import type { Tx } from '../../kernel/db/pool.ts'
import type { App } from '../app.ts'
import type { ConsoleCaller, HostUserCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { audit } from '../installation/index.ts'
import { removeActivities } from './activities/index.ts'
import { findLevel, listLevelsOfUser, upsertLevel } from './messageLevels.store.ts'

type Host = typeof hostOperations
type Sandbox = typeof consoleOperations.sandboxSetMessageLevel

/** Lists the mini apps that can send messages to the caller, and others for which the caller has chosen a level. */
export async function listMessageLevels(
  context: Context,
  { uid }: HostUserCaller,
): Promise<ResultOf<Host['listMessageLevels']>> {
  return listLevelsOfUser(context.sql, uid)
}

/** Returns the level of a mini app's messages. @throws SoukError `app_not_found` */
export async function getMessageLevel(
  context: Context,
  { uid }: HostUserCaller,
  { appid }: ParametersOf<Host['getMessageLevel']>,
): Promise<ResultOf<Host['getMessageLevel']>> {
  const { capabilities } = await findApp(context, appid)
  const level = await findLevel(context.sql, appid, uid)
  const available = capabilities.has('notification') || capabilities.has('activity')
  return { level: level ?? 'on', decided: level !== undefined, available }
}

/** Chooses the level of a mini app's messages. @throws SoukError `app_not_found`, `session_invalid` */
export async function setMessageLevel(
  context: Context,
  { uid }: HostUserCaller,
  { appid, level }: ParametersOf<Host['setMessageLevel']>,
): Promise<ResultOf<Host['setMessageLevel']>> {
  await findApp(context, appid)
  await context.sql.begin(async (tx) => {
    if (!(await choose(context, tx, { appid, uid, level }))) throw new SoukError('session_invalid')
  })
  return true
}

/** Chooses the level as a user of the sandbox. @throws SoukError `app_not_found`, `user_not_found` */
export async function sandboxSetMessageLevel(
  context: Context,
  caller: ConsoleCaller,
  { appid, uid, level }: ParametersOf<Sandbox>,
): Promise<ResultOf<Sandbox>> {
  const { projectId } = await findApp(context, appid)
  await context.sql.begin(async (tx) => {
    if (!(await choose(context, tx, { appid, uid, level }))) throw new SoukError('user_not_found')
    await audit(context, tx, caller, {
      action: 'sandbox.messageLevel',
      subject: appid,
      projectId,
      detail: { uid, level },
    })
  })
  return true
}

type Choice = Parameters<typeof upsertLevel>[1]

/** Stores a level. Activity messages disappear when it is off. Returns false for an unknown user. */
async function choose(context: Context, tx: Tx, choice: Choice): Promise<boolean> {
  if (!(await upsertLevel(tx, choice, context.clock.now()))) return false
  if (choice.level === 'off') await removeActivities(context, tx, choice)
  return true
}

/** Returns a mini app, even a disabled one: users can always switch its messages off. */
async function findApp(context: Context, appid: string): Promise<App> {
  const app = await context.apps.find(appid)
  if (app === undefined) throw new SoukError('app_not_found', `appid: ${appid}`)
  return app
}
