import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { deleteUserFromEvents, recordEvent } from '../../messages/index.ts'
import {
  deleteConsents,
  deleteUserAttributes,
  deleteUserCredentials,
  updateProfileToErased,
  withAvatar,
} from '../../users/index.ts'
import { deleteBlocksOfUser } from '../blocks/index.ts'
import { deleteTraces, findHostUser, lockHostUser } from './store.ts'

type Erase = typeof consoleOperations.eraseHostUser

/**
 * Erases a user: profile, credentials, consents, messages and events. Trades, refunds and the ledger stay, with
 * openIds that can no longer be linked to a person. Erasing again changes nothing.
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
      await deleteUserCredentials(tx, uid)
      await deleteUserAttributes(tx, uid)
      await deleteConsents(tx, uid)
      await deleteTraces(tx, uid)
      await deleteBlocksOfUser(tx, uid)
      await deleteUserFromEvents(tx, uid)
      await recordEvent(context, tx, { type: 'user.erased', data: {}, uids: [uid] })
      await updateProfileToErased(tx, uid, context.clock.real())
    }
    await audit(context, tx, caller, { action: 'user.erase', subject: String(uid) })
    return withAvatar(context, (await findHostUser(tx, uid))!)
  })
}
