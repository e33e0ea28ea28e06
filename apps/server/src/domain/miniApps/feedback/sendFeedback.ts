import {
  day,
  type FeedbackKind,
  type hostOperations,
  maxFeedbackPerDay,
  type ParametersOf,
  type ReportReason,
  type ResultOf,
  SoukError,
  second,
} from '@souk/contract'
import { newId } from '../../../kernel/id.ts'
import type { HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { sendToAdministrators } from '../../messages/index.ts'
import { listEnabledApps } from '../apps/index.ts'
import { announce } from './announce.ts'
import { findMessage, insertFeedback, listTimes, lockRelease, lockUser } from './store.ts'

type Operations = typeof hostOperations

/**
 * Stores a message to the developers of a mini app.
 * @throws SoukError `app_not_found`, `release_not_found`, `rate_limited`
 */
export async function sendFeedback(
  context: Context<'mailer' | 'vault'>,
  caller: HostUserCaller,
  input: ParametersOf<Operations['sendFeedback']>,
): Promise<ResultOf<Operations['sendFeedback']>> {
  return store(context, caller, { ...input, reason: null })
}

/**
 * Stores a report of a mini app, and sends a mail to the administrators.
 * @throws SoukError `app_not_found`, `release_not_found`, `rate_limited`
 */
export async function reportMiniApp(
  context: Context<'mailer' | 'vault'>,
  caller: HostUserCaller,
  input: ParametersOf<Operations['reportMiniApp']>,
): Promise<ResultOf<Operations['reportMiniApp']>> {
  return store(context, caller, { ...input, kind: 'report' })
}

type Message = Omit<ParametersOf<Operations['sendFeedback']>, 'kind' | 'text'> & {
  kind: FeedbackKind | 'report'
  reason: ReportReason | null
  text?: string
}

async function store(
  context: Context<'mailer' | 'vault'>,
  { uid }: HostUserCaller,
  { appid, kind, reason, text = '', releaseId, page, device = {} }: Message,
): Promise<{ feedbackId: string }> {
  const [app] = await listEnabledApps(context, [appid])
  if (!app) throw new SoukError('app_not_found')
  const now = context.clock.now()
  const feedbackId = newId()
  await context.sql.begin(async (tx) => {
    if (!(await lockUser(tx, uid))) throw new SoukError('session_invalid', 'Sign in.')
    const [oldest, ...others] = (await listTimes(tx, uid, { from: now - day, to: now })).slice(-maxFeedbackPerDay)
    if (oldest !== undefined && others.length === maxFeedbackPerDay - 1) {
      throw new SoukError('rate_limited', `You have sent ${maxFeedbackPerDay} messages within a day.`, {
        data: { retryAfter: Math.ceil((oldest + day - now) / second) },
      })
    }
    const release = releaseId === undefined ? undefined : await lockRelease(tx, appid, releaseId)
    if (releaseId !== undefined && !release) throw new SoukError('release_not_found')
    const message = {
      feedbackId,
      appid,
      uid,
      kind,
      reason,
      device,
      text: text || null,
      releaseId: releaseId ?? null,
      page: page ?? null,
    }
    await insertFeedback(tx, message, release, now)
    const stored = (await findMessage(tx, feedbackId))!
    await announce(context, tx, stored)
    if (stored.reason === null) return
    await sendToAdministrators(
      context,
      tx,
      { kind: 'system' },
      {
        kind: 'miniAppReported',
        values: { app: stored.appName, project: stored.projectName, reportReason: stored.reason },
        topic: `report ${appid}`,
      },
    )
  })
  return { feedbackId }
}
