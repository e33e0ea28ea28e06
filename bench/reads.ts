import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../apps/server/src/kernel/db/embedded.ts'
import { migrationLimits } from '../apps/server/src/kernel/db/limits.ts'
import { migrate } from '../apps/server/src/kernel/db/migrate.ts'
import { connect } from '../apps/server/src/kernel/db/pool.ts'
import { createLog } from '../apps/server/src/kernel/log.ts'
import { fillInstallation, type LargeInstallation, type Size } from '../apps/server/test/largeInstallation.ts'
import { costsOf, Reader, reading } from '../apps/server/test/reads.ts'
import { runAsSuperuser } from '../apps/server/test/superuser.ts'

/** The number of rows that each operation reads in a large installation. */
export interface ReadsReport {
  size: Size
  reads: Read[]
}

interface Read {
  operation: string
  input: string
  /** Rows of the result, and of tables and indexes for it. */
  rows: number
  read: number
  /** Time in ms. */
  duration: number
  /** Whether it has read no more than its costs allow. */
  met: boolean
  /** Code of the error that it was refused with. */
  refused: string | undefined
}

/** Rows of a page, as the console requests it. */
const limit = 50

/** Half of the mini apps and all trades belong to one project. */
function sizeOf(trades: number): Size {
  const others = Math.ceil(trades / 50)
  return { projects: 1_000, apps: 1_000, members: 1_000, users: others, trades, others }
}

/** Settings for a database that may be lost if the machine stops. */
const fillSettings = {
  shared_buffers: '1GB',
  work_mem: '128MB',
  maintenance_work_mem: '1GB',
  max_wal_size: '8GB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
}

/** Fills an installation, and calls everything that reads in it. */
export async function benchReads(trades: number, log: (text: string) => void): Promise<ReadsReport> {
  const directory = await mkdtemp(join(tmpdir(), 'souk-bench-'))
  const options = { directory, log: createLog('warn') }
  let database = await startEmbedded(options)
  try {
    await database.stop()
    // Fills tables without their triggers.
    runAsSuperuser(directory, ['alter role souk superuser'])
    database = await startEmbedded({ ...options, settings: fillSettings })
    await migrate(database.url)
    const size = sizeOf(trades)
    const sql = connect(database.url, { max: 1, limits: migrationLimits })
    const large = await fillInstallation(sql, size, log)
    await sql.end()
    await database.stop()
    database = await startEmbedded(options)
    return { size, reads: await readAll(database.url, { large, size, log }) }
  } finally {
    await database.stop()
    await rm(directory, { recursive: true })
  }
}

/** Calls each operation twice with each of its inputs, the first time to fill caches. */
async function readAll(
  url: string,
  { large, size, log }: { large: LargeInstallation; size: Size; log: (text: string) => void },
): Promise<Read[]> {
  const reader = await Reader.start(url)
  const costs = costsOf(large, size, limit)
  // A table of some thousand rows may be read as a whole, which is faster than by its index.
  const small = 2 * (size.apps + size.projects) + size.members
  const reads: Read[] = []
  for (const operation of reading) {
    for (const [input, most] of costs[operation.id] ?? []) {
      const call = () => reader.read(operation, input, { limit, uid: large.uid })
      const found = await call()
        .then(call)
        .then((result) => ({ ...result, refused: undefined }))
        // Such as what takes longer than a minute here.
        .catch((error: unknown) => ({
          rows: 0,
          read: 0,
          duration: 0,
          refused: String((error as { code?: unknown }).code),
        }))
      log(`${operation.id} ${JSON.stringify(input)}: ${JSON.stringify(found)}`)
      const { projectId: _, ...filter } = input
      const text = Object.entries(filter)
        .map(([name, value]) => `${name}=${value}`)
        .join(' ')
      const met = !found.refused && found.read <= most + small
      reads.push({ operation: operation.id, input: text, ...found, met })
    }
  }
  await reader.stop()
  return reads
}

/** Prints the report as a table in Markdown, what reads most rows per row of its result first. */
export function printReads({ size, reads }: ReadsReport): void {
  const number = (value: number) => Math.round(value).toLocaleString('en')
  const ratioOf = ({ rows, read }: Read) => read / Math.max(1, rows)
  console.log(
    `${number(size.users)} users, ${number(size.projects + size.apps)} mini apps, ${number(size.projects + 1)} projects, ${number(size.trades)} trades\n`,
  )
  console.log('| operation | input | rows | read | per row | ms | |\n|---|---|---|---|---|---|---|')
  for (const each of reads.toSorted((one, other) => ratioOf(other) - ratioOf(one))) {
    const { operation, input, rows, read, duration, met, refused } = each
    console.log(
      `| \`${operation}\` | ${input} | ${number(rows)} | ${number(read)} | ${ratioOf(each).toFixed(1)} | ${number(duration)} | ${met ? 'met' : (refused ?? 'MISSED')} |`,
    )
  }
}
