import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { recordUnscheduled, toAttempt } from '../../messages/index.ts'
import { callbacksVia } from './deliver.ts'
import { callbackNotFound } from './notFound.ts'
import { findCallback } from './store.ts'

type ReportForwarded = typeof consoleOperations.reportForwarded

const forwarded = callbacksVia('listen')

/**
 * Records the response to a callback that `souk listen` forwarded. An acknowledgement counts as delivery, since the
 * developer's machine has the result (ADR 51). Only a sandbox has this operation: in live, only the receiver decides.
 *
 * @throws SoukError `callback_not_found`, `callback_archived`
 */
export async function reportForwarded(
  context: Context,
  caller: ConsoleCaller,
  input: ParametersOf<ReportForwarded>,
): Promise<ResultOf<ReportForwarded>> {
  const callback = await findCallback(context.sql, input.notifyId)
  if (!callback) throw await callbackNotFound(context, input.notifyId)
  const { status = null, reply = null, error = null, duration } = input
  const attempt = toAttempt(forwarded, context.clock.now() - duration, { status, reply, error, duration })
  const projectId = (await context.apps.find(callback.appid))?.projectId
  const detail = { acknowledged: attempt.acknowledged, status }
  await context.sql.begin(async (tx) => {
    await recordUnscheduled(context, forwarded, tx, { message: callback, attempt })
    await audit(context, tx, caller, { action: 'callback.reportForwarded', subject: input.notifyId, projectId, detail })
  })
  return true
}
