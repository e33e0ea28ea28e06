import type { CallbackFault, consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import { audit } from '../audit/index.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context, SendCallback } from '../context.ts'
import { deleteFault, findFault, upsertFault } from './store.ts'

type Operations = typeof consoleOperations
type Answer = Awaited<ReturnType<SendCallback>>

/** What the sandbox does to the next callbacks of a mini app. */
export async function getCallbackFault(
  context: Context,
  _caller: ConsoleCaller,
  { appid }: ParametersOf<Operations['getCallbackFault']>,
): Promise<ResultOf<Operations['getCallbackFault']>> {
  const set = await findFault(context.sql, appid)
  return { appid, fault: set?.fault ?? null, remaining: set?.remaining ?? 0 }
}

/** Makes the next attempts to deliver a mini app's callbacks fail or arrive twice. */
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

/** What becomes of an attempt that a fault befalls. */
export async function withFault(fault: CallbackFault, send: () => Promise<Answer>): Promise<Answer> {
  switch (fault) {
    case 'drop':
      return {
        status: null,
        reply: null,
        duration: 0,
        retryAfter: null,
        error: 'dropped by the sandbox: it was never sent',
      }
    case 'error500':
      return {
        ...(await send()),
        status: 500,
        reply: null,
        retryAfter: null,
        error: 'the sandbox took the answer for a 500',
      }
    case 'twice':
      await send()
      return send()
  }
}
