import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../src/kernel/db/embedded.ts'
import { migrate } from '../src/kernel/db/migrate.ts'
import { createLog } from '../src/kernel/log.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The migrated template database that test files copy. Do not connect to it. */
    templateUrl: string
  }
}

/** One PostgreSQL for the whole run. Durability is disabled for tests only. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'souk-test-'))
  const database = await startEmbedded({
    directory,
    log: createLog('error'),
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
  })
  await migrate(database.url)
  project.provide('templateUrl', database.url)
  return async () => {
    await database.stop()
    await rm(directory, { recursive: true })
  }
}
