import { type consoleOperations, type ParametersOf, type ResultOf, SoukError, second } from '@souk/contract'
import { Secret, TOTP } from 'otpauth'
import type { AccountCaller } from '../../../caller.ts'
import type { Context } from '../../../context.ts'
import { audit } from '../../../installation/index.ts'
import { sendNotice } from '../../../messages/index.ts'
import { admitConfirmation } from '../lockout.ts'
import { findAccount, lockAccount } from '../store.ts'
import { endEnrolment, endRemoval } from './enrolment.ts'
import { deleteTotp, findTotp, insertTotp, totpContext, updateTotpUse } from './store.ts'
import { relyingParty } from './verifyPasskey.ts'

type Operations = typeof consoleOperations

/** Settings that every authenticator app supports: the defaults of RFC 6238. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Length of a secret in bytes: the one of SHA-1 (RFC 4226 §4). */
const secretLength = 20
/** Time steps that a clock may be early or late. */
const window = 1

/** Creates the secret of an authenticator app, without effect until `enableTotp`. @throws SoukError `totp_exists` */
export async function startTotp(
  context: Context<'vault'>,
  caller: AccountCaller,
): Promise<ResultOf<Operations['startTotp']>> {
  const { accountId } = caller
  const account = await findAccount(context.sql, accountId)
  const secret = new Secret({ size: secretLength })
  const sealed = context.vault.seal(secret.base32, totpContext(accountId))
  await context.sql.begin(async (tx) => {
    // Otherwise the secret could change while `enableTotp` checks a code.
    await lockAccount(tx, accountId)
    if (!(await insertTotp(tx, accountId, sealed, context.clock.real()))) throw exists()
  })
  const issuer = `Souk ${relyingParty(context).id}`
  const totp = new TOTP({ ...parameters, issuer, label: account?.username ?? '', secret })
  return { secret: secret.base32, uri: totp.toString() }
}

/**
 * Enables one-time codes with the first code of the app.
 * @throws SoukError `totp_not_started`, `totp_exists`, `totp_code_wrong`, `rate_limited`
 */
export async function enableTotp(
  context: Context<'mailer' | 'vault'>,
  caller: AccountCaller,
  { code }: ParametersOf<Operations['enableTotp']>,
): Promise<ResultOf<Operations['enableTotp']>> {
  const { accountId } = caller
  const succeeded = await admitConfirmation(context, caller, 'code')
  const recoveryCodes = await context.sql.begin(async (tx) => {
    await lockAccount(tx, accountId)
    const stored = await findTotp(tx, accountId)
    if (!stored) throw new SoukError('totp_not_started', 'Call startTotp first.')
    if (stored.enabled) throw exists()
    const step = findStep(context, context.vault.open(stored.sealed, totpContext(accountId)), code)
    return endEnrolment(context, tx, caller, {
      factor: 'totp',
      enrol: () => updateTotpUse(tx, accountId, step, context.clock.real()),
    })
  })
  await succeeded()
  return { recoveryCodes }
}

/** Disables one-time codes. @throws SoukError `totp_not_started`, `last_factor` */
export async function removeTotp(context: Context<'mailer' | 'vault'>, caller: AccountCaller): Promise<true> {
  const { accountId } = caller
  await context.sql.begin(async (tx) => {
    await lockAccount(tx, accountId)
    if (!(await deleteTotp(tx, accountId))) throw new SoukError('totp_not_started')
    await endRemoval(tx, accountId)
    await audit(context, tx, caller, { action: 'account.removeTotp', subject: accountId })
    await sendNotice(context, tx, caller, { kind: 'credentialRemoved', credential: 'totp' })
  })
  return true
}

/** Checks a code, which can be used only once. @throws SoukError `totp_code_wrong`, `totp_code_used` */
export async function useTotpCode(context: Context<'vault'>, accountId: string, code: string): Promise<void> {
  await context.sql.begin(async (tx) => {
    // Otherwise the code of a secret that is being replaced could enable the new one.
    await lockAccount(tx, accountId)
    const stored = await findTotp(tx, accountId)
    if (!stored?.enabled) throw new SoukError('totp_code_wrong')
    const step = findStep(context, context.vault.open(stored.sealed, totpContext(accountId)), code)
    if (!(await updateTotpUse(tx, accountId, step, context.clock.real()))) {
      throw new SoukError('totp_code_used', 'Wait for the next one.')
    }
  })
}

/** Returns the time step that a code belongs to. @throws SoukError `totp_code_wrong` */
function findStep({ clock }: Context, secret: string, token: string): number {
  const timestamp = clock.real()
  const totp = new TOTP({ ...parameters, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token, window, timestamp })
  if (delta === null) {
    throw new SoukError('totp_code_wrong', 'Check that the clock of the device is right.')
  }
  return Math.floor(timestamp / (parameters.period * second)) + delta
}

const exists = () => new SoukError('totp_exists', 'Remove it before adding another one.')
