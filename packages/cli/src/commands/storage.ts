import type { Command } from 'commander'
import type { AddCommand } from '../session.ts'

const variables = `
Variables:
  SOUK_DATA_DIR, DATABASE_URL                         the installation, as for its server
  SOUK_S3_URL, SOUK_S3_REGION, SOUK_S3_ACCESS_KEY_ID,
  SOUK_S3_SECRET_ACCESS_KEY                           the object storage, as for its server
  SOUK_STORAGE                                        where the server stores new files: database or s3`

/** `souk storage`, which the server's package runs on the machine of the installation (ADR 164). */
export function addStorageCommands(program: Command, add: AddCommand): void {
  const storage = program.command('storage')

  add(storage, {
    usage: 'status',
    summary: 'show how many files are in the database and in the object storage',
    examples: ['storage status', 'storage status --json'],
    options: (command) => command.addHelpText('after', variables),
    action: ({ environment, json }) => environment.runOnServer(['storage', 'status', ...(json ? ['--json'] : [])]),
  })

  add<[string]>(storage, {
    usage: 'move <to>',
    summary: 'move all files to s3 or to database; servers can keep running, and an interrupted move can be resumed',
    examples: ['storage move s3', 'storage move database --json'],
    options: (command) => command.addHelpText('after', variables),
    action: ({ environment, json }, _, to) =>
      environment.runOnServer(['storage', 'move', to, ...(json ? ['--json'] : [])]),
  })

  add(storage, {
    usage: 'verify',
    summary: 'read all files in the object storage and compare their hashes',
    examples: ['storage verify', 'storage verify --json'],
    options: (command) => command.addHelpText('after', variables),
    action: ({ environment, json }) => environment.runOnServer(['storage', 'verify', ...(json ? ['--json'] : [])]),
  })
}
