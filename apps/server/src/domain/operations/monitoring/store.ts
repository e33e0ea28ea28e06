import { day, type Provider } from '@souk/contract'
import type { Sql } from '../../../kernel/db/pool.ts'
import { countDisabledEndpoints, oldestDueDelivery, receiversByState } from '../../messages/index.ts'
import { countDisabledReceivers, findPendingIds, oldestDueCallback } from '../../money/index.ts'

/** Figures of waiting work and of upkeep in the database. Ages in seconds, 0 if nothing waits. */
export interface Facts {
  oldestDueJob: number
  failedJobs: number
  oldestDueCallback: number
  oldestDueEvent: number
  callbacks: DeliveryCounts
  events: DeliveryCounts
  receivers: { failing: number; paused: number; probing: number }
  disabledReceivers: { callback: number; event: number }
  oldestOwedRefund: number
  unrepairedDifferences: number
  oldestWaitingMail: number
  failedMails: number
  /** Null if there is no backup. */
  backupAge: number | null
  /** Null if no backup was restored in a check. */
  restoredBackupAge: number | null
  /** 1 or 0, or null if there was no check. */
  restoreCheckFailed: number | null
  addedKeyAge: number
  replacedKeyAge: number
  unreadableValues: number
  suspendedAccounts: Partial<Record<Provider, number>>
  /** Bytes by the `application_name` of the standby. */
  replicationLag: Partial<Record<string, number>>
}

/** Messages by their schedule, up to a limit. */
interface DeliveryCounts {
  due: number
  waiting: number
  dead: number
}

/** Deliveries are counted up to this number, so that reading metrics costs the same with a million of them. */
const maxCounted = 100_000

/** Counts deliveries, as a subquery. One in progress waits for its result. */
const countsOf = (sql: Sql, table: 'callbacks' | 'event_deliveries', now: number) => {
  const count = (condition: ReturnType<Sql>) => sql`
    (select count(*) from (select from ${sql(table)} where ${condition} limit ${maxCounted}) counted)`
  return sql`
    json_build_object(
      'due', ${count(sql`state = 'pending' and next_attempt <= ${now}`)},
      'waiting', ${count(sql`state = 'pending' and next_attempt > ${now}`)},
      'dead', ${count(sql`state = 'dead'`)})`
}

/**
 * Reads all facts with one query, after the range of pending callbacks. `greatest` ignores nulls, so an age is 0 if
 * nothing waits.
 *
 * @param now times of the domain clock and of the real one, ms
 */
export async function findFacts(sql: Sql, now: { domain: number; real: number }): Promise<Facts> {
  const pendingIds = await findPendingIds(sql)
  const [facts] = await sql<[Facts]>`
    select
      greatest(0, extract(epoch from now() - jobs.oldest))::float8 as oldest_due_job,
      jobs.failed::int as failed_jobs,
      greatest(0, ${now.domain} - ${oldestDueCallback(sql, now.domain, pendingIds)}) / 1000::float8 as oldest_due_callback,
      greatest(0, ${now.domain} - ${oldestDueDelivery(sql, now.domain)}) / 1000::float8 as oldest_due_event,
      ${countsOf(sql, 'callbacks', now.domain)} as callbacks,
      ${countsOf(sql, 'event_deliveries', now.domain)} as events,
      ${receiversByState(sql, now.domain)} as receivers,
      json_build_object('callback', ${countDisabledReceivers(sql)}, 'event', ${countDisabledEndpoints(sql)})
        as disabled_receivers,
      (select greatest(0, ${now.domain} - min(ctime)) / 1000::float8 from refunds where state = 'owed') as oldest_owed_refund,
      (select count(*)::int from reconciliation_differences where not repaired) as unrepaired_differences,
      (select greatest(0, ${now.real} - min(ctime)) / 1000::float8 from mails where state = 'waiting') as oldest_waiting_mail,
      (select count(*)::int from mails where state = 'failed' and mtime > ${now.real - day}) as failed_mails,
      (select greatest(0, ${now.real} - time) / 1000::float8 from last_backup) as backup_age,
      (select greatest(0, ${now.real} - backup_time) / 1000::float8 from last_restore_check
        where backup_time is not null) as restored_backup_age,
      (select (failure is not null)::int from last_restore_check) as restore_check_failed,
      (select greatest(0, ${now.real} - min(added_at)) / 1000::float8 from master_keys
        where replaced_at is null and retired_at is null
          and key_id <> (select key_id from installation)) as added_key_age,
      (select greatest(0, ${now.real} - min(replaced_at)) / 1000::float8 from master_keys
        where retired_at is null) as replaced_key_age,
      (select count(*)::int from unreadable_values) as unreadable_values,
      (select coalesce(json_object_agg(provider, suspended), '{}') from (
        select provider, count(*) filter (where out_until > ${now.real}) as suspended
        from provider_accounts where enabled group by provider) as accounts) as suspended_accounts,
      (select coalesce(json_object_agg(application_name, lag), '{}') from (
        select application_name, max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::float8 as lag
        from pg_stat_replication where replay_lsn is not null group by application_name) as standbys) as replication_lag
    from (
      select
        min(run_at) filter (where locked_at is null and attempts < max_attempts) as oldest,
        count(*) filter (where attempts >= max_attempts and locked_at is null) as failed
      from graphile_worker.jobs) as jobs`
  return facts
}
