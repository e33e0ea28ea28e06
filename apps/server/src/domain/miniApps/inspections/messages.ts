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
import { countMessages, insertMessage, lockInspection, messageLifetime, type Side, updateLastUsed } from './store.ts'
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
    const sent = await countMessages(tx, inspectionId, now)
    if (sent.count >= messagesPerMinute || sent.characters + input.message.length > charactersPerMinute)
      throw new SoukError('rate_limited', 'The inspection has reached its limit of messages.', {
        data: { retryAfter: Math.ceil(messageLifetime / 4 / second) },
      })
    await insertMessage(tx, { inspectionId, recipient, message: input.message }, now)
    await updateLastUsed(tx, inspectionId, now)
    await announce(tx, { inspectionId })
    return true
  })
}
