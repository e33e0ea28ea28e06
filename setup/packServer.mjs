// Builds what `npm pack -w @souk/server` packs: one program for the server and one for the command line, with the
// packages of this repository in them, the versions of the other packages, the built web apps, and the packages for
// developers.
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundleServer } from './bundleServer.mjs'
import { shrinkwrapOf } from './shrinkwrap.mjs'
import { webApps } from './webApps.mjs'

const root = dirname(import.meta.dirname)
const server = join(root, 'apps/server')

await bundleServer()
cpSync(join(root, 'LICENSE'), join(server, 'dist/LICENSE'))

// Removed after packing, because npm would read it in the clone, too.
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const shrinkwrap = shrinkwrapOf(lock, 'apps/server')
writeFileSync(join(server, 'npm-shrinkwrap.json'), `${JSON.stringify(shrinkwrap, null, 2)}\n`)

// The packages that the server serves as a registry.
rmSync(join(server, 'npm'), { recursive: true, force: true })
execFileSync(process.execPath, [join(import.meta.dirname, 'packPackages.mjs'), join(server, 'npm')])

// The clients that it serves to pip, Go, Composer and Maven.
rmSync(join(server, 'clients'), { recursive: true, force: true })
for (const script of ['packClients.mjs', 'packJavaClient.mjs']) {
  execFileSync(process.execPath, [join(import.meta.dirname, script), join(server, 'clients')])
}

const web = join(server, 'web')
rmSync(web, { recursive: true, force: true })
for (const { name, folder } of webApps) {
  const built = join(root, folder, 'dist')
  cpSync(built, join(web, name, 'dist'), { recursive: true, filter: (path) => !path.endsWith('.sources') })
}
