import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../log.ts'
import { startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'
import { connect } from './pool.ts'
import { describeSchema } from './schema.ts'

/** Returns `schema.sql`, the result of all migrations, by its path from the repository root. See setup/generate.mjs. */
export default async function generate(): Promise<Record<string, string>> {
  const directory = await mkdtemp(join(tmpdir(), 'souk-schema-'))
  const database = await startEmbedded({ directory, log: createLog('error'), settings: { fsync: 'off' } })
  try {
    await migrate(database.url)
    const sql = connect(database.url, { max: 1 })
    const schema = await describeSchema(sql)
    await sql.end()
    return { 'apps/server/schema.sql': schema }
  } finally {
    await database.stop()
    await rm(directory, { recursive: true })
  }
}
