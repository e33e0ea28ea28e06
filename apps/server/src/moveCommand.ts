import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { second } from '@souk/contract'
import { type Command, openInstallation, sumOf, withPool } from './command.ts'
import { ConfigError } from './config.ts'
import { describeMoved, moveInstallation, type Place, undoMove } from './domain/installation/index.ts'
import { OffsetClock } from './kernel/clock.ts'
import { parseAddress } from './kernel/db/address.ts'
import { startDatabase } from './kernel/db/database.ts'

/** In the folder of an embedded database that was moved away; only for people, since the database knows it itself. */
const note = 'MOVED.txt'
const embedded = 'embedded'

/** A database that is available until `stop`. */
interface OpenPlace extends Place {
  stop(): Promise<void>
  /** Removes what was created for a move that failed. */
  discard(): Promise<void>
}

/** Moves the installation to the database `to`: a URL, or `embedded`. */
export async function move({ config, progress, log, print }: Command, to: string): Promise<void> {
  const { dataDir, databaseUrl } = config
  if (to === embedded && !databaseUrl) throw new ConfigError('The installation uses the embedded database already.')
  const toUrl = to === embedded ? undefined : { url: to, name: nameOf(to, '--to') }
  const source = await openInstallation({ config, log })
  const from = { url: source.url, name: databaseUrl ? nameOf(databaseUrl, 'DATABASE_URL') : `embedded ${dataDir}` }
  try {
    let mayHaveMoved = false
    const target: OpenPlace = toUrl ? { ...toUrl, stop: async () => {}, discard: async () => {} } : await startEmpty()
    const { figures, readOnly } = await moveInstallation({
      from,
      to: target,
      progress: progress.show,
      onReadOnly: () => progress.say('Servers refuse writes from now on, and serve reads.'),
      beforeSwitch: async () => {
        mayHaveMoved = true
      },
    }).catch(async (error) => {
      // The next run completes the move with what is there.
      await (mayHaveMoved ? target.stop() : target.discard())
      throw error
    })
    await target.stop()
    if (!databaseUrl) await writeFile(join(dataDir, 'postgres', note), `${describeMoved(target.name)}\n`)
    progress.clear()
    print({ from: from.name, to: target.name, readOnly, ...figures }, [
      `Moved ${sumOf(figures.rows)} rows of ${Object.keys(figures.rows).length} tables to ${target.name}.`,
      'Rows, balances of the ledger and the audit chain are those of the old database.',
      `Servers have refused writes for ${(readOnly / second).toFixed(1)} s, and do so until they are restarted. ` +
        (databaseUrl ? 'Restart them without DATABASE_URL.' : 'Restart them with its URL as DATABASE_URL.'),
      'The old database refuses writes for good. To go back to it: souk move --undo.',
    ])
  } finally {
    await source.stop()
  }

  /** Starts an embedded database. One whose data had moved away is set aside. */
  async function startEmpty(): Promise<OpenPlace> {
    const folder = join(dataDir, 'postgres')
    const aside = `${folder}-moved-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
    const hasOld = existsSync(join(folder, note))
    if (hasOld) await rename(folder, aside)
    const isNew = !existsSync(folder)
    const database = await startDatabase({
      dataDir,
      log,
      onLost: ({ message }) => log.error({ message }, 'database lost'),
    })
    return {
      url: database.url,
      name: `embedded ${dataDir}`,
      stop: () => database.stop(),
      async discard() {
        await database.stop()
        if (isNew) await rm(folder, { recursive: true, force: true })
        if (hasOld) await rename(aside, folder)
      },
    }
  }
}

/** Makes the database that the settings name accept writes again. */
export async function undo({ config, log, print }: Command): Promise<void> {
  const database = await openInstallation({ config, log })
  try {
    const from = await withPool(database.url, (sql) => undoMove({ sql, clock: new OffsetClock() }))
    if (!config.databaseUrl) await rm(join(config.dataDir, 'postgres', note), { force: true })
    print({ movedTo: from }, [
      `The database accepts writes again, with its data from before the move to ${from}.`,
      `Never start a server with ${from} again: both would send callbacks and refunds.`,
    ])
  } finally {
    await database.stop()
  }
}

/** @throws ConfigError */
function nameOf(url: string, option: string): string {
  const address = parseAddress(url)
  if (address && address.name !== '') return `${address.hosts}/${address.name}`
  throw new ConfigError(
    `${option} must be a URL such as postgres://user:password@host:5432/database. Characters in the password like @, / ` +
      'and # must be written as %40, %2F and %23.',
  )
}
