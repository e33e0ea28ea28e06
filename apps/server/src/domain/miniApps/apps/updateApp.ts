import { type consoleOperations, type Domains, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { notify } from '../../../kernel/outbox.ts'
import type { ConsoleCaller } from '../../caller.ts'
import {
  type Change,
  findPendingChange,
  liftState,
  recordBlock,
  requestChange,
  requireAdministrator,
} from '../../console/index.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { createMerchant } from './ensureMerchant.ts'
import { additionsIn, removalsIn } from './removals.ts'
import { type ApprovedSettings, lockSettings, updateAppRow, updateMerchant } from './store.ts'

type Operation = typeof consoleOperations.updateApp
type Input = ParametersOf<Operation>

type Settings = Omit<Input, 'appid' | 'domains' | 'reason'> & { domains?: Domains | undefined }

const approvedKinds = ['capabilities', 'name', 'iconUrl', 'merchantName', 'merchantLogoUrl', 'domains'] as const

/** Settings of the listing in hosts, which only operators can change. */
const listingSettings = ['names', 'category', 'keywords', 'recommended'] as const

/**
 * Changes the settings of a mini app and its merchant, which is created if necessary. Omitted settings stay as they
 * are; null removes a URL. Returns false if some of the changes have to be approved first (ADR 283).
 *
 * @throws SoukError `app_not_found`, `parameter_missing` without any setting, `parameter_invalid` (a default language
 *   that is not among `languages`, an invalid callback host), `permission_denied` (callbackHosts and how hosts list
 *   it), `blocked_by_operator` if an administrator has disabled it
 */
export async function updateApp(
  context: Context<'egress' | 'mailer' | 'rules' | 'vault'>,
  caller: ConsoleCaller,
  input: Input,
): Promise<ResultOf<Operation>> {
  const { appid, reason, ...change } = input
  const providedSettings = Object.entries(change).filter(([, value]) => value !== undefined)
  if (providedSettings.length === 0) throw new SoukError('parameter_missing', 'Give at least one setting to change.')
  if (change.callbackHosts) checkCallbackHosts(context, caller, change.callbackHosts)
  for (const setting of listingSettings) {
    if (change[setting] !== undefined) requireAdministrator(caller, `Only administrators may set ${setting}.`)
  }

  const isComplete = await context.sql.begin(async (tx) => {
    const before = await lockSettings(tx, appid)
    if (before === undefined) throw new SoukError('app_not_found', `appid: ${appid}`)
    const { name, projectId } = before
    if (change.enabled === true) await liftState(context, tx, caller, 'appDisabled', appid)
    if (change.enabled === false) {
      const subject = { state: 'appDisabled', subject: appid, name, appid, projectId } as const
      await recordBlock(context, tx, caller, subject, { reason, wasSet: !before.enabled })
    }
    const settings = await requestSettings(context, tx, caller, before, change)
    await recordRemovals(context, tx, caller, before, { settings, reason })
    const detail = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
    const applied = Object.keys(detail).length
    if (applied > 0) {
      await applySettings(context, tx, caller, appid, settings)
      const previous = Object.fromEntries(
        approvedKinds.filter((kind) => settings[kind] !== undefined).map((kind) => [kind, before[kind]]),
      )
      await audit(context, tx, caller, {
        action: 'app.update',
        subject: appid,
        projectId: before.projectId,
        detail: {
          ...detail,
          ...(Object.keys(previous).length > 0 && { before: previous }),
          ...(reason !== undefined && { reason }),
        },
      })
      await notify(tx, 'souk_app', appid)
    }
    return applied === providedSettings.length
  })
  context.apps.forget(appid)
  return isComplete
}

/** Returns the changes that may take effect now, and stores requests for the others. */
async function requestSettings(
  context: Context<'mailer' | 'rules' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  before: ApprovedSettings,
  { domains, ...change }: Omit<Input, 'appid' | 'reason'>,
): Promise<Settings> {
  const settings: Settings = { ...change, ...(domains && { domains: await completeDomains(tx, before, domains) }) }
  for (const kind of approvedKinds) {
    const value = settings[kind]
    if (value === undefined) continue
    const approved = await requestChange(context, tx, caller, before, { kind, before: before[kind], value } as Change)
    if (!approved) delete settings[kind]
  }
  return settings
}

/** Records what an operator takes from a mini app, and ends the blocks of what an operator gives back. */
async function recordRemovals(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  before: ApprovedSettings,
  { settings, reason }: { settings: Pick<Settings, 'capabilities' | 'domains'>; reason: string | undefined },
): Promise<void> {
  const { appid, projectId } = before
  for (const { state, subject, name } of removalsIn(before, settings)) {
    await recordBlock(context, tx, caller, { state, subject, name, appid, projectId }, { reason, wasSet: false })
  }
  for (const { state, subject } of additionsIn(before, settings)) await liftState(context, tx, caller, state, subject)
}

/** Lists that are not given stay as they are, or as they were last requested. */
async function completeDomains(tx: Tx, before: ApprovedSettings, given: Partial<Domains>): Promise<Domains> {
  const pending = await findPendingChange(tx, before.appid, 'domains')
  return { ...(pending?.value ?? before.domains), ...given }
}

/**
 * Applies approved settings to a mini app and its merchant.
 * @throws SoukError `parameter_invalid` for a default language that is not among `languages`
 */
export async function applySettings(
  context: Context,
  tx: Tx,
  caller: ConsoleCaller,
  appid: string,
  { merchantName, merchantLogoUrl, ...change }: Settings,
): Promise<void> {
  const { name, projectId, language, languages } = await updateAppRow(tx, appid, change)
  if ((change.language || change.languages) && !languages.includes(language)) {
    throw new SoukError('parameter_invalid', `The default language, ${language}, must be one of languages.`, {
      data: { parameters: ['language', 'languages'] },
    })
  }
  if (merchantName !== undefined || merchantLogoUrl !== undefined) {
    await createMerchant(context, tx, { appid, name, projectId }, caller)
    await updateMerchant(tx, appid, { name: merchantName, logoUrl: merchantLogoUrl })
  }
}

/**
 * Enables a mini app in the transaction of the caller, who has it forgotten afterwards.
 * @throws SoukError `app_not_found`
 */
export async function enableInTransaction(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  { appid, answer }: { appid: string; answer?: string | undefined },
): Promise<void> {
  const app = await lockSettings(tx, appid)
  if (app === undefined) throw new SoukError('app_not_found')
  await liftState(context, tx, caller, 'appDisabled', appid, answer)
  await updateAppRow(tx, appid, { enabled: true })
  const { projectId } = app
  await audit(context, tx, caller, { action: 'app.update', subject: appid, projectId, detail: { enabled: true } })
  await notify(tx, 'souk_app', appid)
}

/** Checks that only operators, not developers, open a private network to callbacks (ADR 207). */
function checkCallbackHosts(context: Context<'egress'>, caller: ConsoleCaller, hosts: readonly string[]): void {
  requireAdministrator(caller, 'Only administrators may set callbackHosts.')
  const faults = hosts.map((entry) => context.egress.explainInvalidEntry(entry)).filter((fault) => fault !== null)
  if (faults.length > 0) {
    throw new SoukError('parameter_invalid', `callbackHosts: ${faults.join(' ')}`, {
      data: { parameters: ['callbackHosts'] },
    })
  }
}
