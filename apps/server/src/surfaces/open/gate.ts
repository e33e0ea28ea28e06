import {
  type Capability,
  canonicalString,
  type Diagnosis,
  diagnose,
  maskedCanonicalString,
  minute,
  type SecretsToTry,
  SoukError,
  second,
} from '@souk/contract'
import { type App, activeSecrets, retiredSecrets } from '../../domain/app.ts'
import type { AppCaller } from '../../domain/caller.ts'
import type { FullContext } from '../../domain/context.ts'
import { matchesSecret, sha256Hex } from '../../kernel/crypto.ts'

/** Parameters that are masked in a diagnosis. */
const confidential = ['code', 'accessToken']

/** Maximum difference between a timestamp and the server's real time, in either direction (open-api §8). */
const timestampWindow = 5 * minute

/** The explanation of a sign mismatch in a sandbox. Never contains the correct sign or the secret. */
export interface SignDiagnosis {
  /** The string with secrets, codes and tokens masked. */
  canonicalString: string
  mistakes: Diagnosis[]
}

/** Where a request differs from others: its appid under another name, and the maximum age of its timestamp in ms. */
interface GateOptions {
  appid?: string | undefined
  window?: number | undefined
}

/**
 * Authenticates the mini app of a request (open-api §4.1). The checks run in order and have an error each.
 *
 * @throws SoukError `parameter_missing`, `appid_invalid`, `app_archived`, `timestamp_not_milliseconds`,
 *   `timestamp_out_of_window`, `sign_mismatch` (in a sandbox with `data.mistakes` and the diagnosis in `signDiagnosis`)
 */
export async function authenticate(
  context: FullContext,
  parameters: ReadonlyMap<string, string>,
  { appid = appidOf(parameters), window = timestampWindow }: GateOptions = {},
): Promise<AppCaller> {
  const app = await findApp(context, appid)
  checkTimestamp(context, parameters, window)
  const sign = checkSign(context, app, parameters)
  return { kind: 'app', app, sign }
}

/** Rejects an app without the capability that the operation needs. */
export function requireCapability(app: App, capability: Capability | undefined): void {
  if (capability && !app.capabilities.has(capability)) {
    throw new SoukError(
      'capability_missing',
      `This mini app does not have the capability ${capability}; its owner can enable it.`,
    )
  }
}

/**
 * Returns the appid of a request, which may be spelled `appId`. If both are sent and differ, the request is rejected
 * later.
 */
export function appidOf(parameters: ReadonlyMap<string, string>): string | undefined {
  return parameters.get('appid') || parameters.get('appId')
}

async function findApp(context: FullContext, appid: string | undefined): Promise<App> {
  if (!appid) throw new SoukError('parameter_missing', 'Send appid.', { data: { parameters: ['appid'] } })
  const app = context.apps.findCached(appid) ?? (await context.apps.find(appid))
  if (!app?.enabled) throw new SoukError('appid_invalid')
  if (app.archivedTime !== null) throw new SoukError('app_archived', 'An owner of its project can restore it.')
  return app
}

function checkTimestamp(context: FullContext, parameters: ReadonlyMap<string, string>, window: number): void {
  const timestamp = parameters.get('timestamp')
  if (!timestamp) throw new SoukError('parameter_missing', 'Send timestamp.', { data: { parameters: ['timestamp'] } })
  const serverTime = context.clock.real()
  if (!/^[1-9]\d{11,13}$/.test(timestamp)) {
    const looksLike = /^\d{9,11}$/.test(timestamp) ? 'seconds' : /^\d{15,19}$/.test(timestamp) ? 'a finer unit' : null
    throw new SoukError(
      'timestamp_not_milliseconds',
      `Send milliseconds since the Unix epoch as digits: it is now ${serverTime}${looksLike ? `; yours looks like ${looksLike}` : ''}.`,
      { data: { serverTime } },
    )
  }
  const ahead = Number(timestamp) - serverTime
  if (Math.abs(ahead) > window) {
    const away = `${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'}`
    throw new SoukError(
      'timestamp_out_of_window',
      `The timestamp is ${away} the server; ${window / second} s are allowed. The server's time is ${serverTime}.`,
      {
        data: { serverTime },
      },
    )
  }
}

function checkSign(context: FullContext, app: App, parameters: ReadonlyMap<string, string>): string {
  const sign = parameters.get('sign')
  if (!sign) throw new SoukError('parameter_missing', 'Send sign.', { data: { parameters: ['sign'] } })
  const secrets = activeSecrets(app, context.clock.now())
  for (const secret of secrets) {
    if (matchesSecret(sign, sha256Hex(canonicalString(parameters, secret)))) return sign
  }
  throw context.settings.sandbox
    ? diagnosed(parameters, sign, { active: secrets, retired: retiredSecrets(app, context.clock.now()) })
    : new SoukError('sign_mismatch', 'See open-api §4.1, or check the request offline with `souk sign --check`.')
}

/**
 * A diagnosis takes tens of milliseconds of CPU time, and anyone who knows an appid can cause one. Diagnoses may use at
 * most a fifth of this process's time, of which 3 s can accumulate.
 */
const budget = { share: 0.2, max: 3 * second, left: 3 * second, at: performance.now() }

/** Maximum length of a canonical string in the request log, because anyone who knows an appid can cause an entry. */
const maxShown = 4096

function shorten(text: string): string {
  return text.length <= maxShown ? text : `${text.slice(0, maxShown).toWellFormed()}… (${text.length} characters)`
}

function diagnosed(parameters: ReadonlyMap<string, string>, sign: string, secrets: SecretsToTry): SoukError {
  const now = performance.now()
  budget.left = Math.min(budget.max, budget.left + (now - budget.at) * budget.share)
  budget.at = now
  if (budget.left <= 0)
    return new SoukError('sign_mismatch', 'Too many mismatches to explain each; try again in a moment.')
  const used = process.cpuUsage()
  const diagnosis: SignDiagnosis = {
    canonicalString: shorten(
      maskedCanonicalString(parameters, {
        secrets: [...secrets.active, ...(secrets.retired ?? [])],
        names: confidential,
      }),
    ),
    mistakes: diagnose({ parameters, sign }, secrets),
  }
  budget.left -= process.cpuUsage(used).user / 1000
  const reason =
    diagnosis.mistakes.map(({ explanation }) => explanation).join(' ') ||
    'No known mistake results in this sign. Most likely the secret is wrong, or a value was changed after signing.'
  return Object.assign(
    new SoukError('sign_mismatch', reason, { data: { mistakes: diagnosis.mistakes.map(({ mistake }) => mistake) } }),
    { signDiagnosis: diagnosis },
  )
}
