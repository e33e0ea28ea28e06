import { type consoleOperations, maxReplay, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { newId } from '../../kernel/id.ts'
import { enqueue } from '../../kernel/outbox.ts'
import { appidsOf } from '../apps/index.ts'
import { audit } from '../audit/index.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { attemptNow } from './deliver.ts'
import {
  countForReplay,
  findReplay,
  finishReplay,
  insertReplay,
  listForReplay,
  type Replay,
  updateReplay,
} from './store.ts'

type Operations = typeof consoleOperations
type Shown = ResultOf<Operations['getReplay']>

/** Callbacks that are delivered at a time. */
const batch = 20

/**
 * Sets out to deliver every callback that matches once more, the oldest first. It goes on as a job: whoever asks polls
 * `getReplay`. A replay that is interrupted goes on where it was; what was under way is delivered again.
 *
 * @throws SoukError `app_not_found`
 */
export async function replayCallbacks(
  context: Context,
  caller: ConsoleCaller,
  input: ParametersOf<Operations['replayCallbacks']>,
): Promise<Shown> {
  const { projectId, appid, state, from = 0, to } = input
  const appids = await appidsOf(context, projectId, appid)
  const now = context.clock.real()
  const replay: Replay = {
    replayId: newId(),
    projectId,
    appids,
    state: state ?? null,
    fromTime: from,
    // What comes into being from now on is not part of it, or a replay might chase itself.
    toTime: Math.min(to ?? Number.MAX_SAFE_INTEGER, context.clock.now() + 1),

    doneTime: null,
    doneNotifyId: null,
    progress: 'running',
    total: 0,
    done: 0,
    failed: 0,
    ctime: now,
    mtime: now,
  }
  replay.total = await countForReplay(context.sql, replay, maxReplay)
  if (replay.total === 0) replay.progress = 'finished'
  await context.sql.begin(async (tx) => {
    await insertReplay(tx, replay)
    const detail = { appid, state, from, to, total: replay.total }
    await audit(context, tx, caller, { action: 'callback.replayRange', subject: replay.replayId, projectId, detail })
    if (replay.total > 0)
      await enqueue(tx, context.clock, { name: 'replayCallbacks', payload: { replayId: replay.replayId } })
  })
  return show(replay)
}

/** How far a replay is. @throws SoukError `replay_not_found` */
export async function getReplay(
  context: Context,
  _caller: ConsoleCaller,
  { replayId }: ParametersOf<Operations['getReplay']>,
): Promise<Shown> {
  return show(await knownReplay(context, replayId))
}

/** Stops a replay; what is under way is finished. @throws SoukError `replay_not_found` */
export async function cancelReplay(
  context: Context,
  caller: ConsoleCaller,
  { replayId }: ParametersOf<Operations['cancelReplay']>,
): Promise<Shown> {
  const { projectId } = await knownReplay(context, replayId)
  await context.sql.begin(async (tx) => {
    await finishReplay(tx, replayId, 'canceled', context.clock.real())
    await audit(context, tx, caller, { action: 'callback.replayCancel', subject: replayId, projectId })
  })
  return getReplay(context, caller, { replayId })
}

/** The job `replayCallbacks`: works a replay off. */
export async function runReplay(context: Context, replayId: string): Promise<void> {
  let replay = await findReplay(context.sql, replayId)
  while (replay?.progress === 'running') {
    const callbacks = await listForReplay(context.sql, replay, Math.min(batch, replay.total - replay.done))
    const last = callbacks.at(-1)
    if (last === undefined) return finishReplay(context.sql, replayId, 'finished', context.clock.real())
    const outcomes = await Promise.all(callbacks.map((callback) => attemptNow(context, callback)))
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

/** The project that a replay is of; undefined where there is no such replay. */
export async function projectOfReplay(context: Pick<Context, 'sql'>, replayId: string): Promise<string | undefined> {
  return (await findReplay(context.sql, replayId))?.projectId
}

async function knownReplay(context: Context, replayId: string): Promise<Replay> {
  const replay = await findReplay(context.sql, replayId)
  if (!replay) throw new SoukError('replay_not_found')
  return replay
}

function show({ replayId, projectId, progress: state, total, done, failed, ctime, mtime }: Replay): Shown {
  return { replayId, projectId, state, total, done, failed, ctime, mtime }
}
