import {
  type consoleOperations,
  type DoctorSentence,
  defaultSuspensionDays,
  doctorSentence,
  type ParametersOf,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import { newId } from '../../../kernel/id.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit, lockPasswordSignIn } from '../../installation/index.ts'
import { defaultScopes, explainKeys, forgetProvider, requireIssuer } from '../../users/index.ts'
import { findPasswordSignIn } from '../accounts/index.ts'
import { requireProjects } from '../projects/index.ts'
import { providerOf, redirectUrlOf, sealContext } from './client.ts'
import { findWorkingProviders, requireProvider } from './passwordSignIn.ts'
import { projectsIn } from './roles.ts'
import {
  deleteProvider,
  findProvider,
  insertProvider,
  listProviders,
  lockAdditions,
  type SignOnProvider,
} from './store.ts'

type Operations = typeof consoleOperations
type Shown = ResultOf<Operations['addSignOnProvider']>
type Input = ParametersOf<Operations['addSignOnProvider']>

const maxProviders = 20

/** Lists the sign-on providers. */
export async function listSignOnProviders(context: Context): Promise<Shown[]> {
  const providers = await listProviders(context.sql)
  return providers.map((provider) => describe(context, provider))
}

/**
 * Lets accounts of a provider sign in to the console. Its discovery document must be readable.
 *
 * @throws SoukError `parameter_invalid`, `project_not_found`, `issuer_unavailable`, `sign_on_provider_exists`,
 * `sign_on_provider_limit_reached`
 */
export async function addSignOnProvider(
  context: Context<'egress' | 'vault'>,
  caller: ConsoleCaller,
  input: Input,
): Promise<Shown> {
  checkRoles(input.roles)
  const providerId = newId()
  await requireIssuer(context, providerOf({ providerId, issuer: input.issuer }), 'issuer')
  const {
    name,
    issuer,
    clientId,
    clientSecret,
    scopes = defaultScopes,
    groupsClaim = 'groups',
    roles = [],
    suspensionDays = defaultSuspensionDays,
  } = input
  const provider: SignOnProvider = {
    providerId,
    name,
    issuer,
    clientId,
    scopes: scopes.filter((scope) => scope !== 'openid'),
    groupsClaim,
    roles,
    suspensionDays,
    ctime: context.clock.real(),
    ...(clientSecret === undefined
      ? { keyId: null, ciphertext: null }
      : context.vault.seal(clientSecret, sealContext(providerId))),
  }
  return context.sql.begin(async (tx) => {
    await lockAdditions(tx)
    await requireProjects(tx, projectsIn(roles))
    if ((await listProviders(tx)).length >= maxProviders) {
      throw new SoukError('sign_on_provider_limit_reached', `Remove one first: there can be ${maxProviders}.`)
    }
    if (!(await insertProvider(tx, provider))) {
      throw new SoukError('sign_on_provider_exists', 'Remove it first to change it.')
    }
    const { keyId, ciphertext, ...detail } = provider
    await audit(context, tx, caller, { action: 'signOn.addProvider', subject: providerId, detail })
    return describe(context, provider)
  })
}

/**
 * Removes a sign-on provider and ends the sessions of its accounts, which stay.
 * @throws SoukError `sign_on_provider_not_found`, `sign_on_not_working` if password sign-in is off and no other works
 */
export async function removeSignOnProvider(
  context: Context<'egress'>,
  caller: ConsoleCaller,
  { providerId }: ParametersOf<Operations['removeSignOnProvider']>,
): Promise<true> {
  const others = { except: providerId }
  const working = (await findPasswordSignIn(context.sql)) ? [] : await findWorkingProviders(context, others)
  await context.sql.begin(async (tx) => {
    if (!(await lockPasswordSignIn(tx))) await requireProvider(tx, working, others)
    const provider = await findProvider(tx, providerId)
    if (!provider) throw new SoukError('sign_on_provider_not_found', 'souk sign-on list shows the providers.')
    await deleteProvider(tx, providerId)
    const detail = { issuer: provider.issuer }
    await audit(context, tx, caller, { action: 'signOn.removeProvider', subject: providerId, detail })
  })
  forgetProvider(providerId)
  return true
}

/**
 * Reads the keys of all sign-on providers, and returns a sentence for each whose keys cannot be read. Returns undefined
 * if there is no provider.
 */
export async function explainSignOn(context: Context<'egress'>): Promise<DoctorSentence[] | undefined> {
  const providers = await listProviders(context.sql)
  if (providers.length === 0) return undefined
  const problems = await Promise.all(
    providers.map(async (provider) => {
      const reason = await explainKeys(context, providerOf(provider))
      return reason === undefined ? [] : [doctorSentence('keysOfIssuer', { issuer: provider.issuer, reason })]
    }),
  )
  return problems.flat()
}

function describe(context: Context, { keyId, ciphertext, ...provider }: SignOnProvider): Shown {
  return { ...provider, hasSecret: keyId !== null, redirectUrl: redirectUrlOf(context) }
}

/** Checks that administrators are mapped without a project, and all other roles with one. */
function checkRoles(roles: Input['roles'] = []): void {
  const wrong = roles.find(({ role, projectId }) => (role === 'administrator') !== (projectId === undefined))
  if (!wrong) return
  throw new SoukError(
    'parameter_invalid',
    `roles: ${wrong.role} of the group ${JSON.stringify(wrong.group)} ` +
      (wrong.role === 'administrator' ? 'must not have a projectId.' : 'needs a projectId.'),
    { data: { parameters: ['roles'] } },
  )
}
