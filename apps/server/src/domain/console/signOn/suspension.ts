import {
  type consoleOperations,
  type DoctorSentence,
  day,
  doctorSentence,
  type ParametersOf,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { AccountCaller, AnyoneCaller, ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import {
  countSuspended,
  deleteCredentials,
  deleteFactors,
  type LockedAccount,
  listEndedSuspensions,
  lockAccount,
  lockAdministrators,
  type Suspension,
  updateSuspension,
} from '../accounts/index.ts'
import { deleteKey } from '../keys/index.ts'
import { applyRoles, lockForRoles, rolesOf } from './roles.ts'
import { findAccountId, findProviderOfIssuer, type Identity, lockProvider, type SignOnProvider } from './store.ts'

type Restore = typeof consoleOperations.restoreAccount

const system = { kind: 'system' } as const

/**
 * Suspends the account of an identity, if there is one: its sessions, tokens, API key, passkeys and roles stay, and
 * cannot be used. `claimMissing` does not replace `groupsLost`, and a repeated answer does not postpone the deletion.
 * The last administrator may still sign in with a passkey.
 */
export async function suspendAccount(
  context: Context,
  { address = '' }: AnyoneCaller,
  provider: SignOnProvider,
  { identity, reason }: { identity: Identity; reason: Suspension['reason'] },
): Promise<Suspension | undefined> {
  const { issuer, groupsClaim: claim, suspensionDays } = provider
  return context.sql.begin(async (tx) => {
    if (!(await lockProvider(tx, provider.providerId))) return undefined
    const administrators = await lockAdministrators(tx)
    const accountId = await findAccountId(tx, identity)
    const account = accountId === undefined ? undefined : await lockAccount(tx, accountId)
    if (!account) return undefined
    const { suspension: before, administrator } = account
    if (before && (before.reason === 'groupsLost' || reason === 'claimMissing')) return before
    const now = context.clock.real()
    const suspension: Suspension = {
      reason,
      claim,
      since: before?.since ?? now,
      deletionTime: reason === 'groupsLost' ? now + suspensionDays * day : null,
    }
    const isLast = administrator && !administrators.some((each) => each !== account.accountId)
    const keepsPasskeys = before ? account.keepsPasskeys : isLast
    await updateSuspension(tx, account.accountId, { ...suspension, keepsPasskeys })
    const self = callerOf(account, address)
    const detail = { issuer, reason, claim, deletionTime: suspension.deletionTime }
    await audit(context, tx, self, { action: 'account.suspendSignOn', subject: account.accountId, detail })
    return suspension
  })
}

/** Ends the suspension of a locked account that its provider has admitted. */
export async function endSuspension(
  context: Context,
  tx: Tx,
  caller: ConsoleCaller,
  { accountId, suspension }: Pick<LockedAccount, 'accountId' | 'suspension'>,
): Promise<void> {
  if (!suspension) return
  await updateSuspension(tx, accountId, null)
  const { reason, since } = suspension
  await audit(context, tx, caller, { action: 'account.restore', subject: accountId, detail: { reason, since } })
}

/** Ends the suspension of an account by an administrator. Returns false if it is not suspended. */
export async function restoreAccount(
  context: Context,
  caller: ConsoleCaller,
  { accountId }: ParametersOf<Restore>,
): Promise<ResultOf<Restore>> {
  return context.sql.begin(async (tx) => {
    const account = await lockAccount(tx, accountId)
    if (!account) throw new SoukError('account_not_found')
    await endSuspension(context, tx, caller, account)
    return account.suspension !== null
  })
}

/**
 * Recurring job: deletes the credentials of accounts whose suspension has ended, and their roles of groups. The last
 * administrator keeps its role and its passkeys.
 */
export async function revokeSuspended(context: Context): Promise<void> {
  for (const { accountId, issuer } of await listEndedSuspensions(context.sql, context.clock.real())) {
    await context.sql.begin(async (tx) => {
      const provider = issuer === null ? undefined : await findProviderOfIssuer(tx, issuer)
      if (provider) await lockForRoles(tx, provider)
      const administrators = await lockAdministrators(tx)
      const account = await lockAccount(tx, accountId)
      const end = account?.suspension?.deletionTime ?? null
      // It was restored in the meantime.
      if (!account || end === null || end > context.clock.real()) return
      const roles = provider && { provider, granted: rolesOf(provider, []) }
      const administrator = roles ? await applyRoles(context, tx, system, account, roles) : account.administrator
      await deleteCredentials(tx, accountId, null)
      await deleteKey(tx, accountId)
      const isLast = administrator && !administrators.some((each) => each !== accountId)
      if (!isLast) await deleteFactors(tx, accountId)
      await updateSuspension(tx, accountId, null)
      const detail = { issuer, administrator, since: account.suspension?.since }
      await audit(context, tx, system, { action: 'account.revokeSignOn', subject: accountId, detail })
    })
  }
}

/** Returns a sentence if accounts are suspended whose provider did not send their groups. */
export async function explainSuspensions({ sql }: Pick<Context, 'sql'>): Promise<DoctorSentence | undefined> {
  const found = (await countSuspended(sql)).find(({ reason }) => reason === 'claimMissing')
  if (!found) return undefined
  return doctorSentence('signOnSuspended', { count: found.count })
}

const callerOf = ({ accountId, administrator }: LockedAccount, address: string): AccountCaller => ({
  kind: 'account',
  accountId,
  administrator,
  via: 'session',
  address,
})
