import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { namesOneHost } from '../../../kernel/httpUrl.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../audit/index.ts'
import {
  findPlatformSettings,
  updateAllowedOrigins,
  updateMaxDailyMessages,
  updateRequireReviews,
  updateRequireSecondFactor,
} from './store.ts'

export { lockPasswordSignIn, updatePasswordSignIn } from './store.ts'

type Operations = typeof consoleOperations

/** Returns the settings that administrators change while the installation runs. */
export async function getPlatformSettings(context: Context): Promise<ResultOf<Operations['getPlatformSettings']>> {
  return findPlatformSettings(context.sql)
}

/** Returns the allowed origins that are in effect. Earlier versions accepted others, such as wildcards. */
export async function listAllowedOrigins(context: Pick<Context, 'sql'>): Promise<string[]> {
  return (await findPlatformSettings(context.sql)).allowedOrigins.filter(isAllowedOrigin)
}

/** Changes settings of the installation. @throws SoukError `parameter_invalid` */
export async function updatePlatformSettings(
  context: Context,
  caller: ConsoleCaller,
  changes: ParametersOf<Operations['updatePlatformSettings']>,
): Promise<ResultOf<Operations['updatePlatformSettings']>> {
  const { allowedOrigins, requireSecondFactor, requireReviews, maxDailyMessages } = changes
  allowedOrigins?.forEach(checkOrigin)
  return context.sql.begin(async (tx) => {
    if (allowedOrigins) await updateAllowedOrigins(tx, allowedOrigins)
    if (requireSecondFactor !== undefined) await updateRequireSecondFactor(tx, requireSecondFactor)
    if (requireReviews !== undefined) await updateRequireReviews(tx, requireReviews)
    if (maxDailyMessages !== undefined) await updateMaxDailyMessages(tx, maxDailyMessages)
    await audit(context, tx, caller, {
      action: 'platformSettings.update',
      subject: 'installation',
      detail: { allowedOrigins, requireSecondFactor, requireReviews, maxDailyMessages },
    })
    return findPlatformSettings(tx)
  })
}

/**
 * Returns whether a text is the origin of one host. Only local pages may be loaded without TLS: anyone on the network
 * path could change others.
 */
function isAllowedOrigin(origin: string): boolean {
  const url = URL.parse(origin)
  if (url?.origin !== origin || !namesOneHost(url)) return false
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)
}

function checkOrigin(origin: string): void {
  if (isAllowedOrigin(origin)) return
  const expected = 'an origin such as https://app.example, without a path or trailing slash'
  throw new SoukError(
    'parameter_invalid',
    `allowedOrigins: ${origin} is not ${expected}; http is allowed for localhost. ` +
      'List each origin: there are no wildcards, since anyone may own a subdomain of some names.',
    { data: { parameters: ['allowedOrigins'] } },
  )
}
