import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type { AddCommand } from '../session.ts'

const variables = `
Variables:
  SOUK_DATA_DIR  the installation, as for its server`

/** `souk database`, which the server's package runs on the machine of the installation (ADRs 310 and 408). */
export function addDatabaseCommands(program: Command, add: AddCommand): void {
  const database = program.command('database')

  add(database, {
    usage: 'migrate',
    summary: 'migrate the database to this version, for servers that do not do so when they start',
    examples: ['database migrate'],
    options: (command) =>
      command.addHelpText(
        'after',
        `\nServers of the previous version can continue to run.${variables}\n  DATABASE_URL   the same`,
      ),
    action: ({ environment, json }) => environment.runOnServer(['database', 'migrate', ...(json ? ['--json'] : [])]),
  })

  add<[], { programs?: string }>(database, {
    usage: 'upgrade',
    summary: 'copy the data into the PostgreSQL that this version brings, compare it, and keep the old data',
    examples: ['database upgrade', 'database upgrade --programs /usr/lib/postgresql/17/bin'],
    options: (command) =>
      command
        .addOption(
          new Option(
            '--programs <folder>',
            'folder of initdb and postgres of the old version, if Souk does not bring them',
          ),
        )
        .addHelpText('after', `\nStop the server first. Interrupted or killed, it can be repeated.${variables}`),
    action: ({ environment, json }, { programs }) =>
      environment.runOnServer([
        'database',
        'upgrade',
        ...(programs ? ['--programs', resolve(environment.folder, programs)] : []),
        ...(json ? ['--json'] : []),
      ]),
  })

  add<[], { discardChanges?: boolean }>(database, {
    usage: 'rollback',
    summary: 'return to the data from before the upgrade',
    examples: ['database rollback', 'database rollback --discard-changes'],
    options: (command) =>
      command
        .addOption(
          new Option(
            '--discard-changes',
            'roll back even if a server has run since the upgrade, and lose what it wrote',
          ),
        )
        .addHelpText(
          'after',
          `\nStop the server first, and start the version of Souk from before the upgrade.${variables}`,
        ),
    action: ({ environment, json }, { discardChanges }) =>
      environment.runOnServer([
        'database',
        'rollback',
        ...(discardChanges ? ['--discard-changes'] : []),
        ...(json ? ['--json'] : []),
      ]),
  })

  add(database, {
    usage: 'discard-old',
    summary: 'delete the data that an upgrade or a rollback has set aside',
    examples: ['database discard-old'],
    options: (command) => command.addHelpText('after', variables),
    action: ({ environment, json }) =>
      environment.runOnServer(['database', 'discard-old', ...(json ? ['--json'] : [])]),
  })
}
