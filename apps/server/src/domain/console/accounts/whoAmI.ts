import { type platformOperations, type ResultOf, SoukError } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { findAccount } from './store.ts'

/** Returns the account of the caller's key or token. */
export async function whoAmI(
  context: Context,
  caller: ConsoleCaller,
): Promise<ResultOf<typeof platformOperations.whoAmI>> {
  const environment = context.settings.sandbox ? 'sandbox' : 'live'
  if (caller.kind === 'admin') {
    return { accountId: null, username: null, name: null, administrator: true, via: 'adminToken', environment }
  }
  if (caller.kind === 'serviceAccount') {
    const { name } = caller
    return { accountId: null, username: null, name, administrator: false, via: 'serviceAccount', environment }
  }
  const account = await findAccount(context.sql, caller.accountId)
  if (!account) throw new SoukError('token_invalid')
  const { accountId, username, name, administrator } = account
  return { accountId, username, name, administrator, via: caller.via === 'apiKey' ? 'apiKey' : 'token', environment }
}
