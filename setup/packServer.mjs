// Builds what `npm pack -w @souk/server` packs: one program for the server and one for the command line, with the
// packages of this repository in them, the built web apps, and the packages for developers.
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundleServer } from './bundleServer.mjs'
import { webApps } from './webApps.mjs'

const root = dirname(import.meta.dirname)
const server = join(root, 'apps/server')

await bundleServer()
cpSync(join(root, 'LICENSE'), join(server, 'dist/LICENSE'))

// The packages that the server serves as a registry.
rmSync(join(server, 'npm'), { recursive: true, force: true })
execFileSync(process.execPath, [join(import.meta.dirname, 'packPackages.mjs'), join(server, 'npm')])

const web = join(server, 'web')
rmSync(web, { recursive: true, force: true })
for (const { name, folder } of webApps) {
  const built = join(root, folder, 'dist')
  cpSync(built, join(web, name, 'dist'), { recursive: true, filter: (path) => !path.endsWith('.sources') })
}
