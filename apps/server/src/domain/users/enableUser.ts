import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { audit } from '../audit/index.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { withAvatar } from '../identity/index.ts'
import { deleteCredentials, findHostUser, lockHostUser, updateDisabledTime } from './store.ts'

type Operations = typeof consoleOperations
type HostUser = ResultOf<Operations['getHostUser']>
type Input = ParametersOf<Operations['disableHostUser']>

/** Disables a user: its sessions end, and it cannot sign in. @throws SoukError `user_not_found`, `user_erased` */
export async function disableHostUser(context: Context, caller: ConsoleCaller, input: Input): Promise<HostUser> {
  return change(context, caller, input, false)
}

/** Enables a disabled user. @throws SoukError `user_not_found`, `user_erased` */
export async function enableHostUser(context: Context, caller: ConsoleCaller, input: Input): Promise<HostUser> {
  return change(context, caller, input, true)
}

async function change(context: Context, caller: ConsoleCaller, { uid }: Input, enabled: boolean): Promise<HostUser> {
  return context.sql.begin(async (tx) => {
    const state = await lockHostUser(tx, uid)
    if (state === undefined) throw new SoukError('user_not_found', `uid: ${uid}`)
    if (state === 'erased') throw new SoukError('user_erased')
    await updateDisabledTime(tx, uid, enabled ? null : context.clock.real())
    if (!enabled) await deleteCredentials(tx, uid)
    await audit(context, tx, caller, { action: enabled ? 'user.enable' : 'user.disable', subject: String(uid) })
    return withAvatar(context, (await findHostUser(tx, uid))!)
  })
}
