import { copyOut } from '../../../kernel/db/copyOut.ts'
import type { Export } from '../../../kernel/export.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from './audit.ts'
import { copyOfEntries } from './store.ts'

/** Streams the whole audit log as NDJSON, oldest first. The export itself is the last row. */
export async function exportAudit(context: Context, caller: ConsoleCaller): Promise<Export> {
  await context.sql.begin((tx) => audit(context, tx, caller, { action: 'audit.export', subject: 'audit log' }))
  const stream = await copyOut(context.sql, async () => copyOfEntries, { lineEnd: '\n' })
  return { stream, mediaType: 'application/x-ndjson', fileName: 'audit.ndjson' }
}
