import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { npmSurface } from './index.ts'
import type { readPackages } from './packages.ts'

const pnpm = join(dirname(fileURLToPath(import.meta.resolve('pnpm'))), 'bin/pnpm.cjs')
type Packages = Awaited<ReturnType<typeof readPackages>>

const name = '@souk/cli'
const time = '2026-11-20T08:00:00.000Z'
const packed: Packages = new Map([
  [
    name,
    {
      file: '',
      time,
      shasum: '',
      integrity: '',
      readme: '',
      manifest: { name, version: '1.0.0' },
      tarball: Buffer.of(),
    },
  ],
])
/** Time in ms after which the server closes connections on which nothing is sent. */
const connectionTimeout = 100

const servers: ReturnType<typeof Fastify>[] = []
let url: string
const logged: object[] = []

afterEach(async () => {
  logged.length = 0
  for (const server of servers.splice(0)) await server.close()
})

async function startRegistry(read: typeof readPackages, patience?: number): Promise<void> {
  const server = Fastify({ connectionTimeout })
  servers.push(server)
  const log = { error: (fields: object) => logged.push(fields) }
  const context = { settings: { publicUrl: 'http://localhost' }, log } as unknown as Parameters<typeof npmSurface>[0]
  await server.register(npmSurface(context, { read, ...(patience !== undefined && { patience }) }))
  url = `${await server.listen()}/npm/${name}`
}

test('requests wait for the packages, longer than other connections may be idle', async () => {
  const { promise, resolve } = Promise.withResolvers<Packages>()
  let reads = 0
  await startRegistry(() => {
    reads += 1
    return promise
  })
  const waiting = [fetch(url), fetch(url)]
  await new Promise((done) => setTimeout(done, 5 * connectionTimeout))
  resolve(packed)
  for (const response of await Promise.all(waiting)) {
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ name })])
  }
  expect(reads).toBe(1)
})

test('a failure is reported and logged once, and the next request packs again', async () => {
  let reads = 0
  await startRegistry(async () => {
    reads += 1
    if (reads === 1) throw new Error('no space left on device')
    return packed
  })
  const failed = await fetch(url)
  expect(failed.status).toBe(503)
  expect(await failed.json()).toMatchObject({ error: expect.stringContaining('could not be packed') })
  expect(logged).toEqual([{ error: 'Error: no space left on device' }])
  expect((await fetch(url)).status).toBe(200)
})

test('a client is told to come back before it gives up', async () => {
  await startRegistry(() => new Promise(() => {}), 10)
  const response = await fetch(url)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10'])
  expect(logged).toEqual([])
})

test('npm create knows the Souk that it came from, also without addresses in lock files', {
  timeout: 120_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'souk-registry-'))
  const run = promisify(execFile)
  const created = { name: '@souk/create-miniapp', version: '1.0.0', bin: { 'create-miniapp': 'main.mjs' } }
  const source = join(folder, 'source')
  await mkdir(source)
  await writeFile(join(source, 'package.json'), JSON.stringify(created))
  await writeFile(
    join(source, 'main.mjs'),
    `#!/usr/bin/env node\nimport { readFileSync } from 'node:fs'\nconsole.log(readFileSync(new URL('registry.json', import.meta.url), 'utf8'))`,
  )
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source })
  const tarball = await readFile(join(folder, 'souk-create-miniapp-1.0.0.tgz'))
  const packages: Packages = new Map([
    [created.name, { file: '', time, shasum: '', integrity: '', readme: '', manifest: created, tarball }],
  ])
  const env = { PATH: process.env.PATH, HOME: folder, npm_config_omit_lockfile_registry_resolved: 'true' }
  // The second one has another package with the same name and version, which npm must not take from its cache.
  for (const _souk of [1, 2]) {
    await startRegistry(async () => packages)
    const registry = `${new URL(url).origin}/npm/`
    const command = ['create', '@souk/miniapp@latest', 'my-app', '--yes', `--@souk:registry=${registry}`]
    const { stdout } = await run('npm', command, { cwd: folder, env })
    expect(JSON.parse(stdout.replace(/^>.*$/gm, ''))).toEqual({ registry })
  }
  await rm(folder, { recursive: true })
})

test('pnpm installs a package that is older than its minimum age, and says when it is not', {
  timeout: 120_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'souk-pnpm-'))
  const run = promisify(execFile)
  const manifest = { name, version: '1.0.0' }
  const source = join(folder, 'source')
  await mkdir(source)
  await writeFile(join(source, 'package.json'), JSON.stringify(manifest))
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source })
  const tarball = await readFile(join(folder, 'souk-cli-1.0.0.tgz'))
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  const install = async (time: string) => {
    await startRegistry(
      async () => new Map([[name, { file: '', time, shasum: '', integrity, readme: '', manifest, tarball }]]),
    )
    const project = await mkdtemp(join(folder, 'project-'))
    await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, dependencies: { [name]: '1.0.0' } }))
    await writeFile(join(project, '.npmrc'), `@souk:registry=${new URL(url).origin}/npm/\n`)
    await writeFile(join(project, 'pnpm-workspace.yaml'), 'minimumReleaseAge: 60\n')
    const env = { PATH: process.env.PATH, HOME: project, CI: 'true' }
    return run(process.execPath, [pnpm, 'install'], { cwd: project, env })
  }
  await install(time)
  await expect(install(new Date().toISOString())).rejects.toMatchObject({
    stdout: expect.stringContaining('NO_MATURE_MATCHING_VERSION'),
  })
  await rm(folder, { recursive: true })
})
