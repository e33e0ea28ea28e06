import { setTimeout as wait } from 'node:timers/promises'
import { second } from '@souk/contract'
import { Gauge } from 'prom-client'
import type { Context } from '../../context.ts'
import { type Facts, findFacts } from './store.ts'

/** A figure, or one for each value of the label. Null if there is none. */
type Figure = number | null | Partial<Record<string, number | null>>

interface Measurement {
  name: string
  help: string
  label?: string
  read: (facts: Facts) => Figure
}

/** All processes report the same figures, since they come from the database. */
const measurements: readonly Measurement[] = [
  {
    name: 'souk_oldest_due_job_seconds',
    help: 'Time since the background job that waits longest was due',
    read: ({ oldestDueJob }) => oldestDueJob,
  },
  {
    name: 'souk_failed_jobs',
    help: 'Background jobs that failed too often and are not retried',
    read: ({ failedJobs }) => failedJobs,
  },
  {
    name: 'souk_oldest_due_delivery_seconds',
    help: 'Time since the callback or event that waits longest was due, except those of paused receivers',
    label: 'queue',
    read: ({ oldestDueCallback, oldestDueEvent }) => ({ callback: oldestDueCallback, event: oldestDueEvent }),
  },
  {
    name: 'souk_due_deliveries',
    help: 'Callbacks and events that are due and not sent, up to 100,000',
    label: 'queue',
    read: ({ callbacks, events }) => ({ callback: callbacks.due, event: events.due }),
  },
  {
    name: 'souk_waiting_deliveries',
    help: 'Callbacks and events that wait for a retry or for the result of an attempt, up to 100,000',
    label: 'queue',
    read: ({ callbacks, events }) => ({ callback: callbacks.waiting, event: events.waiting }),
  },
  {
    name: 'souk_dead_deliveries',
    help: 'Callbacks and events whose attempts all failed and that were not resent, up to 100,000',
    label: 'queue',
    read: ({ callbacks, events }) => ({ callback: callbacks.dead, event: events.dead }),
  },
  {
    name: 'souk_delivery_receivers',
    help: 'Hosts of callbacks and endpoints of events that fail, by whether they are paused or get a probe',
    label: 'state',
    read: ({ receivers }) => receivers,
  },
  {
    name: 'souk_disabled_receivers',
    help: 'Hosts of callbacks and endpoints of events that were disabled after failures, and get nothing',
    label: 'queue',
    read: ({ disabledReceivers }) => disabledReceivers,
  },
  {
    name: 'souk_oldest_owed_refund_seconds',
    help: 'Age of the oldest refund that its provider has not completed',
    read: ({ oldestOwedRefund }) => oldestOwedRefund,
  },
  {
    name: 'souk_unrepaired_differences',
    help: 'Differences between the ledger and providers that reconciliation found and did not repair',
    read: ({ unrepairedDifferences }) => unrepairedDifferences,
  },
  {
    name: 'souk_oldest_waiting_mail_seconds',
    help: 'Age of the oldest mail that has not been sent',
    read: ({ oldestWaitingMail }) => oldestWaitingMail,
  },
  {
    name: 'souk_failed_mails',
    help: 'Mails that were given up in the last 24 hours',
    read: ({ failedMails }) => failedMails,
  },
  {
    name: 'souk_backup_age_seconds',
    help: 'Age of the newest backup; missing if there is none',
    read: ({ backupAge }) => backupAge,
  },
  {
    name: 'souk_restored_backup_age_seconds',
    help: 'Age of the newest backup that was restored in a check; missing if there is none',
    read: ({ restoredBackupAge }) => restoredBackupAge,
  },
  {
    name: 'souk_restore_check_failed',
    help: 'Whether the last check that a backup can be restored failed; missing if there is none',
    read: ({ restoreCheckFailed }) => restoreCheckFailed,
  },
  {
    name: 'souk_master_key_seconds',
    help: 'How long the oldest master key has waited to be used (added) or to be retired (old)',
    label: 'state',
    read: ({ addedKeyAge, replacedKeyAge }) => ({ added: addedKeyAge, old: replacedKeyAge }),
  },
  {
    name: 'souk_unreadable_values',
    help: 'Encrypted values that the last rotation of master keys could not decrypt',
    read: ({ unreadableValues }) => unreadableValues,
  },
  {
    name: 'souk_suspended_provider_accounts',
    help: 'Provider accounts that get no payments after repeated failures',
    label: 'provider',
    read: ({ suspendedAccounts }) => suspendedAccounts,
  },
  {
    name: 'souk_replication_lag_bytes',
    help: 'Write-ahead log that a standby has not applied; missing without standbys or the role pg_monitor',
    label: 'standby',
    read: ({ replicationLag }) => replicationLag,
  },
]

/** Time after which the database counts as down. */
const timeout = 2 * second

/** Adds metrics that are read from the database, with one query, whenever the metrics of this process are read. */
export function measureInstallation(context: Pick<Context, 'sql' | 'clock' | 'log' | 'metrics'>): void {
  let loading: Promise<Facts | undefined> | undefined
  // A query that takes longer is not started again, so that a slow database gets no more work.
  const load = () => {
    loading ??= loadFacts(context).finally(() => {
      loading = undefined
    })
    return Promise.race([loading, wait(timeout, undefined, { ref: false })])
  }
  const registers = [context.metrics.registry]
  measurePool(context)
  measureClock(context)
  new Gauge({
    name: 'souk_database_up',
    help: 'Whether the database responds within two seconds',
    registers,
    async collect() {
      this.set((await load()) ? 1 : 0)
    },
  })
  for (const { name, help, label, read } of measurements) {
    new Gauge<string>({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers,
      async collect() {
        const facts = await load()
        const figure = facts ? read(facts) : null
        if (label === undefined) this.remove()
        else this.reset()
        if (typeof figure === 'number') this.set(figure)
        else
          for (const [value, each] of Object.entries(figure ?? {}))
            if (each != null) this.set({ [label!]: value }, each)
      },
    })
  }
}

/** Adds metrics of this process's connections for statements and transactions. */
function measurePool({ sql, metrics }: Pick<Context, 'sql' | 'metrics'>): void {
  const registers = [metrics.registry]
  new Gauge({
    name: 'souk_database_connections_in_use',
    help: 'Connections of the pool that run a statement or a transaction',
    registers,
    collect() {
      this.set(sql.load().inUse)
    },
  })
  new Gauge({
    name: 'souk_database_waiting',
    help: 'Statements and transactions that wait for a connection of the pool',
    registers,
    collect() {
      this.set(sql.load().waiting)
    },
  })
}

/** Adds the clock of this process. */
function measureClock({ clock, metrics }: Pick<Context, 'clock' | 'metrics'>): void {
  new Gauge({
    name: 'souk_clock_offset_seconds',
    help: 'How far the clock of this process is ahead of the clock of the database; negative if it is behind',
    registers: [metrics.registry],
    collect() {
      this.set(clock.difference / second)
    },
  })
}

/** Returns undefined if the database reports an error. */
async function loadFacts({ sql, clock, log }: Pick<Context, 'sql' | 'clock' | 'log'>): Promise<Facts | undefined> {
  try {
    return await findFacts(sql, { domain: clock.now(), real: clock.real() })
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'the metrics of the database could not be read')
    return undefined
  }
}
