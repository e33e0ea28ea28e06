import { builtInDatasets, may, type ParametersOf, type platformOperations, type ResultOf, roles } from '@souk/contract'
import { batchByTick } from '../../../kernel/db/batchByTick.ts'
import type { ConsoleCaller } from '../../caller.ts'
import { authorize, projectIds, projectIdsWhere } from '../../console/index.ts'
import type { Context } from '../../context.ts'
import { builtIn } from './builtIn.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { findDataset } from './findDataset.ts'
import { type ListedDataset, listDatasetRows, listFirstDatasets } from './store.ts'

type Operations = typeof platformOperations

/** Loads the first page of accounts, which is the most frequent request, batched. */
const loadFirstPage = batchByTick<{ accountId: string; limit: number }, ListedDataset[]>(async (sql, queries) => {
  const permittedRoles = roles.filter((role) => may(role, 'dataset.read'))
  const pages = new Map<string, ListedDataset[]>()
  for (const [limit, group] of Map.groupBy(queries, (it) => it.limit)) {
    const accountIds = [...new Set(group.map(({ accountId }) => accountId))]
    const found = await listFirstDatasets(sql, accountIds, permittedRoles, builtInDatasets, limit)
    for (const [accountId, rows] of Map.groupBy(found, (it) => it.accountId)) pages.set(`${accountId} ${limit}`, rows)
  }
  return queries.map(({ accountId, limit }) => pages.get(`${accountId} ${limit}`) ?? [])
})

const key = [{ type: 'uuid' }, { type: 'text' }] as const

/** Lists the datasets that the caller may read, of all projects or of one. @throws SoukError `project_not_found` */
export async function listDatasets(
  context: Context,
  caller: ConsoleCaller,
  { projectId, cursor, limit = 100 }: ParametersOf<Operations['listDatasets']>,
): Promise<ResultOf<Operations['listDatasets']>> {
  if (projectId !== undefined) await authorize(context, caller, projectId, 'dataset.read')
  const { sql } = context
  const position = readCursor(cursor, 'datasets', key)
  const ofAccount = caller.kind === 'account' && !caller.administrator
  const found =
    ofAccount && projectId === undefined && position === undefined
      ? await loadFirstPage(sql, { accountId: caller.accountId, limit: limit + 1 })
      : await listDatasetRows(
          sql,
          projectId === undefined ? projectIdsWhere(sql, caller, 'dataset.read') : projectIds(sql, { projectId }),
          builtInDatasets,
          { after: position && { projectId: position[0]!, name: position[1]! }, limit: limit + 1 },
        )
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map(({ projectId, name, datasetId, description, ctime }) =>
      datasetId === null
        ? {
            datasetId: `${projectId}.${name}`,
            projectId,
            name,
            description: builtIn(name, context.settings)?.description ?? null,
            kind: 'builtIn',
            ctime,
          }
        : { datasetId, projectId, name, description, kind: 'own', ctime },
    ),
    next: found.length > limit && last ? writeCursor('datasets', [last.key, last.name]) : null,
  }
}

/** Returns a dataset with its schema. @throws SoukError `dataset_not_found` */
export async function getDataset(
  context: Context,
  _caller: ConsoleCaller,
  { datasetId }: ParametersOf<Operations['getDataset']>,
): Promise<ResultOf<Operations['getDataset']>> {
  return (await findDataset(context, datasetId)).detail
}
