// npm run release [folder]: writes the tarballs of all packages and of the server, the clients for other languages,
// the extension for VS Code, and SHA256SUMS into the folder, the heading of the version into CHANGELOG.md, and the
// pictures of the product anew.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { prepareRelease, ReleaseError } from './prepareRelease.mjs'

const root = dirname(import.meta.dirname)
const folder = resolve(process.argv[2] ?? 'release')
const pictures = 'docs/pictures'
const isTarball = (name) => name.endsWith('.tgz')
const isClient = (name) => /^souk-.*\.(whl|tar\.gz|zip|jar|pom)$/.test(name)
const isReleased = (name) => isTarball(name) || isClient(name) || name.endsWith('.vsix')

try {
  const release = prepareRelease(root, folder)
  try {
    build(release)
  } catch (error) {
    release.undo()
    execFileSync('git', ['checkout', '--quiet', '--', pictures], { cwd: root })
    removeFiles()
    throw error
  }
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

function build({ version, commit }) {
  mkdirSync(folder, { recursive: true })
  removeFiles()
  // Without the settings of the npm that runs this script.
  const npmFree = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))
  // Read by setup/build.mjs.
  const env = { ...Object.fromEntries(npmFree), RELEASE: version, COMMIT: commit }
  // Before the documentation is built, which shows them.
  execFileSync(process.execPath, [join(import.meta.dirname, 'run.mjs'), 'pictures'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const pack = ['pack', '--silent', '--workspace', '@souk/server', '--pack-destination', folder]
  execFileSync('npm', pack, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const packages = join(root, 'apps/server/npm')
  for (const name of readdirSync(packages).filter(isTarball)) copyFileSync(join(packages, name), join(folder, name))
  const clients = join(root, 'apps/server/clients')
  for (const name of readdirSync(clients).filter(isClient)) copyFileSync(join(clients, name), join(folder, name))

  execFileSync(process.execPath, [join(import.meta.dirname, 'packExtension.mjs'), folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })

  const sums = readdirSync(folder)
    .filter(isReleased)
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  console.log(`${sums.length} files and SHA256SUMS in ${folder}`)
  console.log(`Commit CHANGELOG.md and ${pictures}, and tag the released commit: git tag v${version} ${commit}`)
}

function removeFiles() {
  for (const name of readdirSync(folder).filter(isReleased)) rmSync(join(folder, name))
}
