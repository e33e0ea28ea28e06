import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { writeBuild } from './build.mjs'
import { licensesOf } from './licenses.mjs'

const root = dirname(import.meta.dirname)
const server = join(root, 'apps/server')
const dist = join(server, 'dist')
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'))
/**
 * Installed by npm with the package, except for the build tool of mini apps, which an installation does without. Those
 * of devDependencies that the sources import are bundled: their many modules take memory, such as 15 MB for typebox.
 */
const installed = [...Object.keys({ ...dependencies, ...optionalDependencies }), '@souk/vite-plugin']
const isExternal = (id) => isBuiltin(id) || installed.some((name) => id === name || id.startsWith(`${name}/`))

/** Emits threads as separate files, which their creators find next to themselves. */
const threads = {
  name: 'threads',
  transform(code, id) {
    const pattern = /new URL\('(\.\/[\w.]+\.worker)\.ts', import\.meta\.url\)/g
    for (const [, path] of code.matchAll(pattern)) {
      this.emitFile({ type: 'chunk', id: join(dirname(id), `${path}.ts`), fileName: `${path.slice(2)}.js` })
    }
    return code.replace(pattern, "new URL('$1.js', import.meta.url)")
  },
}

/** V8 stores a source with a character above U+00FF in twice the memory. */
const ascii = {
  name: 'ascii',
  generateBundle(_options, files) {
    for (const file of Object.values(files)) {
      if (file.type === 'chunk') file.code = file.code.replaceAll(/[^\0-\x7f]/g, escapeUnit)
    }
  },
}
const escapeUnit = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** V8 parses one file at a time and keeps the memory that it takes, about ten times that of the file. */
const parts = {
  groups: [
    { name: 'packages', test: /\/node_modules\// },
    { name: 'contract', test: /\/packages\/contract\// },
  ],
}

/** Writes the programs of the packed server into dist, with their version and the licenses of the packages in them. */
export async function bundleServer() {
  rmSync(dist, { recursive: true, force: true })
  const modules = [
    ...(await bundle('main', 'apps/server/src/main.ts', parts)),
    ...(await bundle('souk', 'packages/cli/src/main.ts')),
    ...(await bundle('commands', 'apps/server/src/commands.ts')),
  ]
  writeBuild(dist)
  writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licensesOf(modules))
}

/** Returns the paths of the modules in the bundle. */
async function bundle(name, entry, codeSplitting = true) {
  const build = await rolldown({
    input: { [name]: join(root, entry) },
    cwd: root,
    platform: 'node',
    external: isExternal,
    plugins: [threads, ascii],
    resolve: { conditionNames: ['souk-source', 'import', 'node', 'default'] },
    onLog(_level, log) {
      throw new Error(`${log.code}: ${log.message}`)
    },
  })
  const files = { codeSplitting, entryFileNames: '[name].js', chunkFileNames: `${name}-[name].js` }
  const { output } = await build.write({ dir: dist, format: 'esm', ...files })
  await build.close()
  return output.flatMap(({ moduleIds }) => moduleIds ?? [])
}
