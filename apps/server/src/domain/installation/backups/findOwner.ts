import type { Session } from '../../../kernel/db/session.ts'
import { listTables } from './tables.ts'

/**
 * Returns a sentence about what a database is used for, or undefined if it is empty. The tables of an interrupted
 * restore or move count as empty.
 */
export async function findOwner(session: Session): Promise<string | undefined> {
  const tables = await listTables(session)
  if (tables.length === 0) return undefined
  const [migrated] = await session.run<{ found: boolean }>(
    `select to_regclass('public.migrations') is not null as found`,
  )
  if (!migrated?.found || !tables.some(({ name }) => name === 'installation')) {
    return `The database has tables of another program, such as ${tables[0]?.name}.`
  }
  // As JSON, since older databases do not have the column.
  const [owner] = await session.run<{ environment: string }>(
    `select environment from installation where coalesce(to_json(installation) ->> 'is_arriving', 'false') = 'false'`,
  )
  return owner && `The database belongs to a ${owner.environment} installation.`
}
