import { copyOut, verbatimLines } from '../../../kernel/db/copyOut.ts'
import type { Export } from '../../../kernel/export.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from './audit.ts'

/**
 * The lines of the export in the order of the chain, as `nextAuditHead` of the contract verifies them. Rows outside the
 * chain come last.
 */
const exportedLines = `
  select left(audit_line(previous, position, entry), -1) || ',"hash":"' || coalesce(encode(hash, 'hex'), '') || '"}'
  from audit_log as entry left join (
    select position, audit_id, hash, lag(hash, 1, decode(repeat('00', 32), 'hex')) over (order by position) as previous
    from audit_chain
  ) as chain using (audit_id)
  order by position nulls last, audit_id`

/** Streams the whole audit log as NDJSON, oldest first. The export itself is the last row. */
export async function exportAudit(context: Context, caller: ConsoleCaller): Promise<Export> {
  await context.sql.begin((tx) => audit(context, tx, caller, { action: 'audit.export', subject: 'audit log' }))
  const stream = await copyOut(context.sql, async () => `copy (${exportedLines}) to stdout (${verbatimLines})`, {
    lineEnd: '\n',
  })
  return { stream, mediaType: 'application/x-ndjson', fileName: 'audit.ndjson' }
}
