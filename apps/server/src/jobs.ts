import { day, hour } from '@souk/contract'
import { consoleJobs } from './domain/console/index.ts'
import type { FullContext } from './domain/context.ts'
import { archiveOldMonths, installationJobs } from './domain/installation/index.ts'
import type { Jobs } from './domain/jobs.ts'
import { messagesJobs } from './domain/messages/index.ts'
import { miniAppsJobs } from './domain/miniApps/index.ts'
import { moneyJobs } from './domain/money/index.ts'
import { operationsJobs } from './domain/operations/index.ts'
import { usersJobs } from './domain/users/index.ts'
import { createPartitions } from './kernel/db/partitions.ts'
import type { Handler, Recurring } from './worker/index.ts'

/** The database of this installation, and where and after how many months archives are written. */
interface Archiving {
  url: string
  folder: string
  retention: number
}

const wings: readonly Jobs[] = [
  operationsJobs,
  moneyJobs,
  miniAppsJobs,
  consoleJobs,
  usersJobs,
  messagesJobs,
  installationJobs,
]

/** Creates partitions in advance. Rows without one go to the default partition, so a failure stops nothing. */
export async function addPartitions({ sql, clock, log }: FullContext): Promise<void> {
  try {
    const created = await createPartitions(sql, clock.real())
    if (created.length > 0) log.info({ created }, 'created partitions')
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'cannot create partitions; trying again within an hour')
  }
}

/** Returns the recurring jobs of all wings, and those that need more than a context. */
export function recurringJobs(context: FullContext, { url, folder, retention }: Archiving): Recurring[] {
  const ofWings = wings.flatMap(({ recurring = {} }) =>
    Object.entries(recurring).map(([name, [run, every]]) => ({ name, every, run: () => run(context) })),
  )
  return [
    { name: 'createPartitions', every: hour, run: () => addPartitions(context) },
    {
      name: 'archiveOldMonths',
      every: day,
      run: () => archiveOldMonths({ context, url, folder }, retention, context.log),
    },
    ...ofWings,
  ]
}

/** Returns the handlers of the jobs in the queue, by name. */
export function queuedJobs(context: FullContext): Record<string, Handler> {
  const all = wings.flatMap(({ queued = {} }) => Object.entries(queued))
  return Object.fromEntries(all.map(([name, run]) => [name, (payload) => run(context, payload)]))
}
