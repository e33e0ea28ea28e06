import {
  type ConsoleLanguage,
  consoleLanguages,
  type consoleOperations,
  type ParametersOf,
  type ResultOf,
  SoukError,
  second,
} from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newToken } from '../../../kernel/id.ts'
import type { AnyoneCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { type Authorized, completeAuthorization, providerOfFlow, startAuthorization } from '../../users/index.ts'
import {
  createAccount,
  findPasswordSignIn,
  hashNewPassword,
  lockAccount,
  recordFailedSignIn,
  type StartedSession,
  startSession,
} from '../accounts/index.ts'
import { clientOf } from './client.ts'
import { readGroups } from './groups.ts'
import { applyRoles, lockForRoles, mayUseConsole, rolesOf } from './roles.ts'
import {
  findAccountId,
  findProvider,
  type Identity,
  listProviders,
  lockProvider,
  type SignOnProvider,
  updateIdentity,
} from './store.ts'
import { endSuspension, suspendAccount } from './suspension.ts'

type Operations = typeof consoleOperations
type Claims = Authorized['claims']

/** Returns how accounts can sign in. */
export async function getSignOn(context: Context): Promise<ResultOf<Operations['getSignOn']>> {
  const providers = await listProviders(context.sql)
  return {
    passwordSignIn: await findPasswordSignIn(context.sql),
    providers: providers.map(({ providerId, name }) => ({ providerId, name })),
  }
}

/**
 * Starts a sign-in at a provider. `flow` is for the cookie of the browser only.
 * @throws SoukError `sign_on_provider_not_found`, `issuer_unavailable`
 */
export async function startSignOn(
  context: Context<'egress' | 'vault'>,
  _caller: AnyoneCaller,
  { providerId, fresh = false }: ParametersOf<Operations['startSignOn']>,
): Promise<{ url: string; flow: string }> {
  const client = clientOf(context, await requireProvider(context, providerId))
  return startAuthorization(context, 'console', client, fresh ? { prompt: 'login', max_age: '0' } : {})
}

/**
 * Signs the account in that the provider has authenticated (ADR 291). The first sign-in creates the account; each one
 * applies the roles of its groups. Second factors are the provider's responsibility.
 *
 * @throws SoukError `sign_on_provider_not_found`, `sign_on_not_allowed`, `sign_on_groups_missing`,
 * `sign_on_groups_unreadable`, `account_disabled`, and those of `completeAuthorization`
 */
export async function completeSignOn(
  context: Context<'egress' | 'mailer' | 'rules' | 'vault'>,
  caller: AnyoneCaller,
  { response }: ParametersOf<Operations['completeSignOn']>,
): Promise<StartedSession> {
  const { flow } = caller
  const provider = await requireProvider(context, providerOfFlow(context, 'console', flow))
  const client = clientOf(context, provider)
  const { claims } = await completeAuthorization(context, 'console', client, { cookie: flow, response })
  try {
    return await admit(context, caller, provider, claims)
  } catch (error) {
    if (error instanceof SoukError) await recordFailedSignIn(context, caller, usernamesOf(claims)[0]!, error.code)
    throw error
  }
}

async function admit(
  context: Context<'mailer' | 'rules' | 'vault'>,
  caller: AnyoneCaller,
  provider: SignOnProvider,
  claims: Claims,
): Promise<StartedSession> {
  const identity: Identity = { issuer: provider.issuer, subject: claims.sub }
  const groups = await requireGroups(context, caller, provider, { identity, claims })
  const granted = rolesOf(provider, groups)
  // A random password, hashed before the transaction because hashing is slow.
  const isNew = (await findAccountId(context.sql, identity)) === undefined
  const hashedPassword = isNew ? await hashNewPassword(newToken('unknown'), { username: '', name: '' }) : ''
  return context.sql.begin(async (tx) => {
    if (!(await lockProvider(tx, provider.providerId))) throw new SoukError('sign_on_provider_not_found')
    await lockForRoles(tx, provider)
    const accountId =
      (await findAccountId(tx, identity)) ??
      (await createSignOnAccount(context, tx, caller, { identity, claims, hashedPassword }))
    const account = (await lockAccount(tx, accountId))!
    if (!account.enabled) throw new SoukError('account_disabled', 'Ask an administrator to enable it.')
    const { address = '' } = caller
    const before = {
      kind: 'account',
      accountId,
      administrator: account.administrator,
      via: 'session',
      address,
    } as const
    const administrator = await applyRoles(context, tx, before, account, { provider, granted })
    const self = { ...before, administrator }
    await endSuspension(context, tx, self, account)
    const detail = { issuer: provider.issuer, administrator }
    await audit(context, tx, self, { action: 'account.signOn', subject: accountId, detail })
    const { auth_time: authTime } = claims
    return startSession(context, tx, { ...account, administrator }, caller, {
      secondFactor: true,
      signOn: {
        providerId: provider.providerId,
        // The provider may have authenticated the account long ago.
        confirmedAt: typeof authTime === 'number' ? Math.min(authTime * second, context.clock.real()) : null,
      },
    })
  })
}

/**
 * Returns the groups of an account that may use the console (ADR 350). An answer that does not name the groups
 * suspends the account, as does a list without a mapped group. An answer that cannot be read changes nothing. Groups
 * are not read if the provider does not map any.
 *
 * @throws SoukError `sign_on_groups_unreadable`, `sign_on_groups_missing`, `sign_on_not_allowed`
 */
async function requireGroups(
  context: Context,
  caller: AnyoneCaller,
  provider: SignOnProvider,
  { identity, claims }: { identity: Identity; claims: Claims },
): Promise<readonly string[]> {
  if (provider.roles.length === 0) return []
  const { issuer, groupsClaim: claim } = provider
  const read = readGroups(claims, provider)
  if (read.kind === 'list' && mayUseConsole(provider, read.groups)) return read.groups
  if (read.kind === 'unreadable') {
    const { found } = read
    context.log.warn({ issuer, claim, found }, 'the groups of an account could not be read')
    throw new SoukError(
      'sign_on_groups_unreadable',
      `The claim ${claim} must be a list of texts; the provider sent ${found}. ` +
        'Nothing has changed; ask an administrator to correct this at the provider.',
      { data: { claim, found } },
    )
  }
  if (read.kind === 'missing') {
    const suspended = await suspendAccount(context, caller, provider, { identity, reason: 'claimMissing' })
    context.log.warn({ issuer, claim, suspended: suspended !== undefined }, 'a provider did not send groups')
    throw new SoukError(
      'sign_on_groups_missing',
      `The claim ${claim} is absent. ${suspended ? 'The account is suspended until it signs in with groups; nothing is deleted. ' : ''}` +
        'Ask an administrator to have the provider send it.',
      { data: { claim } },
    )
  }
  const suspended = await suspendAccount(context, caller, provider, { identity, reason: 'groupsLost' })
  throw new SoukError(
    'sign_on_not_allowed',
    'Ask an administrator for a group that may use the console.' +
      (suspended?.deletionTime ? ` Until then the account is suspended; ${endOf(suspended.deletionTime)}.` : ''),
  )
}

const endOf = (time: number) => `its API key is deleted after ${new Date(time).toISOString().slice(0, 10)}`

/** Creates an account with the first user name of its claims that is free, and returns its id. */
async function createSignOnAccount(
  context: Context,
  tx: Tx,
  { address }: AnyoneCaller,
  { identity, claims, hashedPassword }: { identity: Identity; claims: Claims; hashedPassword: string },
): Promise<string> {
  const { name, locale } = claims
  for (const username of usernamesOf(claims)) {
    const input = {
      username,
      name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 64) : username,
      language: languageOf(locale),
      hashedPassword,
      administrator: false,
    }
    try {
      const { accountId } = await createAccount(context, tx, address, input)
      await updateIdentity(tx, accountId, identity)
      return accountId
    } catch (error) {
      if (!(error instanceof SoukError && error.code === 'username_taken')) throw error
    }
  }
  throw new SoukError('username_taken')
}

/** Number of user names to try. The last one is almost certainly free. */
const attempts = 10

/** Returns user names for an account, preferred ones first. */
function usernamesOf({ preferred_username: preferred, email, sub }: Claims): string[] {
  const preference = [preferred, email, sub].find(
    (value): value is string => typeof value === 'string' && /^[A-Za-z0-9][A-Za-z0-9._@+-]{1,59}$/.test(value),
  )
  const base = (preference ?? 'account').toLowerCase()
  const numbered = Array.from({ length: attempts - 1 }, (_, index) => `${base}-${index + 2}`)
  return [base, ...numbered, `account-${newToken('x').slice(2, 14).toLowerCase()}`]
}

function languageOf(locale: unknown): ConsoleLanguage | undefined {
  const preference = typeof locale === 'string' ? locale.split(/[-_]/)[0]!.toLowerCase() : ''
  return consoleLanguages.find((language) => language.split('-')[0] === preference)
}

async function requireProvider({ sql }: Context, providerId: string): Promise<SignOnProvider> {
  const provider = await findProvider(sql, providerId)
  if (provider) return provider
  throw new SoukError('sign_on_provider_not_found', 'Choose another one on the sign-in page.')
}
