import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type { AddCommand } from '../session.ts'

const variables = `
Variables:
  SOUK_DATA_DIR, DATABASE_URL, SOUK_MASTER_KEY  the installation, as for its server
  SOUK_BACKUP_PASSPHRASE                        passphrase of the backup; asked for on a terminal if it is not set`

/** `souk backup` and `souk restore`, which the server's package runs on the machine of the installation (ADR 298). */
export function addBackupCommands(program: Command, add: AddCommand): void {
  add<[string]>(program, {
    usage: 'backup <file>',
    examples: ['backup /var/backups/souk-2026-11-21.age', 'backup souk.age --json'],
    options: (command) => command.addHelpText('after', variables),
    action: ({ environment, json }, _, file) =>
      environment.runOnServer(['backup', resolve(environment.folder, file), ...(json ? ['--json'] : [])]),
  })

  add<[string], { verify?: boolean }>(program, {
    usage: 'restore <file>',
    examples: ['restore souk.age', 'restore souk.age --verify'],
    options: (command) =>
      command
        .addOption(new Option('--verify', 'restore into a temporary database and compare; changes no installation'))
        .addHelpText('after', variables),
    action: ({ environment, json }, { verify }, file) =>
      environment.runOnServer([
        'restore',
        resolve(environment.folder, file),
        ...(verify ? ['--verify'] : []),
        ...(json ? ['--json'] : []),
      ]),
  })
}
