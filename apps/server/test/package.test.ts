import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { minute } from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../../../e2e/chromium.ts'
import { create } from '../../../packages/create-miniapp/src/create.ts'
import { packageFolder, soukVersion, versionNumber } from '../src/kernel/package.ts'
import { emptyDatabase, type FreshDatabase } from './database.ts'
import { freePort } from './server.ts'

const run = promisify(execFile)
const clone = join(packageFolder, '../..')
const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
/** PATH without the programs of this repository: developers of mini apps may have Node 20. */
const developerPath = process.env
  .PATH!.split(delimiter)
  .filter((folder) => !folder.startsWith(clone))
  .join(delimiter)

/** Stands for the root folder of the machine in docs/guides/live.md. */
let machine: string
let folder: string
let blocks: Map<string, string>

let url: string
let server: ChildProcess
let env: NodeJS.ProcessEnv
let printed = ''

beforeAll(async () => {
  machine = await mkdtemp(join(tmpdir(), 'souk-machine-'))
  for (const name of ['home', 'tmp', 'opt', 'etc/systemd/system', 'var/lib/souk']) {
    await mkdir(join(machine, name), { recursive: true })
  }
  const guide = await readFile(join(clone, 'docs/guides/live.md'), 'utf8')
  const commands = guide.matchAll(/```sh (\w+)\n(.*?)```/gs)
  blocks = new Map([...commands].map(([, name, text]) => [name!, onMachine(text!)]))
  await run('bash', ['-euo', 'pipefail', '-c', blocks.get('install')!], { cwd: clone })

  folder = join(machine, 'opt/souk')
  const port = await freePort()
  url = `http://localhost:${port}`
  env = { PATH: path, PORT: String(port), SOUK_URL: url }
  server = spawn(join(folder, 'node_modules/.bin/souk-server'), { cwd: folder, env })
  for (const stream of [server.stdout, server.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  const ended = once(server, 'exit')
  const deadline = Date.now() + 10 * minute
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
    if (server.exitCode !== null || Date.now() > deadline)
      throw new Error(`The packed server did not start: ${printed}`)
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 50))])
  }
}, 15 * minute)
afterAll(async () => {
  if (server?.exitCode === null) server.kill('SIGKILL')
  await rm(machine, { recursive: true, force: true })
})

/** Replaces the folders of the machine. */
function onMachine(text: string): string {
  return text.replaceAll(/(?<![\w.:])\/(opt|etc|tmp|var)(?=[/\s])/g, `${machine}/$1`)
}

const souk = async (...args: string[]) =>
  (await run(join(folder, 'node_modules/.bin/souk'), args, { cwd: folder, env })).stdout

test('the package contains no sources', async () => {
  const { stdout } = await run('bash', ['-c', 'tar --list --file tmp/souk-server-*.tgz'], { cwd: machine })
  const files = stdout.trim().split('\n')
  expect(files).toContain('package/bin/souk-server.js')
  expect(files).toContain('package/dist/THIRD-PARTY-LICENSES.txt')
  expect(files.filter((path) => /\.ts$|\.sources$/.test(path))).toEqual([])
})

test('the package contains the licenses of the packages in its programs', async () => {
  const licenses = await readFile(join(folder, 'node_modules/@souk/server/dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
  const names = [...licenses.matchAll(/^(\S+) \d+\.\d+\.\d+$/gm)].map(([, name]) => name)
  expect(names).toEqual(expect.arrayContaining(['@noble/hashes', 'prom-client', 'typebox']))
})

test('every installed package has the version and the content of the lock file', async () => {
  interface LockFile {
    packages: Record<string, { version: string; integrity?: string }>
  }
  const read = async (path: string) => (JSON.parse(await readFile(path, 'utf8')) as LockFile).packages
  const idOf = ([path, { version, integrity }]: [string, LockFile['packages'][string]]) =>
    `${path.split('node_modules/').at(-1)}@${version} ${integrity}`
  const { 'node_modules/@souk/server': _, ...installed } = await read(join(folder, 'node_modules/.package-lock.json'))
  const locked = new Set(Object.entries(await read(join(clone, 'package-lock.json'))).map(idOf))
  expect(
    Object.entries(installed)
      .map(idOf)
      .filter((id) => !locked.has(id)),
  ).toEqual([])

  // No package is missing except those of other platforms, and none was added.
  const pinned = await read(join(folder, 'node_modules/@souk/server/npm-shrinkwrap.json'))
  const { '': __, ...packages } = pinned as Record<string, LockFile['packages'][string] & { optional?: true }>
  const required = Object.entries(packages).filter(([, { optional }]) => !optional)
  const names = new Set(Object.entries(installed).map(idOf))
  expect(required.map(idOf).filter((id) => !names.has(id))).toEqual([])
  expect(Object.keys(packages)).toEqual(expect.arrayContaining(Object.keys(installed)))
})

test('its programs are ASCII, since V8 would need twice the memory for their sources', async () => {
  const dist = join(folder, 'node_modules/@souk/server/dist')
  const programs = (await readdir(dist)).filter((name) => name.endsWith('.js'))
  expect(programs).toEqual(expect.arrayContaining(['commands.js', 'main.js', 'souk.js']))
  for (const name of programs) expect(await readFile(join(dist, name), 'latin1')).not.toMatch(/[\x80-\xff]/)
})

test('the packed server serves console, host application and API from an empty folder', async () => {
  for (const app of ['console', 'host']) {
    const page = await (await fetch(`${url}/${app}/`)).text()
    const script = /src="(\/[^"]+\.js)"/.exec(page)![1]!
    expect((await fetch(`${url}${script}`)).status).toBe(200)
  }
  expect((await fetch(`${url}/openapi.json`)).status).toBe(200)
  expect(await (await fetch(`${url}/pages.schema.json`)).json()).toMatchObject({ title: 'pages.json' })
})

const npm = (...args: string[]) =>
  run('npm', args, { cwd: machine, env: { ...env, HOME: machine, npm_config_registry: `${url}/npm/` } })

interface Packument {
  versions: Record<
    string,
    { dist: Record<'tarball' | 'integrity' | 'shasum', string>; bin: object; dependencies: object }
  >
}

test('it is a registry of the packages for developers, in its own version', async () => {
  const address = `${url}/npm/@souk%2fcli`
  const full = (await (await fetch(address)).json()) as { versions: object }
  expect(full).toMatchObject({ name: '@souk/cli', 'dist-tags': { latest: versionNumber } })
  expect(Object.keys(full.versions)).toEqual([versionNumber])
  expect(JSON.stringify(full)).not.toContain('souk-source')

  const abbreviated = await fetch(address, { headers: { Accept: 'application/vnd.npm.install-v1+json' } })
  expect(abbreviated.headers.get('content-type')).toContain('application/vnd.npm.install-v1+json')
  const { dist, bin, dependencies } = ((await abbreviated.json()) as Packument).versions[versionNumber]!
  expect({ bin, dependencies }).toMatchObject({
    bin: { souk: 'dist/main.js' },
    dependencies: { '@souk/vite-plugin': versionNumber },
  })

  const tarball = await fetch(dist.tarball)
  expect(tarball.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const content = Buffer.from(await tarball.arrayBuffer())
  expect(`sha512-${createHash('sha512').update(content).digest('base64')}`).toBe(dist.integrity)
  expect(createHash('sha1').update(content).digest('hex')).toBe(dist.shasum)
  const known = { 'If-None-Match': tarball.headers.get('etag')! }
  expect((await fetch(dist.tarball, { headers: known })).status).toBe(304)
  const head = await fetch(dist.tarball, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(content.length)])

  expect((await npm('ping')).stderr).toContain('PONG')
  expect((await npm('view', '@souk/create-miniapp', 'version')).stdout).toBe(`${versionNumber}\n`)
})

test('what the registry does not have or accept is explained', async () => {
  const read = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${url}/npm/${path}`, init)
    return [response.status, ((await response.json()) as { error: string }).error]
  }
  expect(await read('@souk/nothing')).toEqual([404, expect.stringMatching(/There is no @souk\/nothing.*@souk\/cli, /)])
  expect(await read('left-pad')).toEqual([404, expect.stringContaining('packages of @souk/ only')])
  for (const path of ['@souk/cli/0.0.1', '@souk/cli/-/cli-0.0.1.tgz', '@souk/server']) {
    expect(await read(path)).toEqual([404, expect.any(String)])
  }
  expect(await read('@souk/cli/0.0.1')).toEqual([404, expect.stringContaining(`has @souk/cli ${versionNumber} only`)])
  expect(await read('@souk/cli', { method: 'PUT', body: '{}' })).toEqual([405, expect.stringContaining('read-only')])
})

test('serves the clients for Python, Go and PHP, and that for Java if there was a JDK', async () => {
  const index = `${url}/pypi/simple/souk/`
  const [, wheel = ''] = /href="([^"#]+\.whl)#/.exec(await (await fetch(index)).text()) ?? []
  const archives = [
    new URL(wheel, index).href,
    `${url}/go/souk.dev/souk/@v/v${versionNumber}.zip`,
    `${url}/composer/files/souk-php-${versionNumber}.zip`,
  ]
  const jar = await fetch(`${url}/maven/dev/souk/souk/${versionNumber}/souk-${versionNumber}.jar`)
  if (jar.ok) archives.push(jar.url)
  else expect(await jar.text()).toContain('built without a JDK')
  for (const archive of archives) {
    const start = Buffer.from(await (await fetch(archive)).arrayBuffer()).toString('latin1', 0, 2)
    expect([archive, start]).toEqual([archive, 'PK'])
  }
})

/** Returns npm's network settings of this machine as variables for Yarn 4, which does not read them. */
async function yarnNetwork(): Promise<Record<string, string>> {
  const names = { registry: 'NPM_REGISTRY_SERVER', cafile: 'HTTPS_CA_FILE_PATH', 'https-proxy': 'HTTPS_PROXY' }
  const env = { PATH: developerPath, HOME: join(machine, 'home') }
  const { stdout } = await run('npm', ['config', 'get', ...Object.keys(names)], { env })
  const values = Object.fromEntries(stdout.split('\n').map((line) => line.split('=') as [string, string]))
  const known = Object.entries(names).filter(([name]) => values[name] && values[name] !== 'null')
  return Object.fromEntries(known.map(([name, variable]) => [`YARN_${variable}`, values[name]!]))
}

/** Types a command of a developer, on a machine that has nothing of Souk. */
async function develop(command: string, cwd = join(machine, 'home')): Promise<string> {
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', command], {
    cwd,
    env: {
      PATH: developerPath,
      HOME: join(machine, 'home'),
      SOUK_URL: url,
      SOUK_DATA_DIR: join(folder, '.souk'),
      npm_config_store_dir: join(clone, 'node_modules/.cache/pnpm'),
      // Yarn 4 keeps packages by version, and the addresses of their tarballs, so each run has its own cache.
      YARN_GLOBAL_FOLDER: join(machine, 'yarn'),
      ...(await yarnNetwork()),
    },
  })
  return stdout
}

test('a developer creates, builds and uploads a mini app with these packages, and a user opens it', async () => {
  const readme = await readFile(join(clone, 'README.md'), 'utf8')
  const [, create] = /```sh\n(npm create .*?\n)npm run dev/s.exec(readme)!
  await develop(create!.replaceAll('http://localhost:7070', url))
  const project = join(machine, 'home/my-app')
  expect(await readFile(join(project, '.npmrc'), 'utf8')).toBe(`@souk:registry=${url}/npm/\n`)

  expect(await develop('npm run check', project)).toContain('nothing to report')
  const { appid } = JSON.parse(await readFile(join(folder, '.souk/demo.json'), 'utf8'))
  expect(await develop(`npx souk upload --appid ${appid} --publish`, project)).toContain('published')

  // The command and the build tool come from different packages.
  for (const command of ['build', 'dev', 'migrate']) {
    await expect(develop(`npx souk ${command} nowhere`, project)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^souk: .*nowhere cannot be read/m),
    })
  }

  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(2 * minute)
    await page.goto(`${url}/host/sign-in?next=/apps/${appid}`)
    await page.getByRole('button', { name: 'Layla' }).first().click()
    await page.frameLocator('iframe').getByText('It works', { exact: true }).waitFor()
  } finally {
    await browser.close()
  }
})

test.each([
  ['pnpm', 'pnpm/bin/pnpm.cjs'],
  ['yarn 1', 'yarn/bin/yarn.js'],
  ['yarn 4', '@yarnpkg/cli-dist/bin/yarn.js'],
])('%s installs these packages, and they build a mini app', async (manager, file) => {
  const project = await create(join(machine, 'home', manager.replace(' ', '-')), `${url}/npm/`)
  const program = join(clone, 'node_modules', file)
  await develop(`${program} install && ${program} run build`, project)
  expect(await readdir(join(project, 'dist/app'))).toContain('index.html')
})

test('its command line reaches it', async () => {
  expect(await souk('--version')).toBe(`${soukVersion}\n`)
  expect(JSON.parse(await souk('versions', '--json'))).toMatchObject([{ version: soukVersion }])
  await expect(souk('build', '.')).rejects.toThrow('Install @souk/cli.')
})

test('its threads run: for the strength of passwords and for archives', async () => {
  const token = (await readFile(join(folder, '.souk/setup-token'), 'utf8')).trim()
  const administrator = { token, username: 'layla', name: 'Layla', password: 'password1234' }
  const weak = await fetch(`${url}/console/v1/setup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(administrator),
  })
  expect(await weak.json()).toMatchObject({ code: 'password_weak' })

  const { appid } = JSON.parse(await readFile(join(folder, '.souk/demo.json'), 'utf8'))
  const adminToken = (await readFile(join(folder, '.souk/admin-token'), 'utf8')).trim()
  const body = new FormData()
  body.append('version', '1.0.0')
  body.append('fileData', new Blob(['no archive']), 'release.tar.gz')
  const upload = await fetch(`${url}/console/v1/apps/${appid}/releases`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}` },
    body,
  })
  expect(await upload.json()).toMatchObject({ code: 'release_refused' })
})

test('the commands of the backup guide back this installation up, and restore it', async () => {
  const guide = await readFile(join(clone, 'docs/guides/backup.md'), 'utf8')
  const script = [...guide.matchAll(/^```\n(.*?)^```/gms)]
    .map(([, block]) => block!)
    .filter((block) => /souk (?:backup|restore) /.test(block))
    .join('')
    .replaceAll('/var/backups', join(machine, 'var/backups'))
    .replace('/var/lib/souk', join(machine, 'restored'))
    .replaceAll('2026-11-21', '$(date +%F)')
    .replace('…', 'a passphrase for tests')
  await mkdir(join(machine, 'var/backups'))
  const PATH = `${join(folder, 'node_modules/.bin')}:${env.PATH}`
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env: { ...env, PATH } })
  for (const step of ['Backed up', 'Restored', 'Verified'])
    expect(stdout).toMatch(new RegExp(`^${step} \\d+ rows`, 'm'))
  expect(await readdir(join(machine, 'restored'))).toContain('master-key')
})

test('the server describes itself, and refuses options and a Node that is too old', async () => {
  const start = (...args: string[]) => run(join(folder, 'node_modules/.bin/souk-server'), args, { cwd: folder, env })
  expect((await start('--version')).stdout).toBe(`${soukVersion}\n`)
  expect((await start('--help')).stdout).toContain('usage: souk-server')
  await expect(start('--port')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"--port" is not an option'),
  })
  const program = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' }); await import('./node_modules/@souk/server/bin/souk-server.js')`
  const old = run(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder, env })
  await expect(old).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('this is 20.20.2') })
})

test('it stops on SIGTERM', async () => {
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(printed).toContain('"msg":"stopped"')
})

test('every command of the guide to a live installation works as documented', async () => {
  const database = await emptyDatabase()
  const port = await freePort()
  try {
    const { install, ...others } = Object.fromEntries(blocks)
    expect(install).toContain('npm pack')
    const script = withRole(Object.values(others).join('\n'), database).replaceAll(':7070', `:${port}`)
    const file = join(machine, 'guide.sh')
    await writeFile(file, `${await machineOf(database, port)}\n${script}\nsystemctl stop souk\n`)
    // The command line finds the URL in the data directory.
    const guideEnv = { ...process.env, PATH: path, SOUK_URL: '' }
    const { stdout } = await run('bash', ['-euo', 'pipefail', file], { cwd: clone, env: guideEnv })

    expect(stdout).toContain('https://souk.example.com/console/setup#')
    expect(stdout.match(/^0\.\S+ +\d{4}_\w+\.sql/gm)).toHaveLength(2)
    expect(stdout).toContain('Trusted https://id.example.com')
    expect(stdout).toMatch(/^ok +secrets/m)
    expect(stdout).toMatch(/^warning proxies +No request has come through the proxy/m)
    // The units have run as they are.
    const backups = await readdir(join(machine, 'var/lib/souk-backups'))
    expect(backups).toEqual([expect.stringMatching(/^souk-\d{8}T\d{6}Z-[0-9a-f]{16}\.age$/)])
    expect(stdout).toContain('It was read again, and is complete.')
    expect(stdout).toMatch(/^Verified \d+ rows/m)
    expect(stdout).toMatch(/^ok +restoreCheck/m)
  } finally {
    await database.drop()
  }
})

/** Renames the role of the guide, because other tests use the same server. */
function withRole(script: string, { url }: FreshDatabase): string {
  const { host, pathname } = new URL(url)
  const name = pathname.slice(1)
  return script
    .replace('create role souk', `create role ${name}`)
    .replace('create database souk owner souk', `alter database ${name} owner to ${name}`)
    .replace('postgres://souk:', `postgres://${name}:`)
    .replace('localhost:5432/souk', `${host}/${name}`)
}

/** Returns the shell command that a unit runs, with its variables, folders and credentials. */
async function commandOf(name: string, port: number): Promise<string> {
  const unit = onMachine(await readFile(join(clone, `deploy/${name}.service`), 'utf8'))
  const all = (key: string) => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value!)
  const folders = [
    ...all('StateDirectory').map((names) => ({ parent: 'var/lib', names })),
    ...all('CacheDirectory').map((names) => ({ parent: 'var/cache', names })),
  ].flatMap(({ parent, names }) => names.split(' ').map((each) => join(machine, parent, each)))
  const credentials = join(machine, 'run/credentials', name)
  const loaded = all('LoadCredential').map((credential) => credential.split(':') as [string, string])
  return [
    `mkdir -p ${[credentials, ...folders].join(' ')}`,
    ...loaded.map(([id, file]) => `cp ${machine}${file} ${credentials}/${id}`),
    `set -a; . ${all('EnvironmentFile')[0]}; set +a`,
    `exec env ${all('Environment').join(' ').replaceAll('%d', credentials)} PORT=${port} ${all('ExecStart')[0]}`,
  ].join('; ')
}

/** Programs of the machine as functions of bash: psql, and systemd. */
async function machineOf({ url }: FreshDatabase, port: number): Promise<string> {
  const psql = join(machine, 'psql.mjs')
  await writeFile(
    psql,
    `import { createRequire } from 'node:module'
    const pg = createRequire(${JSON.stringify(join(packageFolder, 'package.json'))})('pg')
    const client = new pg.Client(${JSON.stringify(url)})
    await client.connect()
    for (const [index, word] of process.argv.entries()) if (word === '--command') await client.query(process.argv[index + 1])
    await client.end()`,
  )
  const jobs = await Promise.all(
    ['souk-backup', 'souk-restore-check'].map(async (name) => {
      const installed = join(machine, 'etc/systemd/system', name)
      return `'start ${name}') ls ${installed}.service ${installed}.timer; ( ${await commandOf(name, port)} ) ;;`
    }),
  )
  return `
    runuser() { node ${psql} "$@"; }
    journalctl() { cat ${machine}/souk.log; }
    systemctl() {
      case "$*" in 'stop souk' | 'restart souk') kill $server; wait $server ;; esac
      case "$*" in
        'enable --now souk' | 'restart souk')
          ( ${await commandOf('souk', port)} ) >> ${machine}/souk.log 2>&1 &
          server=$! ;;
        ${jobs.join('\n        ')}
        daemon-reload | 'stop souk' | 'enable --now souk-backup.timer souk-restore-check.timer') ;;
        *) echo "systemctl $* is unknown" >&2; return 1 ;;
      esac
    }
    trap '[ -z "\${server-}" ] || kill $server 2>/dev/null || true' EXIT`
}
