import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../src/kernel/db/embedded.ts'
import { migrate } from '../src/kernel/db/migrate.ts'
import { createLog } from '../src/kernel/log.ts'
import { copyFolder, preparedDatabase } from './preparedDatabase.ts'
import { runAsSuperuser } from './superuser.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The migrated template database that test files copy. Do not connect to it. */
    templateUrl: string
  }
}

/**
 * One PostgreSQL for the whole run, whose durability is disabled, and a migrated data directory that `startServer`
 * copies instead of creating a database each time. Projects of the same run share both.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const run = project.vitest.getRootProject()
  if (run.getProvidedContext().templateUrl) return undefined
  const directory = await mkdtemp(join(tmpdir(), 'souk-test-'))
  const home = join(directory, 'postgres')
  const log = createLog('error')
  const created = await startEmbedded({ directory: home, log })
  await migrate(created.url)
  await created.stop()
  process.env[preparedDatabase] = join(directory, 'prepared')
  await copyFolder(home, process.env[preparedDatabase])
  // Tests create databases; the servers of `startServer` have an ordinary role.
  runAsSuperuser(home, ['alter role souk superuser'])

  const database = await startEmbedded({
    directory: home,
    log,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
  })
  run.provide('templateUrl', database.url)
  return async () => {
    delete process.env[preparedDatabase]
    await database.stop()
    await rm(directory, { recursive: true })
  }
}
