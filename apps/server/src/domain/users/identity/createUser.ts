import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { storeAttributes } from '../scopes/index.ts'
import { insertUser } from './store.ts'

type Operation = typeof consoleOperations.createUser

/** Creates a mock user of a sandbox. */
export async function createUser(
  context: Context,
  caller: ConsoleCaller,
  input: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { nickname: nickName, avatar = null, email = null, country = null, phone = null, claims = {} } = input
  return context.sql.begin(async (tx) => {
    const uid = await insertUser(tx, { nickName, avatar, email, country, phone }, context.clock.now())
    await storeAttributes(tx, uid, claims)
    await audit(context, tx, caller, { action: 'sandbox.createUser', subject: String(uid) })
    return { uid }
  })
}
