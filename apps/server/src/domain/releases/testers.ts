import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { App } from '../app.ts'
import { lockApp } from '../apps/index.ts'
import { audit } from '../audit/index.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { listTestersAmong, listTesterUids, replaceTesters } from './store.ts'

type Operations = typeof consoleOperations

/** Who may open what is not published. */
export async function listTesters(
  context: Context,
  _caller: ConsoleCaller,
  { appid }: ParametersOf<Operations['listTesters']>,
): Promise<ResultOf<Operations['listTesters']>> {
  return { uids: await listTesterUids(context.sql, appid) }
}

/** Says who may; the whole list anew. @throws SoukError `user_not_found`, and then nothing has changed */
export async function setTesters(
  context: Context,
  caller: ConsoleCaller,
  { appid, uids }: ParametersOf<Operations['setTesters']>,
): Promise<ResultOf<Operations['setTesters']>> {
  await context.sql.begin(async (tx) => {
    const projectId = await lockApp(tx, appid)
    const unknown = await replaceTesters(tx, appid, uids)
    if (unknown.length > 0) throw new SoukError('user_not_found', `Nobody has the uid ${unknown.join(', ')}.`)
    await audit(context, tx, caller, { action: 'release.setTesters', subject: appid, projectId, detail: { uids } })
  })
  return listTesters(context, caller, { appid })
}

/**
 * Whom of these users a message of the mini app may reach: all, except where it has releases and none of them is published
 * (ADR 160).
 *
 * @throws SoukError `testers_only` where that leaves nobody
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
