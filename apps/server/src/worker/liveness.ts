import { setTimeout as wait } from 'node:timers/promises'
import type { Sql } from '../kernel/db/pool.ts'
import type { Logger } from '../kernel/log.ts'
import type { Pool } from './pool.ts'

export interface LivenessOptions {
  sql: Sql
  pool: Pick<Pool, 'id' | 'followDatabase'>
  log: Logger
  /** ms */
  beat: number
  /** ms */
  silence: number
}

/**
 * Writes this process's sign of life and sets free what dead ones have locked. graphile-worker itself does that after four
 * hours. All times are the database's, so servers need not agree on the time.
 */
export function startLiveness({ sql, pool, log, beat, silence }: LivenessOptions): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let lastBeat = Number.NEGATIVE_INFINITY
  let steadySince = Number.POSITIVE_INFINITY

  async function attend(): Promise<void> {
    await sql`
      insert into worker_heartbeats (pool_id, beat_at) values (${pool.id()}, now())
      on conflict (pool_id) do update set beat_at = excluded.beat_at`
    const now = Date.now()
    // After an outage or a sleep of the machine all servers look dead. The others get their time to beat again first.
    if (now - lastBeat > silence || steadySince === Number.POSITIVE_INFINITY) steadySince = now
    lastBeat = now
    if (now - steadySince >= silence) await freeJobsOfTheDead()
  }

  async function freeJobsOfTheDead(): Promise<void> {
    await sql`delete from worker_heartbeats where beat_at < now() - ${silence} * interval '1 millisecond'`
    const dead = await sql<{ pool: string }[]>`
      select distinct locked_by as pool from graphile_worker.jobs
      where locked_at < now() - ${silence} * interval '1 millisecond'
        and locked_by not in (select pool_id from worker_heartbeats)`
    if (dead.length === 0) return
    const pools = dead.map((row) => row.pool)
    await sql`select graphile_worker.force_unlock_workers(${pools})`
    log.warn({ pools }, 'workers fell silent; their jobs are run again')
  }

  async function beatUntilStopped(): Promise<void> {
    let healthy = true
    while (!stopping.signal.aborted) {
      try {
        await attend()
        if (!healthy) await pool.followDatabase()
        healthy = true
      } catch (error) {
        if (healthy) log.warn({ reason: (error as Error).message }, 'the worker cannot reach the database')
        healthy = false
        steadySince = Number.POSITIVE_INFINITY
      }
      await wait(beat, undefined, { signal: stopping.signal }).catch(() => {})
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
