import type { CallbackFault, consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import type { SendResult } from '../../messages/index.ts'
import { deleteFault, findFault, upsertFault } from './store.ts'

type Operations = typeof consoleOperations

/** Returns the fault that the sandbox injects into the next callbacks of a mini app. */
export async function getCallbackFault(
  context: Context,
  _caller: ConsoleCaller,
  { appid }: ParametersOf<Operations['getCallbackFault']>,
): Promise<ResultOf<Operations['getCallbackFault']>> {
  const set = await findFault(context.sql, appid)
  return { appid, fault: set?.fault ?? null, remaining: set?.remaining ?? 0 }
}

/** Injects a fault into the next callback attempts of a mini app. */
export async function setCallbackFault(
  context: Context,
  caller: ConsoleCaller,
  input: ParametersOf<Operations['setCallbackFault']>,
): Promise<ResultOf<Operations['setCallbackFault']>> {
  const { appid, count } = input
  const fault = input.fault as CallbackFault
  const projectId = (await context.apps.find(appid))?.projectId
  await context.sql.begin(async (tx) => {
    if (count === 0) await deleteFault(tx, appid)
    else await upsertFault(tx, appid, fault, count)
    const detail = { fault, count }
    await audit(context, tx, caller, { action: 'sandbox.callbackFault', subject: appid, projectId, detail })
  })
  return getCallbackFault(context, caller, { appid })
}

/** Makes an attempt with a fault. */
export async function withFault(fault: CallbackFault, send: () => Promise<SendResult>): Promise<SendResult> {
  switch (fault) {
    case 'drop':
      return {
        status: null,
        reply: null,
        duration: 0,
        retryAfter: null,
        error: 'Dropped by the sandbox: not sent.',
        unsent: true,
      }
    case 'error500':
      return {
        ...(await send()),
        status: 500,
        reply: null,
        retryAfter: null,
        error: 'The sandbox replaced the response with a 500.',
      }
    case 'twice':
      await send()
      return send()
  }
}
