import type { consoleOperations, ResultOf } from '@souk/contract'
import { listVersionRecords } from '../../../kernel/db/versions.ts'
import type { Context } from '../../context.ts'

/** Lists the versions of Souk that ran on the database. */
export async function listVersions({ sql }: Context): Promise<ResultOf<typeof consoleOperations.listVersions>> {
  return listVersionRecords(sql)
}
