import {
  type consoleOperations,
  type hostOperations,
  inspectionsLimits,
  type ParametersOf,
  SoukError,
  second,
} from '@souk/contract'
import type { ConsoleCaller, HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { messageLifetime } from './end.ts'
import { lockInspection, type Side } from './store.ts'
import { announce } from './streams.ts'

/** Sends a message of the developer to the phone. @throws SoukError `inspection_not_found`, `rate_limited` */
export async function sendToInspected(
  context: Context,
  caller: ConsoleCaller,
  input: ParametersOf<(typeof consoleOperations)['sendToInspected']>,
): Promise<boolean> {
  return send(context, caller, 'phone', input)
}

/** Sends a message of the phone to the developer. @throws SoukError `inspection_not_found`, `rate_limited` */
export async function reportToInspection(
  context: Context,
  caller: HostUserCaller,
  input: ParametersOf<(typeof hostOperations)['reportToInspection']>,
): Promise<boolean> {
  return send(context, caller, 'console', input)
}

async function send(
  context: Context,
  caller: ConsoleCaller | HostUserCaller,
  recipient: Side,
  input: { inspectionId: string; appid?: string; message: string },
): Promise<boolean> {
  const now = context.clock.real()
  const { messagesPerMinute, charactersPerMinute } = inspectionsLimits
  return context.sql.begin(async (tx) => {
    // The lock puts concurrent messages in an order, so that readers never skip one.
    const found = await lockInspection(tx, caller, input)
    if (!found) throw new SoukError('inspection_not_found')
    const { inspectionId } = found
    const [sent] = await tx<[{ count: number; characters: number }]>`
      select count(*)::int as count, coalesce(sum(length(message)), 0)::int as characters
      from inspection_messages where inspection_id = ${inspectionId} and time > ${now - messageLifetime}`
    if (sent.count >= messagesPerMinute || sent.characters + input.message.length > charactersPerMinute)
      throw new SoukError('rate_limited', 'The inspection has reached its limit of messages.', {
        data: { retryAfter: Math.ceil(messageLifetime / 4 / second) },
      })
    await tx`
      insert into inspection_messages (inspection_id, recipient, message, time)
      values (${inspectionId}, ${recipient}, ${input.message}, ${now})`
    await tx`update inspections set last_used = ${now} where inspection_id = ${inspectionId}`
    await announce(tx, { inspectionId })
    return true
  })
}
