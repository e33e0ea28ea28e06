import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { sha256 } from '../../../kernel/crypto.ts'
import type { AccountCaller, ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { deviceOf } from './deviceOf.ts'
import { deleteSessionById, deleteSessionsExcept, listSessionRows, lockAccount } from './store.ts'

type Operations = typeof consoleOperations

/** Lists the sessions of the caller's account, last used first. */
export async function listSessions(
  context: Context,
  caller: AccountCaller,
): Promise<ResultOf<Operations['listSessions']>> {
  const rows = await listSessionRows(context.sql, caller.accountId, context.clock.real())
  const own = hashOf(caller)
  return rows.map(({ tokenHash, userAgent, ...row }) => ({
    ...row,
    current: own !== null && tokenHash.equals(own),
    ...deviceOf(userAgent),
  }))
}

/** Ends a session of the caller's account. @throws SoukError `session_not_found` */
export async function endSession(
  context: Context,
  caller: AccountCaller,
  { sessionId }: ParametersOf<Operations['endSession']>,
): Promise<ResultOf<Operations['endSession']>> {
  const { accountId } = caller
  return context.sql.begin(async (tx) => {
    if (!(await deleteSessionById(tx, accountId, sessionId))) throw new SoukError('session_not_found')
    await audit(context, tx, caller, { action: 'account.endSession', subject: accountId, detail: { sessionId } })
    return true
  })
}

/** Ends all sessions of the caller's account but its own, and returns their number. */
export async function endOtherSessions(
  context: Context,
  caller: AccountCaller,
): Promise<ResultOf<Operations['endOtherSessions']>> {
  return endAll(context, caller, caller.accountId, hashOf(caller))
}

/** Ends all sessions of an account and returns their number. @throws SoukError `account_not_found` */
export async function endSessionsOf(
  context: Context,
  caller: ConsoleCaller,
  { accountId }: ParametersOf<Operations['endSessionsOf']>,
): Promise<ResultOf<Operations['endSessionsOf']>> {
  return endAll(context, caller, accountId, null)
}

async function endAll(
  context: Context,
  caller: ConsoleCaller,
  accountId: string,
  except: Buffer | null,
): Promise<number> {
  return context.sql.begin(async (tx) => {
    if (!(await lockAccount(tx, accountId))) throw new SoukError('account_not_found')
    const ended = await deleteSessionsExcept(tx, accountId, except)
    await audit(context, tx, caller, { action: 'account.endSessions', subject: accountId, detail: { ended } })
    return ended
  })
}

const hashOf = ({ session }: AccountCaller) => (session === undefined ? null : sha256(session))
