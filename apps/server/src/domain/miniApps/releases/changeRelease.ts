import { SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { notify } from '../../../kernel/outbox.ts'
import type { ConsoleCaller, SystemCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { lockApp } from '../apps/index.ts'
import { listReleaseRows, type Release } from './store.ts'

/** The action that is audited, and more about it; undefined if nothing was changed. */
type Change = string | undefined | { action: string; detail: Record<string, unknown> }

/**
 * Changes a release under the lock of its mini app, and announces and audits the action that `change` returns.
 * @throws SoukError `release_not_found`
 */
export async function changeRelease(
  context: Context<'web'>,
  caller: ConsoleCaller | SystemCaller,
  { appid, releaseId }: { appid: string; releaseId: string },
  change: (tx: Tx, release: Release, projectId: string) => Promise<Change>,
): Promise<Release> {
  const release = await context.sql.begin(async (tx) => {
    const projectId = await lockApp(tx, appid)
    const [before] = await listReleaseRows({ ...context, sql: tx }, appid, releaseId)
    if (projectId === undefined || before === undefined) throw new SoukError('release_not_found')
    const done = await change(tx, before, projectId)
    if (done === undefined) return before
    const { action, detail: more } = typeof done === 'string' ? { action: done, detail: {} } : done
    const after = (await listReleaseRows({ ...context, sql: tx }, appid, releaseId))[0]!
    const { platform, version, stage } = after
    const detail = { releaseId, platform, version, stage, ...more }
    await audit(context, tx, caller, { action, subject: appid, projectId, detail })
    await notify(tx, 'souk_app', appid)
    return after
  })
  context.apps.forget(appid)
  return release
}

export const stageConflict = (reason: string) => new SoukError('release_stage_conflict', reason)
