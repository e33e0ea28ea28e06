import { randomInt } from 'node:crypto'
import { type consoleOperations, type ParametersOf, type ResultOf, recoveryCodeCount, SoukError } from '@souk/contract'
import { sha256 } from '../../../../kernel/crypto.ts'
import type { Tx } from '../../../../kernel/db/pool.ts'
import type { AccountCaller } from '../../../caller.ts'
import type { Context } from '../../../context.ts'
import { audit } from '../../../installation/index.ts'
import { sendNotice } from '../../../messages/index.ts'
import { lockAccount } from '../store.ts'
import { deleteRecoveryCode, findFactors, hasFactor, updateRecoveryCodes } from './store.ts'

type Operations = typeof consoleOperations

/** Letters and digits that do not look alike. 16 of them have 79 bits, so their hash needs no salt. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const length = 16

/** Replaces the recovery codes of the caller's account. @throws SoukError `factor_missing` */
export async function createRecoveryCodes(
  context: Context<'mailer' | 'vault'>,
  caller: AccountCaller,
  _input: ParametersOf<Operations['createRecoveryCodes']>,
): Promise<ResultOf<Operations['createRecoveryCodes']>> {
  const { accountId } = caller
  return context.sql.begin(async (tx) => {
    await lockAccount(tx, accountId)
    if (!hasFactor(await findFactors(tx, accountId))) {
      throw new SoukError('factor_missing', 'Add a passkey or an authenticator app first.')
    }
    await audit(context, tx, caller, { action: 'account.createRecoveryCodes', subject: accountId })
    await sendNotice(context, tx, caller, { kind: 'recoveryCodesCreated' })
    return { recoveryCodes: await issueRecoveryCodes(tx, accountId) }
  })
}

/** Creates recovery codes and replaces earlier ones. They are returned only here. */
export async function issueRecoveryCodes(tx: Tx, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newCode)
  await updateRecoveryCodes(tx, accountId, codes.map(hashOf))
  return codes
}

/** Consumes a recovery code. @throws SoukError `recovery_code_wrong` */
export async function useRecoveryCode(context: Context, accountId: string, code: string): Promise<void> {
  if (!(await deleteRecoveryCode(context.sql, accountId, hashOf(code)))) throw new SoukError('recovery_code_wrong')
}

function newCode(): string {
  const letters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
  return letters.replace(/.{4}(?=.)/g, '$&-')
}

/** Ignores case, spaces and hyphens, which people type differently. */
function hashOf(code: string): Buffer {
  return sha256(`recovery code ${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`)
}
