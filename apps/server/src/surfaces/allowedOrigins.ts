import { second } from '@souk/contract'
import type { FullContext } from '../domain/context.ts'
import { listAllowedOrigins } from '../domain/installation/index.ts'

/** Time after which a process reads the origins again. */
const maxAge = 10 * second

/** Returns the origins whose pages may call the host API and embed mini apps. */
export type ReadAllowedOrigins = () => Promise<readonly string[]>

/** Creates the reader of the platform settings' allowed origins, which the surfaces share. */
export function createAllowedOrigins(context: FullContext): ReadAllowedOrigins {
  let origins: Promise<readonly string[]> | undefined
  let readAt = 0
  const read = () => {
    readAt = context.clock.real()
    origins = listAllowedOrigins(context)
    // Read again with the next request.
    origins.catch(() => {
      origins = undefined
    })
    return origins
  }
  return () => (origins && context.clock.real() - readAt < maxAge ? origins : read())
}
