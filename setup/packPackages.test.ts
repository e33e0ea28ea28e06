import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const root = dirname(import.meta.dirname)

interface Packed {
  file: string
  manifest: {
    name: string
    version: string
    description: string
    license: string
    publishConfig: object
    repository: object
  }
}

let folder: string
let packages: Packed[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-packages-'))
  const env = {
    ...process.env,
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'souk-example/souk',
    COMMIT: '1a2b3c4',
  }
  await run(process.execPath, [join(root, 'setup/packPackages.mjs'), folder], { env })
  packages = JSON.parse(await readFile(join(folder, 'packages.json'), 'utf8'))
}, 300_000)

afterAll(() => rm(folder, { recursive: true }))

const tar = async (...args: string[]) => (await run('tar', args, { cwd: folder })).stdout

test('each tarball has its license, changelog and readme', async () => {
  expect(packages.length).toBeGreaterThan(10)
  for (const { file, manifest } of packages) {
    const paths = (await tar('--list', '--file', file)).trim().split('\n')
    const shared = ['LICENSE', 'CHANGELOG.md', 'README.md', 'package.json'].map((name) => `package/${name}`)
    expect([manifest.name, shared.filter((path) => !paths.includes(path))]).toEqual([manifest.name, []])
    const license = await tar('--extract', '--to-stdout', '--file', file, 'package/LICENSE')
    expect(license).toBe(await readFile(join(root, 'LICENSE'), 'utf8'))
  }
})

test('each tarball is published with the provenance of the repository that built it', async () => {
  for (const { file, manifest } of packages) {
    const packed = JSON.parse(await tar('--extract', '--to-stdout', '--file', file, 'package/package.json'))
    expect(packed).toMatchObject({
      license: 'Apache-2.0',
      description: expect.stringMatching(/\w/),
      publishConfig: { access: 'public', provenance: true },
      repository: {
        type: 'git',
        url: 'git+https://github.com/souk-example/souk.git',
        directory: expect.stringMatching(/^packages\/[\w-]+$/),
      },
    })
    expect(packed).toEqual(manifest)
  }
})

test('the packed command names the commit that it was built from', async () => {
  const { file, manifest } = packages.find(({ manifest }) => manifest.name === '@souk/cli')!
  const version = `${manifest.version}+1a2b3c4`
  const build = JSON.parse(await tar('--extract', '--to-stdout', '--file', file, 'package/dist/build.json'))
  expect(build).toEqual({ version, commit: '1a2b3c4' })
  await tar('--extract', '--file', file)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const { stdout } = await run(process.execPath, [join(folder, 'package/dist/main.js'), '--version'])
  expect(stdout).toBe(`${version}\n`)
})
