import { Command, CommanderError } from 'commander'
import { topLevelCommands } from './commands.ts'
import type { Environment } from './environment.ts'
import { type ExitStatus, Failure, formatError } from './failure.ts'
import { checkServerUrl } from './serverUrl.ts'
import { type AddCommand, commandsOf } from './session.ts'
import { version } from './version.ts'

/** Runs a command line, without the program name, and returns the exit status. */
export async function runCommand(args: readonly string[], environment: Environment): Promise<ExitStatus> {
  let status: ExitStatus = 0
  const json = asksForJson(args)
  const program = new Command('souk')
    .description(
      'Souk from the command line: mini apps, their pages.json and releases, the sandbox, callbacks, datasets, signatures',
    )
    .version(version, '--version', 'show the version of this command')
    .option('--server <url>', 'URL of Souk, instead of SOUK_URL; before the command')
    // `souk upload --version` is the version of a release.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: environment.out, writeErr: json ? () => {} : environment.err })
    .showHelpAfterError(usageAdvice)
    .addHelpText(
      'after',
      [
        '',
        'Variables:',
        '  SOUK_URL          URL of Souk (default: that of the server that started last with the data directory)',
        '  SOUK_DATA_DIR     data directory of Souk, which contains its admin-token (default: .souk)',
        '  SOUK_ADMIN_TOKEN  admin token of a Souk on another machine',
        '  SOUK_TOKEN        token of a service account, for programs such as CI; takes priority',
        '  SOUK_API_KEY      API key of an account, for souk datasets',
        '  SOUK_SIGNING_KEY  file of the key that signs releases (default: souk/signing-key.pem in ~/.config)',
        '',
        'Exit status: 0 success, 1 refused or failed, 2 usage or environment error.',
        'With --json, the last line on standard error is the error: {"error":{"message","advice","code","requestId"}}.',
        '',
        'Example:',
        '  $ souk app create --name "Coffee shop"',
      ].join('\n'),
    )
  const add = commandsOf(withServerOption(environment, program), (left) => {
    status = left
  })
  const words = withoutServerOption(args)
  await addCommands(program, add, words)

  try {
    // Without the options of an unknown command: `--version` would print the version of souk.
    await program.parseAsync(isUnknown(words[0]) ? words.slice(0, 1) : args, { from: 'user' })
    return status
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0
      // Commander has already printed the reason for people.
      if (json) environment.err(formatError(usageFailure(error), json))
      return 2
    }
    if (!(error instanceof Failure)) throw error
    environment.err(formatError(error, json))
    return error.status
  }
}

const usageAdvice = 'Add --help for usage.'

/** Returns whether a command line has the option `--json`, also if it is wrong otherwise. */
export function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end < 0 ? args : args.slice(0, end)).includes('--json')
}

function usageFailure({ code, message }: CommanderError): Failure {
  const reason = code === 'commander.help' ? 'A command is missing.' : message.replace(/^error: /, '')
  return new Failure(2, reason, usageAdvice)
}

/** Returns the environment with the URL of the option, if it is there. */
function withServerOption(environment: Environment, program: Command): Environment {
  return {
    ...environment,
    serverUrl: async () => {
      const { server } = program.opts<{ server?: string }>()
      return server === undefined ? environment.serverUrl() : checkServerUrl(server, '--server')
    },
  }
}

/** Returns the arguments from the command on. */
function withoutServerOption(args: readonly string[]): readonly string[] {
  if (args[0] === '--server') return args.slice(2)
  return args[0]?.startsWith('--server=') ? args.slice(1) : args
}

function isUnknown(command: string | undefined): boolean {
  return (
    command !== undefined && /^[^-]/.test(command) && command !== 'help' && !Object.hasOwn(topLevelCommands, command)
  )
}

/** Adds the called command, and the names of the others for the help and for suggestions. */
async function addCommands(program: Command, add: AddCommand, args: readonly string[]): Promise<void> {
  const called = args[0] === 'help' ? args[1] : args[0]
  if (called !== undefined && Object.hasOwn(topLevelCommands, called)) {
    const addCalled = await topLevelCommands[called]!.load()
    addCalled(program, add, runCommand)
  }
  for (const [name, { group, description }] of Object.entries(topLevelCommands)) {
    const command = program.commands.find((each) => each.name() === name) ?? program.command(name)
    command.description(description).helpGroup(`${group}:`)
  }
}
