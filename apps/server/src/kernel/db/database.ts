import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../log.ts'
import { DatabaseAwayError } from './connection.ts'
import { type EmbeddedDatabase, startEmbedded } from './embedded.ts'
import { lockDirectory } from './lock.ts'
import { connect, type Sql } from './pool.ts'
import { DatabaseStartError, DirectoryInUseError, orAborted } from './starting.ts'

export { DatabaseStartError, DirectoryInUseError }

export interface DatabaseOptions {
  /** The server's data directory; created if it is missing. The embedded database lives in its folder `postgres`. */
  dataDir: string
  /** A PostgreSQL to use in place of the embedded one. */
  databaseUrl?: string | undefined
  log: Logger
  /** Called once, when the database or the directory is lost for good: the server had better end, with an exit code of 1. */
  onLost: (reason: Error) => void
  /** Gives the start up. The database that has been started is stopped by `stop` alone. */
  signal?: AbortSignal | undefined
}

/** The database of one server, ready for queries, and the directory locked for this process. */
export interface Database {
  /** For `connect`, `migrate` and graphile-worker. It may hold a password: never to be logged. */
  url: string
  /** Gives the directory up and stops the embedded database. Close the pools first. May be called twice. */
  stop(): Promise<void>
}

/** How long a database of one's own may take to come up, as when both are started together. */
const PATIENCE_MS = 60_000

/**
 * Makes the database of a server available.
 * @throws DatabaseStartError with a message for the operator, of the kind DirectoryInUseError when another server runs on the
 * directory; the signal's reason.
 */
export async function startDatabase({ dataDir, databaseUrl, log, onLost, signal }: DatabaseOptions): Promise<Database> {
  let lost = false
  const loseOnce = (reason: Error) => {
    if (!lost) onLost(reason)
    lost = true
  }
  await mkdir(dataDir, { recursive: true })

  let embedded: EmbeddedDatabase | undefined
  if (databaseUrl) await acceptsConnections(databaseUrl, log, signal)
  else embedded = await startEmbedded({ directory: join(dataDir, 'postgres'), log, onLost: loseOnce, signal })

  const url = databaseUrl || embedded?.url || ''
  try {
    const lock = await lockDirectory(url, dataDir, log, loseOnce, signal)
    return {
      url,
      async stop() {
        lost = true
        await lock.release()
        await embedded?.stop()
      },
    }
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

/** Waits for a database that is not up yet. A wrong password or name is an error at once. */
async function acceptsConnections(url: string, log: Logger, signal: AbortSignal | undefined): Promise<void> {
  const { sql, hosts } = open(url)
  const deadline = Date.now() + PATIENCE_MS
  try {
    for (let announced = false; ; announced = true) {
      try {
        await orAborted(sql`select`, signal)
        return
      } catch (error) {
        signal?.throwIfAborted()
        const { code = '', message } = error as { code?: string; message: string }
        // The latter two while it starts and while all its connections are taken.
        const comingUp = error instanceof DatabaseAwayError || ['57P03', '53300'].includes(code)
        if (!comingUp) throw new DatabaseStartError(`The database of DATABASE_URL (${hosts}) refuses: ${message}.`)
        if (Date.now() > deadline) {
          const tried = `The database of DATABASE_URL (${hosts}) could not be reached within ${PATIENCE_MS / 1000} s`
          throw new DatabaseStartError(`${tried}: ${message}.`)
        }
        if (!announced) log.warn({ hosts, code, reason: message }, 'waiting for the database of DATABASE_URL')
        await orAborted(wait(250), signal)
      }
    }
  } finally {
    await sql.end({ timeout: 0 })
  }
}

/** The password must not show, so nothing of a URL is repeated that may be a piece of it. */
function open(url: string): { sql: Sql; hosts: string } {
  const [, hosts] = /^postgres(?:ql)?:\/\/(?:[^@/?#\s]*@)?([^@/?#\s]+)(?:\/[^@?#]*)?(?:\?[^@]*)?$/i.exec(url) ?? []
  try {
    if (hosts) return { sql: connect(url, { max: 1 }), hosts }
  } catch {
    // Told below.
  }
  throw new DatabaseStartError(
    'DATABASE_URL must be an address such as postgres://user:password@host:5432/database. Characters in the password like ' +
      '@, / and # are written as %40, %2F and %23.',
  )
}
