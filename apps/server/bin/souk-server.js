#!/usr/bin/env -S MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072 node --max-old-space-size=512 --max-semi-space-size=4
// Starts the packed server. Must run on every Node that npm may find.
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'

// Not in the first line, of which Linux before 5.1 reads 127 bytes only.
setFlagsFromString('--no-parallel-scavenge')

const require = createRequire(import.meta.url)
const { engines } = require('../package.json')
const { version } = require('../dist/build.json')
const usage = `usage: souk-server [--version | --help]

Starts Souk in this folder. Its settings are environment variables; without any, it is a sandbox on
http://localhost:7070 with its data in .souk. They are described in docs/guides/settings.md of Souk ${version}.
`

const oldest = engines.node.slice('>='.length)
const nodePackage = `node-${process.platform}-${process.arch}`
const tooOld = `Souk needs Node ${oldest} or newer; this is ${process.versions.node}. Install it from https://nodejs.org, or on Linux
into this folder, for npx only: npm install ${nodePackage}
`
const isOlder = process.versions.node.localeCompare(oldest, 'en', { numeric: true }) < 0
const [argument] = process.argv.slice(2)
if (argument === '--version') console.log(version)
else if (argument === '--help') process.stdout.write(usage)
else if (argument !== undefined) fail(`"${argument}" is not an option.\n\n${usage}`)
else if (isOlder) fail(tooOld)
else await import('../dist/main.js')

function fail(message) {
  process.stderr.write(message)
  process.exitCode = 2
}
