import type { Command } from 'commander'
import type { AddCommand } from '../session.ts'

const variables = `
Variables:
  SOUK_DATA_DIR, DATABASE_URL  the installation, as for its server
  SOUK_ARCHIVE_DIR             folder of the archives`

/** `souk partitions`, which the server's package runs on the machine of the installation (ADR 313). */
export function addPartitionCommands(program: Command, add: AddCommand): void {
  const group = program.command('partitions')
  const addOnServer = (usage: string, summary: string, example: string) =>
    add<[string?]>(group, {
      usage,
      summary,
      examples: [`partitions ${example}`],
      options: (command) => command.addHelpText('after', variables),
      action: ({ environment, json }, _, name) =>
        environment.runOnServer([
          'partitions',
          usage.split(' ')[0]!,
          ...(name === undefined ? [] : [name]),
          ...(json ? ['--json'] : []),
        ]),
    })

  addOnServer('list', 'list partitions with their sizes, and archives', 'list --json')
  addOnServer(
    'archive <name>',
    'write a month of finished trades and callbacks to files, and drop it',
    'archive trades_2027_02',
  )
  addOnServer('verify', 'read all archives and check that they are unchanged', 'verify')
  addOnServer('restore <name>', 'read an archived month back into the database', 'restore trades_2027_02')
}
