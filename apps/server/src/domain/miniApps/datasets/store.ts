import type { Role } from '@souk/contract'
import type { Part, Sql, Tx } from '../../../kernel/db/pool.ts'
import type { DeclaredField } from './ownSource.ts'

/** A dataset that members fill. `ctime` is in ms of the domain clock. */
export interface OwnDataset {
  datasetId: string
  projectId: string
  name: string
  description: string | null
  fields: DeclaredField[]
  ctime: number
}

/** An item of the list of datasets. Built-in datasets have neither a stored datasetId nor a ctime. */
export interface ListedDataset {
  projectId: string
  name: string
  description: string | null
  datasetId: string | null
  ctime: number | null
  /** The project in the form that the cursor uses. */
  key: string
}

const listed = (
  sql: Sql,
  projectIds: Part,
  builtIns: readonly string[],
  { after, limit }: { after: { projectId: string; name: string } | undefined; limit: number },
) => sql`
  select
    p.project_id, p.project_id::text as key, d.name, d.description, d.dataset_id, d.ctime
  from (
    select project_id from (${projectIds}) visible
    ${after === undefined ? sql`` : sql`where project_id >= ${after.projectId}`}
    order by project_id
  ) p cross join lateral (
    select name, null::text as description, null::uuid as dataset_id, null::bigint as ctime
    from unnest(${builtIns as string[]}::text[]) as name
    union all
    select name, description, dataset_id, ctime from datasets where project_id = p.project_id
  ) d
  ${after === undefined ? sql`` : sql`where (p.project_id, d.name) > (${after.projectId}, ${after.name})`}
  order by p.project_id, d.name
  limit ${limit}`

/** Returns the datasets after `after` of the projects that `projectIds` selects, built-in ones included. */
export async function listDatasetRows(
  sql: Sql,
  projectIds: Part,
  builtIns: readonly string[],
  page: { after: { projectId: string; name: string } | undefined; limit: number },
): Promise<ListedDataset[]> {
  return sql<ListedDataset[]>`${listed(sql, projectIds, builtIns, page)}`
}

/**
 * Returns the first page for each of these accounts, of the projects in which it has one of these roles, without
 * archived ones.
 */
export async function listFirstDatasets(
  sql: Sql,
  accountIds: readonly string[],
  roles: readonly Role[],
  builtIns: readonly string[],
  limit: number,
): Promise<(ListedDataset & { accountId: string })[]> {
  const projectIds = sql`
    select project_id from project_members m join projects using (project_id)
    where m.account_id = a.account_id and m.role = any(${roles as Role[]}) and archived_time is null`
  return sql<(ListedDataset & { accountId: string })[]>`
    select a.account_id, page.*
    from unnest(${accountIds as string[]}::uuid[]) as a (account_id)
      cross join lateral (${listed(sql, projectIds, builtIns, { after: undefined, limit })}) page
    order by page.key collate "C", page.name`
}

export async function findOwnDataset(sql: Sql | Tx, datasetId: string): Promise<OwnDataset | undefined> {
  const [row] = await sql<OwnDataset[]>`
    select
      dataset_id, project_id, name, description, fields, ctime
    from datasets where dataset_id = ${datasetId}`
  return row
}

/** Returns the id of the dataset with this name in a project. */
export async function findDatasetId(sql: Sql | Tx, projectId: string, name: string): Promise<string | undefined> {
  const [row] = await sql<{ datasetId: string }[]>`
    select dataset_id from datasets
    where project_id = ${projectId} and name = ${name}`
  return row?.datasetId
}

/** Returns false if the name is taken in the project. */
export async function insertDataset(tx: Tx, dataset: OwnDataset): Promise<boolean> {
  const { count } = await tx`
    insert into datasets (dataset_id, project_id, name, description, fields, ctime)
    values (
      ${dataset.datasetId}, ${dataset.projectId}, ${dataset.name}, ${dataset.description},
      ${JSON.stringify(dataset.fields)}::text::jsonb, ${dataset.ctime})
    on conflict (project_id, name) do nothing`
  return count === 1
}

/** Prevents the deletion of a dataset until the transaction ends. Returns false if it has been deleted. */
export async function lockDataset(tx: Tx, datasetId: string): Promise<boolean> {
  const rows = await tx`select from datasets where dataset_id = ${datasetId} for key share`
  return rows.length === 1
}

/** Returns false if the dataset has been deleted already. */
export async function deleteDatasetRow(tx: Tx, datasetId: string): Promise<boolean> {
  const { count } = await tx`delete from datasets where dataset_id = ${datasetId}`
  return count === 1
}

/** Stores records, given as JSON, under the ids at the same positions. */
export async function insertRecords(
  tx: Tx,
  datasetId: string,
  { ids, records, ctime }: { ids: readonly string[]; records: readonly string[]; ctime: number },
): Promise<void> {
  await tx`
    insert into dataset_records (dataset_id, record_id, ctime, record)
    select ${datasetId}, id, ${ctime}, record::jsonb
    from unnest(${ids as string[]}::uuid[], ${records as string[]}::text[]) as appended (id, record)`
}

/** Returns a record and locks it until the transaction ends. */
export async function lockRecord(
  tx: Tx,
  datasetId: string,
  recordId: string,
): Promise<Record<string, unknown> | undefined> {
  const [row] = await tx<{ record: Record<string, unknown> }[]>`
    select record from dataset_records where dataset_id = ${datasetId} and record_id = ${recordId} for update`
  return row?.record
}

/** Replaces a record by another one, given as JSON. */
export async function updateRecord(
  tx: Tx,
  datasetId: string,
  { recordId, record }: { recordId: string; record: string },
): Promise<void> {
  await tx`
    update dataset_records set record = ${record}::text::jsonb
    where dataset_id = ${datasetId} and record_id = ${recordId}`
}

/**
 * Inserts a batch and returns `undefined`, or returns the earlier batch with this id. Waits for a concurrent append
 * with the same id to commit or fail.
 */
export async function insertBatch(
  tx: Tx,
  batch: { datasetId: string; batchId: string; digest: Buffer; records: number; time: number },
): Promise<{ digest: Buffer; records: number } | undefined> {
  const { count } = await tx`
    insert into dataset_batches (dataset_id, batch_id, digest, records, time)
    values (${batch.datasetId}, ${batch.batchId}, ${batch.digest}, ${batch.records}, ${batch.time})
    on conflict do nothing`
  if (count === 1) return undefined
  const [row] = await tx<[{ digest: Buffer; records: number }]>`
    select digest, records from dataset_batches where dataset_id = ${batch.datasetId} and batch_id = ${batch.batchId}`
  return row
}

export async function deleteBatchesBefore(sql: Sql, time: number): Promise<void> {
  await sql`delete from dataset_batches where time < ${time}`
}

/** Deletes at most `limit` records of a dataset and returns their number. */
export async function deleteSomeRecords(sql: Sql, datasetId: string, limit: number): Promise<number> {
  const { count } = await sql`
    delete from dataset_records where dataset_id = ${datasetId} and record_id = any(array(
      select record_id from dataset_records where dataset_id = ${datasetId} order by record_id limit ${limit}))`
  return count
}

/** Returns the appids of a project. */
export async function listAppids(sql: Sql | Tx, projectId: string): Promise<string[]> {
  const rows = await sql<{ appid: string }[]>`select appid from apps where project_id = ${projectId} order by appid`
  return rows.map(({ appid }) => appid)
}

/** Sets the variables `souk.v1`, `souk.v2` … of a transaction, which `copyStatement` reads. */
export async function updateVariables(tx: Tx, values: readonly string[]): Promise<void> {
  await tx`
    select set_config('souk.v' || position, value, true)
    from unnest(${values as string[]}::text[]) with ordinality as setting (value, position)`
}
