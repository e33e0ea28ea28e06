import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { audit } from '../audit/index.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { deleteCredentials, deleteTraces, eraseProfile, findHostUser, lockHostUser } from './store.ts'

type Erase = typeof consoleOperations.eraseHostUser

/**
 * Erases a user: profile, credentials, consents and messages. Trades, refunds and the ledger stay, with openIds that
 * nobody can link to a person any more. Erasing again changes nothing.
 *
 * @throws SoukError `user_not_found`
 */
export async function eraseHostUser(
  context: Context,
  caller: ConsoleCaller,
  { uid }: ParametersOf<Erase>,
): Promise<ResultOf<Erase>> {
  return context.sql.begin(async (tx) => {
    const state = await lockHostUser(tx, uid)
    if (state === undefined) throw new SoukError('user_not_found', `uid: ${uid}`)
    if (state !== 'erased') {
      await deleteCredentials(tx, uid)
      await deleteTraces(tx, uid)
      await eraseProfile(tx, uid, context.clock.real())
    }
    await audit(context, tx, caller, { action: 'user.erase', subject: String(uid) })
    return (await findHostUser(tx, uid))!
  })
}
