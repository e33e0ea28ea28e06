import { type platformOperations, type ResultOf, SoukError } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { Context } from '../../context.ts'
import { builtIn } from './builtIn.ts'
import { ownSource } from './ownSource.ts'
import type { Source } from './source.ts'
import type { Scopes } from './statements.ts'
import { findOwnDataset, listAppids, type OwnDataset } from './store.ts'

type Detail = ResultOf<typeof platformOperations.getDataset>

/** A dataset with the source of its records. */
export interface ResolvedDataset {
  source: Source
  scopes: Scopes
  projectId: string
  name: string
  /** Undefined for a built-in dataset. */
  own: OwnDataset | undefined
  detail: Detail
}

/** Returns the project and name in the id of a built-in dataset, or `undefined` for another id. */
function parseBuiltInId(datasetId: string): { projectId: string; name: string } | undefined {
  const [, projectId, name] = /^([0-9a-f]{32})\.([a-z]+)$/.exec(datasetId) ?? []
  return projectId === undefined || name === undefined ? undefined : { projectId, name }
}

/** Returns the project of a dataset. Built-in datasets exist in every project. */
export async function projectOfDataset(
  context: Pick<Context, 'sql' | 'settings'>,
  datasetId: string,
): Promise<string | undefined> {
  const builtInId = parseBuiltInId(datasetId)
  if (builtInId) return builtIn(builtInId.name, context.settings) && builtInId.projectId
  return (await findOwnDataset(context.sql, datasetId))?.projectId
}

/** Returns a dataset. @throws SoukError `dataset_not_found` */
export async function findDataset(
  { sql, settings }: Pick<Context, 'settings'> & { sql: Sql | Tx },
  datasetId: string,
): Promise<ResolvedDataset> {
  const builtInId = parseBuiltInId(datasetId)
  if (!builtInId) {
    const own = await findOwnDataset(sql, datasetId)
    if (!own) throw new SoukError('dataset_not_found')
    return describeOwnDataset(own)
  }
  const { projectId, name } = builtInId
  const source = builtIn(name, settings)
  if (!source) throw new SoukError('dataset_not_found')
  const { description } = source
  return {
    source,
    projectId,
    name,
    scopes: await listAppids(sql, projectId),
    own: undefined,
    detail: { datasetId, projectId, name, description, kind: 'builtIn', ctime: null, fields: fieldsOf(source) },
  }
}

export function describeOwnDataset(own: OwnDataset): ResolvedDataset {
  const source = ownSource(own.fields)
  const { datasetId, projectId, name, description, ctime } = own
  return {
    source,
    projectId,
    name,
    own,
    scopes: [datasetId],
    detail: { datasetId, projectId, name, description, kind: 'own', ctime, fields: fieldsOf(source) },
  }
}

/** Returns a dataset that can be changed. @throws SoukError `dataset_not_found`, `dataset_built_in` */
export async function requireOwnDataset(
  context: Pick<Context, 'sql' | 'settings'>,
  datasetId: string,
): Promise<ResolvedDataset & { own: OwnDataset }> {
  const found = await findDataset(context, datasetId)
  if (!found.own) throw new SoukError('dataset_built_in')
  return { ...found, own: found.own }
}

function fieldsOf({ fields }: Source): Detail['fields'] {
  return fields.map(({ name, type, required, description, generated }) => ({
    name,
    type,
    required,
    description,
    generated,
  }))
}
