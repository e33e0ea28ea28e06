#!/usr/bin/env node
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { CreateError, create } from './create.ts'
import { installedFrom, localRegistry, mirrorOf } from './registry.ts'

const usage = `npm create @souk/miniapp@latest <folder> --@souk:registry=http://localhost:7070/npm/

Creates a mini app in a new or empty folder. It asks no questions and installs nothing.

  --registry URL   registry of the packages of Souk (default: the one that npm installed this command from,
                   or else http://localhost:7070/npm/)
  --mirror URL     registry of all other packages, for networks without the public one (default: the one that npm was
                   given as --registry)`

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
    const known = values.registry ?? (await installedFrom())
    const registry = known ?? localRegistry
    const mirror = values.mirror ?? mirrorOf(registry)
    const folder = relative('.', await create(path, registry, mirror)) || '.'
    const others = mirror === undefined ? '' : `, and all others of ${mirror}`
    console.log(`Created ${folder}, with the packages of ${registry}${others}. Next steps:

  cd ${/[^\w./-]/.test(folder) ? `"${folder}"` : folder}
  npm install
  npm run dev`)
    if (known === undefined)
      console.error(`
No record says which registry this command was installed from, so it assumes a Souk on this machine. If the packages
come from another one, change the address in .npmrc and .yarnrc.yml, or create the mini app with --registry URL.`)
  } catch (error) {
    if (!(error instanceof CreateError)) throw error
    console.error(`create-miniapp: ${error.message}`)
    process.exitCode = 1
  }
}
