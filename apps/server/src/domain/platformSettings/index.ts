import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { audit } from '../audit/index.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { findPlatformSettings, updateAllowedOrigins, updateRequireReviews, updateRequireSecondFactor } from './store.ts'

type Operations = typeof consoleOperations

/** Returns the settings that administrators change while the installation runs. */
export async function getPlatformSettings(context: Context): Promise<ResultOf<Operations['getPlatformSettings']>> {
  return findPlatformSettings(context.sql)
}

/** Changes settings of the installation. @throws SoukError `parameter_invalid` */
export async function updatePlatformSettings(
  context: Context,
  caller: ConsoleCaller,
  { allowedOrigins, requireSecondFactor, requireReviews }: ParametersOf<Operations['updatePlatformSettings']>,
): Promise<ResultOf<Operations['updatePlatformSettings']>> {
  allowedOrigins?.forEach(checkOrigin)
  return context.sql.begin(async (tx) => {
    if (allowedOrigins) await updateAllowedOrigins(tx, allowedOrigins)
    if (requireSecondFactor !== undefined) await updateRequireSecondFactor(tx, requireSecondFactor)
    if (requireReviews !== undefined) await updateRequireReviews(tx, requireReviews)
    await audit(context, tx, caller, {
      action: 'platformSettings.update',
      subject: 'installation',
      detail: { allowedOrigins, requireSecondFactor, requireReviews },
    })
    return findPlatformSettings(tx)
  })
}

/** Checks that only local pages are loaded without TLS: anyone on the network path could change others. */
function checkOrigin(origin: string): void {
  const url = URL.parse(origin)
  const isLocal = url !== null && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url?.origin === origin && (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal))) return
  throw new SoukError(
    'parameter_invalid',
    `allowedOrigins: ${origin} is not an origin such as https://app.example, without a path or trailing slash; http is allowed for localhost.`,
    { data: { parameters: ['allowedOrigins'] } },
  )
}
