import { SoukError } from '@souk/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem } from './json.ts'

/**
 * Returns a hook for an installation whose releases have their own origin: that host serves nothing else, and no
 * other host serves releases (ADR 284).
 */
export function separateMiniApps(miniAppsUrl: string) {
  const { host: miniAppsHost } = new URL(miniAppsUrl)

  return function checkHost(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    // By the route, since the router also decodes a path such as /%6dini/.
    const isRelease = /^\/(?:mini|local-pages)\//.test(request.routeOptions.url ?? '')
    if (isRelease === (request.headers.host === miniAppsHost)) done()
    else sendProblem(request, reply, new SoukError('route_unknown'))
  }
}
