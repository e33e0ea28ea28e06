import { type consoleOperations, maxPasskeys, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { newId } from '../../../../kernel/id.ts'
import type { AccountCaller } from '../../../caller.ts'
import type { Context } from '../../../context.ts'
import { audit } from '../../../installation/index.ts'
import { sendNotice } from '../../../messages/index.ts'
import { findAccount, lockAccount } from '../store.ts'
import { challengeLifetime, createChallenge } from './challenges.ts'
import { endEnrolment, endRemoval } from './enrolment.ts'
import { deletePasskey, insertPasskey, listCredentials, updatePasskeyName } from './store.ts'
import {
  loadWebAuthn,
  type PasskeyOptions,
  relyingParty,
  supportedAlgorithmIDs,
  verifyNewPasskey,
} from './verifyPasskey.ts'

type Operations = typeof consoleOperations

/** Returns the options to create a passkey. @throws SoukError `passkey_limit_reached` */
export async function startPasskey(context: Context<'vault'>, caller: AccountCaller): Promise<PasskeyOptions> {
  const { accountId } = caller
  const account = await findAccount(context.sql, accountId)
  const credentials = await listCredentials(context.sql, accountId)
  requireRoom(credentials.length)
  const { id } = relyingParty(context)
  const { generateRegistrationOptions } = await loadWebAuthn()
  const options = await generateRegistrationOptions({
    rpName: `Souk ${id}`,
    rpID: id,
    userName: account?.username ?? '',
    userDisplayName: account?.name ?? '',
    userID: new Uint8Array(Buffer.from(accountId, 'hex')),
    challenge: createChallenge(context, `add ${accountId}`),
    timeout: challengeLifetime,
    supportedAlgorithmIDs,
    excludeCredentials: credentials.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    // A security key without storage or PIN is a second factor, but cannot replace the password.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  return { options: { ...options } }
}

/**
 * Adds a passkey to the caller's account. The first factor comes with recovery codes, which are returned only here.
 * @throws SoukError `passkey_origin_wrong`, `passkey_challenge_invalid`, `passkey_invalid`, `passkey_exists`,
 * `passkey_limit_reached`
 */
export async function addPasskey(
  context: Context<'mailer' | 'vault'>,
  caller: AccountCaller,
  { name, passkey: credential }: ParametersOf<Operations['addPasskey']>,
): Promise<ResultOf<Operations['addPasskey']>> {
  const { accountId } = caller
  const verified = await verifyNewPasskey(context, credential, `add ${accountId}`)
  return context.sql.begin(async (tx) => {
    await lockAccount(tx, accountId)
    requireRoom((await listCredentials(tx, accountId)).length)
    const passkeyId = newId()
    const recoveryCodes = await endEnrolment(context, tx, caller, {
      factor: 'passkey',
      detail: { passkeyId, name },
      enrol: async () => {
        const row = { ...verified, passkeyId, accountId, name, ctime: context.clock.real() }
        if (!(await insertPasskey(tx, row))) throw new SoukError('passkey_exists')
      },
    })
    const passkey = { passkeyId, name, ctime: context.clock.real(), lastUsed: null }
    return { passkey, recoveryCodes }
  })
}

/** Renames a passkey. @throws SoukError `passkey_not_found` */
export async function renamePasskey(
  context: Context,
  caller: AccountCaller,
  { passkeyId, name }: ParametersOf<Operations['renamePasskey']>,
): Promise<ResultOf<Operations['renamePasskey']>> {
  const { accountId } = caller
  return context.sql.begin(async (tx) => {
    const renamed = await updatePasskeyName(tx, accountId, passkeyId, name)
    if (!renamed) throw new SoukError('passkey_not_found')
    await audit(context, tx, caller, {
      action: 'account.renamePasskey',
      subject: accountId,
      detail: { passkeyId, name },
    })
    return renamed
  })
}

/** Removes a passkey. @throws SoukError `passkey_not_found`, `last_factor` */
export async function removePasskey(
  context: Context<'mailer' | 'vault'>,
  caller: AccountCaller,
  { passkeyId }: ParametersOf<Operations['removePasskey']>,
): Promise<true> {
  const { accountId } = caller
  await context.sql.begin(async (tx) => {
    await lockAccount(tx, accountId)
    if (!(await deletePasskey(tx, accountId, passkeyId))) throw new SoukError('passkey_not_found')
    await endRemoval(tx, accountId)
    await audit(context, tx, caller, { action: 'account.removePasskey', subject: accountId, detail: { passkeyId } })
    await sendNotice(context, tx, caller, { kind: 'credentialRemoved', credential: 'passkey' })
  })
  return true
}

function requireRoom(count: number): void {
  if (count >= maxPasskeys) throw new SoukError('passkey_limit_reached', `Remove one of its ${maxPasskeys} passkeys.`)
}
