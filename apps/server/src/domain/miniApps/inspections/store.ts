import { sha256 } from '../../../kernel/crypto.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { ConsoleCaller, HostUserCaller } from '../../caller.ts'

/** The sides of an inspection. */
export type Side = 'console' | 'phone'

export interface Inspection {
  inspectionId: string
  appid: string
  projectId: string
}

/**
 * Builds the condition for the inspections of a caller: those that the developer has started, or that the session of
 * the user has accepted.
 */
export function belongsTo(sql: Sql | Tx, caller: ConsoleCaller | HostUserCaller) {
  if (caller.kind === 'hostUser') return sql`i.uid = ${caller.uid} and i.session_hash = ${sha256(caller.session)}`
  const accountId = caller.kind === 'account' ? caller.accountId : null
  return sql`i.account_id is not distinct from ${accountId}::uuid`
}

/** Locks an inspection of the caller and returns it. `appid` limits it to a mini app. */
export async function lockInspection(
  tx: Tx,
  caller: ConsoleCaller | HostUserCaller,
  { inspectionId, appid }: { inspectionId: string; appid?: string },
): Promise<Inspection | undefined> {
  const [row] = await tx<Inspection[]>`
    select i.inspection_id, i.appid, apps.project_id
    from inspections i join apps using (appid)
    where i.inspection_id = ${inspectionId} and ${belongsTo(tx, caller)}
      ${appid === undefined ? tx`` : tx`and i.appid = ${appid}`}
    for no key update of i`
  return row
}

/** The person who started an inspection, and where. */
export interface Pairing extends Inspection {
  developer: string
  project: string
}

/** Locks the inspection that waits for a phone with this code, and returns it. */
export async function lockByCode(tx: Tx, code: string, now: number): Promise<Pairing | undefined> {
  const [row] = await tx<Pairing[]>`
    select i.inspection_id, i.appid, apps.project_id, coalesce(a.name, 'admin') as developer, projects.name as project
    from inspections i join apps using (appid) join projects using (project_id)
      left join accounts a using (account_id)
    where i.code_hash = ${sha256(code)} and i.code_valid_until > ${now}
    for no key update of i`
  return row
}
