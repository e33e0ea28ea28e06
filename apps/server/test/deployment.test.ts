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
const foreign = new Set(['NODE_ENV', 'HOME', 'POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD'])

async function unknownVariables(names: string[]): Promise<string[]> {
  const known = await settings()
  return names.filter((name) => !known.has(name) && !foreign.has(name))
}

interface Service {
  image: string
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  ports?: string[]
  volumes: string[]
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

test('compose.yaml sets settings that exist, contains no secret, and confines the server', async () => {
  const { services, volumes } = parse(await read('compose.yaml')) as {
    services: { souk: Service; postgres: Service }
    volumes: Record<string, null>
  }
  const { souk, postgres } = services
  expect(souk).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    ports: ['127.0.0.1:7070:7070'],
  })
  expect(postgres.ports).toBeUndefined()
  for (const { environment, volumes: mounts, logging } of [souk, postgres]) {
    // Without a limit, logs fill the disk of the database.
    expect(Object.keys(logging.options)).toEqual(['max-size', 'max-file'])
    expect(await unknownVariables(Object.keys(environment))).toEqual([])
    const secrets = Object.values(environment).filter((value) => /password|secret|key/i.test(value))
    for (const secret of secrets) expect(secret).toMatch(/\$\{[A-Z_]+:\?/)
    for (const mount of mounts) expect(Object.keys(volumes)).toContain(mount.split(':')[0])
  }
  expect(souk.environment.SOUK_ENVIRONMENT).toBe('live')
})

test.each(['souk.service', 'souk@.service'])(
  'the systemd unit %s starts the packed server with settings that exist',
  async (name) => {
    const unit = await read(`deploy/${name}`)
    const { bin } = JSON.parse(await read('apps/server/package.json'))
    const [, program] = /^ExecStart=(.*)$/m.exec(unit)!
    expect(Object.keys(bin).map((name) => `/opt/souk/node_modules/.bin/${name}`)).toContain(program)
    const variables = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, pairs]) => pairs!.split(' '))
    expect(await unknownVariables(variables.map((pair) => pair.split('=')[0]!))).toEqual([])
  },
)

test('the unit of several processes is hardened like that of a single one', async () => {
  const hardening = async (name: string) => (await read(`deploy/${name}`)).split('# Hardening.')[1]
  expect(await hardening('souk.service')).toMatch(/ProtectSystem=strict/)
  expect(await hardening('souk@.service')).toBe(await hardening('souk.service'))
})

test.skipIf(spawnSync('systemd-analyze', ['--version']).error).each([
  ['souk.service', 'souk.service'],
  ['souk@.service', 'souk@7071.service'],
])('systemd accepts the unit %s and rates its exposure as low', async (name, instance) => {
  const folder = await mkdtemp(join(tmpdir(), 'souk-unit-'))
  try {
    // Verification requires that the program exists.
    const unit = (await read(`deploy/${name}`)).replace(/^ExecStart=.*$/m, 'ExecStart=/bin/sh')
    await writeFile(join(folder, name), unit)
    const { stderr } = await run('systemd-analyze', ['verify', join(folder, instance)])
    expect(stderr.split('\n').filter((line) => line.includes('souk'))).toEqual([])
    // At most 10. The rest is V8, which needs executable memory, and the network.
    const file = join(folder, instance)
    await writeFile(file, unit)
    const { stdout } = await run('systemd-analyze', ['security', '--offline=true', '--threshold=20', file])
    expect(stdout).toContain('Overall exposure level')
  } finally {
    await rm(folder, { recursive: true })
  }
})
