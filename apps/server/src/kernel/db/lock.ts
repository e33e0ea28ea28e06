import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../log.ts'
import { connect, type Sql } from './pool.ts'
import { DirectoryInUseError, orAborted } from './starting.ts'

/** The first key of all advisory locks of Souk, "SOUK" in ASCII, to avoid collisions with other programs. */
export const lockClass = 0x534f554b

export interface DirectoryLock {
  release(): Promise<void>
}

/**
 * Locks the data directory for this process with a session advisory lock, which ends with the process in any case (ADR
 * 3). After a lost connection it takes the lock again, and calls `onLost` if another server was faster.
 * @throws DirectoryInUseError naming the holder; the signal's reason
 */
export async function lockDirectory(
  url: string,
  dataDir: string,
  log: Logger,
  onLost: (reason: Error) => void,
  signal?: AbortSignal,
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
    onClose() {
      if (released || !held) return
      held = false
      void takeAgain()
    },
  })

  async function take(): Promise<void> {
    const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${lockClass}, ${key}) as taken`
    if (!row?.taken) throw new DirectoryInUseError(`${await holder(sql, key)} uses ${realpathSync(dataDir)}.`)
    held = true
  }

  async function takeAgain(): Promise<void> {
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

  try {
    await orAborted(take(), signal)
  } catch (error) {
    released = true
    await sql.end({ timeout: 0 })
    throw error
  }
  return {
    async release() {
      released = true
      await sql.end({ timeout: 1 })
    },
  }
}

async function holder(sql: Sql, key: number): Promise<string> {
  const [row] = await sql<{ name: string }[]>`
    select application_name as name
    from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and classid = ${lockClass} and objid = ${key >>> 0} and granted`
  return `Another Souk server (${row?.name ?? 'just stopped'})`
}
