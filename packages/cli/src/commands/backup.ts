import { resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { Failure } from '../failure.ts'
import type { AddCommand } from '../session.ts'

const variables = `
Variables:
  SOUK_DATA_DIR, DATABASE_URL, SOUK_MASTER_KEY  the installation, as for its server
  SOUK_BACKUP_PASSPHRASE                        passphrase of the backup; asked for on a terminal if it is not set`

const details = `
In a folder that exists, the file is named after its time in UTC and the master key of the installation. Older backups are
deleted once the new one was read again completely. Files with other names, and backups of other installations, stay.
`

const verifyDetails = `
With --verify, <file> can be a folder of backups: the newest one is restored, with --record the newest of the installation.
All users of a machine can see arguments: leave the password out of the URL, and set PGPASSWORD.
`

const retentionOptions = ['keepDaily', 'keepWeekly', 'keepMonthly'] as const

function parseCount(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('Use a number from 0 to 9999.')
  return Number(text)
}

/** `souk backup` and `souk restore`, which the server's package runs on the machine of the installation (ADR 298). */
export function addBackupCommands(program: Command, add: AddCommand): void {
  add<[string], Partial<Record<(typeof retentionOptions)[number], number>>>(program, {
    usage: 'backup <file>',
    examples: [
      'backup /var/backups/souk-2026-11-21.age',
      'backup /var/backups/souk --keep-daily 7 --keep-weekly 4 --keep-monthly 6',
    ],
    options: (command) =>
      command
        .option('--keep-daily <days>', 'delete older backups of the folder, but keep one of this many days', parseCount)
        .option('--keep-weekly <weeks>', 'and one of this many weeks', parseCount)
        .option('--keep-monthly <months>', 'and one of this many months', parseCount)
        .addHelpText('after', details + variables),
    action: ({ environment, json }, options, file) =>
      environment.runOnServer([
        'backup',
        resolve(environment.folder, file),
        ...retentionOptions.flatMap((name) => {
          const count = options[name]
          return count === undefined ? [] : [`--${name.replace('keep', 'keep-').toLowerCase()}`, String(count)]
        }),
        ...(json ? ['--json'] : []),
      ]),
  })

  add<[string], { verify?: boolean; record?: boolean; postgres?: string }>(program, {
    usage: 'restore <file>',
    examples: ['restore souk.age', 'restore souk.age --verify', 'restore /var/backups/souk --verify --record'],
    options: (command) =>
      command
        .addOption(new Option('--verify', 'restore into a temporary database and compare; changes no installation'))
        .option('--record', 'with --verify: store the result in the installation, for souk doctor and metrics')
        .option(
          '--postgres <DATABASE_URL>',
          'with --verify: the PostgreSQL for the database, instead of the embedded one',
        )
        .addHelpText('after', verifyDetails + variables),
    action: ({ environment, json }, { verify, record, postgres }, file) => {
      if (!verify && (record || postgres)) {
        throw new Failure(2, '--record and --postgres belong to --verify.', 'Add --verify.')
      }
      return environment.runOnServer([
        'restore',
        resolve(environment.folder, file),
        ...(verify ? ['--verify'] : []),
        ...(record ? ['--record'] : []),
        ...(postgres ? ['--postgres', postgres] : []),
        ...(json ? ['--json'] : []),
      ])
    },
  })
}
