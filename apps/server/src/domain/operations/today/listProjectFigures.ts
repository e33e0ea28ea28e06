import { type consoleOperations, day, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { pageOf, readCursor } from '../../../kernel/db/page.ts'
import type { ConsoleCaller } from '../../caller.ts'
import { listProjects } from '../../console/index.ts'
import type { Context } from '../../context.ts'
import { listUnacknowledged } from '../../money/index.ts'
import { listAttention, listSales } from './store.ts'

type Operation = (typeof consoleOperations)['listProjectFigures']
type Figures = ResultOf<Operation>['items'][number]

/** Maximum number of failing hosts, or of reviews or changes, that are read, and of callbacks of a host. */
const maxIncidents = 500
const maxCallbacks = 100

/**
 * Lists projects that are not archived, of at most 1000, with what needs attention in them and what they sold since a
 * time of the domain clock. What it reads grows with incidents and with the trades of the page's projects in this time.
 *
 * @throws SoukError `parameter_invalid` for an invalid cursor, or for a time more than 2 days ago
 */
export async function listProjectFigures(
  context: Context,
  caller: ConsoleCaller,
  { from = context.clock.now() - day, cursor, limit = 50, total }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { sql, clock, settings } = context
  if (from < clock.now() - 2 * day) {
    throw new SoukError('parameter_invalid', 'from may be at most 2 days ago.', { data: { parameters: ['from'] } })
  }
  const [start = 0] = readCursor(cursor, ['number'])
  const projects = (await listProjects(context, caller)).filter(({ archivedTime }) => archivedTime === null)
  const attention = await readAttention(
    context,
    projects.map(({ projectId }) => projectId),
  )
  const sorted = projects
    .map(({ archivedTime: _, ...project }) => ({ ...project, ...(attention.get(project.projectId) ?? nothing) }))
    // Those of the same rank stay sorted by name.
    .toSorted((one, other) => rankOf(other) - rankOf(one))
  const { items, next } = pageOf(sorted.slice(start, start + limit + 1), limit, () => [start + limit])
  const sales = await listSales(sql, {
    projectIds: items.map(({ projectId }) => projectId),
    from,
    sandbox: settings.sandbox,
  })
  return {
    items: items.map((item) => ({
      ...item,
      sales: sales
        .filter(({ projectId }) => projectId === item.projectId)
        .map(({ currency, amount }) => ({ currency, amount })),
    })),
    next,
    ...(total ? { total: { count: projects.length, isCapped: false } } : {}),
  }
}

type Attention = Pick<Figures, 'failingHosts' | 'failingCallbacks' | 'reviews' | 'changes'>

const nothing: Attention = { failingHosts: 0, failingCallbacks: 0, reviews: 0, changes: 0 }

function rankOf({ failingHosts, reviews, changes }: Attention): number {
  return failingHosts > 0 ? 2 : reviews + changes > 0 ? 1 : 0
}

/** Returns what needs attention, by project. */
async function readAttention({ sql }: Context, projectIds: readonly string[]): Promise<Map<string, Attention>> {
  const found = await listAttention(sql, projectIds, maxIncidents)
  const unacknowledged = await listUnacknowledged(
    sql,
    found.flatMap(({ appids }) => appids),
    { limit: maxIncidents, scanned: maxCallbacks },
  )
  return new Map(
    found.map(({ projectId, appids, reviews, changes }) => {
      // Of a host whose callbacks were acknowledged elsewhere, nothing is left to do.
      const rows = unacknowledged.filter((row) => appids.includes(row.appid) && (row.state !== null || row.disabled))
      return [
        projectId,
        {
          failingHosts: new Set(rows.map(({ host }) => host)).size,
          failingCallbacks: rows.reduce((sum, { count }) => sum + (count ?? 0), 0),
          reviews,
          changes,
        },
      ]
    }),
  )
}
