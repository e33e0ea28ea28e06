import { Readable } from 'node:stream'
import { minute } from '@souk/contract'
import type { CopyOut } from './copy.ts'
import type { Sql, Tx } from './pool.ts'

export interface CopyOutOptions {
  /** Replaces PostgreSQL's line feed. */
  lineEnd: '\n' | '\r\n'
  /** Ends the query if the reader reads nothing for this time, ms. Default: one minute. */
  readTimeout?: number
}

/**
 * Options of a `copy … to stdout` whose only column is JSON: it escapes control characters, so that its lines stay
 * unchanged with these as delimiter and quote.
 */
export const verbatimLines = `format csv, delimiter E'\\x01', quote E'\\x02'`

/** Lines are collected into chunks of this size in bytes, because a write per line costs too much. */
const chunkSize = 64 * 1024

/**
 * Streams the result of a `copy (…) to stdout` with only a few chunks in memory: if the reader is slow, PostgreSQL
 * waits. `prepare` receives the transaction (read-only, one snapshot) and returns the statement.
 *
 * Resolves when the result starts; rejects if the statement is not valid. The stream ends or fails with the query.
 * Destroying the stream cancels the query. The stream occupies a connection until it ends.
 */
export async function copyOut(
  sql: Sql,
  prepare: (tx: Tx) => Promise<string>,
  { lineEnd, readTimeout = minute }: CopyOutOptions,
): Promise<Readable> {
  const started = Promise.withResolvers<Readable>()
  let out: Readable | undefined
  sql
    .begin(
      async (tx) => {
        await tx.unsafe(
          `set transaction isolation level repeatable read read only;
        set local idle_in_transaction_session_timeout = ${2 * readTimeout}`,
        )
        const statement = await prepare(tx)
        const [{ pid }] = await tx<[{ pid: number }]>`select pg_backend_pid() as pid`
        const cancel = () => sql`select pg_cancel_backend(${pid})`
        const copy = (onRow: (row: Buffer) => void) => tx.copyOut(statement, onRow)
        const chunks = collectChunks(copy, { lineEnd, readTimeout, cancel })
        await chunks.started
        out = chunks.out
        started.resolve(out)
        await chunks.done
      },
      { statementLimit: 0 },
    )
    .catch((error: unknown) => {
      started.reject(error)
      out?.destroy(error as Error)
    })
  return started.promise
}

/** Collects rows into chunks. `done` resolves when the query has ended, and rejects if it failed. */
function collectChunks(
  copy: (onRow: (row: Buffer) => void) => CopyOut,
  { lineEnd, readTimeout, cancel }: Required<CopyOutOptions> & { cancel: () => Promise<unknown> },
): { out: Readable; started: Promise<void>; done: Promise<void> } {
  let chunk = Buffer.allocUnsafeSlow(chunkSize)
  let used = 0
  let ended = false
  let canceled: Promise<unknown> | undefined
  let waiting: NodeJS.Timeout | undefined

  const out = new Readable({
    highWaterMark: 4 * chunkSize,
    read() {
      clearTimeout(waiting)
      source.resume()
    },
    destroy(error, callback) {
      clearTimeout(waiting)
      if (!ended) {
        canceled ??= cancel().catch(() => {})
        // A query that is blocked on writing does not notice that it was canceled.
        source.resume()
      }
      callback(error)
    },
  })

  // A reader that starts later still receives the error.
  out.on('error', () => {})

  const push = (bytes: Buffer) => {
    if (out.destroyed || out.push(bytes)) return
    source.pause()
    // A long line comes with the chunk before it: two pushes, one read.
    clearTimeout(waiting)
    waiting = setTimeout(() => out.destroy(new Error('the reader of an export stopped reading')), readTimeout).unref()
  }
  const flush = () => {
    if (used === 0) return
    push(chunk.subarray(0, used))
    chunk = Buffer.allocUnsafeSlow(chunkSize)
    used = 0
  }

  const source = copy((line) => {
    if (out.destroyed) return
    const length = line.length + lineEnd.length - 1
    if (used + length > chunkSize) flush()
    if (length > chunkSize) return push(Buffer.concat([line.subarray(0, -1), Buffer.from(lineEnd)]))
    used += line.copy(chunk, used, 0, line.length - 1)
    used += chunk.write(lineEnd, used, 'latin1')
  })
  const done = source.done.then(
    async () => {
      ended = true
      flush()
      out.push(null)
      // A pending cancellation must not hit the next transaction of this connection.
      await canceled
    },
    async (error: Error) => {
      ended = true
      if (!out.destroyed) out.destroy(error)
      await canceled
      throw error
    },
  )
  done.catch(() => {})
  return { out, started: source.started, done }
}
