import {
  type consoleOperations,
  openReviewStates,
  type ResultOf,
  type ReviewItem,
  type ReviewState,
} from '@souk/contract'
import type { Rows, Sql, Tx } from '../../../../kernel/db/pool.ts'
import { newId } from '../../../../kernel/id.ts'
import type { ConsoleCaller, SystemCaller } from '../../../caller.ts'
import type { PathChange } from './changedFiles.ts'

/** A review as the console shows it. */
export type Review = ResultOf<typeof consoleOperations.startReview>
type ReviewDetail = ResultOf<typeof consoleOperations.getReview>

/** A reason for a rejection. */
export interface Reason {
  item: ReviewItem
  text: string
}

/** A stored review. `submittedBy` is null unless an account has submitted the release. */
export interface StoredReview {
  reviewId: string
  appid: string
  releaseId: string
  state: ReviewState
  publishTime: number | null
  submittedBy: string | null
}

/** The author of a change of a review. */
export type Reviewer = ConsoleCaller | SystemCaller

const storedColumns = (sql: Sql | Tx) => sql`
  review_id, appid, release_id, state, publish_time, submitted_by`

/** Returns the last review of a release. The caller has locked the mini app. */
export async function findLastReview(tx: Tx, releaseId: string): Promise<StoredReview | undefined> {
  const [row] = await tx<StoredReview[]>`
    select ${storedColumns(tx)} from release_reviews where release_id = ${releaseId}
    order by ctime desc, review_id desc limit 1`
  return row
}

export async function findReview(sql: Sql, reviewId: string): Promise<StoredReview | undefined> {
  const [row] = await sql<StoredReview[]>`
    select ${storedColumns(sql)} from release_reviews where review_id = ${reviewId}`
  return row
}

/** Returns the scheduled reviews that are due. @param now domain clock, ms */
export async function listDueReviews(sql: Sql, now: number): Promise<StoredReview[]> {
  return sql<StoredReview[]>`
    select ${storedColumns(sql)} from release_reviews
    where state = 'scheduled' and publish_time <= ${now}
      and appid not in (select appid from apps where archived_time is not null)
    order by publish_time, review_id`
}

/** Fields of a submission besides the release. `screenshots` are fileIds. */
export interface Submission {
  note: string | null
  testAccount: string | null
  screenshots: readonly string[]
}

export async function insertReview(
  tx: Tx,
  review: { appid: string; releaseId: string } & Submission,
  caller: ConsoleCaller,
  now: number,
): Promise<string> {
  const reviewId = newId()
  const { accountId, serviceAccountId } = actorOf(caller)
  await tx`
    insert into release_reviews
      (review_id, release_id, appid, state, note, test_account, screenshots, submitted_by, service_account_id, ctime, mtime)
    values (
      ${reviewId}, ${review.releaseId}, ${review.appid}, 'submitted', ${review.note}, ${review.testAccount},
      ${[...review.screenshots]}::text[]::uuid[], ${accountId}, ${serviceAccountId}, ${now}, ${now})`
  await insertReviewEvent(tx, { reviewId, state: 'submitted', reasons: [], note: null }, caller, now)
  return reviewId
}

interface ReviewChange {
  reviewId: string
  state: ReviewState
  reasons: readonly Reason[]
  note: string | null
}

export async function updateReview(
  tx: Tx,
  { reviewId, state, reasons, note, publishTime }: ReviewChange & { publishTime: number | null },
  caller: Reviewer,
  now: number,
): Promise<void> {
  await tx`
    update release_reviews set
      state = ${state}, reasons = ${JSON.stringify(reasons)}::text::jsonb, publish_time = ${publishTime}, mtime = ${now}
    where review_id = ${reviewId}`
  await insertReviewEvent(tx, { reviewId, state, reasons, note }, caller, now)
}

async function insertReviewEvent(
  tx: Tx,
  { reviewId, state, reasons, note }: ReviewChange,
  caller: Reviewer,
  now: number,
): Promise<void> {
  const { accountId, serviceAccountId } = actorOf(caller)
  await tx`
    insert into release_review_events
      (event_id, review_id, state, reasons, note, actor, account_id, service_account_id, time)
    values (
      ${newId()}, ${reviewId}, ${state}, ${JSON.stringify(reasons)}::text::jsonb, ${note}, ${caller.kind},
      ${accountId}, ${serviceAccountId}, ${now})`
}

function actorOf(caller: Reviewer): { accountId: string | null; serviceAccountId: string | null } {
  return {
    accountId: caller.kind === 'account' ? caller.accountId : null,
    serviceAccountId: caller.kind === 'serviceAccount' ? caller.serviceAccountId : null,
  }
}

const reviews = (sql: Sql | Tx) => sql`
  select
    v.review_id, v.appid, apps.name as app_name, apps.project_id, projects.name as project_name, v.release_id,
    r.platform, r.version, v.state, v.note, v.test_account, v.screenshots, v.reasons, v.publish_time,
    coalesce(a.name, sa.name, 'admin') as submitted_by, last.by as changed_by, v.ctime, v.mtime
  from release_reviews v
    join releases r using (release_id)
    join apps on apps.appid = v.appid and apps.deleted_time is null join projects using (project_id)
    left join accounts a on a.account_id = v.submitted_by
    left join service_accounts sa on sa.service_account_id = v.service_account_id
    left join lateral (
      select coalesce(la.name, lsa.name, e.actor) as by
      from release_review_events e
        left join accounts la using (account_id)
        left join service_accounts lsa on lsa.service_account_id = e.service_account_id
      where e.review_id = v.review_id order by e.time desc, e.event_id desc limit 1
    ) last on true`

/** Returns reviews before the one with ctime and id `before`, newest first. */
export function listReviewRows(
  sql: Sql,
  filter: {
    appid: string | undefined
    state: ReviewState | undefined
    open: boolean | undefined
    before: readonly [ctime: number, reviewId: string] | undefined
    limit: number
  },
): Rows<Review> {
  const { appid, state, open, before, limit } = filter
  const isOpen = sql`v.state = any(${[...openReviewStates]})`
  return sql<Review[]>`
    ${reviews(sql)}
    where true
      ${appid === undefined ? sql`` : sql`and v.appid = ${appid}`}
      ${state === undefined ? sql`` : sql`and v.state = ${state}`}
      ${open === undefined ? sql`` : open ? sql`and ${isOpen}` : sql`and not ${isOpen}`}
      ${before === undefined ? sql`` : sql`and (v.ctime, v.review_id) < (${before[0]}, ${before[1]}::uuid)`}
    order by v.ctime desc, v.review_id desc
    limit ${limit}`
}

/** Returns reviews by their identifiers, in no particular order. */
export async function listReviewsById(sql: Sql, reviewIds: readonly string[]): Promise<Review[]> {
  return sql<Review[]>`${reviews(sql)} where v.review_id = any(${[...reviewIds]}::text[]::uuid[])`
}

export async function findReviewRow(sql: Sql | Tx, reviewId: string): Promise<Review> {
  const [row] = await sql<[Review]>`${reviews(sql)} where v.review_id = ${reviewId}`
  return row
}

export async function findLastReviewRow(sql: Sql, releaseId: string): Promise<Review | undefined> {
  const [row] = await sql<Review[]>`
    ${reviews(sql)} where v.release_id = ${releaseId} order by v.ctime desc, v.review_id desc limit 1`
  return row
}

/** Returns the changes of all reviews of a release, oldest first. */
export async function listReviewEvents(sql: Sql, releaseId: string): Promise<ReviewDetail['history']> {
  return sql<ReviewDetail['history']>`
    select e.state, coalesce(a.name, sa.name, e.actor) as by, e.reasons, e.note, e.time
    from release_review_events e
      join release_reviews v using (review_id)
      left join accounts a using (account_id)
      left join service_accounts sa on sa.service_account_id = e.service_account_id
    where v.release_id = ${releaseId}
    order by e.time, e.event_id`
}

/** Returns the files that differ between a release and an earlier one, by path. */
export async function listChangedFiles(sql: Sql, releaseId: string, earlierId: string | null): Promise<PathChange[]> {
  const filesOf = (id: string | null) => sql`
    select path, content_hash, size from release_files join release_contents using (content_hash)
    where release_id = ${id}`
  return sql<PathChange[]>`
    select path, files.size, earlier.size as earlier_size, case
        when earlier.content_hash is null then 'added' when files.content_hash is null then 'removed' else 'changed'
      end as change
    from (${filesOf(releaseId)}) files full join (${filesOf(earlierId)}) earlier using (path)
    where files.content_hash is distinct from earlier.content_hash
    order by path`
}

/** Returns the page paths of a release. */
export async function listPages(sql: Sql, releaseId: string): Promise<string[]> {
  const [row] = await sql<{ pages: string[] }[]>`select pages from releases where release_id = ${releaseId}`
  return row?.pages ?? []
}

/** Returns the functions of the host that a release asks for. */
export async function listRequestedFunctions(sql: Sql | Tx, releaseId: string): Promise<string[]> {
  const [row] = await sql<{ hostFunctions: string[] }[]>`
    select host_functions from releases where release_id = ${releaseId}`
  return row?.hostFunctions ?? []
}

/** Returns whether releases need an approved review before they are published. */
export async function findRequireReviews(tx: Tx): Promise<boolean> {
  const [row] = await tx<{ required: boolean }[]>`select require_reviews as required from platform_settings`
  return row?.required ?? false
}
