import {
  type CanaryState,
  type CanarySystem,
  type consoleOperations,
  openCanaryStates,
  type ReleasePlatform,
  type ResultOf,
} from '@souk/contract'
import type { Sql, Tx } from '../../../../kernel/db/pool.ts'
import { newId } from '../../../../kernel/id.ts'
import type { ConsoleCaller } from '../../../caller.ts'
import type { Audience } from './audience.ts'

/** A canary as the console shows it. */
export type Canary = ResultOf<typeof consoleOperations.startCanary>
export type HaltReason = NonNullable<Canary['haltReason']>

/** Openings of a user that count in each run of a canary. Sampling everyone alike does not favor either release. */
const maxOpeningsPerUser = 50

/** Share of users with failures that is always tolerated, even if the published release has fewer. */
const toleratedShare = 0.02

/** Users with failures below which a canary is not halted, so that one user's device cannot decide about it. */
const minFailingUsers = 2

export async function insertCanary(
  tx: Tx,
  canary: Audience & {
    appid: string
    releaseId: string
    platform: ReleasePlatform
    factor: number
    minOpenings: number
  },
  caller: ConsoleCaller,
  now: number,
): Promise<void> {
  await tx`
    insert into canaries
      (canary_id, release_id, appid, platform, state, share, uids, languages, systems, factor, min_openings, started_by,
       service_account_id, ctime, mtime)
    values (
      ${newId()}, ${canary.releaseId}, ${canary.appid}, ${canary.platform}, 'running', ${canary.share},
      ${[...canary.uids]}::bigint[], ${[...canary.languages]}::text[], ${[...canary.systems]}::text[],
      ${canary.factor}, ${canary.minOpenings}, ${caller.kind === 'account' ? caller.accountId : null},
      ${caller.kind === 'serviceAccount' ? caller.serviceAccountId : null}, ${now}, ${now})`
}

const figuresOf = (sql: Sql | Tx, isCanary: boolean) => sql`json_build_object(
  'users', count(*) filter (where is_canary = ${isCanary}),
  'openings', coalesce(sum(openings) filter (where is_canary = ${isCanary}), 0),
  'failedLaunches', coalesce(sum(failed_launches) filter (where is_canary = ${isCanary}), 0),
  'errors', coalesce(sum(errors) filter (where is_canary = ${isCanary}), 0),
  'usersWithFailedLaunches', count(*) filter (where is_canary = ${isCanary} and failed_launches > 0),
  'usersWithErrors', count(*) filter (where is_canary = ${isCanary} and errors > 0))`

/** Selects the figures of the current run of `c`. */
const currentFigures = (sql: Sql | Tx) => sql`(
  select json_build_object('canary', ${figuresOf(sql, true)}, 'published', ${figuresOf(sql, false)})::jsonb
  from canary_users u where u.canary_id = c.canary_id and u.run = c.run)`

const canaries = (sql: Sql | Tx) => sql`
  select
    c.canary_id, c.appid, c.release_id, c.platform, r.version, c.state, c.share, c.uids, c.languages, c.systems,
    c.factor, c.min_openings, c.halt_reason, coalesce(c.figures, ${currentFigures(sql)}) as figures,
    coalesce(a.name, sa.name, 'admin') as started_by, c.ctime, c.mtime
  from canaries c
    join releases r using (release_id)
    left join accounts a on a.account_id = c.started_by
    left join service_accounts sa on sa.service_account_id = c.service_account_id`

const isOpen = (sql: Sql | Tx) => sql`c.state = any(${[...openCanaryStates]})`

/** Returns the open canary of a release. */
export async function findOpenCanary(sql: Sql | Tx, releaseId: string): Promise<Canary | undefined> {
  const [row] = await sql<Canary[]>`${canaries(sql)} where c.release_id = ${releaseId} and ${isOpen(sql)}`
  return row
}

/** Returns the open canary of a platform. */
export async function findOpenCanaryOf(
  tx: Tx,
  { appid, platform }: { appid: string; platform: ReleasePlatform },
): Promise<Canary | undefined> {
  const [row] = await tx<Canary[]>`
    ${canaries(tx)} where c.appid = ${appid} and c.platform = ${platform} and ${isOpen(tx)}`
  return row
}

export async function findCanary(sql: Sql | Tx, canaryId: string): Promise<Canary> {
  const [row] = await sql<[Canary]>`${canaries(sql)} where c.canary_id = ${canaryId}`
  return row
}

/** Returns the last canaries of a mini app, newest first. */
export async function listCanaryRows(sql: Sql, appid: string): Promise<Canary[]> {
  return sql<Canary[]>`
    ${canaries(sql)} where c.appid = ${appid} order by c.ctime desc, c.canary_id desc limit 20`
}

export async function updateAudience(tx: Tx, canaryId: string, audience: Audience, now: number): Promise<void> {
  await tx`
    update canaries set
      share = ${audience.share}, uids = ${[...audience.uids]}::bigint[], languages = ${[...audience.languages]}::text[],
      systems = ${[...audience.systems]}::text[], mtime = ${now}
    where canary_id = ${canaryId}`
}

/** Changes the state of a canary. Its figures are kept when it ends, and start again after a halt. */
export async function updateCanaryState(
  tx: Tx,
  canaryId: string,
  { state, haltReason }: { state: CanaryState; haltReason: HaltReason | null },
  now: number,
): Promise<void> {
  await tx`
    update canaries c set
      state = ${state}, halt_reason = ${haltReason}, mtime = ${now},
      run = run + case when c.state = 'halted' and ${state} = 'running' then 1 else 0 end,
      figures = case when ${state} in ('rolledBack', 'published') then ${currentFigures(tx)} end
    where canary_id = ${canaryId}`
}

/** A canary that users get. */
export interface RunningCanary extends Audience {
  canaryId: string
  releaseId: string
  version: string
  systems: CanarySystem[]
}

export async function findRunningCanary(
  sql: Sql,
  { appid, platform }: { appid: string; platform: ReleasePlatform },
): Promise<RunningCanary | undefined> {
  const [row] = await sql<RunningCanary[]>`
    select c.canary_id, c.release_id, r.version, c.share, c.uids, c.languages, c.systems
    from canaries c join releases r using (release_id)
    where c.appid = ${appid} and c.platform = ${platform} and c.state = 'running'`
  return row
}

/** Counts an opening of a user, of the canary or of the published release. */
export async function upsertOpening(
  sql: Sql,
  { canaryId, uid, isCanary }: { canaryId: string; uid: number; isCanary: boolean },
): Promise<void> {
  await sql`
    insert into canary_users as known (canary_id, run, uid, is_canary, openings)
    select canary_id, run, ${uid}, ${isCanary}, 1 from canaries where canary_id = ${canaryId} and state = 'running'
    on conflict (canary_id, run, uid, is_canary) do update set openings = known.openings + 1
    where known.openings < ${maxOpeningsPerUser}`
}

/**
 * Counts a failure of a release if a canary runs that it is compared in. A user has at most as many failures as
 * openings, whatever the host reports.
 */
export async function updateFailures(
  sql: Sql,
  { appid, releaseId, uid, failure }: { appid: string; releaseId: string; uid: number; failure: 'launch' | 'error' },
): Promise<void> {
  const column = failure === 'launch' ? sql`failed_launches` : sql`errors`
  await sql`
    update canary_users u set ${column} = least(u.${column} + 1, u.openings)
    from canaries c join releases r on r.appid = c.appid and r.platform = c.platform
    where c.appid = ${appid} and c.state = 'running' and r.release_id = ${releaseId}
      and (r.current or r.release_id = c.release_id)
      and u.canary_id = c.canary_id and u.run = c.run and u.uid = ${uid} and u.is_canary = (r.release_id = c.release_id)`
}

/** A canary in which a larger share of the users has failures than with the published release. */
interface FailingCanary {
  appid: string
  releaseId: string
  canaryId: string
  reason: HaltReason
}

/**
 * Compares the share of users with failures of both releases, of each canary that has enough openings, and returns the
 * canaries to halt. Openings are not compared, since one user decides how many there are.
 */
export async function listFailingCanaries(sql: Sql | Tx, canaryId?: string): Promise<FailingCanary[]> {
  const exceeds = (column: 'failed_launches' | 'errors') => sql`(
    count(*) filter (where is_canary and ${sql(column)} > 0) >= ${minFailingUsers}
    and count(*) filter (where is_canary and ${sql(column)} > 0) > c.factor * count(*) filter (where is_canary) * greatest(
      coalesce(
        count(*) filter (where not is_canary and ${sql(column)} > 0)::float8
          / nullif(count(*) filter (where not is_canary), 0),
        0),
      ${toleratedShare}::float8))`
  return sql<FailingCanary[]>`
    select c.appid, c.release_id, c.canary_id,
      case when ${exceeds('failed_launches')} then 'failedLaunches' else 'errors' end as reason
    from canaries c join canary_users u on u.canary_id = c.canary_id and u.run = c.run
    where c.state = 'running' ${canaryId === undefined ? sql`` : sql`and c.canary_id = ${canaryId}`}
    group by c.canary_id
    having sum(openings) filter (where is_canary) >= c.min_openings
      and (${exceeds('failed_launches')} or ${exceeds('errors')})`
}

/** Deletes rows of earlier runs and of canaries that have ended. */
export async function deleteCountedUsers(sql: Sql, limit: number): Promise<void> {
  await sql`
    delete from canary_users where ctid = any(array(
      select u.ctid from canaries c join canary_users u using (canary_id)
      where c.figures is not null or u.run < c.run
      limit ${limit}))`
}
