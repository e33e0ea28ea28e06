import { type Command, openInstallation, withPool } from './command.ts'
import { type Archive, archiveMonth, listArchives, restoreMonth, verifyArchives } from './domain/installation/index.ts'
import { requireRightClock } from './domain/operations/index.ts'
import { OffsetClock } from './kernel/clock.ts'
import { listPartitions, partitionedTables } from './kernel/db/partitions.ts'
import type { Sql } from './kernel/db/pool.ts'

interface Result {
  result: object
  sentences: string[]
}

/** Actions of `souk partitions`, and whether they take the name of a partition. */
const actions = { list: false, archive: true, verify: false, restore: true } as const
type Action = keyof typeof actions

const isAction = (name: string): name is Action => Object.hasOwn(actions, name)

/** Returns the command `souk partitions <action> [name]`, or undefined for wrong usage. */
export function partitions(
  action: string,
  names: readonly string[],
): ((command: Command) => Promise<void>) | undefined {
  if (!isAction(action) || names.length !== (actions[action] ? 1 : 0)) return undefined
  const [name = ''] = names
  return async ({ config, log, progress, print }) => {
    const database = await openInstallation({ config, log })
    try {
      const options = { url: database.url, folder: config.archiveFolder, progress: progress.show }
      const run = (sql: Sql) => runAction({ ...options, context: { sql, clock: new OffsetClock() } }, { action, name })
      const { result, sentences } = await withPool(database.url, run)
      progress.clear()
      print(result, sentences)
    } finally {
      await database.stop()
    }
  }
}

async function runAction(
  options: Parameters<typeof archiveMonth>[0],
  { action, name }: { action: Action; name: string },
): Promise<Result> {
  const { context, folder } = options
  if (action === 'list') return list(context.sql)
  if (action === 'verify') return report(await verifyArchives(options), 'Verified', folder)
  if (action === 'restore') return report(await restoreMonth(options, name), 'Restored', folder)
  await requireRightClock(context)
  return report(await archiveMonth(options, name), 'Archived', folder)
}

async function list(sql: Sql): Promise<Result> {
  const partitions = (
    await Promise.all(Object.values(partitionedTables).map((table) => listPartitions(sql, table)))
  ).flatMap((found) =>
    found.map(({ table, name, range, size, rows }) => ({
      table: table.name,
      partition: name,
      from: range && range.from >= 0 ? range.from : null,
      to: range?.to ?? null,
      rows,
      size,
    })),
  )
  const archives = await listArchives(sql)
  return {
    result: { partitions, archives },
    sentences: [
      ...partitions.map(({ partition, from, to, rows, size }) => {
        const period = to === null ? 'rows without a partition' : `${from === null ? '…' : dayOf(from)} to ${dayOf(to)}`
        return `${partition}: ${period}, about ${rows.toLocaleString('en')} rows, ${megabytes(size)}`
      }),
      ...archives.map(
        ({ file, rows, size, restoredAt }) =>
          `${file}: ${rows.toLocaleString('en')} rows, ${megabytes(size)}${restoredAt === null ? '' : ', restored'}`,
      ),
    ],
  }
}

function report(archives: Archive[], what: string, folder: string): Result {
  const sentences = archives.map(({ file, rows }) => `${what} ${rows.toLocaleString('en')} rows: ${folder}/${file}`)
  return { result: { folder, archives }, sentences: archives.length === 0 ? ['There are no archives.'] : sentences }
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`
