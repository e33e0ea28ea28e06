import { type consoleOperations, day, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { pageOf, readCursor, totalOf } from '../../../kernel/db/page.ts'
import type { ConsoleCaller } from '../../caller.ts'
import { activeProjects, listProjectsById, projectsWhere } from '../../console/index.ts'
import type { Context } from '../../context.ts'
import { listUnacknowledged, sumSales } from '../../money/index.ts'
import { listAttention } from './store.ts'

type Operation = (typeof consoleOperations)['listProjectFigures']
type Figures = ResultOf<Operation>['items'][number]

/** Maximum number of failing hosts, or of reviews or changes, that are read, and of callbacks of a host. */
const maxIncidents = 500
const maxCallbacks = 100

/**
 * Lists projects that are not archived, with what needs attention in them and what they sold since a time of the domain
 * clock: first those that need attention, then by name. Besides the page, it reads incidents.
 *
 * @throws SoukError `too_many_trades`, `parameter_invalid` for an invalid cursor, or for a time more than 2 days ago
 */
export async function listProjectFigures(
  context: Context,
  caller: ConsoleCaller,
  { from = context.clock.now() - day, cursor, limit = 50, total }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { sql, clock } = context
  if (from < clock.now() - 2 * day) {
    throw new SoukError('parameter_invalid', 'from may be at most 2 days ago.', { data: { parameters: ['from'] } })
  }
  const [rank, name, projectId] = readCursor(cursor, ['number', 'text', 'id'])
  const attention = await readAttention(context, await projectsWhere(context, caller, 'project.read'))
  const { items, next } = await readProjects(context, caller, {
    attention,
    before: rank === undefined ? undefined : { rank, name, projectId },
    limit,
  })
  const projectIds = items.map((project) => project.projectId)
  const [projects, sales, counted] = await Promise.all([
    listProjectsById(context, caller, projectIds),
    sumSales(context, { projectIds, period: { from, to: clock.now() + 1 } }),
    totalOf(sql, total, (most) => activeProjects(context, caller, { limit: most })),
  ])
  const byId = new Map(projects.map(({ archivedTime: _, ...project }) => [project.projectId, project]))
  return {
    items: projectIds.flatMap((id) => {
      const project = byId.get(id)
      if (project === undefined) return []
      const ofProject = sales.filter((sale) => sale.projectId === id)
      return {
        ...project,
        ...(attention.get(id) ?? nothing),
        sales: ofProject.map(({ currency, amount }) => ({ currency, amount })),
      }
    }),
    next,
    ...counted,
  }
}

interface Position {
  rank: number
  name: string
  projectId: string
}

/** Returns a page of projects: those that need attention, of which there are few, then the others. */
async function readProjects(
  context: Context,
  caller: ConsoleCaller,
  { attention, before, limit }: { attention: Map<string, Attention>; before: Position | undefined; limit: number },
): Promise<{ items: Position[]; next: string | null }> {
  const ranks = new Map([...attention].map(([projectId, found]) => [projectId, rankOf(found)]))
  const first = [...ranks].filter(([, rank]) => rank > 0).map(([projectId]) => projectId)
  const named = first.length === 0 ? [] : await activeProjects(context, caller, { only: first, limit: first.length })
  const ranked = named
    .map((project) => ({ ...project, rank: ranks.get(project.projectId) ?? 0 }))
    // Those of the same rank stay sorted by name.
    .toSorted((one, other) => other.rank - one.rank)
  const following = before === undefined ? ranked : listFollowing(ranked, before)
  const missing = limit + 1 - following.length
  const others =
    missing <= 0
      ? []
      : await activeProjects(context, caller, {
          except: first,
          before: before?.rank === 0 ? before : undefined,
          limit: missing,
        })
  const found = [...following, ...others.map((project) => ({ ...project, rank: 0 }))]
  return pageOf(found, limit, (project) => [project.rank, project.name, project.projectId])
}

/** Returns the ranked projects after `before`, which may have got another rank since. */
function listFollowing(ranked: readonly Position[], before: Position): readonly Position[] {
  const index = ranked.findIndex(({ projectId, rank }) => projectId === before.projectId && rank === before.rank)
  return index === -1 ? ranked.filter(({ rank }) => rank < before.rank) : ranked.slice(index + 1)
}

type Attention = Pick<Figures, 'failingHosts' | 'failingCallbacks' | 'reviews' | 'changes'>

const nothing: Attention = { failingHosts: 0, failingCallbacks: 0, reviews: 0, changes: 0 }

function rankOf({ failingHosts, reviews, changes }: Attention): number {
  return failingHosts > 0 ? 2 : reviews + changes > 0 ? 1 : 0
}

/** Returns what needs attention, by project. */
async function readAttention({ sql }: Context, projectIds: 'all' | readonly string[]): Promise<Map<string, Attention>> {
  const found = await listAttention(sql, projectIds, maxIncidents)
  const failing = found.flatMap(({ appids }) => appids)
  const unacknowledged =
    failing.length === 0 ? [] : await listUnacknowledged(sql, failing, { limit: maxIncidents, scanned: maxCallbacks })
  return new Map(
    found.map(({ projectId, appids, reviews, changes }) => {
      // A host without failed callbacks needs no attention: they were acknowledged elsewhere.
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
