import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SoukError, second } from '@souk/contract'
import { type Command, openInstallation, sumOf, withPool } from './command.ts'
import { ConfigError } from './config.ts'
import {
  type CheckedBackup,
  checkBackup,
  listBackups,
  listMasterKeys,
  makeBackup,
  nameBackup,
  pruneBackups,
  type Retention,
  recordBackup,
  recordRestore,
  recordRestoreCheck,
  restoreBackup,
} from './domain/installation/index.ts'
import { OffsetClock } from './kernel/clock.ts'
import { startDatabase } from './kernel/db/database.ts'
import { startEmbedded } from './kernel/db/embedded.ts'
import { createTemporaryDatabase } from './kernel/db/temporaryDatabase.ts'
import { createKeyRing, loadKeyRing } from './keys.ts'
import { askPassphrase, formatSize } from './terminal.ts'
/**
 * Writes a backup to a new file, or to a file in an existing folder, which is named after time and master key.
 * @param retention which older backups of the folder are kept; without it, all of them
 */
export async function backup(
  { config, progress, log, print }: Command,
  path: string,
  retention: Retention | undefined,
): Promise<void> {
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() ?? false
  if (retention && !isFolder) {
    throw new ConfigError(`${path} is not a folder. Options that start with --keep- need one: create it, or omit them.`)
  }
  const passphrase = config.backupPassphrase ?? (await askPassphrase({ twice: true }))
  const clock = new OffsetClock()
  const database = await openInstallation({ config, log })
  try {
    const masterKeys = config.masterKeys ?? (await loadKeyRing(config.dataDir, { mayCreate: false }))
    const keys = await withPool(database.url, listMasterKeys)
    // Names have whole seconds.
    const started = Math.floor(clock.real() / second) * second
    const keyId = keys.find(({ state }) => state === 'current')!.keyId
    const file = isFolder ? join(path, nameBackup(started, keyId)) : path
    const made = await makeBackup({ url: database.url, path: file, passphrase, masterKeys, progress: progress.show })
    // Older backups are deleted only if this one can be read.
    if (retention) await checkBackup(file, passphrase, progress.show)
    const { manifest, figures } = made
    const { size } = await stat(file)
    await withPool(database.url, (sql) => recordBackup({ sql, clock }, { time: manifest.time, size }))
    const keyIds = keys.map((key) => key.keyId)
    const deleted = retention ? await pruneBackups(path, { keyIds, newest: started, retention, now: clock.real() }) : []
    progress.clear()
    const { environment, time } = manifest
    print({ file, size, time, environment, ...figures, objects: manifest.objects ?? null, deleted }, [
      `Backed up ${sumOf(figures.rows)} rows of ${manifest.tables.length} tables to ${file}: ${formatSize(size)}.`,
      'It contains the master keys. Keep the passphrase elsewhere: without it the backup cannot be restored.',
      ...explainObjects(manifest),
      ...(figures.audit.broken > 0 ? ['The audit log does not verify: see souk audit verify.'] : []),
      ...(retention ? ['It was read again, and is complete.'] : []),
      ...deleted.map((each) => `Deleted ${each}.`),
    ])
  } finally {
    await database.stop()
  }
}

export async function restore({ config, progress, log, print }: Command, path: string): Promise<void> {
  const passphrase = config.backupPassphrase ?? (await askPassphrase({ twice: false }))
  const checked = await checkBackup(path, passphrase, progress.show)
  const { manifest, figures, masterKeys } = checked
  if (config.masterKeys && !masterKeys.every((key) => config.masterKeys?.some((known) => known.equals(key)))) {
    throw new ConfigError(
      'SOUK_MASTER_KEY lacks keys of the backup. Unset it, or set it to the keys of that installation.',
    )
  }
  const directory = join(config.dataDir, 'postgres')
  const isNew = !config.databaseUrl && !existsSync(directory)
  const database = await startDatabase({
    ...config,
    log,
    onLost: ({ message }) => log.error({ message }, 'database lost'),
  })
  let undo = async () => {}
  try {
    await restoreBackup({
      url: database.url,
      backup: checked,
      progress: progress.show,
      beforeCommit: async () => {
        if (!config.masterKeys) undo = await createKeyRing(config.dataDir, masterKeys)
      },
    })
    await withPool(database.url, (sql) => recordRestore({ sql, clock: new OffsetClock() }, manifest.time))
  } catch (error) {
    await database.stop()
    // An external database can have the rows even if the connection was lost, and then needs the keys.
    if (isNew) {
      await undo()
      await rm(directory, { recursive: true, force: true })
    }
    throw error
  }
  await database.stop()
  progress.clear()
  print({ file: path, time: manifest.time, environment: manifest.environment, ...figures }, [
    `Restored ${sumOf(figures.rows)} rows of ${manifest.tables.length} tables, as of ${new Date(manifest.time).toISOString()}.`,
    'Rows, balances of the ledger and the audit chain are those of the backup.',
    ...explainObjects(manifest),
    `Start it with SOUK_ENVIRONMENT=${manifest.environment}. It has its own admin token, and running jobs are run again.`,
  ])
}

export interface VerifyOptions {
  /** Stores the result in the installation that the settings name. */
  record?: boolean | undefined
  /** URL of the PostgreSQL that gets the temporary database; the embedded one by default. */
  postgres?: string | undefined
}

/** Restores a backup, or the newest one in a folder, into a database that exists for this only. */
export async function verify(command: Command, path: string, { record, postgres }: VerifyOptions): Promise<void> {
  const { config, progress, log, print } = command
  const passphrase = config.backupPassphrase ?? (await askPassphrase({ twice: false }))
  const installation = record ? await openInstallation({ config, log }) : undefined
  try {
    const url = installation?.url
    const keyIds = url === undefined ? undefined : (await withPool(url, listMasterKeys)).map(({ keyId }) => keyId)
    try {
      const file = await findFile(path, keyIds)
      const checked = await checkBackup(file, passphrase, progress.show)
      await restoreTemporarily(command, checked, postgres)
      const { manifest, figures } = checked
      await finish({ failure: null, backupTime: manifest.time })
      progress.clear()
      print({ file, time: manifest.time, environment: manifest.environment, ...figures }, [
        `Verified ${sumOf(figures.rows)} rows of ${manifest.tables.length} tables, as of ${new Date(manifest.time).toISOString()}.`,
        'They were restored into a temporary database: rows, balances of the ledger and the audit chain are complete.',
        ...explainObjects(manifest),
      ])
    } catch (error) {
      if (!progress.isInterrupted) {
        await finish({ failure: error instanceof SoukError ? error.code : 'restore_failed', backupTime: null })
      }
      throw error
    }

    async function finish(result: { failure: string | null; backupTime: number | null }): Promise<void> {
      if (url === undefined) return
      await withPool(url, (sql) => recordRestoreCheck({ sql }, { time: new OffsetClock().real(), ...result }))
    }
  } finally {
    await installation?.stop()
  }
}

/** Returns `path`, or the newest backup if it is a folder: with one of these master keys, or any if none are given. */
async function findFile(path: string, keyIds: readonly string[] | undefined): Promise<string> {
  if (!(await stat(path).catch(() => undefined))?.isDirectory()) return path
  const backups = (await listBackups(path)).filter(({ keyId }) => keyIds?.includes(keyId) ?? true)
  const newest = backups.sort((a, b) => b.time - a.time)[0]
  if (newest) return newest.path
  const whose = keyIds ? ' of this installation' : ''
  throw new SoukError('backup_unreadable', `${path} has no backup${whose} that souk backup ${path} has named.`)
}

async function restoreTemporarily(
  { log, progress }: Command,
  backup: CheckedBackup,
  postgres: string | undefined,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'souk-verify-'))
  try {
    // Nothing has to survive a crash.
    const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
    const database = postgres
      ? await createTemporaryDatabase(postgres)
      : await startEmbedded({ directory, log, settings })
    try {
      await restoreBackup({ url: database.url, backup, progress: progress.show })
    } finally {
      await database.stop()
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Describes what a backup does not contain. */
function explainObjects({ objects }: { objects?: { count: number; size: number } }): string[] {
  if (!objects) return []
  const amount = `${objects.count.toLocaleString('en')} files (${formatSize(objects.size)})`
  return [
    `It does not contain ${amount} that are in the object storage. Keep the bucket, and check it with souk storage verify.`,
  ]
}
