import type {
  consoleOperations,
  FeedbackKind,
  FeedbackState,
  hostOperations,
  ParametersOf,
  ReleasePlatform,
  ReportReason,
  ResultOf,
} from '@souk/contract'
import type { Rows, Sql, Tx } from '../../../kernel/db/pool.ts'

/** A message as the console shows it to administrators. */
export type Feedback = ResultOf<typeof consoleOperations.getFeedback>
type OwnFeedback = ResultOf<typeof hostOperations.listOwnFeedback>['items'][number]

/** A message to store. */
export interface NewFeedback {
  feedbackId: string
  appid: string
  uid: number
  kind: FeedbackKind | 'report'
  reason: ReportReason | null
  text: string | null
  releaseId: string | null
  page: string | null
  device: NonNullable<ParametersOf<typeof hostOperations.sendFeedback>['device']>
}

/** Locks a user, so that messages are counted one after another and none outlives an erased user. */
export async function lockUser(tx: Tx, uid: number): Promise<boolean> {
  const rows = await tx`select from users where uid = ${uid} and erased_time is null for no key update`
  return rows.length > 0
}

/**
 * Returns the times of the messages of a user after `from` until `to`, oldest first. Messages from before the clock of
 * a sandbox was set back are later.
 */
export async function listTimes(tx: Tx, uid: number, { from, to }: { from: number; to: number }): Promise<number[]> {
  const rows = await tx<{ ctime: number }[]>`
    select ctime from feedback where uid = ${uid} and ctime > ${from} and ctime <= ${to} order by ctime`
  return rows.map(({ ctime }) => ctime)
}

/** Returns a release, and prevents its deletion until the transaction ends. */
export async function lockRelease(
  tx: Tx,
  appid: string,
  releaseId: string,
): Promise<{ platform: ReleasePlatform; version: string } | undefined> {
  const [row] = await tx<{ platform: ReleasePlatform; version: string }[]>`
    select platform, version from releases where appid = ${appid} and release_id = ${releaseId} for key share`
  return row
}

export async function insertFeedback(
  tx: Tx,
  feedback: NewFeedback,
  release: { platform: ReleasePlatform; version: string } | undefined,
  now: number,
): Promise<void> {
  await tx`
    insert into feedback
      (feedback_id, appid, uid, kind, reason, text, state, release_id, platform, version, page, device, ctime, mtime)
    values (
      ${feedback.feedbackId}, ${feedback.appid}, ${feedback.uid}, ${feedback.kind}, ${feedback.reason},
      ${feedback.text}, 'open', ${feedback.releaseId}, ${release?.platform ?? null}, ${release?.version ?? null},
      ${feedback.page}, ${tx.json(feedback.device as never)}, ${now}, ${now})`
}

const messages = (sql: Sql | Tx) => sql`
  select
    f.feedback_id, f.appid, apps.name as app_name, apps.project_id, projects.name as project_name, f.kind, f.reason,
    f.text, f.state, f.release_id, f.platform, f.version, f.page, f.device,
    (select o.open_id from open_ids o where o.appid = f.appid and o.uid = f.uid) as open_id, f.uid,
    case when f.answer is not null then jsonb_build_object(
      'text', f.answer, 'by', coalesce(a.name, sa.name, 'admin'), 'time', f.answer_time) end as answer,
    f.ctime, f.mtime
  from feedback f
    join apps on apps.appid = f.appid and apps.deleted_time is null join projects using (project_id)
    left join accounts a on a.account_id = f.answered_by
    left join service_accounts sa on sa.service_account_id = f.service_account_id`

/** Returns messages that are older than `before`, newest first. */
export function listMessages(
  sql: Sql,
  filter: {
    isReport: boolean
    appids: readonly string[] | undefined
    kind?: FeedbackKind | undefined
    reason?: ReportReason | undefined
    state: FeedbackState | undefined
    openId?: string | undefined
    before: string | undefined
    limit: number
  },
): Rows<Feedback> {
  const { isReport, appids, kind, reason, state, openId, before, limit } = filter
  return sql<Feedback[]>`
    ${messages(sql)}
    where ${isReport ? sql`f.kind = 'report'` : sql`f.kind <> 'report'`}
      ${appids === undefined ? sql`` : sql`and f.appid = any(${appids as string[]})`}
      ${kind === undefined ? sql`` : sql`and f.kind = ${kind}`}
      ${reason === undefined ? sql`` : sql`and f.reason = ${reason}`}
      ${state === undefined ? sql`` : sql`and f.state = ${state}`}
      ${openId === undefined ? sql`` : sql`and (f.appid, f.uid) in (select appid, uid from open_ids where open_id = ${openId})`}
      ${before === undefined ? sql`` : sql`and f.feedback_id < ${before}`}
    order by f.feedback_id desc
    limit ${limit}`
}

export async function findMessage(sql: Sql | Tx, feedbackId: string): Promise<Feedback | undefined> {
  const [row] = await sql<Feedback[]>`${messages(sql)} where f.feedback_id = ${feedbackId}`
  return row
}

/** Locks a message after its user, as erasing the user does, and returns it. */
export async function lockMessage(tx: Tx, feedbackId: string): Promise<Feedback | undefined> {
  await tx`select from users where uid = (select uid from feedback where feedback_id = ${feedbackId}) for key share`
  const [row] = await tx<Feedback[]>`${messages(tx)} where f.feedback_id = ${feedbackId} for no key update of f`
  return row
}

/** Returns the project that a message belongs to; undefined for a report, which is for the operator. */
export async function findProject(sql: Sql, feedbackId: string): Promise<string | undefined> {
  if (!/^[0-9a-f]{32}$/.test(feedbackId)) return undefined
  const [row] = await sql<{ projectId: string }[]>`
    select project_id from feedback join apps using (appid)
    where feedback_id = ${feedbackId} and kind <> 'report' and deleted_time is null`
  return row?.projectId
}

export async function updateAnswer(
  tx: Tx,
  feedbackId: string,
  answer: { text: string; accountId: string | null; serviceAccountId: string | null },
  now: number,
): Promise<void> {
  await tx`
    update feedback set
      state = 'answered', answer = ${answer.text}, answered_by = ${answer.accountId},
      service_account_id = ${answer.serviceAccountId}, answer_time = ${now}, answer_read = false, mtime = ${now}
    where feedback_id = ${feedbackId}`
}

export async function updateState(tx: Tx, feedbackId: string, state: FeedbackState, now: number): Promise<void> {
  await tx`update feedback set state = ${state}, mtime = ${now} where feedback_id = ${feedbackId}`
}

/** Returns messages of a user that are older than `before`, newest first. */
export async function listOwn(
  sql: Sql,
  uid: number,
  before: string | undefined,
  limit: number,
): Promise<OwnFeedback[]> {
  return sql<OwnFeedback[]>`
    select
      f.feedback_id, f.appid, apps.name as app_name, apps.icon_url as app_icon_url, f.kind, f.reason, f.text, f.state,
      case when f.answer is not null then jsonb_build_object(
        'text', f.answer, 'time', f.answer_time, 'read', f.answer_read) end as answer,
      f.ctime
    from feedback f join apps using (appid)
    where f.uid = ${uid} and apps.deleted_time is null ${before === undefined ? sql`` : sql`and f.feedback_id < ${before}`}
    order by f.feedback_id desc
    limit ${limit}`
}

/** Returns the number of answers that a user has not seen. */
export async function countUnread(sql: Sql, uid: number): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from feedback where uid = ${uid} and answer is not null and not answer_read`
  return row.count
}

export async function updateAnswersToRead(sql: Sql, uid: number): Promise<void> {
  await sql`update feedback set answer_read = true where uid = ${uid} and answer is not null and not answer_read`
}

/** Deletes at most `limit` messages that have not changed since `time`. Returns their number. */
export async function deleteOldMessages(sql: Sql, time: number, limit: number): Promise<number> {
  const { count } = await sql`
    delete from feedback where feedback_id in (select feedback_id from feedback where mtime < ${time} limit ${limit})`
  return count
}
