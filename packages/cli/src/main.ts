#!/usr/bin/env node
import { Console } from 'node:console'
import module from 'node:module'

// Since Node 22. Compiling takes half of the time of a short command.
module.enableCompileCache?.()
const { systemEnvironment } = await import('./environment.ts')
const { Failure, formatError } = await import('./failure.ts')
const { asksForJson, runCommand } = await import('./program.ts')

const args = process.argv.slice(2)
const printError = (error: unknown) => void process.stderr.write(formatError(error, asksForJson(args)))

// Plug-ins of a project write to the console. Standard output has the result only, which programs read.
globalThis.console = new Console(process.stderr)

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of the pipe has closed it.
  if (error.code === 'EPIPE') process.exit()
  printError(new Failure(2, `The output cannot be written: ${error.message}.`))
  process.exit(2)
})
// Without a reader of its notes, a command goes on, and ends with its own exit status.
process.stderr.on('error', () => {})

try {
  process.exitCode = await runCommand(args, systemEnvironment())
} catch (error) {
  printError(error)
  process.exitCode = 2
}

// Plug-ins of a project may leave timers and servers open, which would keep the process alive.
await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))))
process.exit()
