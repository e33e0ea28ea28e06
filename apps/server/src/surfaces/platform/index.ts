import { type Operation, platformOperations } from '@souk/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ConsoleCaller, nameOf } from '../../domain/caller.ts'
import type { FullContext } from '../../domain/context.ts'
import { exportRecords } from '../../domain/miniApps/index.ts'
import { admit } from '../access.ts'
import { type Exports, registerExport } from '../exports.ts'
import { registerJsonSurface } from '../json.ts'
import { acceptJson } from '../jsonBody.ts'
import { createRateLimit } from '../rateLimit.ts'
import type { SharedCounts } from '../sharedCounts.ts'
import { platformCaller } from './caller.ts'
import { handlers } from './handlers.ts'

/** The dependencies of the platform data API. */
export interface PlatformSurfaceOptions {
  context: FullContext
  counts: SharedCounts
  exports: Exports
  /** Requests per second of an account; 0 disables the limit. */
  rateLimit: number
}

/** Creates the platform data API (`/api/v1`, open-api §4.2): JSON, with an API key or a token. */
export function platformSurface({ context, counts, exports, rateLimit }: PlatformSurfaceOptions) {
  const withinLimit = createRateLimit({
    counts,
    scope: 'platform',
    policy: 'account',
    perSecond: rateLimit,
    clock: context.clock,
  })

  async function authenticate(request: FastifyRequest, _operation: Operation, reply: FastifyReply) {
    const caller = await platformCaller(context, request, reply)
    // After authentication, so that others cannot use up an account's limit.
    await withinLimit(nameOf(caller), reply)
    return caller
  }

  return async function register(server: FastifyInstance): Promise<void> {
    server.addHook('onRequest', (_request, reply, done) => {
      reply.header('Cache-Control', 'no-store')
      done()
    })
    // An example in open-api sends `Content-Type: application/json` with requests that have no body.
    server.removeContentTypeParser('application/json')
    acceptJson(server, { isEmptyAllowed: true })

    registerJsonSurface<ConsoleCaller>(server, {
      context,
      operations: platformOperations,
      handlers,
      authenticate,
      admit: (caller, operation, input) => admit(context, caller, operation, input),
    })

    registerExport(server, {
      context,
      exports,
      operation: platformOperations.exportRecords,
      authenticate,
      start: (caller, input) => exportRecords(context, caller, input),
    })
  }
}
