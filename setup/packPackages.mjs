// Packs the packages for developers of mini apps into the folder argv[2]: the tarballs, and packages.json, from which
// the server serves them as a registry (ADR 334). With --cache, the folder has a subfolder for the current sources,
// which is packed only once. Prints the folder of the tarballs.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { hashSources } from './webApps.mjs'

const run = promisify(execFile)
const root = dirname(import.meta.dirname)

/** Packages that are not private, sorted by name. */
const packages = fs
  .globSync('packages/*/package.json', { cwd: root })
  .map((path) => ({ folder: dirname(path), manifest: readJson(join(root, path)) }))
  .filter(({ manifest }) => !manifest.private)
  .sort((a, b) => a.manifest.name.localeCompare(b.manifest.name))

const [target, flag] = process.argv.slice(2)
const folder = flag === '--cache' ? await packOnce(resolve(target)) : await pack(resolve(target))
console.log(folder)

/** Packs into a subfolder with a name for the current sources, and removes other ones. */
async function packOnce(cache) {
  const sources = [
    ...packages.map(({ folder }) => folder),
    ...fs.globSync('packages/*/{,template/}README.md', { cwd: root }),
    'CHANGELOG.md',
    'package-lock.json',
    'setup/packPackages.mjs',
    'tsconfig.base.json',
  ]
  const name = hashSources(root, { folder: packages[0].folder, sources }).slice(0, 16)
  const done = join(cache, name)
  if (existsSync(done)) return done
  mkdirSync(cache, { recursive: true })
  const packing = fs.mkdtempSync(join(cache, 'packing-'))
  try {
    await pack(packing)
    fs.renameSync(packing, done)
  } catch (error) {
    rmSync(packing, { recursive: true })
    // Another server of this clone was faster.
    if (!existsSync(done)) throw error
  }
  for (const other of fs.readdirSync(cache)) {
    if (other !== name && !other.startsWith('packing-')) rmSync(join(cache, other), { recursive: true, force: true })
  }
  return done
}

async function pack(folder) {
  await compile()
  const staging = join(folder, 'staging')
  mkdirSync(staging, { recursive: true })
  for (const each of packages) stage(each, join(staging, basename(each.folder)))
  const folders = packages.map((each) => `./${basename(each.folder)}`)
  // Without the settings of an npm that runs this script, such as its workspace.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, ...folders], {
    cwd: staging,
    env,
  })
  rmSync(staging, { recursive: true })
  writeFileSync(join(folder, 'packages.json'), JSON.stringify(packages.map((each) => describe(each, folder))))
  return folder
}

/** Compiles them with the packages that they refer to. */
async function compile() {
  const projects = packages.flatMap(({ folder }) =>
    ['tsconfig.build.json', 'tsconfig.json']
      .map((name) => join(folder, name))
      .filter((path) => existsSync(join(root, path)))
      .slice(0, 1),
  )
  await run(process.execPath, ['node_modules/typescript/bin/tsc', '--build', '--singleThreaded', ...projects], {
    cwd: root,
  }).catch((error) => {
    throw new Error(`The packages do not compile:\n${error.stdout}`)
  })
}

/** Copies a package with its published manifest and the files that all packages share. */
function stage(each, target) {
  const { folder } = each
  const source = join(root, folder)
  cpSync(source, target, {
    recursive: true,
    filter: (path) =>
      !/^(node_modules|test)(\/|$)/.test(relative(source, path)) && !isStale(source, relative(source, path)),
  })
  for (const file of ['LICENSE', 'CHANGELOG.md']) cpSync(join(root, file), join(target, file))
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(published(each), null, 2)}\n`)
}

/** Checks for output of a source that was removed since. */
function isStale(source, path) {
  const [, name] = /^dist\/(.*?)(?:\.d\.ts|\.js)$/.exec(path) ?? []
  return name !== undefined && !existsSync(join(source, 'src', `${name}.ts`))
}

/** Returns the manifest without what works in this repository only. */
function published({
  folder,
  manifest: { scripts: _scripts, devDependencies: _devDependencies, exports, files, ...manifest },
}) {
  return {
    ...manifest,
    ...repository(folder),
    ...(exports && { exports: withoutSources(exports) }),
    files: [...files, 'CHANGELOG.md'],
    publishConfig: { access: 'public', provenance: true },
  }
}

/** Returns the repository field on GitHub Actions: npm accepts provenance only for the manifest's repository. */
function repository(directory) {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env
  return server && name ? { repository: { type: 'git', url: `git+${server}/${name}.git`, directory } } : {}
}

/** Removes the condition that resolves to sources. */
function withoutSources(exports) {
  const entries = Object.entries(exports).map(([path, target]) => {
    if (typeof target === 'string') return [path, target]
    const { 'souk-source': _source, ...conditions } = target
    return [path, conditions]
  })
  return Object.fromEntries(entries)
}

/** Returns the entry of a package in packages.json. */
function describe(each, folder) {
  const { folder: source, manifest } = each
  const file = `${manifest.name.replace(/^@/, '').replace('/', '-')}-${manifest.version}.tgz`
  const content = readFileSync(join(folder, file))
  const digest = (algorithm, encoding) => createHash(algorithm).update(content).digest(encoding)
  const readme = join(root, source, 'README.md')
  return {
    file,
    shasum: digest('sha1', 'hex'),
    integrity: `sha512-${digest('sha512', 'base64')}`,
    readme: existsSync(readme) ? readFileSync(readme, 'utf8') : '',
    manifest: published(each),
  }
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
