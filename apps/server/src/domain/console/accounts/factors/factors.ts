import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { AccountCaller, ConsoleCaller } from '../../../caller.ts'
import type { Context } from '../../../context.ts'
import { audit } from '../../../installation/index.ts'
import { sendNotice } from '../../../messages/index.ts'
import { clearFailedConfirmations } from '../lockout.ts'
import { deleteSessionsExcept, lockAccount } from '../store.ts'
import { deleteFactors, findFactors, findTotp, hasFactor, listPasskeyRows } from './store.ts'

type Operations = typeof consoleOperations

/** Returns the second factors of the caller's account. */
export async function getFactors(context: Context, caller: AccountCaller): Promise<ResultOf<Operations['getFactors']>> {
  const { accountId } = caller
  const { recoveryCodes, required } = await findFactors(context.sql, accountId)
  const totp = await findTotp(context.sql, accountId)
  return {
    passkeys: await listPasskeyRows(context.sql, accountId),
    totp: totp?.enabled ? { ctime: totp.ctime, lastUsed: totp.lastUsed } : null,
    recoveryCodes,
    required,
  }
}

/**
 * Removes all second factors of another account and ends its sessions, since anyone who has its device may use them.
 * @throws SoukError `account_not_found`, `own_account`, `factor_missing`
 */
export async function resetFactors(
  context: Context<'mailer' | 'vault'>,
  caller: ConsoleCaller,
  { accountId }: ParametersOf<Operations['resetFactors']>,
): Promise<true> {
  if (caller.kind === 'account' && caller.accountId === accountId) {
    throw new SoukError('own_account', 'Remove your factors under Profile.')
  }
  await context.sql.begin(async (tx) => {
    if (!(await lockAccount(tx, accountId))) throw new SoukError('account_not_found')
    const factors = await findFactors(tx, accountId)
    if (!hasFactor(factors)) throw new SoukError('factor_missing')
    await deleteFactors(tx, accountId)
    for (const credential of ['passkey', 'totp'] as const) {
      const isRemoved = credential === 'passkey' ? factors.passkeys > 0 : factors.totp
      if (isRemoved) await sendNotice(context, tx, { accountId }, { kind: 'credentialRemoved', credential })
    }
    await clearFailedConfirmations(tx, accountId)
    await deleteSessionsExcept(tx, accountId, null)
    await audit(context, tx, caller, { action: 'account.resetFactors', subject: accountId })
  })
  return true
}
