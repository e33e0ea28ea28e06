import { setTimeout as wait } from 'node:timers/promises'
import { second } from '@souk/contract'
import type { FastifyInstance } from 'fastify'
import { type Config, ConfigError } from '../config.ts'
import { createHttpServer } from '../surfaces/index.ts'

/** Time for requests in progress when the server stops, ms. */
const drainTimeout = 10 * second

/** Serves HTTP. @throws ConfigError if the server cannot listen on the host and port */
export async function startServer(
  config: Config,
  parts: Pick<Parameters<typeof createHttpServer>[0], 'context' | 'requestLog' | 'live' | 'draining'>,
): Promise<FastifyInstance> {
  const server = await createHttpServer({
    ...parts,
    rateLimit: config.rateLimit,
    openApiAlways200: config.openApiAlways200,
    openApi2023: config.openApi2023,
    trustProxy: config.trustProxy,
    allowedHosts: config.allowedHosts,
    connections: {
      max: config.maxConnections,
      requestTimeout: config.requestTimeout * second,
      idleTimeout: config.idleTimeout * second,
    },
    onlyOps: config.role === 'worker',
  })
  await server.listen({ host: config.host, port: config.port }).catch((error: NodeJS.ErrnoException) => {
    const reason = explainListenError(config, error)
    throw reason === undefined ? error : new ConfigError(reason)
  })
  return server
}

function explainListenError({ host, port }: Config, { code }: NodeJS.ErrnoException): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use. Stop the process that uses it, or set PORT to another one.`
    case 'EACCES':
      return `The user who runs Souk may not use port ${port}. Set PORT to 1024 or higher.`
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `This machine does not have the address ${host}. Set HOST to one of its addresses, or to 0.0.0.0 for all.`
    default:
      return undefined
  }
}

/**
 * Stops listening after `delay` s, in which load balancers notice that `/readyz` responds with 503, and waits for the
 * requests in progress.
 */
export async function stopServing(server: FastifyInstance, delay: number): Promise<void> {
  await wait(delay * second)
  // Requests that hang must not prevent a clean stop of the database.
  const limit = setTimeout(() => server.server.closeAllConnections(), drainTimeout).unref()
  await server.close()
  clearTimeout(limit)
}
