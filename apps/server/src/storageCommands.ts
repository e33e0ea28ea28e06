import { SoukError } from '@souk/contract'
import { type Command, openInstallation } from './command.ts'
import { ConfigError } from './config.ts'
import { countContents, moveContents, verifyObjects } from './domain/installation/index.ts'
import { OffsetClock } from './kernel/clock.ts'
import { connect } from './kernel/db/pool.ts'
import { Session } from './kernel/db/session.ts'
import { createObjectStorage, type ObjectStorage } from './kernel/objectStorage.ts'
import { formatSize } from './terminal.ts'

/** Environment of the subcommands. */
type Work = Command & { context: Parameters<typeof moveContents>[0]; objects: ObjectStorage }

/** Returns the function for the arguments of `souk storage`, or undefined if there is none. */
export function findStorageCommand(args: readonly string[]): ((work: Work) => Promise<void>) | undefined {
  const [name, to, ...more] = args
  if (more.length > 0) return undefined
  if (name === 'move' && (to === 's3' || to === 'database')) return (work) => move(work, to)
  if (to !== undefined) return undefined
  return name === 'status' ? status : name === 'verify' ? verify : undefined
}

/**
 * Runs a subcommand with the database and the object storage of the installation, while no other one runs.
 * @throws SoukError `storage_busy`
 */
export async function runStorageCommand(command: Command, run: (work: Work) => Promise<void>): Promise<void> {
  const { config, log } = command
  if (!config.objectStorage) throw new ConfigError('SOUK_S3_URL must be set for souk storage')
  const objects = createObjectStorage(config.objectStorage, config)
  const database = await openInstallation({ config, log })
  try {
    const session = await Session.open(database.url, 'souk storage')
    const sql = connect(database.url, { max: 2, applicationName: 'souk storage' })
    try {
      const [lock] = await session.run<{ locked: boolean }>(
        `select pg_try_advisory_lock(hashtext('souk storage')) as locked`,
      )
      if (!lock?.locked) throw new SoukError('storage_busy', 'Wait until it has ended, or stop it.')
      await run({ ...command, objects, context: { sql, clock: new OffsetClock(), log, objects } })
    } finally {
      await sql.end()
      await session.close()
    }
  } finally {
    await database.stop()
    await objects.close()
  }
}

async function status({ config, context, objects, print }: Work): Promise<void> {
  const amounts = await countContents(context.sql)
  const { storage } = config
  print({ storage, url: objects.url, ...amounts }, [
    `New files are stored in ${storage === 's3' ? objects.url : 'the database'}.`,
    `In the database: ${formatAmount(amounts.database)}.`,
    `In ${objects.url}: ${formatAmount(amounts.objects)}.`,
  ])
}

async function move({ config, context, objects, progress, print }: Work, to: 's3' | 'database'): Promise<void> {
  const moved = await moveContents(context, to, progress.show)
  progress.clear()
  const place = to === 's3' ? objects.url : 'the database'
  print({ to, url: objects.url, ...moved }, [
    `Moved ${formatAmount({ count: moved.files + moved.releases, size: moved.size })} to ${place}. Each was read back and compared.`,
    ...(config.storage === to
      ? []
      : [
          `New files are still stored elsewhere: set SOUK_STORAGE=${to} for all processes, restart them, and move again.`,
        ]),
    ...(to === 'database' ? [`The server deletes the objects in ${objects.url} after 30 days.`] : []),
  ])
}

async function verify({ context, objects, progress, print }: Work): Promise<void> {
  const { damaged, ...amount } = await verifyObjects(context, progress.show)
  progress.clear()
  print({ url: objects.url, ...amount, damaged }, [
    `Compared ${formatAmount(amount)} in ${objects.url}: ${damaged.length === 0 ? 'all are complete' : 'some are not'}.`,
  ])
  if (damaged.length === 0) return
  const names = damaged.slice(0, 10).map((hash) => `sha256/${hash}`)
  const others = damaged.length > names.length ? ` and ${damaged.length - names.length} others` : ''
  throw new SoukError('storage_damaged', `Restore ${names.join(', ')}${others} from a copy of the bucket.`)
}

const formatAmount = ({ count, size }: { count: number; size: number }) =>
  `${count.toLocaleString('en')} files and parts of releases (${formatSize(size)})`
