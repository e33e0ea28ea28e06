import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { minute, second } from '@souk/contract'
import type { Logger } from '../log.ts'
import { parseAddress } from './address.ts'
import { DatabaseAwayError } from './connection.ts'
import { type EmbeddedDatabase, findRunningDatabase, startEmbedded } from './embedded.ts'
import { lockDirectory } from './lock.ts'
import { connect, type Sql } from './pool.ts'
import { DatabaseStartError, DirectoryInUseError, orAborted } from './starting.ts'

export { DatabaseStartError, DirectoryInUseError }

export interface DatabaseOptions {
  /** The server's data directory; created if missing. The embedded database is in its folder `postgres`. */
  dataDir: string
  /** URL of a PostgreSQL to use instead of the embedded one. */
  databaseUrl?: string | undefined
  /** URL of a pooler in front of `databaseUrl`, which may be away longer than it. */
  pooledDatabaseUrl?: string | undefined
  log: Logger
  /** Called once if the database or the directory is lost permanently; the server should exit with code 1. */
  onLost: (reason: Error) => void
  /** Aborts the start. Once started, only `stop` stops the database. */
  signal?: AbortSignal | undefined
}

/** The database of a server, ready for queries, with the data directory locked for this process. */
export interface Database {
  /** URL for `connect`, `migrate` and graphile-worker. May contain a password; never log it. */
  url: string
  /** Unlocks the directory and stops the embedded database. Close the pools first. Can be called twice. */
  stop(): Promise<void>
}

/** The database of DATABASE_URL may be started together with the server. */
const startTimeout = minute

/**
 * Starts the embedded database, or waits for the one of `databaseUrl`, and locks the data directory.
 * @throws DatabaseStartError with a message for the operator, or its subclass DirectoryInUseError; the signal's reason
 */
export async function startDatabase(options: DatabaseOptions): Promise<Database> {
  const { dataDir, databaseUrl, pooledDatabaseUrl, log, onLost, signal } = options
  let lost = false
  const onLostOnce = (reason: Error) => {
    if (!lost) onLost(reason)
    lost = true
  }
  await mkdir(dataDir, { recursive: true })

  let embedded: EmbeddedDatabase | undefined
  if (databaseUrl) await waitForDatabase(databaseUrl, log, signal)
  else embedded = await startEmbedded({ directory: join(dataDir, 'postgres'), log, onLost: onLostOnce, signal })
  if (pooledDatabaseUrl) await waitForDatabase(pooledDatabaseUrl, log, signal, databaseUrl)

  const url = databaseUrl || embedded?.url || ''
  try {
    const lock = await lockDirectory(url, dataDir, log, onLostOnce, { isEmbedded: embedded !== undefined, signal })
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

/**
 * Opens the database of an installation for a command that runs beside its servers: the one of a running server, or the
 * embedded one, started for the command.
 * @throws DatabaseStartError with a message for the operator
 */
export async function openDatabase({
  dataDir,
  databaseUrl,
  log,
}: Pick<DatabaseOptions, 'dataDir' | 'databaseUrl' | 'log'>): Promise<Database> {
  if (databaseUrl) await waitForDatabase(databaseUrl, log, undefined)
  const running = databaseUrl || (await findRunningDatabase(join(dataDir, 'postgres')))
  if (running) return { url: running, stop: async () => {} }
  if (!existsSync(join(dataDir, 'postgres'))) {
    throw new DatabaseStartError(
      `${dataDir} has no database. Set SOUK_DATA_DIR to the data directory of the installation, or DATABASE_URL.`,
    )
  }
  return startDatabase({ dataDir, log, onLost: ({ message }) => log.error({ message }, 'database lost') })
}

/**
 * Waits until the database accepts connections. Rejects wrong passwords and names immediately. `directUrl` is the
 * database behind it if `url` is that of a pooler.
 */
async function waitForDatabase(
  url: string,
  log: Logger,
  signal: AbortSignal | undefined,
  directUrl?: string,
): Promise<void> {
  const { sql, hosts } = open(url, directUrl)
  const deadline = Date.now() + startTimeout
  try {
    for (let announced = false; ; announced = true) {
      try {
        await orAborted(sql`select`, signal)
        return
      } catch (error) {
        signal?.throwIfAborted()
        const { code = '', message } = error as { code?: string; message: string }
        // The codes mean that it is starting, or that all its connections are in use.
        const mayRecover = error instanceof DatabaseAwayError || ['57P03', '53300'].includes(code)
        if (!mayRecover) {
          const reason = `The database of DATABASE_URL (${hosts}) rejects the connection: ${message}.`
          const isPooler = message.startsWith('unsupported startup parameter')
          const advice =
            ' If it is a pooler such as PgBouncer, set SOUK_DIRECT_DATABASE_URL to the URL of PostgreSQL itself.'
          throw new DatabaseStartError(isPooler ? reason + advice : reason)
        }
        if (Date.now() > deadline) {
          const tried = `The database of DATABASE_URL (${hosts}) could not be reached within ${startTimeout / second} s`
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

/** Opens a pool. Error messages repeat nothing of the URL that may be part of the password. */
function open(url: string, directUrl: string | undefined): { sql: Sql; hosts: string } {
  const { hosts } = parseAddress(url) ?? {}
  try {
    if (hosts) return { sql: connect(url, { max: 1, directUrl }), hosts }
  } catch {
    // Reported below.
  }
  throw new DatabaseStartError(
    'DATABASE_URL must be a URL such as postgres://user:password@host:5432/database. Characters in the password like ' +
      '@, / and # must be written as %40, %2F and %23.',
  )
}
