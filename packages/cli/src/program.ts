import { Command, CommanderError } from 'commander'
import { addAccountCommands } from './commands/accounts.ts'
import { addAppCommands } from './commands/app.ts'
import { addApprovalCommands } from './commands/approvals.ts'
import { addAuditCommands } from './commands/audit.ts'
import { addBuildCommand } from './commands/build.ts'
import { addCallbackCommands } from './commands/callbacks.ts'
import { addDatasetCommands } from './commands/datasets.ts'
import { addDevCommand } from './commands/dev.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addIssuerCommands } from './commands/issuers.ts'
import { addListenCommand } from './commands/listen.ts'
import { addMoneyCommands } from './commands/money.ts'
import { addPagesCommands } from './commands/pages.ts'
import { addProviderCommands } from './commands/providers.ts'
import { addRequestsCommand } from './commands/requests.ts'
import { addSandboxCommands } from './commands/sandbox.ts'
import { addSignCommand } from './commands/sign.ts'
import { addSigningKeyCommands } from './commands/signingKeys.ts'
import { addTradeCommand } from './commands/trade.ts'
import { addUploadCommand } from './commands/upload.ts'
import { addUserCommands } from './commands/users.ts'
import type { Environment } from './environment.ts'
import { type ExitStatus, Failure } from './failure.ts'
import { commandsOf } from './session.ts'

/** Runs a command line, without the program name, and returns the exit status. */
export async function runCommand(args: readonly string[], environment: Environment): Promise<ExitStatus> {
  let status: ExitStatus = 0
  const program = new Command('souk')
    .description(
      'Souk from the command line: mini apps, their pages.json and releases, the sandbox, callbacks, datasets, signatures',
    )
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
  addIssuerCommands(program, add)
  addUserCommands(program, add)
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
  addUploadCommand(program, add)
  addSigningKeyCommands(program, add)

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
