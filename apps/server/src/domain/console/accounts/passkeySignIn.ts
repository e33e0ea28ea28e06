import { type consoleOperations, type ParametersOf, SoukError } from '@souk/contract'
import type { AnyoneCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { requireActive } from './enableAccount.ts'
import { findPasskey } from './factors/store.ts'
import { askForPasskey, type PasskeyOptions, verifyPasskey } from './factors/verifyPasskey.ts'
import { recordFailedSignIn } from './failedSignIns.ts'
import { findKnownDevice } from './knownDevices.ts'
import { admitAttempt } from './lockout.ts'
import { type StartedSession, startSession } from './sessions.ts'
import { lockAccount } from './store.ts'

type Operations = typeof consoleOperations

/** Returns the options to sign in with any passkey of this installation that the browser knows. */
export async function startPasskeySignIn(context: Context<'vault'>): Promise<PasskeyOptions> {
  return askForPasskey(context, 'sign in')
}

/**
 * Signs an account in with a passkey, which has verified its user and so is two factors in one (ADR 293).
 * @throws SoukError `passkey_unknown`, `passkey_origin_wrong`, `passkey_challenge_invalid`, `passkey_invalid`,
 * `account_disabled`, `account_suspended`, `rate_limited`
 */
export async function passkeySignIn(
  context: Context<'mailer' | 'rules' | 'vault'>,
  caller: AnyoneCaller,
  { passkey: assertion }: ParametersOf<Operations['passkeySignIn']>,
): Promise<StartedSession> {
  const passkey = await findPasskey(context.sql, assertion.id)
  const username = passkey?.username ?? `passkey ${assertion.id.slice(0, 64)}`
  const knownDevice = findKnownDevice(context, username, caller.devices)
  const succeeded = await admitAttempt(context, { username, address: caller.address, knownDevice })
  try {
    const owner = assertion.response.userHandle
    const isOwner = owner === undefined || Buffer.from(owner, 'base64url').toString('hex') === passkey?.accountId
    if (!passkey || !isOwner) throw new SoukError('passkey_unknown', 'Sign in with your password.')
    await verifyPasskey(context, { passkey, assertion, use: 'sign in' })
    await succeeded()
    return await context.sql.begin(async (tx) => {
      const account = await lockAccount(tx, passkey.accountId)
      // It may have been removed in the meantime.
      if (!account || !(await findPasskey(tx, assertion.id))) throw new SoukError('passkey_unknown')
      if (!account.enabled || !account.keepsPasskeys)
        requireActive(account, 'Ask an owner of your project to enable it.')
      return startSession(context, tx, account, caller, { secondFactor: true })
    })
  } catch (error) {
    const isFailure = error instanceof SoukError && error.code !== 'rate_limited'
    if (isFailure) await recordFailedSignIn(context, caller, username, error.code)
    throw error
  }
}
