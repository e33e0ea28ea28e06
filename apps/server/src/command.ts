import type { Config } from './config.ts'
import { connect, type Sql } from './kernel/db/pool.ts'
import type { Logger } from './kernel/log.ts'
import type { ProgressLine } from './terminal.ts'

/** Environment of a command that runs on the installation's machine. */
export interface Command {
  config: Config
  progress: ProgressLine
  log: Logger
  /** Prints the result: JSON, or the sentences. */
  print(result: object, sentences: readonly string[]): void
}

/** Runs `work` with a connection for it only. */
export async function withPool<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connect(url, { max: 1, applicationName: 'souk command' })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

/** Adds up numbers of rows, for people. */
export const sumOf = (rows: Record<string, number>) =>
  Object.values(rows)
    .reduce((sum, each) => sum + each, 0)
    .toLocaleString('en')
