import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { notifyUsers } from '../../../kernel/outbox.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { announce } from './announce.ts'
import { visibleTo } from './listFeedback.ts'
import { type Feedback, findMessage, lockMessage, updateAnswer, updateState } from './store.ts'

type Operations = typeof consoleOperations

/**
 * Answers a message, and tells its user if the host application is open.
 * @throws SoukError `feedback_not_found`
 */
export async function answerFeedback(
  context: Context,
  caller: ConsoleCaller,
  { feedbackId, text }: ParametersOf<Operations['answerFeedback']>,
): Promise<ResultOf<Operations['answerFeedback']>> {
  return change(context, caller, feedbackId, 'feedback.answer', async (tx, { uid }) => {
    const answer = {
      text,
      accountId: caller.kind === 'account' ? caller.accountId : null,
      serviceAccountId: caller.kind === 'serviceAccount' ? caller.serviceAccountId : null,
    }
    await updateAnswer(tx, feedbackId, answer, context.clock.now())
    await notifyUsers(tx, [{ uid: uid!, event: 'feedback', id: feedbackId }])
  })
}

/** Closes a message, or opens it again. @throws SoukError `feedback_not_found` */
export async function setFeedbackState(
  context: Context,
  caller: ConsoleCaller,
  { feedbackId, state }: ParametersOf<Operations['setFeedbackState']>,
): Promise<ResultOf<Operations['setFeedbackState']>> {
  const action = state === 'closed' ? 'feedback.close' : 'feedback.reopen'
  return change(context, caller, feedbackId, action, (tx) => updateState(tx, feedbackId, state, context.clock.now()))
}

async function change(
  context: Context,
  caller: ConsoleCaller,
  feedbackId: string,
  action: string,
  update: (tx: Tx, message: Feedback) => Promise<void>,
): Promise<Feedback> {
  return context.sql.begin(async (tx) => {
    const message = await lockMessage(tx, feedbackId)
    if (!message) throw new SoukError('feedback_not_found')
    const { appid, kind, projectId } = message
    await update(tx, message)
    const changed = (await findMessage(tx, feedbackId))!
    await announce(context, tx, changed)
    await audit(context, tx, caller, {
      action,
      subject: appid,
      // Members of the project do not learn of reports.
      projectId: kind === 'report' ? undefined : projectId,
      detail: { feedbackId, kind },
    })
    return visibleTo(caller, changed)
  })
}
