import {
  type Capability,
  canonicalString,
  type Diagnosis,
  diagnose,
  maskedCanonicalString,
  type SecretsToTry,
  SoukError,
} from '@souk/contract'
import { type App, activeSecrets, retiredSecrets } from '../../domain/app.ts'
import type { AppCaller } from '../../domain/caller.ts'
import type { Context } from '../../domain/context.ts'
import { equalInConstantTime, sha256Hex } from '../../kernel/crypto.ts'

/** Whose values help nobody to find a mistake, and open an account while they hold. */
const confidential = ['code', 'accessToken']

/** How far a timestamp may be from the server's real time, either way, in ms (open-api §8). */
const timestampWindow = 300_000

/** What a sandbox tells about a sign that does not match; never the right sign, never the secret. */
export interface SignDiagnosis {
  /** With every secret of the app masked, and codes and tokens. */
  canonicalString: string
  mistakes: Diagnosis[]
}

/**
 * Establishes which mini app asks (open-api §4.1): the checks in their order, each refusing with its own error.
 *
 * @throws SoukError `parameter_missing`, `appid_invalid`, `timestamp_not_milliseconds`, `timestamp_out_of_window`,
 *   `sign_mismatch` (in a sandbox with `data.mistakes` and the diagnosis in `signDiagnosis`)
 */
export async function authenticate(context: Context, parameters: ReadonlyMap<string, string>): Promise<AppCaller> {
  const app = await knownApp(context, appidOf(parameters))
  freshTimestamp(context, parameters)
  const sign = matchingSign(context, app, parameters)
  return { kind: 'app', app, sign }
}

/** Refuses an app to whom its owner has not granted what the operation needs. */
export function allowed(app: App, capability: Capability | undefined): void {
  if (capability && !app.capabilities.has(capability)) {
    throw new SoukError('capability_missing', `This mini app has no capability ${capability}; its owner grants it.`)
  }
}

/** The appid of a request, which may be spelled `appId`; where both differ, the operation's parameters are refused later. */
export function appidOf(parameters: ReadonlyMap<string, string>): string | undefined {
  return parameters.get('appid') || parameters.get('appId')
}

async function knownApp(context: Context, appid: string | undefined): Promise<App> {
  if (!appid) throw new SoukError('parameter_missing', 'Send appid.', { data: { parameters: ['appid'] } })
  const app = context.apps.findCached(appid) ?? (await context.apps.find(appid))
  if (!app?.enabled) throw new SoukError('appid_invalid')
  return app
}

function freshTimestamp(context: Context, parameters: ReadonlyMap<string, string>): void {
  const timestamp = parameters.get('timestamp')
  if (!timestamp) throw new SoukError('parameter_missing', 'Send timestamp.', { data: { parameters: ['timestamp'] } })
  const serverTime = context.clock.real()
  if (!/^[1-9]\d{11,13}$/.test(timestamp)) {
    const looksLike = /^\d{9,11}$/.test(timestamp) ? 'seconds' : /^\d{15,19}$/.test(timestamp) ? 'a finer unit' : null
    throw new SoukError(
      'timestamp_not_milliseconds',
      `Send those since the Unix epoch, as digits: now it is ${serverTime}${looksLike ? `; yours looks like ${looksLike}` : ''}.`,
      { data: { serverTime } },
    )
  }
  const ahead = Number(timestamp) - serverTime
  if (Math.abs(ahead) > timestampWindow) {
    const away = `${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'}`
    throw new SoukError(
      'timestamp_out_of_window',
      `The timestamp is ${away} the server, 300 s are allowed; the server's time is ${serverTime}.`,
      {
        data: { serverTime },
      },
    )
  }
}

function matchingSign(context: Context, app: App, parameters: ReadonlyMap<string, string>): string {
  const sign = parameters.get('sign')
  if (!sign) throw new SoukError('parameter_missing', 'Send sign.', { data: { parameters: ['sign'] } })
  const secrets = activeSecrets(app, context.clock.now())
  for (const secret of secrets) {
    if (equalInConstantTime(sha256Hex(canonicalString(parameters, secret)), sign)) return sign
  }
  throw context.settings.sandbox
    ? diagnosed(parameters, sign, { active: secrets, retired: retiredSecrets(app, context.clock.now()) })
    : new SoukError('sign_mismatch', 'See open-api §4.1, or check the request offline with `souk sign --check`.')
}

/**
 * Looking for the mistake takes tens of milliseconds of processor time, and anybody who knows an appid can ask for it. It
 * may take a fifth of this process's time at most; 3 s of it can be saved up. All in ms.
 */
const budget = { share: 0.2, most: 3_000, left: 3_000, at: performance.now() }

function diagnosed(parameters: ReadonlyMap<string, string>, sign: string, secrets: SecretsToTry): SoukError {
  const now = performance.now()
  budget.left = Math.min(budget.most, budget.left + (now - budget.at) * budget.share)
  budget.at = now
  if (budget.left <= 0)
    return new SoukError('sign_mismatch', 'Too many of these to explain each; try again in a moment.')
  const used = process.cpuUsage()
  const diagnosis: SignDiagnosis = {
    canonicalString: maskedCanonicalString(parameters, {
      secrets: [...secrets.active, ...(secrets.retired ?? [])],
      names: confidential,
    }),
    mistakes: diagnose({ parameters, sign }, secrets),
  }
  budget.left -= process.cpuUsage(used).user / 1000
  const reason =
    diagnosis.mistakes.map(({ explanation }) => explanation).join(' ') ||
    'No known mistake yields this sign: most likely the secret is another one, or a value was changed after signing.'
  return Object.assign(
    new SoukError('sign_mismatch', reason, { data: { mistakes: diagnosis.mistakes.map(({ mistake }) => mistake) } }),
    { signDiagnosis: diagnosis },
  )
}
