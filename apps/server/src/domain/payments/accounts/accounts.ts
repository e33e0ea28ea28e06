import {
  type consoleOperations,
  type ParametersOf,
  type Provider,
  providers,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import type { TObject } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { newId } from '../../../kernel/id.ts'
import { ensureMerchant } from '../../apps/index.ts'
import { audit } from '../../audit/index.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { providerOf, webhookUrlOf } from '../adapters/index.ts'
import { ProviderUnavailable } from '../adapters/port.ts'
import { toProviderAccount } from './findAccount.ts'
import {
  type AccountRow,
  type AccountWithSecrets,
  findAccount,
  insertAccount,
  listAccounts,
  updateAccount,
} from './store.ts'

type Operations = typeof consoleOperations
type Shown = ResultOf<Operations['createProviderAccount']>

/** The accounts of a mini app's merchant, or those that are there for all. */
export async function listProviderAccounts(
  context: Context,
  _caller: ConsoleCaller,
  { appid = undefined }: ParametersOf<Operations['listProviderAccounts']>,
): Promise<Shown[]> {
  return (await listAccounts(context.sql, appid ?? null)).map((account) => show(context, account))
}

/**
 * Enters an account at a provider. Its secrets are encrypted, and shown to nobody again.
 * @throws SoukError `sandbox_only` for the sandbox's provider in a live installation, `parameter_invalid` for settings or
 *   secrets that are not what the provider asks for
 */
export async function createProviderAccount(
  context: Context,
  caller: ConsoleCaller,
  input: ParametersOf<Operations['createProviderAccount']>,
): Promise<Shown> {
  const { appid, name } = input
  const provider = input.provider as Provider
  if (provider === 'sandbox' && !context.settings.sandbox) throw new SoukError('sandbox_only')
  const app = appid === undefined ? null : (await context.apps.find(appid))!
  const merchantId = app && (await ensureMerchant(context, app)).merchantId
  const providerAccountId = newId()
  const account = { providerAccountId, merchantId, name, provider, ...fieldsOf(provider, input) }
  await context.sql.begin(async (tx) => {
    await insertAccount(tx, context.vault, account, context.clock.now())
    await audit(context, tx, caller, {
      action: 'provider.create',
      subject: providerAccountId,
      projectId: app?.projectId,
      detail: { appid: appid ?? null, provider, name, settings: account.settings },
    })
  })
  return show(context, (await findAccount(context.sql, context.vault, providerAccountId))!)
}

/**
 * Changes an account. Settings and secrets that are not given stay. An account that was taken out for its failures is tried
 * again at once. With another base address all secrets have to be given anew.
 * @throws SoukError `provider_account_not_found`, `parameter_missing`, `parameter_invalid`
 */
export async function updateProviderAccount(
  context: Context,
  caller: ConsoleCaller,
  input: ParametersOf<Operations['updateProviderAccount']>,
): Promise<Shown> {
  const { providerAccountId, ...change } = input
  if (Object.values(change).every((value) => value === undefined)) {
    throw new SoukError('parameter_missing', 'Give at least one thing to change.')
  }
  const before = await existing(context, providerAccountId)
  const { name = before.name, enabled = before.enabled } = change
  const settings = { ...before.settings, ...change.settings }
  if (settings.baseUrl !== before.settings.baseUrl) checkSecretsAnew(before, change.secrets)
  const fields = fieldsOf(before.provider, { settings, secrets: { ...before.secrets, ...change.secrets } })
  const app = before.appid === null ? null : await context.apps.find(before.appid)
  await context.sql.begin(async (tx) => {
    await updateAccount(tx, context.vault, { providerAccountId, name, enabled, ...fields }, context.clock.now())
    await audit(context, tx, caller, {
      action: 'provider.update',
      subject: providerAccountId,
      projectId: app?.projectId,
      detail: {
        name,
        enabled,
        ...(change.settings && { settings: change.settings }),
        secrets: Object.keys(change.secrets ?? {}),
      },
    })
  })
  return show(context, (await findAccount(context.sql, context.vault, providerAccountId))!)
}

/**
 * Asks the provider about a payment that cannot exist: it has to be reached and to take the keys to say so.
 * @throws SoukError `provider_account_not_found`
 */
export async function testProviderAccount(
  context: Context,
  _caller: ConsoleCaller,
  { providerAccountId }: ParametersOf<Operations['testProviderAccount']>,
): Promise<ResultOf<Operations['testProviderAccount']>> {
  const account = await existing(context, providerAccountId)
  const began = performance.now()
  const reason = await providerOf(context, toProviderAccount(account))
    .query({ attemptId: newId(), payNo: null })
    .then(
      () => null,
      (error: unknown) => {
        if (error instanceof ProviderUnavailable) return error.message
        throw error
      },
    )
  return { works: reason === null, reason, duration: Math.round(performance.now() - began) }
}

/** The mini app that leads to the project of an account; undefined where there is none, or it is there for all. */
export async function appOfProviderAccount(context: Context, providerAccountId: string): Promise<string | undefined> {
  return (await findAccount(context.sql, context.vault, providerAccountId))?.appid ?? undefined
}

async function existing(context: Context, providerAccountId: string): Promise<AccountWithSecrets> {
  const account = await findAccount(context.sql, context.vault, providerAccountId)
  if (!account) throw new SoukError('provider_account_not_found')
  return account
}

/** Whoever changes an account cannot read its secrets, and is not to have them sent to an address of their own either. */
function checkSecretsAnew({ secrets }: AccountWithSecrets, given: Record<string, string> = {}): void {
  const missing = Object.keys(secrets).filter((name) => !given[name]?.trim())
  if (missing.length === 0) return
  throw new SoukError(
    'parameter_invalid',
    `secrets: another base address gets them, so give ${missing.join(', ')} again.`,
    {
      data: { parameters: ['secrets'] },
    },
  )
}

/** Settings and secrets as the provider asks for them. What has a default need not be given. */
function fieldsOf(provider: Provider, given: Record<'settings' | 'secrets', Record<string, string>>) {
  const { settings, secrets } = providers[provider]
  return { settings: held('settings', settings, given.settings), secrets: held('secrets', secrets, given.secrets) }
}

function held(parameter: string, schema: TObject, given: Record<string, string>): Record<string, string> {
  const properties = schema.properties as Record<string, { title: string; default?: string; 'x-allowed'?: string }>
  const fault = (reason: string) =>
    new SoukError('parameter_invalid', `${parameter}: ${reason}`, { data: { parameters: [parameter] } })
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(properties, name))
  if (unknown !== undefined) throw fault(`the provider does not ask for ${unknown.slice(0, 64)}.`)
  const defaults = Object.entries(properties).flatMap(([name, { default: value }]) => (value ? [[name, value]] : []))
  // A text that was pasted brings its blanks along.
  const texts = Object.entries(given).flatMap(([name, value]) => (value.trim() ? [[name, value.trim()]] : []))
  const fields: Record<string, string> = { ...Object.fromEntries(defaults), ...Object.fromEntries(texts) }
  const missing = Object.keys(properties).filter((name) => fields[name] === undefined)
  if (missing.length > 0) throw fault(`give ${missing.join(', ')}.`)
  if (Check(schema, fields)) return fields
  const wrong = Errors(schema, fields)[0]?.instancePath.split('/')[1] ?? ''
  throw fault(`${wrong} ${properties[wrong]?.['x-allowed'] ?? 'is not valid'}.`)
}

function show(context: Context, account: AccountRow): Shown {
  const { providerAccountId, appid, name, provider, settings, enabled, failures, outUntil, ctime, mtime } = account
  const webhookUrl = webhookUrlOf(context, account)
  return { providerAccountId, appid, name, provider, settings, webhookUrl, enabled, failures, outUntil, ctime, mtime }
}
