import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const tsc = join(root, 'node_modules/.bin/tsc')

/** The oldest Node that the packages support. npm has it for Linux. */
const oldest = '18.0.0'
const hasOldest = process.platform === 'linux'

/** The Node of the test runner and all others that are available: of the machine and of the setup. */
const nodes = [
  process.execPath,
  ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node')),
  join(root, 'setup/node/node_modules/.bin/node'),
].filter(existsSync)

/** Installs the oldest Node from npm, once in this clone, and returns its path. */
async function installOldest(): Promise<string> {
  const cache = join(root, 'node_modules/.cache/oldest-node')
  const name = `node-linux-${process.arch}`
  await mkdir(cache, { recursive: true })
  await writeFile(join(cache, 'package.json'), '{ "private": true }')
  await run(
    'npm',
    ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${oldest}`],
    {
      cwd: cache,
    },
  )
  return join(cache, 'node_modules', name, 'bin/node')
}

let folder: string
/** The paths in the packages. */
const packedPaths: string[] = []

/** Names the dependencies of a package, which are taken from this repository, so that nothing is downloaded. */
async function dependenciesOf(name: string): Promise<string[]> {
  const { dependencies = {} } = JSON.parse(await readFile(join(root, 'packages', name, 'package.json'), 'utf8'))
  return Object.keys(dependencies).filter((each) => !each.startsWith('@souk/'))
}

/** Returns where a dependency of a package is installed: with the package if other packages need another version. */
function installed(name: string, dependency: string): string {
  const own = join(root, 'packages', name, 'node_modules', dependency)
  return existsSync(own) ? own : join(root, 'node_modules', dependency)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-consumer-'))
  const dependencies: Record<string, string> = {}
  for (const name of ['contract', 'sdk']) {
    const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: join(root, 'packages', name),
    })
    // The build that runs before packing prints its name first.
    const [{ filename, files }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[\n'))) as [
      { filename: string; files: { path: string }[] },
    ]
    dependencies[`@souk/${name}`] = `file:${filename}`
    for (const other of await dependenciesOf(name)) {
      dependencies[other] ??= `file:${installed(name, other)}`
    }
    packedPaths.push(...files.map(({ path }) => path))
  }
  await cp(join(import.meta.dirname, 'consumer'), folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', type: 'module', dependencies }))
  await run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  await run(tsc, ['-p', '.', '--singleThreaded', '--typeRoots', join(root, 'node_modules/@types')], { cwd: folder })
})

afterAll(() => rm(folder, { recursive: true, force: true }))

test('a consumer of the packed packages compiles and runs on the oldest and every available Node', async () => {
  const versions = new Set<string>()
  for (const node of [...(hasOldest ? [await installOldest()] : []), ...nodes]) {
    const { stdout: version } = await run(node, ['--version'])
    if (versions.has(version.trim())) continue
    versions.add(version.trim())
    const { stdout } = await run(node, ['out/main.js'], { cwd: folder })
    expect(stdout).toBe('the consumer is content\n')
  }
  if (hasOldest) expect(versions).toContain(`v${oldest}`)
  for (const name of ['contract', 'sdk']) {
    const { engines } = JSON.parse(await readFile(join(root, 'packages', name, 'package.json'), 'utf8'))
    expect(`${engines.node}.0.0`).toBe(`>=${oldest}`)
  }
})

test('a consumer without Node types compiles against the Web types', async () => {
  await run(tsc, ['-p', 'tsconfig.edge.json', '--singleThreaded'], { cwd: folder })
})

test('the packages contain no sources and no tests', () => {
  expect(packedPaths).toContain('dist/index.js')
  expect(packedPaths.filter((path) => !/^(dist\/.*\.(js|d\.ts)|package\.json|README\.md)$/.test(path))).toEqual([])
})
