import type { consoleOperations, ParametersOf, QueueKind, ResultOf } from '@souk/contract'
import { readCursor, readPage } from '../../../../kernel/db/page.ts'
import type { ConsoleCaller } from '../../../caller.ts'
import { listBlocksById, listChangesById } from '../../../console/index.ts'
import type { Context } from '../../../context.ts'
import { listQueueRows } from './queue.store.ts'
import { listReviewsById } from './store.ts'

type Operations = typeof consoleOperations

/** Lists reviews of releases, appeals and change requests in one order. */
export async function listReviewQueue(
  { sql }: Context,
  _caller: ConsoleCaller,
  { kind, state, sort, cursor, ...page }: ParametersOf<Operations['listReviewQueue']>,
): Promise<ResultOf<Operations['listReviewQueue']>> {
  const [ctime, id] = readCursor(cursor, ['number', 'id'])
  const { items, ...rest } = await readPage(sql, page, {
    list: (part) => listQueueRows(sql, { kind, state, sort, ...part }),
    before: ctime === undefined ? undefined : ([ctime, id] as const),
    keyOf: (row) => [row.ctime, row.id],
  })
  const idsOf = (table: 'release' | 'appeal' | 'change') =>
    items.filter((row) => tableOf(row) === table).map(({ id }) => id)
  const [reviews, changes, blocks] = await Promise.all([
    listReviewsById(sql, idsOf('release')),
    listChangesById(sql, idsOf('change')),
    listBlocksById(sql, idsOf('appeal')),
  ])
  const reviewOf = new Map(reviews.map((each) => [each.reviewId, each]))
  const changeOf = new Map(changes.map((each) => [each.changeId, each]))
  const blockOf = new Map(blocks.map((each) => [each.blockId, each]))
  return {
    ...rest,
    items: items
      .map(({ kind, id, ctime }) => ({
        kind,
        ctime,
        review: reviewOf.get(id) ?? null,
        change: changeOf.get(id) ?? null,
        block: blockOf.get(id) ?? null,
      }))
      // A mini app that was deleted between the statements.
      .filter(({ review, change, block }) => review !== null || change !== null || block !== null),
  }
}

const tableOf = ({ kind }: { kind: QueueKind }) => (kind === 'release' || kind === 'appeal' ? kind : 'change')
