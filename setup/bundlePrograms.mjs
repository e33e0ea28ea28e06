// Bundles the server and its commands with their dependencies into the folder argv[2], for tests that start them often:
// importing two thousand modules takes most of the processor time of a start.
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = dirname(import.meta.dirname)
const folder = process.argv[2]
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

const build = await rolldown({
  input: {
    'apps/server/src/main': join(root, 'apps/server/src/main.ts'),
    'apps/server/src/commands': join(root, 'apps/server/src/commands.ts'),
    'packages/cli/src/main': join(root, 'packages/cli/src/main.ts'),
  },
  cwd: root,
  platform: 'node',
  external: isExternal,
  plugins: [locations],
  resolve: { conditionNames: ['souk-source', 'import', 'node', 'default'] },
  onLog(_level, log) {
    console.error(log.code, log.message)
  },
})
await build.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name].mjs' })
await build.close()
