import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SoukError } from '@souk/contract'
import { pino } from 'pino'
import { type Command, openInstallation, sumOf, withPool } from './command.ts'
import { ConfigError, readConfig } from './config.ts'
import { discardOld, migrateDatabase, rollback, upgrade } from './databaseCommands.ts'
import { checkBackup, makeBackup, recordBackup, recordRestore, restoreBackup } from './domain/installation/index.ts'
import { OffsetClock } from './kernel/clock.ts'
import { DatabaseStartError, startDatabase } from './kernel/db/database.ts'
import { startEmbedded } from './kernel/db/embedded.ts'
import { explainDatabaseFailure } from './kernel/db/explainFailure.ts'
import { createLog } from './kernel/log.ts'
import { SecretFileError } from './kernel/secretFile.ts'
import { createKeyRing, loadKeyRing } from './keys.ts'
import { move, undo } from './moveCommand.ts'
import { partitions } from './partitionCommands.ts'
import { recover } from './recoverCommand.ts'
import { explainUnknownSettings } from './settings.ts'
import { findStorageCommand, runStorageCommand } from './storageCommands.ts'
import { askPassphrase, formatSize, ProgressLine } from './terminal.ts'

/** A command that reads or writes the file `path`. */
type FileCommand = (command: Command, path: string) => Promise<void>

const backup: FileCommand = async ({ config, progress, log, print }, path) => {
  const passphrase = config.backupPassphrase ?? (await askPassphrase({ twice: true }))
  const database = await openInstallation({ config, log })
  try {
    const masterKeys = config.masterKeys ?? (await loadKeyRing(config.dataDir, { mayCreate: false }))
    const made = await makeBackup({ url: database.url, path, passphrase, masterKeys, progress: progress.show })
    const { manifest, figures } = made
    const { size } = await stat(path)
    await withPool(database.url, (sql) =>
      recordBackup({ sql, clock: new OffsetClock() }, { time: manifest.time, size }),
    )
    progress.clear()
    const { environment, time } = manifest
    print({ file: path, size, time, environment, ...figures, objects: manifest.objects ?? null }, [
      `Backed up ${sumOf(figures.rows)} rows of ${manifest.tables.length} tables to ${path}: ${formatSize(size)}.`,
      'It contains the master keys. Keep the passphrase elsewhere: without it the backup cannot be restored.',
      ...explainObjects(manifest),
      ...(figures.audit.broken > 0 ? ['The audit log does not verify: see souk audit verify.'] : []),
    ])
  } finally {
    await database.stop()
  }
}

const restore: FileCommand = async ({ config, progress, log, print }, path) => {
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

/** Restores into a database that exists for this only. */
const verify: FileCommand = async ({ config, progress, log, print }, path) => {
  const passphrase = config.backupPassphrase ?? (await askPassphrase({ twice: false }))
  const checked = await checkBackup(path, passphrase, progress.show)
  const directory = await mkdtemp(join(tmpdir(), 'souk-verify-'))
  try {
    // Nothing has to survive a crash.
    const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
    const database = await startEmbedded({ directory, log, settings })
    try {
      await restoreBackup({ url: database.url, backup: checked, progress: progress.show })
    } finally {
      await database.stop()
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
  progress.clear()
  const { manifest, figures } = checked
  print({ file: path, time: manifest.time, environment: manifest.environment, ...figures }, [
    `Verified ${sumOf(figures.rows)} rows of ${manifest.tables.length} tables, as of ${new Date(manifest.time).toISOString()}.`,
    'They were restored into a temporary database: rows, balances of the ledger and the audit chain are complete.',
    ...explainObjects(manifest),
  ])
}

/** Describes what a backup does not contain. */
function explainObjects({ objects }: { objects?: { count: number; size: number } }): string[] {
  if (!objects) return []
  const amount = `${objects.count.toLocaleString('en')} files (${formatSize(objects.size)})`
  return [
    `It does not contain ${amount} that are in the object storage. Keep the bucket, and check it with souk storage verify.`,
  ]
}

const usages = [
  'backup <file> [--json]',
  'restore <file> [--verify] [--json]',
  'move --to <DATABASE_URL> | --undo [--json]',
  'database migrate [--json]',
  'database upgrade [--programs <folder>] | rollback [--discard-changes] | discard-old [--json]',
  'partitions list | archive <name> | verify | restore <name> [--json]',
  'recover [--yes] [--json]',
  'storage status | verify | move s3|database [--json]',
]

/** Returns what the arguments ask for, or undefined for wrong usage. */
function chooseCommand([name, ...args]: string[], options: Options): ((command: Command) => Promise<void>) | undefined {
  const { json: _, ...rest } = options
  const optionNames = Object.keys(rest).join()
  if (name === 'storage' && optionNames === '') {
    const run = findStorageCommand(args)
    return run && ((command) => runStorageCommand(command, run))
  }
  const [path, ...more] = args
  if (name === 'partitions' && path && optionNames === '') return partitions(path, more)
  if (more.length > 0) return undefined
  if (name === 'backup' && path && optionNames === '') return (command) => backup(command, path)
  if (name === 'restore' && path && optionNames === '') return (command) => restore(command, path)
  if (name === 'restore' && path && optionNames === 'verify') return (command) => verify(command, path)
  if (name === 'move' && !path && optionNames === 'to') return (command) => move(command, options.to ?? '')
  if (name === 'move' && !path && optionNames === 'undo') return undo
  if (name === 'database' && path === 'migrate' && optionNames === '') return migrateDatabase
  if (name === 'database' && path === 'upgrade' && (optionNames === '' || optionNames === 'programs')) {
    return (command) => upgrade(command, options.programs)
  }
  if (name === 'database' && path === 'rollback' && (optionNames === '' || optionNames === 'discard-changes')) {
    return (command) => rollback(command, options['discard-changes'] ?? false)
  }
  if (name === 'database' && path === 'discard-old' && optionNames === '') return discardOld
  if (name === 'recover' && !path && (optionNames === '' || optionNames === 'yes')) {
    return (command) => recover(command, { confirmed: options.yes ?? false })
  }
  return undefined
}

const optionTypes = {
  json: { type: 'boolean' },
  verify: { type: 'boolean' },
  to: { type: 'string' },
  undo: { type: 'boolean' },
  yes: { type: 'boolean' },
  programs: { type: 'string' },
  'discard-changes': { type: 'boolean' },
} as const

interface Options {
  json?: boolean
  verify?: boolean
  to?: string
  undo?: boolean
  programs?: string
  'discard-changes'?: boolean
  yes?: boolean
}

/** @throws Error for unknown options */
function readArguments(args: string[]): { positionals: string[]; values: Options } {
  return parseArgs({ args, allowPositionals: true, options: optionTypes })
}

/** Returns the exit status: 1 if it was refused or failed, 2 for wrong usage or settings. */
async function main(args: string[]): Promise<number> {
  let run: ((command: Command) => Promise<void>) | undefined
  let json = false
  try {
    const { values, positionals } = readArguments(args)
    run = chooseCommand(positionals, values)
    json = values.json ?? false
  } catch {
    // Reported like any other wrong usage.
  }
  if (!run) {
    process.stderr.write(`usage: ${usages.join('\n       ')}\n`)
    return 2
  }
  const interrupt = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => interrupt.abort(new Error('Interrupted.')))
  const progress = new ProgressLine(interrupt.signal)
  for (const sentence of explainUnknownSettings(process.env)) process.stderr.write(`souk: ${sentence}\n`)
  try {
    const log = createLog('warn', pino.destination({ dest: 2, sync: true }))
    const print: Command['print'] = (result, sentences) =>
      process.stdout.write(json ? `${JSON.stringify(result)}\n` : `${sentences.join('\n')}\n`)
    await run({ config: readConfig(), progress, log, print })
    return 0
  } catch (error) {
    progress.clear()
    const { message, stack } = error as Error
    const isSetting = [ConfigError, DatabaseStartError, SecretFileError].some((kind) => error instanceof kind)
    const isKnown = isSetting || error instanceof SoukError || interrupt.signal.aborted
    const code = error instanceof SoukError ? ` (${error.code})` : ''
    process.stderr.write(`souk: ${isKnown ? message : (explainDatabaseFailure(error) ?? stack)}${code}\n`)
    return isSetting ? 2 : 1
  }
}

process.exit(await main(process.argv.slice(2)))
