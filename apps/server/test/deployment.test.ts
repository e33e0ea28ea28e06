import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { opsOperations } from '@souk/contract'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { packageFolder } from '../src/kernel/package.ts'

const run = promisify(execFile)
const read = (path: string) => readFile(join(packageFolder, '../..', path), 'utf8')

/** Names of the settings that config.ts reads. */
async function settings(): Promise<Set<string>> {
  const text = await read('apps/server/src/config.ts')
  return new Set(text.match(/\b(PORT|HOST|DATABASE_URL|SOUK_[A-Z_0-9]+)\b/g))
}

/** Variables of other programs. */
const foreign = new Set([
  'NODE_ENV',
  'HOME',
  'TMPDIR',
  'PGPASSWORD',
  'POSTGRES_USER',
  'POSTGRES_DB',
  'POSTGRES_PASSWORD',
])

async function unknownVariables(names: string[]): Promise<string[]> {
  const known = await settings()
  return names.filter((name) => !known.has(name.replace(/_FILE$/, '')) && !foreign.has(name))
}

interface Service {
  image: string
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  ports?: string[]
  volumes?: string[]
  profiles?: string[]
  entrypoint?: string[]
  environment: Record<string, string>
  logging: { options: Record<string, string> }
}

test('the image runs the server as an ordinary user, with a health check, locked dependencies and no build tools', async () => {
  const [before, final] = (await read('Containerfile')).split(/^FROM .* AS package$/m)[1]!.split(/^FROM /m)
  expect(before).toContain('npm pack --workspace @souk/server')
  // The same lock file as in the guide.
  const lock =
    /^(?:RUN )?tar --extract --to-stdout .* package\/npm-shrinkwrap.json > (?:\/opt\/souk\/)?package-lock.json$/gm
  expect(before).toMatch(new RegExp(`${lock.source}.*^RUN npm install `, 'ms'))
  expect((await read('docs/guides/live.md')).match(lock)).toHaveLength(2)
  expect(final).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m)
  expect(final).not.toMatch(/npm|COPY \. /)
  expect(final).toMatch(/^ENTRYPOINT \["souk-server"\]$/m)
  const { bin } = JSON.parse(await read('apps/server/package.json'))
  expect(Object.keys(bin)).toContain('souk-server')
  const [, variables] = /^ENV (.*)$/m.exec(final!)!
  // Node fails to find the home of a user that the image does not know.
  expect(variables).toContain(' HOME=/var/lib/souk')
  expect(await unknownVariables(variables!.split(' ').map((pair) => pair.split('=')[0]!))).toEqual([])
})

test('the health check of the image tells a server that is ready from one that is not, without Node', async () => {
  const [, command] = /^HEALTHCHECK .*\\\n {2}CMD (\[.*\])$/m.exec(await read('Containerfile'))!
  const [program, ...args] = JSON.parse(command!) as string[]
  expect(program).toBe('bash')
  let status = 200
  const server = createServer(({ url, headers }, response) => {
    response.writeHead(url === opsOperations.readyz.path && headers.host === 'localhost' ? status : 404).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const env = { ...process.env, PORT: String((server.address() as AddressInfo).port) }
  const check = () =>
    run(program!, args, { env }).then(
      () => 'ready',
      () => 'not ready',
    )
  expect(await check()).toBe('ready')
  status = 503
  expect(await check()).toBe('not ready')
  server.close()
  expect(await check()).toBe('not ready')
})

test('compose.yaml sets settings that exist, contains no secret, and confines the programs of Souk', async () => {
  const { services, volumes } = parse(await read('compose.yaml')) as {
    services: Record<'souk' | 'postgres' | 'backup' | 'restore-check' | 'restore-check-postgres', Service>
    volumes: Record<string, null>
  }
  const { souk, postgres, backup, 'restore-check': check, 'restore-check-postgres': checkPostgres } = services
  for (const service of [souk, backup, check]) {
    expect(service).toMatchObject({
      image: 'localhost/souk',
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
  }
  expect(Object.values(services).flatMap(({ ports = [] }) => ports)).toEqual(['127.0.0.1:7070:7070'])
  // `docker compose up` starts the server and its database only.
  expect([souk, postgres].map(({ profiles }) => profiles)).toEqual([undefined, undefined])
  for (const { profiles } of [backup, check, checkPostgres]) expect(profiles).toEqual(['backup'])
  // A flaw of the server cannot delete the backups.
  expect(souk.volumes).toContain('backups:/var/backups/souk:ro')
  expect(backup.volumes).toContain('backups:/var/backups/souk')
  for (const { environment, volumes: mounts = [], logging } of Object.values(services)) {
    // Without a limit, logs fill the disk of the database.
    expect(Object.keys(logging.options)).toEqual(['max-size', 'max-file'])
    expect(await unknownVariables(Object.keys(environment))).toEqual([])
    const secrets = Object.values(environment).filter((value) => /password|secret|key/i.test(value) && value[0] !== '/')
    for (const secret of secrets) expect(secret).toMatch(/\$\{[A-Z_]+:\?/)
    for (const mount of mounts) expect(Object.keys(volumes)).toContain(mount.split(':')[0])
  }
  expect(souk.environment.SOUK_ENVIRONMENT).toBe('live')
})

/** The units, with the name of an instance of those that are templates. */
const units = [
  ['souk', 'souk'],
  ['souk@', 'souk@7071'],
  ['souk-backup', 'souk-backup'],
  ['souk-restore-check', 'souk-restore-check'],
] as const
const timed = ['souk-backup', 'souk-restore-check']

test.each(units)('the systemd unit %s starts a program of the package with settings that exist', async (name) => {
  const unit = await read(`deploy/${name}.service`)
  const { bin } = JSON.parse(await read('apps/server/package.json'))
  const [, program] = /^ExecStart=(.*)$/m.exec(unit)!
  expect(Object.keys(bin).map((name) => `/opt/souk/node_modules/.bin/${name}`)).toContain(program!.split(' ')[0])
  const variables = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, pairs]) => pairs!.split(' '))
  expect(await unknownVariables(variables.map((pair) => pair.split('=')[0]!))).toEqual([])
})

test('containers, units and Kubernetes back up with the same retention, and check the folder that gets the backups', async () => {
  const { services } = parse(await read('compose.yaml')) as { services: Record<'backup' | 'restore-check', Service> }
  const inContainers = [services.backup.entrypoint!, services['restore-check'].entrypoint!.slice(0, -1)]
  const inUnits = await Promise.all(
    timed.map(async (name) => {
      const [, command] = /^ExecStart=\S+\/(souk .*)$/m.exec(await read(`deploy/${name}.service`))!
      return command!.replaceAll(/(--keep-\w+) /g, '$1=').replace('/var/lib/souk-backups', '/var/backups/souk')
    }),
  )
  expect(inUnits).toEqual(inContainers.map((words) => words.join(' ')))
  const manifest = await read('deploy/kubernetes/live-external-database/backup.yaml')
  expect(manifest.match(/--keep-\S+/g)).toEqual(inContainers[0]!.filter((word) => word.startsWith('--keep-')))
})

test('the unit of several processes is hardened like that of a single one', async () => {
  const hardening = async (name: string) => (await read(`deploy/${name}`)).split('# Hardening.')[1]
  expect(await hardening('souk.service')).toMatch(/ProtectSystem=strict/)
  expect(await hardening('souk@.service')).toBe(await hardening('souk.service'))
})

test.skipIf(spawnSync('systemd-analyze', ['--version']).error).each(units)(
  'systemd accepts the unit %s and its timer, and rates its exposure as low',
  async (name, instance) => {
    const folder = await mkdtemp(join(tmpdir(), 'souk-unit-'))
    try {
      // Verification requires that the program exists.
      const unit = (await read(`deploy/${name}.service`)).replace(/^ExecStart=.*$/m, 'ExecStart=/bin/sh')
      await writeFile(join(folder, `${name}.service`), unit)
      const file = join(folder, `${instance}.service`)
      const files = [file]
      if (timed.includes(name)) {
        files.push(join(folder, `${name}.timer`))
        await writeFile(files[1]!, await read(`deploy/${name}.timer`))
      }
      const { stderr } = await run('systemd-analyze', ['verify', ...files])
      expect(stderr.split('\n').filter((line) => line.includes('souk'))).toEqual([])
      // At most 10. The rest is V8, which needs executable memory, and the network.
      await writeFile(file, unit)
      const { stdout } = await run('systemd-analyze', ['security', '--offline=true', '--threshold=20', file])
      expect(stdout).toContain('Overall exposure level')
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)
