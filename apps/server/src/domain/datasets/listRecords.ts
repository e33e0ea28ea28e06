import type { ParametersOf, platformOperations, ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { selectFields } from './fields.ts'
import { findDataset } from './findDataset.ts'
import { pageStatement } from './statements.ts'

type Operation = typeof platformOperations.listRecords

/**
 * Returns a page of records, newest first. Paging returns every record that exists from start to end exactly once, and
 * no record that is appended meanwhile (ADR 240).
 *
 * @throws SoukError `dataset_not_found`, `parameter_invalid`
 */
export async function listRecords(
  context: Context,
  _caller: ConsoleCaller,
  { datasetId, filter, fields, cursor, limit = 100 }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { source, scopes } = await findDataset(context, datasetId)
  const after = readCursor(cursor, datasetId, source.key)
  const statement = pageStatement({ source, scopes, filter }, selectFields(source, fields), { after, limit: limit + 1 })
  const found = await context.sql.unsafe<{ record: Record<string, unknown>; key: string[] }[]>(
    statement.text,
    statement.values,
  )
  const last = found[limit - 1]
  return {
    items: found.slice(0, limit).map(({ record }) => record),
    next: found.length > limit && last ? writeCursor(datasetId, last.key) : null,
  }
}
