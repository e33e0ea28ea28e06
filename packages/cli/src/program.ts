import { createRequire } from 'node:module'
import { Command, CommanderError } from 'commander'
import { addAccountCommands } from './commands/accounts.ts'
import { addAdminTokenCommands } from './commands/adminToken.ts'
import { addAlertCommands } from './commands/alerts.ts'
import { addAppCommands } from './commands/app.ts'
import { addApprovalCommands } from './commands/approvals.ts'
import { addAuditCommands } from './commands/audit.ts'
import { addBackupCommands } from './commands/backup.ts'
import { addBuildCommand } from './commands/build.ts'
import { addCallbackCommands } from './commands/callbacks.ts'
import { addCanaryCommands } from './commands/canaries.ts'
import { addCiCommand } from './commands/ci.ts'
import { addDatabaseCommands } from './commands/database.ts'
import { addDatasetCommands } from './commands/datasets.ts'
import { addDevCommand } from './commands/dev.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addEventCommands } from './commands/events.ts'
import { addIssuerCommands } from './commands/issuers.ts'
import { addKeyCommands } from './commands/keys.ts'
import { addLinkCommand } from './commands/link.ts'
import { addListenCommand } from './commands/listen.ts'
import { addMailCommands } from './commands/mail.ts'
import { addMigrateCommand } from './commands/migrate.ts'
import { addMoneyCommands } from './commands/money.ts'
import { addMoveCommand } from './commands/move.ts'
import { addPagesCommands } from './commands/pages.ts'
import { addPartitionCommands } from './commands/partitions.ts'
import { addProviderCommands } from './commands/providers.ts'
import { addRequestsCommand } from './commands/requests.ts'
import { addReviewCommands } from './commands/reviews.ts'
import { addSandboxCommands } from './commands/sandbox.ts'
import { addServiceAccountCommands } from './commands/serviceAccounts.ts'
import { addSignCommand } from './commands/sign.ts'
import { addSigningKeyCommands } from './commands/signingKeys.ts'
import { addSignOnCommands } from './commands/signOn.ts'
import { addStorageCommands } from './commands/storage.ts'
import { addTradeCommand } from './commands/trade.ts'
import { addSourceMapsCommand, addUploadCommand } from './commands/upload.ts'
import { addUserCommands } from './commands/users.ts'
import { addVersionsCommand } from './commands/versions.ts'
import type { Environment } from './environment.ts'
import { type ExitStatus, Failure } from './failure.ts'
import { commandsOf } from './session.ts'

const { version }: { version: string } = createRequire(import.meta.url)('../package.json')

/** Runs a command line, without the program name, and returns the exit status. */
export async function runCommand(args: readonly string[], environment: Environment): Promise<ExitStatus> {
  let status: ExitStatus = 0
  const program = new Command('souk')
    .description(
      'Souk from the command line: mini apps, their pages.json and releases, the sandbox, callbacks, datasets, signatures',
    )
    .version(version, '--version', 'show the version of this command')
    // `souk upload --version` is the version of a release.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: environment.out, writeErr: environment.err })
    .showHelpAfterError('Add --help for usage.')
    .addHelpText(
      'after',
      [
        '',
        'Variables:',
        '  SOUK_URL          URL of Souk (default: http://localhost:7070)',
        '  SOUK_DATA_DIR     data directory of Souk, which contains its admin-token (default: .souk)',
        '  SOUK_ADMIN_TOKEN  admin token of a Souk on another machine',
        '  SOUK_TOKEN        token of a service account, for programs such as CI; takes priority',
        '  SOUK_API_KEY      API key of an account, for souk datasets',
        '  SOUK_SIGNING_KEY  file of the key that signs releases (default: souk/signing-key.pem in ~/.config)',
        '',
        'Exit status: 0 success, 1 refused or failed, 2 usage or environment error.',
        '',
        'Example:',
        '  $ souk app create --name "Coffee shop"',
      ].join('\n'),
    )
  const add = commandsOf(environment, (left) => {
    status = left
  })
  addAppCommands(program, add)
  addApprovalCommands(program, add)
  addAccountCommands(program, add)
  addDoctorCommand(program, add)
  addVersionsCommand(program, add)
  addBackupCommands(program, add)
  addMoveCommand(program, add)
  addDatabaseCommands(program, add)
  addPartitionCommands(program, add)
  addStorageCommands(program, add)
  addMailCommands(program, add)
  addIssuerCommands(program, add)
  addKeyCommands(program, add)
  addAdminTokenCommands(program, add)
  addSignOnCommands(program, add)
  addUserCommands(program, add)
  addEventCommands(program, add)
  addSandboxCommands(program, add)
  addCallbackCommands(program, add)
  addListenCommand(program, add)
  addTradeCommand(program, add)
  addMoneyCommands(program, add)
  addProviderCommands(program, add)
  addRequestsCommand(program, add)
  addAuditCommands(program, add)
  addDatasetCommands(program, add)
  addSignCommand(program, add)
  addPagesCommands(program, add)
  addDevCommand(program, add)
  addBuildCommand(program, add)
  addMigrateCommand(program, add)
  addUploadCommand(program, add)
  addSourceMapsCommand(program, add)
  addReviewCommands(program, add)
  addCiCommand(program, add, runCommand)
  addCanaryCommands(program, add)
  addAlertCommands(program, add)
  addLinkCommand(program, add)
  addSigningKeyCommands(program, add)
  addServiceAccountCommands(program, add)

  try {
    await program.parseAsync(args, { from: 'user' })
    return status
  } catch (error) {
    // Commander has already printed the reason.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof Failure)) throw error
    environment.err(`souk: ${error.message}\n${error.advice ? `      ${error.advice}\n` : ''}`)
    return error.status
  }
}
