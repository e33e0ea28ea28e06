import { execFile } from 'node:child_process'
import { programOf } from './bundledPrograms.ts'

const flags = ['--conditions=souk-source', '--disable-warning=ExperimentalWarning']

/**
 * Starts the command line without npm and from its bundle, whether a command is written for a clone, a folder with the
 * package, or an installed server. guidePackages.test.ts types commands with npx.
 */
export function withoutNpm(script: string): string {
  const { file, env } = programOf('packages/cli/src/main.ts')
  const variables = Object.entries(env).map(([name, value]) => `${name}='${value}'`)
  const program = ['env', ...variables, 'node', ...flags, `'${file}'`].join(' ')
  return script.replaceAll(/npm run --silent souk --|npx souk(?= )|^souk(?= )/gm, () => program)
}

/** A command that has ended. */
export interface CommandResult {
  status: number
  out: string
  err: string
}

/**
 * The variables that programs started by tests inherit. With the cache of `npm test` they start in half the processor
 * time.
 */
export const inherited = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }

interface CommandOptions {
  /** Working directory. */
  folder: string
  env: Record<string, string>
  /** Shell commands to execute before. */
  before?: string
}

/** Runs the command line as an operator on the machine of the server. */
export const runSouk = (args: string[], options: CommandOptions) => start('packages/cli/src/main.ts', args, options)

/** Runs what the command line starts on the machine of the server, which takes half the time. */
export const runCommand = (args: string[], options: CommandOptions) =>
  start('apps/server/src/commands.ts', args, options)

function start(program: string, args: string[], { folder, env, before = '' }: CommandOptions): Promise<CommandResult> {
  const { file, env: cache } = programOf(program)
  return new Promise((resolve) => {
    const script = `${before}exec "$0" "$@"`
    const child = execFile(
      'bash',
      ['--norc', '-c', script, process.execPath, ...flags, file, ...args],
      { cwd: folder, env: { ...inherited, ...cache, ...env } },
      (error, out, err) => resolve({ status: error ? Number(error.code) : 0, out, err }),
    )
    child.stdin!.end()
  })
}
