import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { second } from '@souk/contract'
import type { Logger } from '../log.ts'
import { heartbeatLimits } from './limits.ts'
import { connect, type Sql } from './pool.ts'
import { DirectoryInUseError, orAborted } from './starting.ts'

/** The first key of all advisory locks of Souk, "SOUK" in ASCII, to avoid collisions with other programs. */
export const lockClass = 0x534f554b

export interface DirectoryLock {
  release(): Promise<void>
}

/** Interval of heartbeats of the holder, ms. */
const heartbeatInterval = 4 * second
/** Time without a heartbeat after which the holder counts as dead, ms by the database's clock. */
const deadAfter = 10 * second
/** The statement that is a heartbeat. Holders that do not send it are never replaced. */
const heartbeat = "select 'heartbeat of the data directory'"

/** The session that holds a lock. */
interface Holder {
  pid: number
  /** `application_name` of the connection. */
  name: string
  /** Time since its last heartbeat, ms; null if it has sent none. */
  silence: number | null
}

/**
 * Locks the data directory for this process with a session advisory lock, which ends with the process in any case (ADR
 * 4). A holder whose heartbeats end, because its machine died without closing its connection, is replaced (ADR 4).
 * After a lost connection it takes the lock again, and calls `onLost` if another server was faster.
 * @param isEmbedded true if the database is on this machine, and ends with it: then there are no heartbeats
 * @throws DirectoryInUseError naming the holder; the signal's reason
 */
export async function lockDirectory(
  url: string,
  dataDir: string,
  log: Logger,
  onLost: (reason: Error) => void,
  { isEmbedded = false, signal }: { isEmbedded?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<DirectoryLock> {
  const key = createHash('sha256')
    .update(`${hostname()}\0${realpathSync(dataDir)}`)
    .digest()
    .readInt32BE()
  let released = false
  let held = false

  const sql = connect(url, {
    max: 1,
    applicationName: `souk server, process ${process.pid} on ${hostname()}`,
    limits: heartbeatLimits,
    log,
    onClose() {
      if (released || !held) return
      held = false
      void relock()
    },
  })

  async function take(): Promise<void> {
    for (let previous: Holder | undefined; ; ) {
      const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${lockClass}, ${key}) as taken`
      if (row?.taken) break
      const holder = await findHolder(sql, key)
      if (holder) await replaceOrReject(holder, previous)
      previous = holder
      await wait(200)
    }
    held = true
    if (!isEmbedded) await sql.unsafe(heartbeat)
  }

  /** Ends the session of a dead holder. @throws DirectoryInUseError if the holder is alive */
  async function replaceOrReject({ pid, name, silence }: Holder, previous: Holder | undefined): Promise<void> {
    const hasSpoken = previous !== undefined && (previous.pid !== pid || (silence ?? 0) < (previous.silence ?? 0))
    if (silence === null || hasSpoken)
      throw new DirectoryInUseError(`Another Souk server (${name}) uses ${realpathSync(dataDir)}.`)
    if (silence < deadAfter) return
    log.warn({ holder: name, silence }, 'the server that locked the data directory is dead; replacing it')
    await sql`select pg_terminate_backend(${pid})`
  }

  async function relock(): Promise<void> {
    while (!released) {
      try {
        await take()
        log.info({}, 'locked the data directory again')
        return
      } catch (error) {
        if (error instanceof DirectoryInUseError) return onLost(error)
        await wait(200)
      }
    }
  }

  const beating = setInterval(() => {
    if (held && !isEmbedded) sql.unsafe(heartbeat).catch(() => {})
  }, heartbeatInterval).unref()

  try {
    await orAborted(take(), signal)
  } catch (error) {
    released = true
    clearInterval(beating)
    await sql.end({ timeout: 0 })
    throw error
  }
  return {
    async release() {
      released = true
      clearInterval(beating)
      await sql.end({ timeout: 1 })
    },
  }
}

async function findHolder(sql: Sql, key: number): Promise<Holder | undefined> {
  const [holder] = await sql<Holder[]>`
    select pid, application_name as name,
      case when query = ${heartbeat}
        then (extract(epoch from clock_timestamp() - state_change) * 1000)::float8 end as silence
    from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and classid = ${lockClass} and objid = ${key >>> 0} and granted
      and pg_locks.database = (select oid from pg_database where datname = current_database())`
  return holder
}
