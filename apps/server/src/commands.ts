import { parseArgs } from 'node:util'
import { SoukError } from '@souk/contract'
import { pino } from 'pino'
import { backup, restore, verify } from './backupCommands.ts'
import type { Command } from './command.ts'
import { ConfigError, readConfig } from './config.ts'
import { discardOld, migrateDatabase, rollback, upgrade } from './databaseCommands.ts'
import type { Retention } from './domain/installation/index.ts'
import { DatabaseStartError } from './kernel/db/database.ts'
import { explainDatabaseFailure } from './kernel/db/explainFailure.ts'
import { createLog } from './kernel/log.ts'
import { SecretFileError } from './kernel/secretFile.ts'
import { move, undo } from './moveCommand.ts'
import { partitions } from './partitionCommands.ts'
import { recover } from './recoverCommand.ts'
import { explainUnknownSettings } from './settings.ts'
import { findStorageCommand, runStorageCommand } from './storageCommands.ts'
import { ProgressLine } from './terminal.ts'

const usages = [
  'backup <file>|<folder> [--json]',
  'backup <folder> [--keep-daily <days>] [--keep-weekly <weeks>] [--keep-monthly <months>] [--json]',
  'restore <file> [--json]',
  'restore <file>|<folder> --verify [--record] [--postgres <DATABASE_URL>] [--json]',
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
  if (name === 'backup' && path) {
    const retention = readRetention(rest)
    return retention === 'invalid' ? undefined : (command) => backup(command, path, retention)
  }
  if (name === 'restore' && path && optionNames === '') return (command) => restore(command, path)
  if (name === 'restore' && path && rest.verify) {
    const { verify: _, record, postgres, ...others } = rest
    if (Object.keys(others).length > 0) return undefined
    return (command) => verify(command, path, { record, postgres })
  }
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

/** Returns undefined without options, and `invalid` for another option or a value that is not a number. */
function readRetention(options: Options): Retention | undefined | 'invalid' {
  const entries = Object.entries(options)
  if (entries.length === 0) return undefined
  if (!entries.every(([name, value]) => name.startsWith('keep-') && /^\d{1,4}$/.test(String(value)))) return 'invalid'
  const { 'keep-daily': daily = 0, 'keep-weekly': weekly = 0, 'keep-monthly': monthly = 0 } = options
  return { daily: Number(daily), weekly: Number(weekly), monthly: Number(monthly) }
}

const optionTypes = {
  json: { type: 'boolean' },
  'keep-daily': { type: 'string' },
  'keep-weekly': { type: 'string' },
  'keep-monthly': { type: 'string' },
  verify: { type: 'boolean' },
  record: { type: 'boolean' },
  postgres: { type: 'string' },
  to: { type: 'string' },
  undo: { type: 'boolean' },
  yes: { type: 'boolean' },
  programs: { type: 'string' },
  'discard-changes': { type: 'boolean' },
} as const

interface Options {
  json?: boolean
  'keep-daily'?: string
  'keep-weekly'?: string
  'keep-monthly'?: string
  verify?: boolean
  record?: boolean
  postgres?: string
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

/** Formats an error for `--json`, like those of the command line. */
function errorLine({ message, code = null }: { message: string; code?: string | null | undefined }): string {
  return JSON.stringify({ error: { message, advice: null, code, requestId: null } })
}

/** Returns the exit status: 1 if it was refused or failed, 2 for wrong usage or settings. */
async function main(args: string[]): Promise<number> {
  let run: ((command: Command) => Promise<void>) | undefined
  const json = args.includes('--json')
  try {
    const { values, positionals } = readArguments(args)
    run = chooseCommand(positionals, values)
  } catch {
    // Reported like any other wrong usage.
  }
  if (!run) {
    const usage = `usage: ${usages.join('\n       ')}`
    process.stderr.write(`${json ? errorLine({ message: usage }) : usage}\n`)
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
    const code = error instanceof SoukError ? error.code : undefined
    const reason = isKnown ? message : (explainDatabaseFailure(error) ?? stack ?? message)
    const sentence = `${reason}${code ? ` (${code})` : ''}`
    process.stderr.write(`${json ? errorLine({ message: sentence, code }) : `souk: ${sentence}`}\n`)
    return isSetting ? 2 : 1
  }
}

process.exit(await main(process.argv.slice(2)))
