// Builds what `npm pack -w @souk/server` packs: one program for the server and one for the command line, with the
// packages of this repository in them, the built web apps, and the packages for developers.
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { webApps } from './webApps.mjs'

const root = dirname(import.meta.dirname)
const server = join(root, 'apps/server')
const dist = join(server, 'dist')
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'))
/** Installed by npm with the package, except for the build tool of mini apps, which an installation does without. */
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

rmSync(dist, { recursive: true, force: true })
await bundle('main', 'apps/server/src/main.ts')
await bundle('souk', 'packages/cli/src/main.ts')
await bundle('commands', 'apps/server/src/commands.ts')

// The packages that the server serves as a registry.
rmSync(join(server, 'npm'), { recursive: true, force: true })
execFileSync(process.execPath, [join(import.meta.dirname, 'packPackages.mjs'), join(server, 'npm')])

cpSync(join(root, 'LICENSE'), join(dist, 'LICENSE'))

const web = join(server, 'web')
rmSync(web, { recursive: true, force: true })
for (const { name, folder } of webApps) {
  const built = join(root, folder, 'dist')
  cpSync(built, join(web, name, 'dist'), { recursive: true, filter: (path) => !path.endsWith('.sources') })
}

async function bundle(name, entry) {
  const build = await rolldown({
    input: { [name]: join(root, entry) },
    cwd: root,
    platform: 'node',
    external: isExternal,
    plugins: [threads],
    resolve: { conditionNames: ['souk-source', 'import', 'node', 'default'] },
    onLog(_level, log) {
      throw new Error(`${log.code}: ${log.message}`)
    },
  })
  await build.write({ dir: dist, format: 'esm', entryFileNames: '[name].js', chunkFileNames: `${name}-[name].js` })
  await build.close()
}
