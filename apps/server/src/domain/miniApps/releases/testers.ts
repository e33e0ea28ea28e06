import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { App } from '../../app.ts'
import type { ConsoleCaller } from '../../caller.ts'
import { requestChange } from '../../console/index.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { lockApp } from '../apps/index.ts'
import { requireUsers } from './requireUsers.ts'
import { listTestersAmong, listTesterUids, updateTesters } from './store.ts'

type Operations = typeof consoleOperations

/** Lists the users who may open unpublished releases. */
export async function listTesters(
  context: Context,
  _caller: ConsoleCaller,
  { appid }: ParametersOf<Operations['listTesters']>,
): Promise<ResultOf<Operations['listTesters']>> {
  return { uids: await listTesterUids(context.sql, appid) }
}

/**
 * Replaces the list of testers and returns the list in effect, since new testers may need an approval (ADR 283).
 * @throws SoukError `user_not_found` without any change, `app_not_found`
 */
export async function setTesters(
  context: Context<'mailer' | 'rules' | 'vault'>,
  caller: ConsoleCaller,
  { appid, uids }: ParametersOf<Operations['setTesters']>,
): Promise<ResultOf<Operations['setTesters']>> {
  await context.sql.begin(async (tx) => {
    const projectId = await lockApp(tx, appid)
    if (projectId === undefined) throw new SoukError('app_not_found')
    const change = { kind: 'testers', before: await listTesterUids(tx, appid), value: uids } as const
    if (!(await requestChange(context, tx, caller, { appid, projectId }, change))) return
    await applyTesters(tx, appid, uids)
    await audit(context, tx, caller, { action: 'release.setTesters', subject: appid, projectId, detail: { uids } })
  })
  return listTesters(context, caller, { appid })
}

/** Replaces the list of testers. @throws SoukError `user_not_found` */
export async function applyTesters(tx: Tx, appid: string, uids: readonly number[]): Promise<void> {
  await updateTesters(tx, appid, await requireUsers(tx, uids))
}

/**
 * Returns the users that a message of the mini app may reach: all, or only testers if it has releases but none is
 * published (ADR 162).
 *
 * @throws SoukError `testers_only` if no user remains
 */
export async function filterReachable(
  context: Pick<Context, 'sql'>,
  app: Pick<App, 'appid' | 'onlyTesters'>,
  uids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (!app.onlyTesters) return new Set(uids)
  const testers = await listTestersAmong(context.sql, app.appid, uids)
  if (testers.size === 0) throw new SoukError('testers_only', 'Publish a release, or make the users testers.')
  return testers
}
