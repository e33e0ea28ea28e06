import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../log.ts'
import { startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'
import { connect } from './pool.ts'
import { describeSchema } from './schema.ts'

/** The files that follow from the migrations, by path from the repository's root. See setup/generate.mjs. */
export default async function generate(): Promise<Record<string, string>> {
  const directory = await mkdtemp(join(tmpdir(), 'souk-schema-'))
  const database = await startEmbedded({ directory, log: createLog('error'), settings: { fsync: 'off' } })
  try {
    await migrate(database.url)
    const sql = connect(database.url, { max: 1 })
    const { schema, rows } = await describeSchema(sql)
    await sql.end()
    return { 'apps/server/schema.sql': schema, 'apps/server/src/kernel/db/rows.generated.ts': rows }
  } finally {
    await database.stop()
    await rm(directory, { recursive: true })
  }
}
