import {
  type consoleOperations,
  maxTotal,
  type ParametersOf,
  type platformOperations,
  type ResultOf,
} from '@souk/contract'
import { refuseTimeout } from '../../../kernel/db/refuseTimeout.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { selectFields } from './fields.ts'
import { findDataset } from './findDataset.ts'
import { countStatement, pageStatement, type Statement } from './statements.ts'

type Operation = typeof platformOperations.listRecords

/**
 * Returns a page of records, newest first. Paging returns every record that exists from start to end exactly once, and
 * no record that is appended during the iteration (ADR 242).
 *
 * @throws SoukError `dataset_not_found`, `parameter_invalid`, `filter_too_broad`
 */
export async function listRecords(
  context: Context,
  _caller: ConsoleCaller,
  { datasetId, filter, fields, cursor, limit = 100 }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { source, scopes } = await findDataset(context, datasetId)
  const after = readCursor(cursor, datasetId, source.key)
  const statement = pageStatement({ source, scopes, filter }, selectFields(source, fields), { after, limit: limit + 1 })
  const found = await readPage<{ record: Record<string, unknown>; key: string[] }>(context, statement, filter)
  const last = found[limit - 1]
  return {
    items: found.slice(0, limit).map(({ record }) => record),
    next: found.length > limit && last ? writeCursor(datasetId, last.key) : null,
  }
}

/**
 * Returns a page of records for the console, with the number of those that match the filter if it is wanted.
 * @throws SoukError `dataset_not_found`, `parameter_invalid`, `filter_too_broad`
 */
export async function searchRecords(
  context: Context,
  caller: ConsoleCaller,
  { total, ...page }: ParametersOf<typeof consoleOperations.searchRecords>,
): Promise<ResultOf<typeof consoleOperations.searchRecords>> {
  const listed = await listRecords(context, caller, page)
  if (!total) return listed
  const { source, scopes } = await findDataset(context, page.datasetId)
  const limit = maxTotal + 1
  const counted = countStatement({ source, scopes, filter: page.filter }, limit)
  const [row] = await readPage<{ count: number }>(context, counted, page.filter)
  const count = row?.count ?? 0
  return { ...listed, total: { count: Math.min(count, maxTotal), isCapped: count > maxTotal } }
}

/** Runs a statement, which may have a filter of the caller. @throws SoukError `filter_too_broad` */
async function readPage<Row extends object>(
  { sql }: Context,
  { text, values }: Statement,
  filter: string | undefined,
): Promise<Row[]> {
  // SQL: of `pageStatement`.
  const reading = sql.unsafe<Row[]>(text, values)
  return filter === undefined ? reading : refuseTimeout(reading, 'filter_too_broad')
}
