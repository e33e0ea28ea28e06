import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { withAvatar } from '../../users/index.ts'
import { findHostUser, findUserData } from './store.ts'

type Export = typeof consoleOperations.exportHostUser

/** Returns everything that is stored about a user. @throws SoukError `user_not_found` */
export async function exportHostUser(
  context: Context,
  caller: ConsoleCaller,
  { uid }: ParametersOf<Export>,
): Promise<ResultOf<Export>> {
  return context.sql.begin(async (tx) => {
    const user = await findHostUser(tx, uid)
    if (user === undefined) throw new SoukError('user_not_found', `uid: ${uid}`)
    await audit(context, tx, caller, { action: 'user.export', subject: String(uid) })
    return { user: withAvatar(context, user), ...(await findUserData(tx, uid)) }
  })
}
