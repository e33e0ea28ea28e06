import { Readable } from 'node:stream'
import type { Sql, Tx } from './pool.ts'

export interface CopyOutOptions {
  /** What each line ends with, in place of PostgreSQL's line feed. */
  lineEnd: '\n' | '\r\n'
  /** How long the reader may take nothing at all before the query is ended, ms. Default a minute. */
  patience?: number
}

/** Lines are gathered into chunks of this size, bytes: one write per line would cost more than the line. */
const CHUNK = 64 * 1024

/**
 * Streams what a `copy (…) to stdout` gives, with no more than a few chunks in memory: when the reader is slow, PostgreSQL
 * waits. `statementIn` prepares the transaction (which only reads, all of it as of one moment) and gives the statement.
 *
 * Resolves once PostgreSQL has begun to answer; what is wrong with the statement rejects. The stream ends as the query does,
 * or fails with it. Destroying the stream cancels the query. Until then it holds a connection.
 */
export async function copyOut(
  sql: Sql,
  statementIn: (tx: Tx) => Promise<string>,
  { lineEnd, patience = 60_000 }: CopyOutOptions,
): Promise<Readable> {
  const begun = Promise.withResolvers<Readable>()
  let out: Readable | undefined
  sql
    .begin(async (tx) => {
      await tx`set transaction isolation level repeatable read read only`
      const statement = await statementIn(tx)
      const [{ pid }] = await tx<[{ pid: number }]>`select pg_backend_pid() as pid`
      const source = await tx.unsafe(statement).readable()
      const cancel = () => sql`select pg_cancel_backend(${pid})`
      const gathered = gather(source, { lineEnd, patience, cancel })
      out = gathered.out
      begun.resolve(out)
      await gathered.done
    })
    .catch((error: unknown) => {
      begun.reject(error)
      out?.destroy(error as Error)
    })
  return begun.promise
}

/** `done` resolves when PostgreSQL has said everything, and rejects where it ended with an error: then it takes the rollback. */
function gather(
  source: Readable,
  { lineEnd, patience, cancel }: Required<CopyOutOptions> & { cancel: () => Promise<unknown> },
): { out: Readable; done: Promise<void> } {
  const done = Promise.withResolvers<void>()
  let chunk = Buffer.allocUnsafeSlow(CHUNK)
  let used = 0
  let ended = false
  let canceled: Promise<unknown> | undefined
  let waiting: NodeJS.Timeout | undefined

  const out = new Readable({
    highWaterMark: 4 * CHUNK,
    read() {
      clearTimeout(waiting)
      source.resume()
    },
    destroy(error, callback) {
      clearTimeout(waiting)
      if (!ended) {
        canceled ??= cancel().catch(() => {})
        // A query that cannot get rid of its lines does not notice that it was canceled.
        source.resume()
      }
      callback(error)
    },
  })

  // Whoever begins to read later learns of it too; until then it is nobody's.
  out.on('error', () => {})

  // A cancellation under way may not meet the next transaction of this connection.
  const afterCancel = (settle: () => void) => void (canceled ?? Promise.resolve()).then(settle)
  // The last lines and the end may have come together while the socket was to pause. postgres.js lets it pause for ever then,
  // since nobody reads a stream that has ended, and what comes next, the end of the query, would not be heard.
  const hearOn = () => source._read(0)
  const hand = (bytes: Buffer) => {
    if (out.destroyed || out.push(bytes)) return
    source.pause()
    waiting = setTimeout(() => out.destroy(new Error('the reader of an export has stopped reading')), patience).unref()
  }
  const flush = () => {
    if (used === 0) return
    hand(chunk.subarray(0, used))
    chunk = Buffer.allocUnsafeSlow(CHUNK)
    used = 0
  }

  // PostgreSQL sends each line as one message, with its line feed.
  source.on('data', (line: Buffer) => {
    if (out.destroyed) return
    const length = line.length + lineEnd.length - 1
    if (used + length > CHUNK) flush()
    if (length > CHUNK) return hand(Buffer.concat([line.subarray(0, -1), Buffer.from(lineEnd)]))
    used += line.copy(chunk, used, 0, line.length - 1)
    used += chunk.write(lineEnd, used, 'latin1')
  })
  source.on('end', () => {
    ended = true
    hearOn()
    flush()
    out.push(null)
    afterCancel(() => done.resolve())
  })
  source.on('error', (error: Error) => {
    ended = true
    if (!out.destroyed) out.destroy(error)
    hearOn()
    afterCancel(() => done.reject(error))
  })
  return { out, done: done.promise }
}
