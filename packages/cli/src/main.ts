#!/usr/bin/env node
import { systemEnvironment } from './environment.ts'
import { Failure } from './failure.ts'
import { runCommand } from './program.ts'

try {
  process.exitCode = await runCommand(process.argv.slice(2), systemEnvironment())
} catch (error) {
  console.error(error instanceof Failure ? `souk: ${error.message}\n      ${error.advice ?? ''}` : error)
  process.exitCode = 2
}
