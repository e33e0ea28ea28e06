#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { checks, type Result, runConformance } from './index.ts'

const usage = `souk-conformance: checks that a server implements the mini app open API

  --url URL             base URL of the server (default http://localhost:7070)
  --admin-token TOKEN   admin token of the sandbox (default: SOUK_ADMIN_TOKEN)
  --only TEXT           only checks whose id contains TEXT
  --listen HOST:PORT    address for callbacks (default 127.0.0.1, any free port)
  --callback-base URL   URL under which the server reaches that address
  --list                list the checks and exit
  --json                print the report as JSON
  --help

Exit status: 0 if all checks passed, 1 if a check failed, 2 if the suite could not run.
The suite moves the clock of the sandbox and resets it at the end. Do not run it against a sandbox that others use.`

const options = {
  url: { type: 'string', default: process.env.SOUK_URL ?? 'http://localhost:7070' },
  'admin-token': { type: 'string', default: process.env.SOUK_ADMIN_TOKEN ?? '' },
  only: { type: 'string', default: '' },
  listen: { type: 'string', default: '127.0.0.1:0' },
  'callback-base': { type: 'string' },
  list: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** Ends the command with status 2 if the arguments are not valid. */
function readArguments() {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    process.exit(2)
  }
}

const values = readArguments()

function printResult({ section, id, title, passed, failure }: Result): void {
  console.log(`${passed ? 'ok  ' : 'FAIL'} open-api §${section.padEnd(4)} ${id}: ${title}`)
  if (failure) console.log(failure.replace(/^/gm, '       '))
}

if (values.help) {
  console.log(usage)
} else if (values.list) {
  if (values.json) console.log(JSON.stringify(checks.map(({ id, section, title }) => ({ id, section, title }))))
  else for (const { section, id, title } of checks) console.log(`open-api §${section.padEnd(4)} ${id}: ${title}`)
} else {
  const [host, port] = values.listen.split(/:(?=\d+$)/)
  try {
    const report = await runConformance({
      url: values.url.replace(/(?<!\/)\/+$/, ''),
      adminToken: values['admin-token'],
      only: values.only,
      callbacks: {
        ...(host && { host }),
        ...(port && { port: Number(port) }),
        ...(values['callback-base'] && { base: values['callback-base'] }),
      },
      ...(values.json ? {} : { onResult: printResult }),
    })
    if (values.json) console.log(JSON.stringify(report, null, 2))
    else console.log(`\n${report.passed} of ${report.passed + report.failed} checks passed at ${report.url}`)
    process.exitCode = report.failed === 0 ? 0 : 1
  } catch (error) {
    console.error(`The suite could not run: ${error instanceof Error ? error.message : error}`)
    process.exitCode = 2
  }
}
