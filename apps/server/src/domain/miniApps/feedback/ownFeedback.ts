import { type hostOperations, ownFeedbackPageSize, type ParametersOf, type ResultOf } from '@souk/contract'
import type { HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { countUnread, listOwn, updateAnswersToRead } from './store.ts'

type Operations = typeof hostOperations

/** Lists what a user has sent, with the answers, newest first. */
export async function listOwnFeedback(
  { sql }: Context,
  { uid }: HostUserCaller,
  { before }: ParametersOf<Operations['listOwnFeedback']>,
): Promise<ResultOf<Operations['listOwnFeedback']>> {
  const [items, unread] = await Promise.all([listOwn(sql, uid, before, ownFeedbackPageSize), countUnread(sql, uid)])
  return { items, unread }
}

/** Marks all answers to a user as seen. */
export async function readAnswers(
  { sql }: Context,
  { uid }: HostUserCaller,
): Promise<ResultOf<Operations['readAnswers']>> {
  await updateAnswersToRead(sql, uid)
  return true
}
