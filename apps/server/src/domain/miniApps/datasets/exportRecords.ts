import type { ParametersOf, platformOperations } from '@souk/contract'
import { copyOut } from '../../../kernel/db/copyOut.ts'
import type { Export } from '../../../kernel/export.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { selectFields } from './fields.ts'
import { findDataset } from './findDataset.ts'
import { copyStatement } from './statements.ts'
import { updateVariables } from './store.ts'

type Operation = typeof platformOperations.exportRecords

/**
 * Streams a snapshot of all records that match the filter, newest first. Buffers at most a few hundred kilobytes (ADR
 * 243).
 *
 * @throws SoukError `dataset_not_found`, `parameter_invalid`
 */
export async function exportRecords(
  context: Context,
  caller: ConsoleCaller,
  { datasetId, format = 'ndjson', filter, fields, formulas = 'escape' }: ParametersOf<Operation>,
): Promise<Export> {
  let name = ''
  let projectId: string | undefined
  const stream = await copyOut(
    context.sql,
    async (tx) => {
      const { source, scopes, ...found } = await findDataset({ settings: context.settings, sql: tx }, datasetId)
      name = found.name
      projectId = found.projectId
      const line = format === 'csv' ? ({ format, formulas } as const) : ({ format: 'ndjson' } as const)
      const { text, settings } = copyStatement({ source, scopes, filter }, selectFields(source, fields), line)
      await updateVariables(tx, settings)
      return text
    },
    // RFC 4180 requires CRLF.
    { lineEnd: format === 'csv' ? '\r\n' : '\n' },
  )
  try {
    await context.sql.begin((tx) =>
      audit(context, tx, caller, { action: 'dataset.export', subject: datasetId, projectId, detail: { format } }),
    )
  } catch (error) {
    stream.destroy()
    throw error
  }
  const csv = format === 'csv'
  return {
    stream,
    mediaType: csv ? 'text/csv; charset=utf-8; header=present' : 'application/x-ndjson',
    fileName: `${name}.${format}`,
  }
}
