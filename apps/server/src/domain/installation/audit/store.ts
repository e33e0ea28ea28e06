import { type AuditHead, type consoleOperations, emptyAuditChain, type ResultOf } from '@souk/contract'
import { verbatimLines } from '../../../kernel/db/copyOut.ts'
import { containsText, directionOf, scannedRows } from '../../../kernel/db/page.ts'
import type { Rows, Sql, Tx } from '../../../kernel/db/pool.ts'

/** An entry of the audit log as the console shows it. */
export type AuditRow = ResultOf<typeof consoleOperations.listAudit>['items'][number]

export async function insertEntry(
  tx: Tx,
  entry: Omit<AuditRow, 'auditId' | 'actorName' | 'detail'> & { detail: Record<string, unknown> },
): Promise<void> {
  await tx`
    insert into audit_log (time, actor, account_id, project_id, address, action, subject, detail)
    values (
      ${entry.time}, ${entry.actor}, ${entry.accountId}, ${entry.projectId}, ${entry.address}, ${entry.action},
      ${entry.subject}, ${tx.json(entry.detail as never)})`
}

/** Returns the last row of the hash chain. */
export async function findHead(sql: Sql): Promise<AuditHead> {
  const [head] = await sql<AuditHead[]>`
    select position, encode(hash, 'hex') as hash from audit_chain order by position desc limit 1`
  return head ?? emptyAuditChain
}

/** Returns the entries before the auditId `before`, newest first. */
export function listEntries(
  sql: Sql,
  filter: {
    projectId: string | undefined
    accountId: string | undefined
    action: string | undefined
    text: string | undefined
    sort: 'time' | '-time' | undefined
    from: number | undefined
    to: number | undefined
    before: number | undefined
    limit: number
  },
): Rows<AuditRow> {
  const { projectId, accountId, action, text, from, to, sort = '-time', before, limit } = filter
  const { direction, follows } = directionOf(sql, sort)
  const filtered = sql`
    select * from audit_log l where true
      ${projectId === undefined ? sql`` : sql`and l.project_id = ${projectId}`}
      ${accountId === undefined ? sql`` : sql`and l.account_id = ${accountId}`}
      ${action === undefined ? sql`` : sql`and l.action = ${action}`}
      ${from === undefined ? sql`` : sql`and l.time >= ${from}`}
      ${to === undefined ? sql`` : sql`and l.time < ${to}`}`
  const after = before === undefined ? sql`` : sql`and audit_id ${follows} ${before}`
  const values = sql`action, subject, address, detail::text`
  const entries =
    text === undefined
      ? sql`${filtered} ${after} order by audit_id ${direction} limit ${limit}`
      : sql`
        select * from (${filtered} order by audit_id desc limit ${scannedRows(1)}) newest
        where ${containsText(sql, text, values)} ${after} order by audit_id ${direction} limit ${limit}`
  return sql<AuditRow[]>`
    select
      audit_id, l.time, l.actor, l.account_id,
      coalesce(a.name, s.name) as actor_name, l.address, l.action, l.subject, l.project_id, l.detail
    from (${entries}) l left join accounts a using (account_id)
      left join service_accounts s on l.actor = 'serviceAccount ' || replace(s.service_account_id::text, '-', '')
    order by audit_id ${direction}`
}

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

/** Streams the lines of the export. */
export const copyOfEntries = `copy (${exportedLines}) to stdout (${verbatimLines})`
