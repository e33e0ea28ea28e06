import { second } from '@souk/contract'
import type { Context } from '../../domain/context.ts'
import { getPlatformSettings } from '../../domain/platformSettings/index.ts'

/** Time after which a process reads the origins again. */
const maxAge = 10 * second

/** Returns a function that says whether pages of an origin may call the host API. */
export function createOriginCheck(context: Context): (origin: string | undefined) => Promise<boolean> {
  let origins: Promise<readonly string[]> | undefined
  let readAt = 0
  const read = () => {
    readAt = context.clock.real()
    origins = getPlatformSettings(context).then(({ allowedOrigins }) => allowedOrigins)
    // Read again with the next request.
    origins.catch(() => {
      origins = undefined
    })
    return origins
  }
  return async function isAllowed(origin) {
    if (origin === undefined) return false
    const known = origins && context.clock.real() - readAt < maxAge ? origins : read()
    return (await known).includes(origin)
  }
}
