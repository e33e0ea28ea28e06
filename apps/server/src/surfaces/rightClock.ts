import { consoleOperations, opsOperations, SoukError, second } from '@souk/contract'
import type { onRequestHookHandler } from 'fastify'
import type { FullContext } from '../domain/context.ts'

const reason = 'The clock of this process is wrong, so it handles no requests until that is corrected.'
/** Paths that are answered: health, metrics, and the checks of the installation, which name the cause. */
const answered = new Set([...Object.values(opsOperations), consoleOperations.examine].map(({ path }) => path as string))
/** Clients may repeat a request that was refused because of the clock after this time, ms. */
const retryAfter = 10 * second

/**
 * Refuses requests while the clock is wrong: neither what has expired is known, nor is a time right that is written.
 */
export function requireRightClock(context: Pick<FullContext, 'clock'>): onRequestHookHandler {
  return (request, _reply, done) => {
    if (!context.clock.isWrong() || answered.has(request.routeOptions.url ?? '')) done()
    // The difference is in the log and at /readyz; clients do not need it.
    else done(new SoukError('unavailable', reason, { data: { retryAfter: retryAfter / second } }))
  }
}
