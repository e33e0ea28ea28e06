import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../log.ts'
import { DirectoryInUseError, type EmbeddedDatabase, startEmbedded } from './embedded.ts'
import { lockDirectory } from './lock.ts'
import { connect } from './pool.ts'

export { DirectoryInUseError }

export interface DatabaseOptions {
  /** The server's data directory; created if it is missing. The embedded database lives in its folder `postgres`. */
  dataDir: string
  /** A PostgreSQL to use in place of the embedded one. */
  databaseUrl?: string | undefined
  log: Logger
  /** Called once, when the database or the directory is lost for good: the server had better end, with an exit code of 1. */
  onLost: (reason: Error) => void
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
 * @throws DirectoryInUseError when another server runs on the directory: its message is fit for the operator.
 */
export async function startDatabase({ dataDir, databaseUrl, log, onLost }: DatabaseOptions): Promise<Database> {
  let lost = false
  const loseOnce = (reason: Error) => {
    if (!lost) onLost(reason)
    lost = true
  }
  await mkdir(dataDir, { recursive: true })

  let embedded: EmbeddedDatabase | undefined
  if (databaseUrl) await acceptsConnections(databaseUrl, log)
  else embedded = await startEmbedded({ directory: join(dataDir, 'postgres'), log, onLost: loseOnce })

  const url = databaseUrl || embedded?.url || ''
  try {
    const lock = await lockDirectory(url, dataDir, log, loseOnce)
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
async function acceptsConnections(url: string, log: Logger): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  const sql = connect(url, { max: 1 })
  try {
    for (let announced = false; ; announced = true) {
      try {
        await sql`select 1`
        return
      } catch (error) {
        const { code } = error as { code?: string }
        const comingUp = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CONNECT_TIMEOUT', 'CONNECTION_CLOSED', '57P03']
        if (!comingUp.includes(code ?? '') || Date.now() > deadline) throw error
        if (!announced) log.warn({ code }, 'waiting for the database')
        await wait(250)
      }
    }
  } finally {
    await sql.end({ timeout: 1 })
  }
}
