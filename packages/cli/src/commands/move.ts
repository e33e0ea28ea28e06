import { type Command, Option } from 'commander'
import { Failure } from '../failure.ts'
import type { AddCommand } from '../session.ts'

const details = `
Servers serve reads meanwhile. Writes get 503 with Retry-After (read_only) from the start of the copy until the servers
are restarted with the new database. Rows, balances of the ledger and the audit chain are compared before the old
database gives up. A move that fails or is interrupted changes nothing, or is completed by the same command.

All users of a machine can see arguments: leave the password out of the URL, and set PGPASSWORD.

Variables:
  SOUK_DATA_DIR, DATABASE_URL  the installation, as for its server
  PGPASSWORD                   password of databases whose URL has none`

/** `souk move`, which the server's package runs on the machine of the installation (ADR 309). */
export function addMoveCommand(program: Command, add: AddCommand): void {
  add<[], { to?: string; undo?: boolean }>(program, {
    usage: 'move',
    examples: ['move --to postgres://souk@db.example.com:5432/souk', 'move --to embedded', 'move --undo'],
    options: (command) =>
      command
        .addOption(new Option('--to <DATABASE_URL>', 'an empty PostgreSQL database, or embedded').conflicts('undo'))
        .addOption(
          new Option('--undo', 'make the old database accept writes again, without what was written after the move'),
        )
        .addHelpText('after', details),
    action: ({ environment, json }, { to, undo }) => {
      if (!to && !undo) throw new Failure(2, 'Where to is missing.', 'Pass --to <DATABASE_URL>, or --undo.')
      return environment.runOnServer(['move', ...(to ? ['--to', to] : ['--undo']), ...(json ? ['--json'] : [])])
    },
  })
}
