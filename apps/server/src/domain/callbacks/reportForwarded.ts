import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { recordUnscheduledAttempt, toAttemptRecord } from './deliver.ts'
import { findCallback } from './store.ts'

type ReportForwarded = typeof consoleOperations.reportForwarded

/**
 * Records the response to a callback that `souk listen` forwarded. An acknowledgement counts as delivery, since the
 * developer's machine has the result (ADR 12).
 *
 * @throws SoukError `callback_not_found`
 */
export async function reportForwarded(
  context: Context,
  _caller: ConsoleCaller,
  input: ParametersOf<ReportForwarded>,
): Promise<ResultOf<ReportForwarded>> {
  const callback = await findCallback(context.sql, input.notifyId)
  if (!callback) throw new SoukError('callback_not_found')
  const { status = null, reply = null, error = null, duration } = input
  const attempt = toAttemptRecord('listen', context.clock.now() - duration, { status, reply, error, duration })
  await recordUnscheduledAttempt(context, callback, attempt)
  return true
}
