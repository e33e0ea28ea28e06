import type { Context } from '../../context.ts'
import { findHead } from './store.ts'

/** Logs the head of the audit chain. Logs collected elsewhere show later whether the chain was rewritten. */
export async function logAuditHead({ sql, log }: Pick<Context, 'sql' | 'log'>): Promise<void> {
  log.info(await findHead(sql), 'audit chain head')
}
