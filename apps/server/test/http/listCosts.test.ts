import { consoleOperations, hostOperations, type Operation, platformOperations } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FullContext } from '../../src/domain/context.ts'
import * as miniApps from '../../src/domain/miniApps/index.ts'
import { connect, type Sql } from '../../src/kernel/db/pool.ts'
import { handlers as consoleHandlers } from '../../src/surfaces/console/handlers.ts'
import { identityContext } from '../context.ts'
import { type FreshDatabase, freshDatabase } from '../database.ts'
import { fillInstallation, type LargeInstallation } from '../largeInstallation.ts'

/** What a page of each list reads: rows of tables and entries of indexes. */
const size = { projects: 300, apps: 300, members: 300, users: 3_000, trades: 6_000, others: 3_000 }
const limit = 10
/** Few times the rows of the page, whatever the size of the installation. */
const ofPage = 15 * limit
/** Besides, one row of each mini app of the project. */
const ofApps = ofPage + 2 * size.apps
/** Besides, as many rows of `limit` mini apps as the page has. */
const ofFewApps = ofApps + 5 * limit ** 2

/** Inputs of a list, each with the most rows that its page may read. */
type Costs = (large: LargeInstallation) => [input: Record<string, unknown>, rows: number][]
const ofProject = ({ projectId }: LargeInstallation) => ({ projectId })
const costs: Record<string, Costs> = {
  listAudit: (large) => [
    [{}, ofApps],
    [ofProject(large), ofApps],
  ],
  listAccounts: () => [
    [{}, ofPage],
    [{ sort: 'name' }, ofPage],
  ],
  listMembers: (large) => [
    [ofProject(large), ofPage],
    [{ ...ofProject(large), text: 'User 77' }, ofPage + 2 * size.members],
  ],
  listSigningKeys: () => [[{}, ofPage]],
  listInvitations: (large) => [[ofProject(large), ofPage]],
  listApps: (large) => [
    [{}, ofPage],
    [{ sort: 'name' }, ofPage],
    [ofProject(large), ofPage],
    [{ ...ofProject(large), sort: 'name' }, ofApps],
  ],
  listChangeRequests: () => [[{}, ofPage]],
  listAllBlocks: () => [[{}, ofPage]],
  listReviews: () => [[{}, ofPage]],
  listReviewQueue: () => [
    [{}, ofPage],
    [{ state: 'waiting' }, ofPage],
  ],
  // Counts mini apps and members of the page's projects, and sums up their trades since `from`, here none. Besides, it
  // reads what waits in the installation with its release: a review of each mini app.
  listProjectFigures: () => [[{}, ofApps + size.members + 2 * size.apps]],
  searchTrades: (large) => [[ofProject(large), ofFewApps]],
  searchRefunds: (large) => [[ofProject(large), ofApps]],
  searchReconciliations: (large) => [[ofProject(large), ofFewApps]],
  searchCallbacks: (large) => [[ofProject(large), ofFewApps]],
  searchNotifications: (large) => [[ofProject(large), ofFewApps]],
  searchActivities: (large) => [[ofProject(large), ofFewApps]],
  listFeedback: (large) => [[ofProject(large), ofApps]],
  listReports: () => [[{}, ofPage]],
  searchRequests: (large) => [
    [ofProject(large), ofFewApps],
    [{ ...ofProject(large), client: 'souk-go' }, ofApps + 2 * size.others],
  ],
  searchDatasets: (large) => [[ofProject(large), ofPage]],
  searchRecords: ({ projectId }) => [[{ datasetId: `${projectId}.trades` }, ofApps]],
  listUsers: () => [[{}, ofPage]],
  searchEventDeliveries: () => [[{}, ofPage]],
  searchHostUsers: () => [
    [{}, ofPage],
    [{ sort: 'nickName' }, ofPage],
    [{ text: 'User 77' }, ofPage + size.users],
  ],
  listMiniApps: () => [
    [{}, ofPage],
    [{ query: 'shop' }, ofPage],
    [{ language: 'ar_SA' }, ofPage],
  ],
  pageProjects: () => [[{}, ofPage]],
  listDatasets: () => [[{}, ofApps]],
  // Users have no time of their own, so that each has two index entries.
  listRecords: ({ projectId }) => [[{ datasetId: `${projectId}.users` }, 2 * ofApps]],
}

let database: FreshDatabase
/** One connection, so that the statistics of all statements are complete. */
let sql: Sql
let context: FullContext
let large: LargeInstallation

beforeAll(async () => {
  database = await freshDatabase()
  large = await fillInstallation(database.sql, size)
  // The tables of a test are so small that reading them as a whole would be cheaper.
  sql = connect(`${database.url}?enable_seqscan=off`, { max: 1 })
  context = identityContext(sql)
  // The list in memory, which is read once.
  await context.catalogue.sortedFor('en_US')
})
afterAll(async () => {
  await sql?.end()
  await database.drop()
})

async function readSoFar(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`
  const [{ rows }] = await sql<[{ rows: number }]>`
    select (
      (select sum(seq_tup_read) from pg_stat_user_tables) + (select sum(idx_tup_read) from pg_stat_user_indexes)
    )::bigint as rows`
  return rows
}

type List = (context: FullContext, caller: unknown, input: object) => Promise<{ items: unknown[] }>
const verbs = { ...miniApps, ...consoleHandlers } as unknown as Record<string, List>
const operations: Record<string, Operation> = { ...platformOperations, ...hostOperations, ...consoleOperations }
/** Needs the sealed secrets of a provider account, and reads an index of its own account. */
const without = ['listShadowAnswers']
const paged = Object.values(operations).filter(
  ({ id, parameters }) => Object.hasOwn(parameters.properties, 'cursor') && !without.includes(id),
)

describe.for(paged.map(({ id }) => id))('%s', (id) => {
  test('a page reads no more rows than its cost says', async () => {
    const list = verbs[id]!
    const caller = operations[id]!.surface === 'host' ? { kind: 'hostUser', uid: large.uid } : { kind: 'admin' }
    for (const [input, most] of costs[id]!(large)) {
      const before = await readSoFar()
      const { items } = await list(context, caller, { ...input, limit })
      const rows = (await readSoFar()) - before
      expect([JSON.stringify(input), items.length > 0, rows <= most ? most : rows]).toEqual([
        JSON.stringify(input),
        true,
        most,
      ])
    }
  })
})
