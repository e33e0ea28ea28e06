// Packs the packages for developers of mini apps into the folder argv[2]: the tarballs, and packages.json, from which
// the server serves them as a registry (ADR 334). With --cache, the folder has a subfolder for the current sources,
// which is packed once per commit. Prints the folder of the tarballs. Types are checked by npm run check, not here.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { describeBuild, writeBuild } from './build.mjs'
import { readmeOf, repository } from './clientPackage.mjs'
import { hashSources } from './webApps.mjs'

const run = promisify(execFile)
const root = dirname(import.meta.dirname)

/** Packages that are not private, sorted by name. */
const packages = fs
  .globSync('packages/*/package.json', { cwd: root })
  .map((path) => ({ folder: dirname(path), manifest: readJson(join(root, path)) }))
  .filter(({ manifest }) => !manifest.private)
  .sort((a, b) => a.manifest.name.localeCompare(b.manifest.name))

/** Packages that the bundle of a program contains. The build tool of mini apps finds files next to itself. */
const bundled = packages.map(({ manifest }) => manifest.name).filter((name) => name !== '@souk/vite-plugin')

const isProgram = ({ manifest }) => !manifest.exports
const isBundled = (id) => bundled.some((name) => id === name || id.startsWith(`${name}/`))

const [target, flag] = process.argv.slice(2)
const folder = flag === '--cache' ? await packOnce(resolve(target)) : await pack(resolve(target))
console.log(folder)

/** Packs into a subfolder with a name for the current sources and commit, and removes other ones. */
async function packOnce(cache) {
  const sources = [
    ...packages.map(({ folder }) => folder),
    ...fs.globSync('packages/*/{,template/}README.md', { cwd: root }),
    'CHANGELOG.md',
    'package-lock.json',
    'setup/clientPackage.mjs',
    'setup/packPackages.mjs',
    'tsconfig.base.json',
  ]
  const hash = hashSources(root, { folder: packages[0].folder, sources }).slice(0, 16)
  const name = `${hash}-${describeBuild().commit}`
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
  const staging = join(folder, 'staging')
  const types = join(folder, 'types')
  await compileTypes(types)
  for (const each of packages) {
    const target = join(staging, basename(each.folder))
    stage(each, target)
    await compile(each, join(target, 'dist'))
    if (each.manifest.name === '@souk/cli') writeBuild(join(target, 'dist'))
    if (entriesOf(each, 'types').length > 0) {
      cpSync(join(types, basename(each.folder), 'src'), join(target, 'dist'), { recursive: true })
    }
  }
  const folders = packages.map((each) => `./${basename(each.folder)}`)
  // Without the settings of an npm that runs this script, such as its workspace.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, ...folders], {
    cwd: staging,
    env,
  })
  for (const temporary of [staging, types]) rmSync(temporary, { recursive: true })
  const time = await commitTime()
  writeFileSync(join(folder, 'packages.json'), JSON.stringify(packages.map((each) => describe(each, folder, time))))
  return folder
}

/** Writes the declarations of all libraries. One program for all reads the types of Node and of the DOM once. */
async function compileTypes(outDir) {
  mkdirSync(outDir, { recursive: true })
  const config = join(outDir, 'tsconfig.json')
  const compilerOptions = {
    composite: false,
    noCheck: true,
    emitDeclarationOnly: true,
    lib: ['ES2025', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    rootDir: join(root, 'packages'),
    outDir,
  }
  // All sources, because TypeScript writes nothing for files that it finds through the name of a package.
  const files = packages
    .filter((each) => entriesOf(each, 'types').length > 0)
    .flatMap(({ folder }) => fs.globSync(join(root, folder, 'src/**/*.ts')))
    .filter((path) => !/\.test\.ts$|[\\/]client[\\/]/.test(path))
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, files }))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [tsc, '--project', config, '--singleThreaded']).catch((error) => {
    throw new Error(`The types of the packages do not compile:\n${error.stdout}`)
  })
}

/** Compiles a library file by file, for the bundlers of others, and a program into a bundle, which starts quicker. */
async function compile(each, dir) {
  const input = entriesOf(each, 'default')
  if (input.length === 0) return
  const build = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    external: (id) => isBuiltin(id) || (/^[^./]/.test(id) && !(isProgram(each) && isBundled(id))),
    resolve: { conditionNames: ['souk-source'] },
    onLog(_level, { code, message }) {
      throw new Error(`${code}: ${message}`)
    },
  })
  const preserved = { preserveModules: true, preserveModulesRoot: join(root, each.folder, 'src') }
  await build.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    ...(!isProgram(each) && preserved),
  })
  await build.close()
}

/** Returns the sources of the files in dist that a condition of `exports` names, and those of programs. */
function entriesOf({ folder, manifest: { exports = {}, bin = {} } }, condition) {
  const targets = Object.values(exports).map((target) => target[condition])
  if (condition === 'default') targets.push(...Object.values(bin))
  return targets
    .map((target) => /^(?:\.\/)?dist\/(.*?)(?:\.d\.ts|\.js)$/.exec(target)?.[1])
    .filter((name) => name !== undefined)
    .map((name) => join(root, folder, 'src', `${name}.ts`))
}

/** Copies a package with its published manifest and the files that all packages share. */
function stage(each, target) {
  const { folder } = each
  const source = join(root, folder)
  cpSync(source, target, {
    recursive: true,
    filter: (path) => !/^(node_modules|test|dist)(\/|$)/.test(relative(source, path)),
  })
  for (const file of ['LICENSE', 'CHANGELOG.md']) cpSync(join(root, file), join(target, file))
  if (existsSync(join(source, 'README.md'))) writeFileSync(join(target, 'README.md'), readmeOf(folder))
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(published(each), null, 2)}\n`)
}

/** Returns the manifest without what works in this repository only. */
function published(each) {
  const { scripts: _scripts, devDependencies: _devDependencies, exports, files, ...manifest } = each.manifest
  return {
    ...manifest,
    ...(manifest.dependencies && isProgram(each) && { dependencies: unbundled(manifest.dependencies) }),
    ...fieldsOfRepository(each.folder),
    ...(exports && { exports: withoutSources(exports) }),
    files: [...files, 'CHANGELOG.md'],
    publishConfig: { access: 'public', provenance: true },
  }
}

/** Replaces packages that a bundle contains by their own dependencies. */
function unbundled(dependencies = {}) {
  const entries = Object.entries(dependencies).flatMap(([name, version]) => {
    if (!isBundled(name)) return [[name, version]]
    return Object.entries(unbundled(packages.find(({ manifest }) => manifest.name === name).manifest.dependencies))
  })
  return Object.fromEntries(entries)
}

/** Returns where the sources are on GitHub Actions: npm accepts provenance only for the repository of the manifest. */
function fieldsOfRepository(directory) {
  const source = repository()
  if (!source) return {}
  const { url, homepage } = source
  return { homepage, repository: { type: 'git', url: `git+${url}.git`, directory } }
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

/** Returns the time of the commit, or the present time without a repository, in ISO 8601. */
async function commitTime() {
  const shown = await run('git', ['show', '--no-patch', '--format=%ct', 'HEAD'], { cwd: root }).catch(() => undefined)
  return new Date(shown ? Number(shown.stdout) * 1000 : Date.now()).toISOString()
}

/** Returns the entry of a package in packages.json. */
function describe(each, folder, time) {
  const { folder: source, manifest } = each
  const file = `${manifest.name.replace(/^@/, '').replace('/', '-')}-${manifest.version}.tgz`
  const content = readFileSync(join(folder, file))
  const digest = (algorithm, encoding) => createHash(algorithm).update(content).digest(encoding)
  return {
    file,
    time,
    shasum: digest('sha1', 'hex'),
    integrity: `sha512-${digest('sha512', 'base64')}`,
    readme: existsSync(join(root, source, 'README.md')) ? readmeOf(source) : '',
    manifest: published(each),
  }
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
