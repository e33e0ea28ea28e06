import {
  type ConfirmationMethod,
  confirmationMethods,
  type consoleOperations,
  type ErrorCode,
  minute,
  type ParametersOf,
  SoukError,
} from '@souk/contract'
import { sha256 } from '../../../kernel/crypto.ts'
import type { AccountCaller, ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { sendNotice } from '../../messages/index.ts'
import { useRecoveryCode } from './factors/recoveryCodes.ts'
import { findPasskey, listConfirmationMethods } from './factors/store.ts'
import { useTotpCode } from './factors/totp.ts'
import { askForPasskey, type PasskeyOptions, verifyPasskey } from './factors/verifyPasskey.ts'
import { admitConfirmation } from './lockout.ts'
import { isPassword } from './passwords.ts'
import { getSession, type Session } from './sessions.ts'
import { deleteSurplusSessions, findPassword, lockAccount, updateConfirmation } from './store.ts'

type Operations = typeof consoleOperations
type Confirmation = ParametersOf<Operations['confirmSession']>

/** Time for which a confirmation admits operations that require one. */
const lifetime = 10 * minute

/**
 * Checks that the account of a session has confirmed its identity recently, at the sign-in or since (ADR 294). Programs
 * have no one to ask, so the admin token is exempt.
 * @throws SoukError `step_up_required`, with the methods of the account as `data.methods`
 */
export async function requireConfirmation(context: Context, caller: ConsoleCaller): Promise<void> {
  if (caller.kind !== 'account' || caller.via !== 'session') return
  const { confirmedAt } = caller
  if (confirmedAt && context.clock.real() - confirmedAt < lifetime) return
  const methods = await listConfirmationMethods(context.sql, caller.accountId)
  throw new SoukError(
    'step_up_required',
    `Call POST /console/v1/session/confirm with one of: ${methods.join(', ')}. Then repeat the request.`,
    { data: { methods } },
  )
}

/** Returns the options to confirm the identity of the caller's account with a passkey. */
export async function startConfirmation(context: Context<'vault'>, caller: AccountCaller): Promise<PasskeyOptions> {
  return askForPasskey(context, `confirm ${requireSession(caller)}`, caller.accountId)
}

/**
 * Confirms the identity of the caller's account for the session of the request, and completes a sign-in that lacks its
 * second factor (ADR 294). An account with a second factor cannot use its password.
 * @throws SoukError `confirmation_refused`, `rate_limited`, and the errors of the method
 */
export async function confirmSession(
  context: Context<'mailer' | 'rules' | 'vault'>,
  caller: AccountCaller,
  input: Confirmation,
): Promise<Session> {
  const { accountId } = caller
  const session = requireSession(caller)
  const method = await requireMethod(context, caller, input)
  const succeeded = await admitConfirmation(context, caller, method)
  try {
    await check[method](context, caller, input)
  } catch (error) {
    const isFailure = error instanceof SoukError && error.code !== 'rate_limited'
    if (isFailure) await recordFailure(context, caller, method, error.code)
    throw error
  }
  await succeeded()
  await context.sql.begin(async (tx) => {
    await lockAccount(tx, accountId)
    const now = context.clock.real()
    await updateConfirmation(tx, sha256(session), now)
    await deleteSurplusSessions(tx, accountId, sha256(session), now)
    await audit(context, tx, caller, { action: 'account.confirm', subject: accountId, detail: { method } })
    if (method === 'recoveryCode') await sendNotice(context, tx, caller, { kind: 'recoveryCodeUsed' })
  })
  return getSession(context, caller)
}

/** Checks the confirmation of each method, which is part of the input. */
const check: Record<
  ConfirmationMethod,
  (context: Context<'vault'>, caller: AccountCaller, input: Confirmation) => Promise<void>
> = {
  async passkey(context, caller, { passkey: assertion }) {
    const passkey = await findPasskey(context.sql, assertion!.id)
    if (passkey?.accountId !== caller.accountId) throw new SoukError('passkey_unknown')
    await verifyPasskey(context, { passkey, assertion: assertion!, use: `confirm ${requireSession(caller)}` })
  },
  code: (context, { accountId }, { code }) => useTotpCode(context, accountId, code!),
  recoveryCode: (context, { accountId }, { recoveryCode }) => useRecoveryCode(context, accountId, recoveryCode!),
  async password(context, { accountId }, { password }) {
    const stored = await findPassword(context.sql, accountId)
    if (!(await isPassword(stored.password, password!, true))) throw new SoukError('password_wrong')
  },
}

/** Returns the only method of the input. @throws SoukError `confirmation_refused` */
async function requireMethod(
  context: Context,
  { accountId }: AccountCaller,
  input: Confirmation,
): Promise<ConfirmationMethod> {
  const allowed = await listConfirmationMethods(context.sql, accountId)
  const providedMethods = confirmationMethods.filter((method) => input[method] !== undefined)
  const [method] = providedMethods
  if (method !== undefined && providedMethods.length === 1 && allowed.includes(method)) return method
  throw new SoukError('confirmation_refused', `Send one of: ${allowed.join(', ')}.`, { data: { methods: allowed } })
}

/** Records a failed confirmation. Attempts are limited, so that they cannot fill the disk. */
async function recordFailure(
  context: Context,
  caller: AccountCaller,
  method: ConfirmationMethod,
  reason: ErrorCode,
): Promise<void> {
  const { accountId: subject } = caller
  await context.sql.begin((tx) =>
    audit(context, tx, caller, { action: 'account.confirmFailed', subject, detail: { method, reason } }),
  )
}

function requireSession({ session }: AccountCaller): string {
  if (session === undefined) throw new SoukError('session_invalid')
  return session
}
