import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The variable with the folder of a migrated embedded database that does not run, set during a run of the tests. */
export const preparedDatabase = 'TEST_PREPARED_DATABASE'

/** Copies a folder with its owners, which `cp` of Node changes to the current user. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-Rp', from, to])
}

/**
 * Copies a migrated database into a new data directory, in a tenth of the processor time of creating one. Does nothing
 * if the directory has a database, or outside a run of the tests.
 */
export async function prepareDatabase(dataDir: string): Promise<void> {
  const prepared = process.env[preparedDatabase]
  const home = join(dataDir, 'postgres')
  if (!prepared || existsSync(home)) return
  await mkdir(dataDir, { recursive: true })
  await copyFolder(prepared, home)
}
