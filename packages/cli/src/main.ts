#!/usr/bin/env node
import { Console } from 'node:console'
import module from 'node:module'

// Since Node 22. Compiling takes half of the time of a short command.
module.enableCompileCache?.()
const { systemEnvironment } = await import('./environment.ts')
const { Failure } = await import('./failure.ts')
const { runCommand } = await import('./program.ts')

// Plug-ins of a project write to the console. Standard output has the result only, which programs read.
globalThis.console = new Console(process.stderr)

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of the pipe has closed it.
  if (error.code === 'EPIPE') process.exit()
  console.error(`souk: The output cannot be written: ${error.message}.`)
  process.exit(2)
})
// Without a reader of its notes, a command goes on, and ends with its own exit status.
process.stderr.on('error', () => {})

try {
  process.exitCode = await runCommand(process.argv.slice(2), systemEnvironment())
} catch (error) {
  console.error(error instanceof Failure ? `souk: ${error.message}\n      ${error.advice ?? ''}` : error)
  process.exitCode = 2
}

// Plug-ins of a project may leave timers and servers open, which would keep the process alive.
await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))))
process.exit()
