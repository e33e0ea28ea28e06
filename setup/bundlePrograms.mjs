// Bundles the server and its commands with their dependencies into the folder argv[2], for tests that start them often:
// importing two thousand modules takes most of the processor time of a start.
import { isBuiltin } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = dirname(import.meta.dirname)
const folder = resolve(process.argv[2])
/** Packages with native code, threads or optional dependencies. */
const external = ['@node-rs/argon2', '@souk/vite-plugin', 'pg', 'pino', 'vite']
const isExternal = (id) => isBuiltin(id) || external.some((name) => id === name || id.startsWith(`${name}/`))

/** Lets each module find files and packages as if it were not bundled. */
const locations = {
  name: 'locations',
  transform(code, id) {
    if (!/import\.meta|__dirname/.test(code)) return null
    return code
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      .replaceAll('import.meta.filename', JSON.stringify(id))
      .replaceAll(/import\.meta\.dirname|\b__dirname\b/g, JSON.stringify(dirname(id)))
  },
}

/** Lets the command line start the bundle of the commands that run on the machine of the server. */
const commands = {
  name: 'commands',
  transform(code, id) {
    if (id !== join(root, 'packages/cli/src/environment.ts')) return null
    return replace(code, /'@souk\/server\/commands'/, JSON.stringify(join(folder, 'apps/server/src/commands.mjs')))
  },
}

/** Derives the keys of backups in 1024 rounds, not in 262144, which take three seconds for each backup and restore. */
const quickBackups = {
  name: 'quick-backups',
  transform(code, id) {
    if (id !== join(root, 'apps/server/src/domain/installation/backups/archive.ts')) return null
    return replace(code, /(?<=const defaultWorkFactor = )18\b/, '10')
  },
}

function replace(code, pattern, text) {
  const changed = code.replace(pattern, text)
  if (changed === code) throw new Error(`Nothing matches ${pattern}.`)
  return changed
}

const build = await rolldown({
  input: {
    'apps/server/src/main': join(root, 'apps/server/src/main.ts'),
    'apps/server/src/commands': join(root, 'apps/server/src/commands.ts'),
    'packages/cli/src/main': join(root, 'packages/cli/src/main.ts'),
  },
  cwd: root,
  platform: 'node',
  external: isExternal,
  plugins: [locations, commands, quickBackups],
  resolve: { conditionNames: ['souk-source', 'import', 'node', 'default'] },
  onLog(_level, log) {
    console.error(log.code, log.message)
  },
})
await build.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name].mjs' })
await build.close()
