import type { Capability, ChangeKind, ChangeState, consoleOperations, Domains, ResultOf } from '@souk/contract'
import type { Rows, Sql, Tx } from '../../../kernel/db/pool.ts'

/** A change request as the console shows it. */
export type ChangeRequest = ResultOf<typeof consoleOperations.listChangeRequests>['items'][number]

/** The release that a mini app is published with. */
interface Publication {
  releaseId: string
  platform: string
  version: string
}

interface ChangeValues {
  capabilities: readonly Capability[]
  publication: Publication | null
  name: string
  iconUrl: string | null
  merchantName: string | null
  merchantLogoUrl: string | null
  domains: Domains
  testers: readonly number[]
}

/** A change of a mini app. `before` is the value in effect, null if there is none. */
export type Change = {
  [Kind in ChangeKind]: { kind: Kind; before: ChangeValues[Kind]; value: ChangeValues[Kind] }
}[ChangeKind]

/** A stored change. `requestedBy` is null for the admin token. */
export type StoredChange = Change & {
  changeId: string
  appid: string
  state: ChangeState
  requestedBy: string | null
}

export async function insertChange(
  tx: Tx,
  change: Change & {
    changeId: string
    appid: string
    requestedBy: string | null
    serviceAccountId: string | null
  },
  now: number,
): Promise<void> {
  await tx`
    insert into change_requests (change_id, appid, kind, before, value, state, requested_by, service_account_id, ctime)
    values (
      ${change.changeId}, ${change.appid}, ${change.kind}, ${JSON.stringify(change.before)}::text::jsonb,
      ${JSON.stringify(change.value)}::text::jsonb, 'pending', ${change.requestedBy}, ${change.serviceAccountId}, ${now})`
}

const changeColumns = (sql: Sql | Tx) => sql`
  change_id, appid, kind, before, value, state, requested_by`

/** Returns the pending change of this kind. */
export async function findPendingChange<Kind extends ChangeKind>(
  tx: Tx,
  appid: string,
  kind: Kind,
): Promise<(StoredChange & { kind: Kind }) | undefined> {
  const [row] = await tx<(StoredChange & { kind: Kind })[]>`
    select ${changeColumns(tx)} from change_requests where appid = ${appid} and kind = ${kind} and state = 'pending'`
  return row
}

/** Returns a change in any state. */
export async function findChange(tx: Tx, changeId: string): Promise<StoredChange | undefined> {
  const [row] = await tx<StoredChange[]>`select ${changeColumns(tx)} from change_requests where change_id = ${changeId}`
  return row
}

/** Returns a change in any state and locks it until the transaction ends. */
export async function lockChange(tx: Tx, changeId: string): Promise<StoredChange | undefined> {
  const [row] = await tx<StoredChange[]>`
    select ${changeColumns(tx)} from change_requests where change_id = ${changeId} for no key update`
  return row
}

/** Records the decision about a pending change. */
export async function updateChangeState(
  tx: Tx,
  changeId: string,
  decision: { state: ChangeState; decidedBy: string | null; reason: string | null; time: number },
): Promise<void> {
  await tx`
    update change_requests set
      state = ${decision.state}, decided_by = ${decision.decidedBy}, reason = ${decision.reason},
      decided_time = ${decision.time}
    where change_id = ${changeId}`
}

const requestColumns = (sql: Sql | Tx) => sql`
  c.change_id, c.appid, apps.name as app_name, apps.project_id, projects.name as project_name, c.kind, c.before,
  c.value, c.state, coalesce(requester.name, program.name, 'admin') as requested_by,
  case when c.state <> 'pending' then coalesce(decider.name, 'admin') end as decided_by, c.reason, c.ctime,
  c.decided_time`

const requestTables = (sql: Sql | Tx) => sql`
  join apps on apps.appid = c.appid and apps.deleted_time is null join projects using (project_id)
  left join accounts requester on requester.account_id = c.requested_by
  left join service_accounts program on program.service_account_id = c.service_account_id
  left join accounts decider on decider.account_id = c.decided_by`

/** Returns change requests before the changeId `before`, newest first. */
export function listChangeRows(
  sql: Sql,
  filter: { appid: string | undefined; state: ChangeState | undefined; before: string | undefined; limit: number },
): Rows<ChangeRequest> {
  const { appid, state, before, limit } = filter
  return sql<ChangeRequest[]>`
    select ${requestColumns(sql)} from change_requests c ${requestTables(sql)}
    where true
      ${appid === undefined ? sql`` : sql`and c.appid = ${appid}`}
      ${state === undefined ? sql`` : sql`and c.state = ${state}`}
      ${before === undefined ? sql`` : sql`and c.change_id < ${before}`}
    order by c.change_id desc
    limit ${limit}`
}

/** Returns change requests by their identifiers, in no particular order. */
export async function listChangesById(sql: Sql, changeIds: readonly string[]): Promise<ChangeRequest[]> {
  return sql<ChangeRequest[]>`
    select ${requestColumns(sql)} from change_requests c ${requestTables(sql)}
    where c.change_id = any(${[...changeIds]}::text[]::uuid[])`
}

export async function findChangeRequest(tx: Tx, changeId: string): Promise<ChangeRequest> {
  const [row] = await tx<[ChangeRequest]>`
    select ${requestColumns(tx)} from change_requests c ${requestTables(tx)} where c.change_id = ${changeId}`
  return row
}

/** Returns the pending change requests of a mini app, by kind. */
export async function listPendingChanges(sql: Sql, appid: string): Promise<ChangeRequest[]> {
  return sql<ChangeRequest[]>`
    select ${requestColumns(sql)} from change_requests c ${requestTables(sql)}
    where c.appid = ${appid} and c.state = 'pending'
    order by c.kind`
}

/** Returns the newest change request of each kind if it is pending or rejected. */
export async function listOpenChanges(sql: Sql, appid: string): Promise<ChangeRequest[]> {
  return sql<ChangeRequest[]>`
    select ${requestColumns(sql)}
    from (select distinct on (kind) * from change_requests where appid = ${appid} order by kind, change_id desc) c
      ${requestTables(sql)}
    where c.state in ('pending', 'rejected')
    order by c.kind`
}
