import { builtInDatasets, may, type ParametersOf, type platformOperations, type ResultOf, roles } from '@souk/contract'
import { batchByTick } from '../../kernel/db/batchByTick.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { authorise, projectIdsWhere } from '../projects/index.ts'
import { builtIn } from './builtIn.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { findDataset } from './findDataset.ts'
import { type ListedDataset, listDatasetRows, listFirstDatasets } from './store.ts'

type Operations = typeof platformOperations

/** What most ask for: the beginning of the list, for an account. */
const loadFirstPage = batchByTick<{ accountId: string; limit: number }, ListedDataset[]>(async (sql, asked) => {
  const able = roles.filter((role) => may(role, 'dataset.read'))
  const pages = new Map<string, ListedDataset[]>()
  for (const [limit, some] of Map.groupBy(asked, (it) => it.limit)) {
    const accountIds = [...new Set(some.map(({ accountId }) => accountId))]
    const found = await listFirstDatasets(sql, accountIds, able, builtInDatasets, limit)
    for (const [accountId, rows] of Map.groupBy(found, (it) => it.accountId)) pages.set(`${accountId} ${limit}`, rows)
  }
  return asked.map(({ accountId, limit }) => pages.get(`${accountId} ${limit}`) ?? [])
})

const key = [{ type: 'uuid' }, { type: 'text' }] as const

/** The datasets that the caller may read, of all projects or of one. @throws SoukError `project_not_found` */
export async function listDatasets(
  context: Context,
  caller: ConsoleCaller,
  { projectId, cursor, limit = 100 }: ParametersOf<Operations['listDatasets']>,
): Promise<ResultOf<Operations['listDatasets']>> {
  if (projectId !== undefined) await authorise(context, caller, projectId, 'dataset.read')
  const { sql } = context
  const place = readCursor(cursor, 'datasets', key)
  const ofAccount = caller.kind === 'account' && !caller.administrator
  const found =
    ofAccount && projectId === undefined && place === undefined
      ? await loadFirstPage(sql, { accountId: caller.accountId, limit: limit + 1 })
      : await listDatasetRows(
          sql,
          projectId === undefined
            ? projectIdsWhere(sql, caller, 'dataset.read')
            : sql`select ${projectId}::uuid as project_id`,
          builtInDatasets,
          { after: place && { projectId: place[0]!, name: place[1]! }, limit: limit + 1 },
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
            description: builtIn(name)?.description ?? null,
            kind: 'builtIn',
            ctime,
          }
        : { datasetId, projectId, name, description, kind: 'own', ctime },
    ),
    next: found.length > limit && last ? writeCursor('datasets', [last.key, last.name]) : null,
  }
}

/** A dataset with its schema. @throws SoukError `dataset_not_found` */
export async function getDataset(
  context: Context,
  _caller: ConsoleCaller,
  { datasetId }: ParametersOf<Operations['getDataset']>,
): Promise<ResultOf<Operations['getDataset']>> {
  return (await findDataset(context.sql, datasetId)).detail
}
