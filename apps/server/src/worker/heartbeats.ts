import { setTimeout as wait } from 'node:timers/promises'
import { second } from '@souk/contract'
import type { Sql } from '../kernel/db/pool.ts'
import type { Logger } from '../kernel/log.ts'
import type { Pool } from './pool.ts'

interface HeartbeatOptions {
  sql: Sql
  pool: Pick<Pool, 'id' | 'followDatabase'>
  log: Logger
  /** Interval in ms. */
  heartbeat: number
  /** ms */
  deadAfter: number
}

/** Interval of attempts while the database is down, ms. */
const retryDelay = second

/**
 * Writes heartbeats of this process and unlocks the jobs of dead ones; graphile-worker itself does so after four hours.
 * All times are the database's, so that the clocks of servers do not matter.
 */
export function startHeartbeats({ sql, pool, log, heartbeat, deadAfter }: HeartbeatOptions): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let lastBeat = Number.NEGATIVE_INFINITY
  let steadySince = Number.POSITIVE_INFINITY

  async function beat(): Promise<void> {
    const now = Date.now()
    // After an outage or a sleep of the machine all servers look dead. Give them time for a heartbeat first, and start
    // again if the clock was set back.
    if (Math.abs(now - lastBeat) > deadAfter || steadySince === Number.POSITIVE_INFINITY) steadySince = now
    const dead = await writeHeartbeat(pool.id(), now - steadySince >= deadAfter)
    lastBeat = now
    if (dead.length === 0) return
    await sql`select graphile_worker.force_unlock_workers(${dead})`
    log.warn({ pools: dead }, 'workers died; their jobs are run again')
  }

  /** Returns the dead workers that hold jobs, if `isSteady`. One statement, as a server at rest runs little else. */
  async function writeHeartbeat(own: string, isSteady: boolean): Promise<string[]> {
    const rows = await sql<{ pool: string }[]>`
      with beat as (
        insert into worker_heartbeats (pool_id, beat_at) values (${own}, now())
        on conflict (pool_id) do update set beat_at = excluded.beat_at
      ), living as (
        select pool_id from worker_heartbeats where beat_at >= now() - ${deadAfter} * interval '1 millisecond'
      ), deleted as (
        delete from worker_heartbeats
        where ${isSteady} and pool_id <> ${own} and beat_at < now() - ${deadAfter} * interval '1 millisecond'
      )
      select distinct locked_by as pool from graphile_worker.jobs
      where ${isSteady} and locked_by <> ${own} and locked_at < now() - ${deadAfter} * interval '1 millisecond'
        and locked_by not in (select pool_id from living)`
    return rows.map((row) => row.pool)
  }

  async function beatUntilStopped(): Promise<void> {
    let healthy = true
    while (!stopping.signal.aborted) {
      try {
        await beat()
        if (!healthy) await pool.followDatabase()
        healthy = true
      } catch (error) {
        if (healthy) log.warn({ reason: (error as Error).message }, 'the worker cannot reach the database')
        healthy = false
        steadySince = Number.POSITIVE_INFINITY
      }
      const delay = healthy ? heartbeat : Math.min(heartbeat, retryDelay)
      await wait(delay, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const beating = beatUntilStopped()

  return {
    async stop() {
      stopping.abort()
      await beating
      await sql`delete from worker_heartbeats where pool_id = ${pool.id()}`
    },
  }
}
