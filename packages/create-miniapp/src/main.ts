#!/usr/bin/env node
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { CreateError, create } from './create.ts'
import { installedFrom, mirrorOf } from './registry.ts'

const usage = `npm create @souk/miniapp@latest <folder> --@souk:registry=http://localhost:7070/npm/

Creates a mini app in a new or empty folder. It asks no questions and installs nothing.

  --registry URL   registry for Souk's packages (default: the one this command was installed from)
  --mirror URL     registry for all other packages, if the public one cannot be reached
                   (default: the --registry option of npm)`

const options = {
  registry: { type: 'string' },
  mirror: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Returns undefined if the arguments are not valid. */
function readArguments() {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch {
    return undefined
  }
}

const { values, positionals } = readArguments() ?? { values: {}, positionals: [] }
const [path, ...more] = positionals
if (values.help) console.log(usage)
else if (path === undefined || more.length > 0) {
  console.error(usage)
  process.exitCode = 2
} else {
  try {
    const registry = values.registry ?? (await installedFrom())
    if (registry === undefined)
      throw new CreateError(
        'Nothing says which Souk this command is from. Pass the address of its packages, such as --registry http://localhost:7070/npm/.',
      )
    const mirror = values.mirror ?? mirrorOf(registry)
    const folder = relative('.', await create(path, registry, mirror)) || '.'
    const others = mirror === undefined ? '' : `, all others from ${mirror}`
    console.log(`Created ${folder}. Souk's packages come from ${registry}${others}. Next steps:

  cd ${/[^\w./-]/.test(folder) ? `"${folder}"` : folder}
  npm install
  npm run dev`)
  } catch (error) {
    if (!(error instanceof CreateError)) throw error
    console.error(`create-miniapp: ${error.message}`)
    process.exitCode = 1
  }
}
