import type { consoleOperations, ResultOf, ServiceScope } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'

/** A service account as the console shows it. */
export type ServiceAccount = ResultOf<typeof consoleOperations.listServiceAccounts>[number]

/** Stored rights of a service account, to check its token. Times are ms of real time. */
export interface ServiceCredential {
  projectId: string
  name: string
  scopes: ServiceScope[]
  tokenHash: string
  expires: number
  removedTime: number | null
  lastUsedAt: number | null
  projectArchived: boolean
}

/** Returns false if the project has another one with this name. */
export async function insertServiceAccount(
  tx: Tx,
  account: Omit<ServiceAccount, 'createdBy' | 'lastUsedAt' | 'lastUsedFrom'> & {
    tokenHash: string
    createdBy: string | null
  },
): Promise<boolean> {
  const { count } = await tx`
    insert into service_accounts
      (service_account_id, project_id, name, scopes, token_hash, created_by, expires, ctime)
    values (${account.serviceAccountId}, ${account.projectId}, ${account.name}, ${account.scopes as string[]},
      ${account.tokenHash}, ${account.createdBy}, ${account.expires}, ${account.ctime})
    on conflict (project_id, name) where removed_time is null do nothing`
  return count === 1
}

/** Returns the service accounts of a project that have not been removed, newest first. */
export async function listServiceAccountRows(sql: Sql | Tx, projectId: string): Promise<ServiceAccount[]> {
  return sql<ServiceAccount[]>`
    select service_account_id, project_id, s.name, scopes, coalesce(a.name, 'admin') as created_by, expires,
      last_used_at, last_used_from, s.ctime
    from service_accounts s left join accounts a on a.account_id = s.created_by
    where project_id = ${projectId} and removed_time is null
    order by service_account_id desc`
}

export async function findServiceCredential(
  sql: Sql,
  serviceAccountId: string,
): Promise<ServiceCredential | undefined> {
  const [row] = await sql<ServiceCredential[]>`
    select project_id, s.name, scopes, token_hash, expires,
      removed_time, last_used_at, p.archived_time is not null as project_archived
    from service_accounts s join projects p using (project_id) where service_account_id = ${serviceAccountId}`
  return row
}

/** Marks a service account as removed and returns its name. */
export async function updateRemoved(
  tx: Tx,
  { projectId, serviceAccountId }: { projectId: string; serviceAccountId: string },
  now: number,
): Promise<string | undefined> {
  const [row] = await tx<{ name: string }[]>`
    update service_accounts set removed_time = ${now}
    where project_id = ${projectId} and service_account_id = ${serviceAccountId} and removed_time is null
    returning name`
  return row?.name
}

/** Records a use unless one was recorded since `before`, so that only one of several processes writes. */
export async function updateLastUse(
  sql: Sql,
  serviceAccountId: string,
  use: { time: number; before: number; address: string | null },
): Promise<void> {
  await sql`
    update service_accounts set last_used_at = ${use.time}, last_used_from = ${use.address}
    where service_account_id = ${serviceAccountId} and (last_used_at is null or last_used_at <= ${use.before})`
}
