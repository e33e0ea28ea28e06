import type { Command } from 'commander'
import { formatRelative } from './duration.ts'
import type { Environment } from './environment.ts'
import { type ExitStatus, Failure } from './failure.ts'
import { type Style, styleFor } from './render.ts'
import { Server } from './server.ts'

/** The context of a command's action. */
export interface Session {
  readonly environment: Environment
  readonly server: Server
  readonly json: boolean
  readonly style: Style
  /** Prints the result as JSON, always an object or a list of objects, or formatted by `human`. */
  print<T>(json: T, human: (result: T) => string): void
  /** Like `print`, for results with times of the domain clock; `relative` formats them relative to that clock. */
  printTimed<T>(json: T, human: (result: T, relative: (time: number) => string) => string): Promise<void>
  /** Returns the time of the server's domain clock, which a sandbox can move. */
  domainTime(): Promise<number>
}

function openSession(environment: Environment, json: boolean): Session {
  const server = new Server(environment)
  const print: Session['print'] = (result, human) => {
    // A result such as `true` does not say what happened.
    const isPlain = typeof result !== 'object' || result === null
    const shown = isPlain ? { result, message: human(result) } : result
    environment.out(`${json ? JSON.stringify(shown) : human(result)}\n`)
  }
  return {
    environment,
    server,
    json,
    style: styleFor(environment.colors && !json),
    print,
    printTimed: async (result, human) => {
      const now = json ? 0 : await domainTime(server, environment)
      print(result, () => human(result, (time) => formatRelative(time, now)))
    },
    domainTime: () => domainTime(server, environment),
  }
}

async function domainTime(server: Server, environment: Environment): Promise<number> {
  try {
    const { consoleOperations } = await import('@souk/contract')
    return (await server.call(consoleOperations.getClock, {})).now
  } catch (error) {
    // Only a sandbox has its own clock.
    if (error instanceof Failure && error.status === 1) return environment.now()
    throw error
  }
}

/** Runs a command line, without the program name, and returns the exit status. */
export type Run = (args: readonly string[], environment: Environment) => Promise<ExitStatus>

/** Definition of a command: usage, summary, examples, options and action. */
export interface CommandParts<A extends (string | string[] | undefined)[], O> {
  /** Name and arguments, such as `resend <notifyId>`. */
  usage: string
  /** Omitted for a command of the program itself, see `topLevelCommands`. */
  summary?: string
  examples: readonly string[]
  /** Adds the options. */
  options?: (command: Command) => Command
  action(session: Session, options: O, ...args: A): Promise<ExitStatus | undefined>
}

/** Adds a command to its parent. */
export type AddCommand = ReturnType<typeof commandsOf>

/** Creates `AddCommand`; `leave` is called with the exit status of the command. */
export function commandsOf(environment: Environment, leave: (status: ExitStatus) => void) {
  return <A extends (string | string[] | undefined)[] = [], O = Record<never, never>>(
    parent: Command,
    parts: CommandParts<A, O>,
  ): void => {
    const command = parent
      .command(parts.usage)
      .description(parts.summary ?? '')
      .option('--json', 'print the result as JSON only')
    parts.options?.(command)
    command.addHelpText(
      'after',
      `\nExample${parts.examples.length > 1 ? 's' : ''}:\n${parts.examples.map((it) => `  $ souk ${it}`).join('\n')}`,
    )
    command.action(async (...received: unknown[]) => {
      const args = received.slice(0, -2) as A
      const options = command.optsWithGlobals<O & { json?: boolean }>()
      const status = await parts.action(openSession(environment, options.json === true), options, ...args)
      leave(status ?? 0)
    })
  }
}
