import {
  type consoleOperations,
  maxProviderAccounts,
  type ParametersOf,
  type Provider,
  providers,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import type { TObject } from 'typebox'
import { Check, Errors } from 'typebox/value'
import type { Tx } from '../../../../kernel/db/pool.ts'
import { newId } from '../../../../kernel/id.ts'
import type { ConsoleCaller } from '../../../caller.ts'
import { blocked, liftState, recordBlock, sideOf } from '../../../console/index.ts'
import type { Context } from '../../../context.ts'
import { audit } from '../../../installation/index.ts'
import { ensureMerchant } from '../../../miniApps/index.ts'
import { providerOf, webhookUrlOf } from '../adapters/index.ts'
import { ProviderUnavailable } from '../adapters/port.ts'
import { toProviderAccount } from './findAccount.ts'
import {
  type AccountRow,
  type AccountWithSecrets,
  existsBlockedProvider,
  findAccount,
  findAccountRow,
  insertAccount,
  listAccounts,
  lockAccount,
  lockAdditions,
  updateAccount,
  updateAccountToEnabled,
} from './store.ts'

type Operations = typeof consoleOperations
type AccountView = ResultOf<Operations['createProviderAccount']>

/** Lists the provider accounts of a mini app's merchant, or the shared ones. */
export async function listProviderAccounts(
  context: Context,
  _caller: ConsoleCaller,
  { appid = undefined }: ParametersOf<Operations['listProviderAccounts']>,
): Promise<AccountView[]> {
  return (await listAccounts(context.sql, appid ?? null)).map((account) => toAccountView(context, account))
}

/**
 * Creates a provider account. Its secrets are encrypted and never returned.
 * @throws SoukError `sandbox_only` for the sandbox provider in a live installation, `parameter_invalid` for settings or
 *   secrets that do not match the provider's schema, `provider_account_limit_reached`, `blocked_by_operator` while an
 *   administrator has disabled an account of the mini app at the same provider
 */
export async function createProviderAccount(
  context: Context<'vault'>,
  caller: ConsoleCaller,
  input: ParametersOf<Operations['createProviderAccount']>,
): Promise<AccountView> {
  const { appid, name } = input
  const provider = input.provider as Provider
  if (provider === 'sandbox' && !context.settings.sandbox) throw new SoukError('sandbox_only')
  const app = appid === undefined ? null : (await context.apps.find(appid))!
  const merchantId = app && (await ensureMerchant(context, app)).merchantId
  const providerAccountId = newId()
  const account = { providerAccountId, merchantId, name, provider, ...validateFields(provider, input) }
  await context.sql.begin(async (tx) => {
    // The same merchant of the provider could be added again.
    if (app && sideOf(caller) !== 'operator' && (await existsBlockedProvider(tx, app.appid, provider))) {
      throw blocked('providerAccountDisabled')
    }
    if ((await lockAdditions(tx, merchantId)) >= maxProviderAccounts) {
      throw new SoukError('provider_account_limit_reached', `It can have ${maxProviderAccounts}.`)
    }
    await insertAccount(tx, context.vault, account, context.clock.now())
    await audit(context, tx, caller, {
      action: 'provider.create',
      subject: providerAccountId,
      projectId: app?.projectId,
      detail: { appid: appid ?? null, provider, name, settings: account.settings },
    })
  })
  return toAccountView(context, (await findAccountRow(context.sql, providerAccountId))!)
}

/**
 * Updates an account. Omitted settings and secrets stay as they are. Ends a suspension because of failures. A new base
 * URL requires all secrets again, and so do secrets that cannot be decrypted.
 * @throws SoukError `provider_account_not_found`, `parameter_missing`, `parameter_invalid`, `blocked_by_operator`
 */
export async function updateProviderAccount(
  context: Context<'mailer' | 'vault'>,
  caller: ConsoleCaller,
  input: ParametersOf<Operations['updateProviderAccount']>,
): Promise<AccountView> {
  const { providerAccountId, reason, ...change } = input
  if (Object.values(change).every((value) => value === undefined)) {
    throw new SoukError('parameter_missing', 'Send at least one field to change.')
  }
  const appid = await appOfProviderAccount(context, providerAccountId)
  const app = appid === undefined ? undefined : await context.apps.find(appid)
  await context.sql.begin(async (tx) => {
    // Read under the lock, so that a concurrent update of other fields is not undone.
    const before = await lockAccount(tx, context.vault, providerAccountId)
    if (!before) throw new SoukError('provider_account_not_found')
    const { name = before.name, enabled = before.enabled } = change
    const settings = { ...before.settings, ...change.settings }
    if (settings.baseUrl !== before.settings.baseUrl) checkSecretsComplete(before, change.secrets)
    const fields = validateFields(before.provider, { settings, secrets: { ...before.secrets, ...change.secrets } })
    if (change.enabled === true) await liftState(context, tx, caller, 'providerAccountDisabled', providerAccountId)
    if (change.enabled === false) {
      const { projectId } = app ?? {}
      const subject = { state: 'providerAccountDisabled', subject: providerAccountId, name, appid, projectId } as const
      await recordBlock(context, tx, caller, subject, { reason, wasSet: !before.enabled })
    }
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
        ...(reason !== undefined && { reason }),
      },
    })
  })
  return toAccountView(context, (await findAccountRow(context.sql, providerAccountId))!)
}

/** Enables an account in the transaction of the caller. */
export async function enableProviderAccount(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  account: { providerAccountId: string; projectId: string | undefined; answer?: string | undefined },
): Promise<void> {
  const { providerAccountId, projectId, answer } = account
  if (!(await lockAccount(tx, context.vault, providerAccountId))) throw new SoukError('provider_account_not_found')
  await liftState(context, tx, caller, 'providerAccountDisabled', providerAccountId, answer)
  await updateAccountToEnabled(tx, providerAccountId, context.clock.now())
  const detail = { enabled: true }
  await audit(context, tx, caller, { action: 'provider.update', subject: providerAccountId, projectId, detail })
}

/**
 * Tests the connection and credentials of an account by querying a payment that does not exist.
 * @throws SoukError `provider_account_not_found`
 */
export async function testProviderAccount(
  context: Context<'egress' | 'vault'>,
  _caller: ConsoleCaller,
  { providerAccountId }: ParametersOf<Operations['testProviderAccount']>,
): Promise<ResultOf<Operations['testProviderAccount']>> {
  const account = await getAccount(context, providerAccountId)
  const start = performance.now()
  const reason = await providerOf(context, toProviderAccount(account))
    .query({ attemptId: newId(), payNo: null })
    .then(
      () => null,
      (error: unknown) => {
        if (error instanceof ProviderUnavailable) return error.message
        throw error
      },
    )
  return { works: reason === null, reason, duration: Math.round(performance.now() - start) }
}

/** Returns the appid of an account; undefined if it is shared or does not exist. */
export async function appOfProviderAccount(context: Context, providerAccountId: string): Promise<string | undefined> {
  return (await findAccountRow(context.sql, providerAccountId))?.appid ?? undefined
}

async function getAccount(context: Context<'vault'>, providerAccountId: string): Promise<AccountWithSecrets> {
  const account = await findAccount(context.sql, context.vault, providerAccountId)
  if (!account) throw new SoukError('provider_account_not_found')
  return account
}

/** Prevents that someone who may change the base URL, but not read the secrets, has them sent to another server. */
function checkSecretsComplete({ secrets }: AccountWithSecrets, given: Record<string, string> = {}): void {
  const missing = Object.keys(secrets).filter((name) => !given[name]?.trim())
  if (missing.length === 0) return
  throw new SoukError(
    'parameter_invalid',
    `secrets: changing baseUrl requires all secrets; send ${missing.join(', ')} again.`,
    {
      data: { parameters: ['secrets'] },
    },
  )
}

/** Validates settings and secrets against the provider's schemas and fills in defaults. */
function validateFields(provider: Provider, given: Record<'settings' | 'secrets', Record<string, string>>) {
  const { settings, secrets } = providers[provider]
  return {
    settings: validate('settings', settings, given.settings),
    secrets: validate('secrets', secrets, given.secrets),
  }
}

function validate(parameter: string, schema: TObject, given: Record<string, string>): Record<string, string> {
  const properties = schema.properties as Record<string, { title: string; default?: string; 'x-allowed'?: string }>
  const invalid = (reason: string) =>
    new SoukError('parameter_invalid', `${parameter}: ${reason}`, { data: { parameters: [parameter] } })
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(properties, name))
  if (unknown !== undefined) throw invalid(`the provider has no field ${unknown.slice(0, 64)}.`)
  const defaults = Object.entries(properties).flatMap(([name, { default: value }]) => (value ? [[name, value]] : []))
  // Pasted text often has surrounding spaces.
  const trimmed = Object.entries(given).flatMap(([name, value]) => (value.trim() ? [[name, value.trim()]] : []))
  const fields: Record<string, string> = { ...Object.fromEntries(defaults), ...Object.fromEntries(trimmed) }
  const missing = Object.keys(properties).filter((name) => fields[name] === undefined)
  if (missing.length > 0) throw invalid(`${missing.join(', ')} missing.`)
  if (Check(schema, fields)) return fields
  const wrong = Errors(schema, fields)[0]?.instancePath.split('/')[1] ?? ''
  throw invalid(`${wrong} ${properties[wrong]?.['x-allowed'] ?? 'is not valid'}.`)
}

function toAccountView(context: Context, account: AccountRow): AccountView {
  const { providerAccountId, appid, name, provider, settings, enabled, failures, outUntil, ctime, mtime } = account
  const webhookUrl = webhookUrlOf(context, account)
  return { providerAccountId, appid, name, provider, settings, webhookUrl, enabled, failures, outUntil, ctime, mtime }
}
