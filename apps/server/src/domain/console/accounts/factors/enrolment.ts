import { SoukError } from '@souk/contract'
import { sha256 } from '../../../../kernel/crypto.ts'
import type { Tx } from '../../../../kernel/db/pool.ts'
import type { AccountCaller } from '../../../caller.ts'
import type { Context } from '../../../context.ts'
import { audit } from '../../../installation/index.ts'
import { sendNotice } from '../../../messages/index.ts'
import { deleteSurplusSessions } from '../store.ts'
import { issueRecoveryCodes } from './recoveryCodes.ts'
import { findFactors, hasFactor, updateRecoveryCodes, updateSessionsAfterEnrolment } from './store.ts'

type Factor = 'passkey' | 'totp'

const addActions: Record<Factor, string> = { passkey: 'account.addPasskey', totp: 'account.enableTotp' }

/**
 * Adds a factor to a locked account and completes its session. Returns recovery codes if it is the first one, otherwise
 * null.
 * @throws SoukError `second_factor_required` if another session has enrolled a factor in the meantime
 */
export async function endEnrolment(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: AccountCaller,
  { enrol, factor, detail = {} }: { enrol: () => Promise<unknown>; factor: Factor; detail?: Record<string, unknown> },
): Promise<string[] | null> {
  const { accountId, session } = caller
  const isFirst = !hasFactor(await findFactors(tx, accountId))
  await enrol()
  if (session !== undefined) {
    const now = context.clock.real()
    const isComplete = await updateSessionsAfterEnrolment(tx, accountId, sha256(session), now)
    if (!isComplete) throw new SoukError('second_factor_required', 'Another session has added a factor; confirm it.')
    await deleteSurplusSessions(tx, accountId, sha256(session), now)
  }
  await audit(context, tx, caller, { action: addActions[factor], subject: accountId, detail })
  await sendNotice(context, tx, caller, { kind: 'credentialAdded', credential: factor })
  return isFirst ? issueRecoveryCodes(tx, accountId) : null
}

/**
 * Ends the recovery codes of a locked account that has lost its last factor.
 * @throws SoukError `last_factor` if the installation requires one
 */
export async function endRemoval(tx: Tx, accountId: string): Promise<void> {
  const factors = await findFactors(tx, accountId)
  if (hasFactor(factors)) return
  if (factors.required) throw new SoukError('last_factor', 'Add another one first.')
  await updateRecoveryCodes(tx, accountId, [])
}
