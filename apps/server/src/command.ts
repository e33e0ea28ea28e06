import { type Config, ConfigError } from './config.ts'
import { existsInstallation } from './domain/installation/index.ts'
import { parseAddress } from './kernel/db/address.ts'
import { type Database, openDatabase } from './kernel/db/database.ts'
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

/**
 * Opens the database of the installation that the settings name.
 * @throws DatabaseStartError; ConfigError if no server has started with it, so that it is probably another database
 */
export async function openInstallation({ config, log }: Pick<Command, 'config' | 'log'>): Promise<Database> {
  const database = await openDatabase({ ...config, log })
  const isFound = await withPool(database.url, hasInstallation).catch(async (error) => {
    await database.stop()
    throw error
  })
  if (isFound) return database
  await database.stop()
  const { hosts, name } = parseAddress(config.databaseUrl ?? '') ?? {}
  throw new ConfigError(
    `No server of Souk has started with ${hosts ? `the database ${hosts}/${name}` : `the data directory ${config.dataDir}`}. ` +
      'Set DATABASE_URL and SOUK_DATA_DIR as for the server.',
  )
}

async function hasInstallation(sql: Sql): Promise<boolean> {
  const [table] = await sql<{ found: boolean }[]>`select to_regclass('public.installation') is not null as found`
  return table!.found && existsInstallation(sql)
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
