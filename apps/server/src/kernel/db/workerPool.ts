import pg from 'pg'
import { keepAliveInitialDelay, openTimeout, settingsOption } from './connection.ts'
import { deadlineOf, defaultLimits, type SessionLimits, sessionParameters } from './limits.ts'

/** A client of graphile-worker whose connection ends if the database does not answer a statement in time. */
class LimitedClient extends pg.Client {
  override query = ((...parameters: Parameters<pg.Client['query']>) => {
    const result = super.query(...parameters) as unknown
    if (result instanceof Promise) result.catch((error: Error) => this.#endUnlessAnswered(error))
    return result
  }) as unknown as pg.Client['query']

  /** Ends the connection: the driver would otherwise send the next statement after one without an answer. */
  #endUnlessAnswered(error: Error): void {
    if (!(error instanceof pg.DatabaseError)) this.connection.stream.destroy(error)
  }
}

export interface WorkerPoolOptions {
  max: number
  limits?: SessionLimits
  /** Receives errors of connections, which are replaced. */
  onError: (error: Error) => void
}

/** Returns the options of the driver for a connection with limits. */
export function clientOptions(limits: SessionLimits): pg.ClientConfig {
  return {
    options: settingsOption(sessionParameters(limits)),
    query_timeout: deadlineOf(limits.statement),
    connectionTimeoutMillis: openTimeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveInitialDelay,
  }
}

/**
 * Opens a pool for graphile-worker whose errors are always handled. graphile-worker removes the error listeners of its
 * own pool before closing the connections, so a connection that breaks in between would end the process.
 */
export function openWorkerPool(url: string, { max, limits = defaultLimits, onError }: WorkerPoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...clientOptions(limits),
    Client: LimitedClient,
    connectionString: url,
    application_name: 'souk worker jobs',
    max,
    // Kept, because a full database would not give them back.
    idleTimeoutMillis: 0,
  })
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}
