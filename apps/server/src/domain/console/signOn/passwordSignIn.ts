import { type consoleOperations, type ParametersOf, SoukError } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit, lockPasswordSignIn, updatePasswordSignIn } from '../../installation/index.ts'
import { explainKeys } from '../../users/index.ts'
import { closeSetup } from '../accounts/index.ts'
import { providerOf } from './client.ts'
import { listIssuersOfAdministrators, listProviders, type SignOnProvider } from './store.ts'

type Allow = typeof consoleOperations.allowPasswordSignIn

/**
 * Allows or forbids sign-in with a password. While it is forbidden, each start of the server prints a link that creates
 * an administrator, which restores access if all providers fail.
 *
 * @throws SoukError `sign_on_not_working` if administrators could no longer sign in
 */
export async function allowPasswordSignIn(
  context: Context<'egress'>,
  caller: ConsoleCaller,
  { allowed }: ParametersOf<Allow>,
): Promise<boolean> {
  const working = allowed ? [] : await findWorkingProviders(context)
  await context.sql.begin(async (tx) => {
    await lockPasswordSignIn(tx)
    if (!allowed) await requireProvider(tx, working)
    await updatePasswordSignIn(tx, allowed)
    if (allowed) await closeSetup(tx)
    const detail = { allowed }
    await audit(context, tx, caller, { action: 'signOn.passwords', subject: 'installation', detail })
  })
  return allowed
}

/**
 * Returns the ids of the providers at which an administrator has signed in before, and whose keys can be read.
 * @throws SoukError `sign_on_not_working` if there is none
 */
export async function findWorkingProviders(context: Context<'egress'>, { except = '' } = {}): Promise<string[]> {
  const providers = await listUsedProviders(context.sql, except)
  const problems = await Promise.all(providers.map((provider) => explainKeys(context, providerOf(provider))))
  const working = providers.filter((_, index) => problems[index] === undefined)
  if (working.length > 0) return working.map(({ providerId }) => providerId)
  throw new SoukError(
    'sign_on_not_working',
    providers.length === 0
      ? 'Sign in at a provider as an administrator first.'
      : 'The keys of the provider cannot be read; souk doctor says why.',
  )
}

/**
 * Checks that an administrator can still sign in at one of these providers, which may have been removed since they were
 * found. The settings must be locked.
 * @throws SoukError `sign_on_not_working`
 */
export async function requireProvider(tx: Tx, working: readonly string[], { except = '' } = {}): Promise<void> {
  const used = await listUsedProviders(tx, except)
  if (used.some(({ providerId }) => working.includes(providerId))) return
  throw new SoukError('sign_on_not_working', 'The ways to sign in have just changed; try again.')
}

async function listUsedProviders(sql: Sql | Tx, except: string): Promise<SignOnProvider[]> {
  const providers = (await listProviders(sql)).filter(({ providerId }) => providerId !== except)
  const used = await listIssuersOfAdministrators(
    sql,
    providers.map(({ issuer }) => issuer),
  )
  return providers.filter(({ issuer }) => used.includes(issuer))
}
