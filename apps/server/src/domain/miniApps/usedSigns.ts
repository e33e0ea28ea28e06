import { minute, SoukError } from '@souk/contract'
import type { Tx } from '../../kernel/db/pool.ts'
import type { AppCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { deleteUsedSigns, existsUsedSign, insertUsedSign } from './usedSigns.store.ts'

/**
 * Retention of used signs in real time. A timestamp may be 5 minutes ahead and is accepted until 5 minutes after it, 10
 * minutes in all; the rest allows for clock differences between servers.
 */
const retention = 15 * minute

/**
 * Claims the sign of a request in the caller's transaction, so that the request takes effect once (ADR 282). Returns
 * false if it is a repetition, which the client learns from a header (ADR 411). Waits for a concurrent identical
 * request to commit or fail.
 *
 * `content` is the id of what the request contains in addition to its signed parameters.
 * @throws SoukError `sign_reused` if the sign was used for other content
 */
export async function claimSign(
  { clock }: Pick<Context, 'clock'>,
  tx: Tx,
  { app, sign, replayed }: AppCaller,
  content: string | null = null,
): Promise<boolean> {
  const used = { appid: app.appid, sign: Buffer.from(sign, 'hex'), content }
  if (await insertUsedSign(tx, used, clock.real())) return true
  if (await existsUsedSign(tx, used)) {
    replayed?.()
    return false
  }
  throw new SoukError(
    'sign_reused',
    'It was used for another file. Nothing was stored: sign the upload again, with another timestamp.',
  )
}

/** Job: deletes the signs that are too old to be accepted again. */
export async function pruneUsedSigns({ sql, clock }: Context): Promise<void> {
  await deleteUsedSigns(sql, clock.real() - retention)
}
