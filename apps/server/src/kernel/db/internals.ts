// Everything in Souk that uses parts of postgres.js without types or documentation (ADR 6). internals.test.ts checks
// each.
import postgres from 'postgres'

/** A statement of postgres.js. When first awaited it passes itself to `handler`, which executes it. */
export interface Statement extends Promise<unknown> {
  handler: (statement: Statement) => void
  canceller: ((statement: Statement) => void) | null
  reject: (reason: unknown) => void
}

/** The options that postgres.js parsed from a URL. It uses them unchanged if they are passed to it again. */
export type ParsedOptions = postgres.ParsedOptions<{ bigint: number }> & { sslnegotiation?: unknown }

export type OnNotify = (channel: string, payload: string) => void

/** The parts of a socket that postgres.js uses for an open connection. */
interface OpenSocket {
  /** Must be `closed`, or postgres.js writes to the socket when it ends. */
  readyState: 'closed'
  on(event: string, listener: (bytes: Buffer) => void): unknown
  write(bytes: Buffer): boolean
  pause(): unknown
  resume(): unknown
  destroy(): unknown
}

/** Options without types: postgres.js becomes slow under load if it sends more than one statement at a time. */
export const poolOptions = { max_pipeline: 1, no_subscribe: true } as object

/** Makes `execute` run the statement instead of the postgres.js instance that created it. */
export function executeWith<T extends PromiseLike<unknown>>(statement: T, execute: (statement: Statement) => void): T {
  // Canceling would open a second socket.
  return Object.assign(statement, { handler: execute, canceller: null })
}

/** Creates an instance of postgres.js that has one connection, over a socket that is already open. */
export function openInstance(
  parsed: ParsedOptions,
  { host, port }: { host: string; port: number },
  socket: OpenSocket,
  onNotify: OnNotify | undefined,
): { sql: postgres.Sql; execute: (statement: Statement) => void } {
  const sql = postgres({
    ...parsed,
    max: 1,
    host: [host],
    port: [port],
    path: undefined,
    ssl: false,
    target_session_attrs: undefined,
    connect_timeout: 0,
    idle_timeout: 0,
    max_lifetime: 0,
    parameters: {},
    onnotify: onNotify,
    socket: () => socket,
    no_subscribe: true,
  } as object)
  return { sql, execute: (sql`` as unknown as Statement).handler }
}
