import type { QueueKind, QueueState } from '@souk/contract'
import { directionOf } from '../../../../kernel/db/page.ts'
import type { Part, Rows, Sql } from '../../../../kernel/db/pool.ts'

/** Identifies a review, an appeal or a change request in the queue. */
export interface QueueRow {
  kind: QueueKind
  id: string
  ctime: number
}

/** States as literals, so that PostgreSQL uses the partial indexes of what waits. */
const stateConditions = (sql: Sql) => ({
  waiting: {
    review: sql`state in ('submitted', 'inReview')`,
    appeal: sql`answer_time is null`,
    change: sql`state = 'pending'`,
  },
  approved: {
    review: sql`state in ('approved', 'scheduled', 'published')`,
    appeal: sql`lifted_time is not null`,
    change: sql`state = 'approved'`,
  },
  rejected: {
    review: sql`state = 'rejected'`,
    appeal: sql`answer_time is not null and lifted_time is null`,
    change: sql`state = 'rejected'`,
  },
  withdrawn: { review: sql`state = 'withdrawn'`, appeal: sql`false`, change: sql`state = 'withdrawn'` },
})

/** Returns reviews, appeals and change requests in one order, each read from an index of its table. */
export function listQueueRows(
  sql: Sql,
  filter: {
    kind: QueueKind | undefined
    state: QueueState | undefined
    sort: 'ctime' | '-ctime' | undefined
    before: readonly [ctime: number, id: string] | undefined
    limit: number
  },
): Rows<QueueRow> {
  const { kind, state, sort = 'ctime', before, limit } = filter
  const { direction, follows } = directionOf(sql, sort)
  const isInState = state && stateConditions(sql)[state]
  // Per row, so that only the mini apps of the page are read.
  const isLive = (appid: Part) => sql`(select deleted_time from apps where apps.appid = ${appid}) is null`
  const reviews = sql`
    select 'release' as kind, review_id as id, ctime from release_reviews
    where ${kind === undefined || kind === 'release'} and ${isLive(sql`release_reviews.appid`)}
      ${isInState ? sql`and ${isInState.review}` : sql``}
      ${before ? sql`and (ctime, review_id) ${follows} (${before[0]}, ${before[1]}::uuid)` : sql``}
    order by ctime ${direction}, review_id ${direction} limit ${limit}`
  const appeals = sql`
    select 'appeal' as kind, block_id as id, appeal_time as ctime from blocks
    where appeal_time is not null and ${kind === undefined || kind === 'appeal'}
      and ${isLive(sql`blocks.appid`)}
      ${isInState ? sql`and ${isInState.appeal}` : sql``}
      ${before ? sql`and (appeal_time, block_id) ${follows} (${before[0]}, ${before[1]}::uuid)` : sql``}
    order by appeal_time ${direction}, block_id ${direction} limit ${limit}`
  const changes = sql`
    select kind, change_id as id, ctime from change_requests
    where ${kind !== 'release' && kind !== 'appeal'} and ${isLive(sql`change_requests.appid`)}
      ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
      ${isInState ? sql`and ${isInState.change}` : sql``}
      ${before ? sql`and (ctime, change_id) ${follows} (${before[0]}, ${before[1]}::uuid)` : sql``}
    order by ctime ${direction}, change_id ${direction} limit ${limit}`
  return sql<QueueRow[]>`
    select kind, id, ctime
    from ((${reviews}) union all (${appeals}) union all (${changes})) queue
    order by ctime ${direction}, queue.id ${direction} limit ${limit}`
}
