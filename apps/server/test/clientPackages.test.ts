import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { versionNumber } from '../src/kernel/package.ts'
import { startClientServer } from './clientServer.ts'

const execute = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
/** Programs of Debian, which find its packages. */
const PATH = '/usr/bin:/bin'
const succeeds = (command: string, ...args: string[]) =>
  spawnSync(command, args, { stdio: 'ignore', env: { PATH } }).status === 0
const isInstalled = {
  python: succeeds('pip', '--version') && succeeds('python3', '-c', 'import setuptools, wheel, ensurepip'),
  go: succeeds('go', 'version'),
  php:
    succeeds('composer', '--version') &&
    succeeds('php', '-r', 'exit((int) !extension_loaded("curl"));') &&
    succeeds('unzip', '-v'),
}

let server: Awaited<ReturnType<typeof startClientServer>>['server']
let url: string
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-client-packages-'))
  ;({ server, url } = await startClientServer())
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

/** Runs a shell script as a developer with an empty home folder. */
async function run(script: string, cwd: string, env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await execute('bash', ['--norc', '-ec', script], { cwd, env: { PATH, HOME: folder, ...env } })
  return stdout
}

/** Returns the blocks of a language in the README of a client, with the URL of the server. */
async function blocksOf(client: string, language: string): Promise<string[]> {
  const readme = await readFile(join(root, 'sdks', client, 'README.md'), 'utf8')
  const blocks = readme.matchAll(RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))
  return [...blocks].map(([, block]) => block!.replaceAll('http://localhost:7070', url))
}

async function install(client: string, cwd: string, env: Record<string, string> = {}): Promise<void> {
  await mkdir(cwd, { recursive: true })
  const [script] = await blocksOf(client, 'sh')
  await run(script!, cwd, env)
}

test('the same sources give the same archives, in every time zone', async () => {
  const pack = async (name: string, TZ: string) => {
    const target = join(folder, name)
    await execute(process.execPath, [join(root, 'setup/packClients.mjs'), target], { env: { ...process.env, TZ } })
    const files = await readdir(target)
    return Object.fromEntries(
      await Promise.all(files.map(async (file) => [file, await readFile(join(target, file), 'base64')] as const)),
    )
  }
  const packed = await pack('one', 'UTC')
  expect(Object.keys(packed).sort()).toEqual([
    'clients.json',
    `souk-${versionNumber}-py3-none-any.whl`,
    `souk-${versionNumber}.tar.gz`,
    `souk-go-${versionNumber}.zip`,
    `souk-php-${versionNumber}.zip`,
  ])
  expect(await pack('two', 'Pacific/Auckland')).toEqual(packed)
})

test.skipIf(!isInstalled.python)(
  'pip installs the wheel and the source archive (needs python3-pip and -venv)',
  async () => {
    const program = 'import souk, importlib.metadata as it; print(it.version("souk"), souk.Souk.__name__)'
    const backend = join(folder, 'python')
    await install('python', backend)
    expect(await run(`.venv/bin/python -c '${program}'`, backend)).toBe(`${versionNumber} Souk\n`)
    const [wheel] = (await readdir(join(backend, '.venv/lib'))).map((name) => join(backend, '.venv/lib', name))
    // A folder, because the Python of Debian is managed by its packages.
    const source = join(backend, 'source')
    const flags = '--no-binary souk --no-build-isolation --no-cache-dir'
    await run(`pip install souk ${flags} --index-url ${url}/pypi/simple/ --target ${source}`, folder)
    expect(await run(`python3 -c '${program}'`, folder, { PYTHONPATH: source })).toBe(`${versionNumber} Souk\n`)
    expect((await readdir(join(source, 'souk'))).sort()).toEqual(
      (await readdir(join(wheel!, 'site-packages/souk'))).sort(),
    )
  },
)

test.skipIf(!isInstalled.go)('go get installs the module, and compiles the program of its README', async () => {
  const module = join(folder, 'module')
  const settings = { GOTOOLCHAIN: 'local', GOFLAGS: '-modcacherw', GOCACHE: join(root, 'node_modules/.cache/go') }
  await mkdir(module)
  await run('go mod init shop', module, settings)
  await install('go', module, settings)
  await writeFile(join(module, 'main.go'), (await blocksOf('go', 'go'))[0]!)
  await run('go vet .', module, { ...settings, GOPROXY: 'off' })
  expect(await readFile(join(module, 'go.mod'), 'utf8')).toContain(`souk.dev/souk v${versionNumber}`)
  const other = run('go get souk.dev/souk@v0.0.1', module, {
    ...settings,
    GOPROXY: `${url}/go,http://localhost:1`,
    GONOSUMDB: 'souk.dev',
  })
  await expect(other).rejects.toThrow(`${url}/go/souk.dev/souk/@v/v0.0.1.info: 400`)
})

test.skipIf(!isInstalled.php)('Composer installs the package (needs composer and unzip)', async () => {
  const home = join(folder, 'composer')
  await mkdir(home)
  await writeFile(join(home, 'config.json'), '{ "repositories": [{ "packagist.org": false }] }')
  const project = join(folder, 'php')
  await install('php', project, { COMPOSER_HOME: home, COMPOSER_ALLOW_SUPERUSER: '1' })
  const program = 'require "vendor/autoload.php"; echo (new Souk\\Callbacks("a", "b"))::class;'
  expect(await run(`php -r '${program}'`, project)).toBe('Souk\\Callbacks')
  const { packages } = JSON.parse(await readFile(join(project, 'composer.lock'), 'utf8'))
  expect(packages).toMatchObject([{ name: 'souk/souk', version: versionNumber }])
})

test('unknown names and files are 404', async () => {
  for (const path of ['/pypi/simple/django/', '/pypi/files/souk-0.0.1.tar.gz', '/go/golang.org/x/net/@v/list']) {
    expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 404])
  }
})
