import { setTimeout as wait } from 'node:timers/promises'
import { second } from '@souk/contract'
import { DatabaseAwayError } from './connection.ts'
import type { Sql } from './pool.ts'

/** Maximum duration of a check, ms. */
const timeout = 2 * second
/** Time for which a successful write counts, so that frequent checks do not cost a commit each, ms. */
const validity = 5 * second
/** Bytes of a row that fills a page, so that the database must find or add one: on a full disk, it cannot. */
const fillerSize = 8000

/**
 * Returns a function that checks that this process can write to the database, with a connection of its pool. It rejects
 * after two seconds at most. A successful check counts for five seconds, so a process writes at most that often.
 */
export function createWriteProbe(sql: Sql): () => Promise<void> {
  let writtenAt = Number.NEGATIVE_INFINITY
  let writing: Promise<void> | undefined

  async function write(): Promise<void> {
    try {
      await commitNothing(sql)
      writtenAt = performance.now()
    } finally {
      writing = undefined
    }
  }

  return async () => {
    if (performance.now() < writtenAt + validity) return
    writing ??= write()
    const timer = new AbortController()
    const tooLate = wait(timeout, undefined, { signal: timer.signal }).then(() => {
      throw new DatabaseAwayError('CONNECTION_TIMEOUT', `the database did not commit within ${timeout / second} s`)
    })
    try {
      await Promise.race([writing, tooLate])
    } finally {
      timer.abort()
      tooLate.catch(() => {})
    }
  }
}

/**
 * Commits a transaction that leaves no row behind. The row that it takes back needs a page; the message needs a
 * transaction id, and so a commit on disk and on synchronous standbys.
 */
async function commitNothing(sql: Sql): Promise<void> {
  const statements = `
    savepoint page;
    insert into write_probes (filler) values (repeat('x', ${fillerSize}));
    rollback to page;
    select pg_logical_emit_message(true, 'souk', 'write probe')`
  await sql.begin((tx) => tx.unsafe(statements), { statementLimit: timeout })
}
