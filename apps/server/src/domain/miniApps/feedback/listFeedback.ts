import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { readCursor, readPage } from '../../../kernel/db/page.ts'
import type { ConsoleCaller } from '../../caller.ts'
import { isAdministrator } from '../../console/index.ts'
import type { Context } from '../../context.ts'
import { appidsOf } from '../apps/index.ts'
import { type Feedback, findMessage, findProject, listMessages } from './store.ts'

type Operations = typeof consoleOperations

/** Lists feedback on the mini apps of a project, newest first. @throws SoukError `app_not_found` */
export async function listFeedback(
  context: Context,
  caller: ConsoleCaller,
  { projectId, appid, kind, state, openId, cursor, ...page }: ParametersOf<Operations['listFeedback']>,
): Promise<ResultOf<Operations['listFeedback']>> {
  const appids = await appidsOf(context, projectId, appid)
  const [before] = readCursor(cursor, ['id'])
  const { items, ...others } = await readPage(context.sql, page, {
    list: (part) => listMessages(context.sql, { isReport: false, appids, kind, state, openId, ...part }),
    before,
    keyOf: ({ feedbackId }) => [feedbackId],
  })
  return { items: items.map((message) => visibleTo(caller, message)), ...others }
}

/** Lists reports of mini apps, newest first. */
export async function listReports(
  context: Context,
  _caller: ConsoleCaller,
  { appid, reason, state, cursor, ...page }: ParametersOf<Operations['listReports']>,
): Promise<ResultOf<Operations['listReports']>> {
  const appids = appid === undefined ? undefined : [appid]
  const [before] = readCursor(cursor, ['id'])
  return readPage(context.sql, page, {
    list: (part) => listMessages(context.sql, { isReport: true, appids, reason, state, ...part }),
    before,
    keyOf: ({ feedbackId }) => [feedbackId],
  })
}

/** Returns a message. @throws SoukError `feedback_not_found` */
export async function getFeedback(
  context: Context,
  caller: ConsoleCaller,
  { feedbackId }: ParametersOf<Operations['getFeedback']>,
): Promise<ResultOf<Operations['getFeedback']>> {
  const message = await findMessage(context.sql, feedbackId)
  if (!message) throw new SoukError('feedback_not_found')
  return visibleTo(caller, message)
}

/** Returns the project whose members may read a message; undefined for a report. */
export async function projectOfFeedback(context: Context, feedbackId: string): Promise<string | undefined> {
  return findProject(context.sql, feedbackId)
}

/** Removes the host user's id for members, who know users by their openId only. */
export function visibleTo(caller: ConsoleCaller, message: Feedback): Feedback {
  return isAdministrator(caller) ? message : { ...message, uid: null }
}
