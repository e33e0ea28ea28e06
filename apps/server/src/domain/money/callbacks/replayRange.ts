import { type consoleOperations, maxReplay, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { newId } from '../../../kernel/id.ts'
import { enqueue } from '../../../kernel/outbox.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { deliverNow } from '../../messages/index.ts'
import { appidsOf } from '../../miniApps/index.ts'
import { callbackQueue } from './deliver.ts'
import {
  countForReplay,
  findReplay,
  insertReplay,
  listForReplay,
  type Replay,
  updateReplay,
  updateReplayEnd,
} from './store.ts'

type Operations = typeof consoleOperations
type ReplayView = ResultOf<Operations['getReplay']>

/** Maximum number of concurrent deliveries per replay. */
const batchSize = 20

/**
 * Starts a job that delivers all matching callbacks again, oldest first. Clients poll `getReplay` for its progress. An
 * interrupted replay resumes where it stopped and repeats deliveries that were in flight.
 *
 * @throws SoukError `app_not_found`
 */
export async function replayCallbacks(
  context: Context,
  caller: ConsoleCaller,
  input: ParametersOf<Operations['replayCallbacks']>,
): Promise<ReplayView> {
  const { projectId, appid, host, state, from, to } = input
  const now = context.clock.real()
  const replay: Replay = {
    ...(await readRange(context, input)),
    replayId: newId(),
    projectId,
    doneTime: null,
    doneNotifyId: null,
    progress: 'running',
    total: 0,
    done: 0,
    failed: 0,
    ctime: now,
    mtime: now,
  }
  replay.total = await countForReplay(context.sql, replay, { max: maxReplay, sandbox: context.settings.sandbox })
  if (replay.total === 0) replay.progress = 'finished'
  await context.sql.begin(async (tx) => {
    await insertReplay(tx, replay)
    const detail = { appid, host, state, from, to, total: replay.total }
    await audit(context, tx, caller, { action: 'callback.replayRange', subject: replay.replayId, projectId, detail })
    if (replay.total > 0) await enqueue(tx, { name: 'replayCallbacks', payload: { replayId: replay.replayId } })
  })
  return toReplayView(replay)
}

/** Returns how many callbacks a replay would deliver. @throws SoukError `app_not_found` */
export async function countReplay(
  context: Context,
  _caller: ConsoleCaller,
  input: ParametersOf<Operations['countReplay']>,
): Promise<ResultOf<Operations['countReplay']>> {
  const { sandbox } = context.settings
  return { total: await countForReplay(context.sql, await readRange(context, input), { max: maxReplay, sandbox }) }
}

/** Returns the progress of a replay. @throws SoukError `replay_not_found` */
export async function getReplay(
  context: Context,
  _caller: ConsoleCaller,
  { replayId }: ParametersOf<Operations['getReplay']>,
): Promise<ReplayView> {
  return toReplayView(await getExistingReplay(context, replayId))
}

/** Stops a replay. Deliveries in flight are completed. @throws SoukError `replay_not_found` */
export async function cancelReplay(
  context: Context,
  caller: ConsoleCaller,
  { replayId }: ParametersOf<Operations['cancelReplay']>,
): Promise<ReplayView> {
  const { projectId } = await getExistingReplay(context, replayId)
  await context.sql.begin(async (tx) => {
    await updateReplayEnd(tx, replayId, 'canceled', context.clock.real())
    await audit(context, tx, caller, { action: 'callback.replayCancel', subject: replayId, projectId })
  })
  return getReplay(context, caller, { replayId })
}

/** Job: runs a replay. */
export async function runReplay(context: Context<'sendMessage' | 'vault'>, replayId: string): Promise<void> {
  let replay = await findReplay(context.sql, replayId)
  while (replay?.progress === 'running') {
    const limit = Math.min(batchSize, replay.total - replay.done)
    const callbacks = await listForReplay(context.sql, replay, { limit, sandbox: context.settings.sandbox })
    const last = callbacks.at(-1)
    if (last === undefined) return updateReplayEnd(context.sql, replayId, 'finished', context.clock.real())
    const outcomes = await Promise.all(callbacks.map((callback) => deliverNow(context, callbackQueue, callback)))
    const done = callbacks.length
    const step = {
      done,
      failed: outcomes.filter((acknowledged) => !acknowledged).length,
      doneTime: last.ctime,
      doneNotifyId: last.notifyId,
      finished: replay.done + done >= replay.total,
    }
    replay = await updateReplay(context.sql, replay, step, context.clock.real())
  }
}

/** Returns the projectId of a replay. */
export async function projectOfReplay(context: Pick<Context, 'sql'>, replayId: string): Promise<string | undefined> {
  return (await findReplay(context.sql, replayId))?.projectId
}

type ReplayRange = Pick<Replay, 'appids' | 'host' | 'state' | 'fromTime' | 'toTime'>

async function readRange(
  context: Context,
  { projectId, appid, host, state, from, to }: ParametersOf<Operations['replayCallbacks']>,
): Promise<ReplayRange> {
  return {
    appids: await appidsOf(context, projectId, appid),
    host: host?.toLowerCase() ?? null,
    state: state ?? null,
    fromTime: from ?? 0,
    // Later callbacks are excluded, so that the replay ends.
    toTime: Math.min(to ?? Number.MAX_SAFE_INTEGER, context.clock.now() + 1),
  }
}

async function getExistingReplay(context: Context, replayId: string): Promise<Replay> {
  const replay = await findReplay(context.sql, replayId)
  if (!replay) throw new SoukError('replay_not_found')
  return replay
}

function toReplayView({ replayId, projectId, progress: state, total, done, failed, ctime, mtime }: Replay): ReplayView {
  return { replayId, projectId, state, total, done, failed, ctime, mtime }
}
