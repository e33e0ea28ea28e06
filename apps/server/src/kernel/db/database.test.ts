import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { cp, mkdtemp, stat } from 'node:fs/promises'
import { type AddressInfo, createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { minute } from '@souk/contract'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../log.ts'
import { type Database, DatabaseStartError, DirectoryInUseError, startDatabase } from './database.ts'
import { changeOwner, findLauncher } from './launcher.ts'
import { migrate } from './migrate.ts'
import { connect } from './pool.ts'
import { processInfo } from './process.ts'

/** A data directory with a database, which is copied for each test because creating one is slow. */
let used: string
let dataDir: string
let cluster: string
const cleanUps: (() => unknown)[] = []

beforeAll(async () => {
  used = await mkdtemp(join(tmpdir(), 'souk-used-'))
  const database = await startDatabase({ dataDir: used, log: createLog('silent'), onLost: () => {} })
  await database.stop()
})

afterAll(() => rmSync(used, { recursive: true }))

beforeEach(async () => {
  // Inaccessible to other users, like a clone under /root; PostgreSQL must still reach it.
  dataDir = await mkdtemp(join(tmpdir(), 'souk database '))
  cluster = join(dataDir, 'postgres', 'cluster')
  cleanUps.push(() => rmSync(dataDir, { recursive: true, force: true }))
  await cp(used, dataDir, { recursive: true })
})

function neverUsed(): void {
  rmSync(join(dataDir, 'postgres'), { recursive: true })
}

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function start(databaseUrl?: string, onLost: (reason: Error) => void = () => {}): Promise<Database> {
  const database = await startDatabase({ dataDir, databaseUrl, log: createLog('silent'), onLost })
  cleanUps.push(() => database.stop())
  return database
}

/** Starts a second server with its own directory. */
async function startOther(databaseUrl: string): Promise<Database> {
  const other = { dataDir: join(dataDir, 'other'), databaseUrl, log: createLog('silent'), onLost: () => {} }
  return startDatabase(other)
}

function spawnWriter(): ChildProcess {
  const fixture = fileURLToPath(new URL('writer.fixture.ts', import.meta.url))
  const writer = spawn(process.execPath, [...process.execArgv, fixture, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  cleanUps.push(() => writer.kill('SIGKILL'))
  return writer
}

function postmaster(): number {
  return Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0])
}

async function until<T>(probe: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (;;) {
    const found = await probe()
    if (found) return found
    await wait(5)
  }
}

test('keeps committed rows after kill -9 of the server, and the next start works immediately', async () => {
  const writer = spawnWriter()
  let acknowledged = 0
  for await (const line of createInterface({ input: writer.stdout! })) {
    acknowledged = Number(line)
    if (acknowledged === 200) writer.kill('SIGKILL')
  }
  expect(acknowledged).toBeGreaterThanOrEqual(200)

  const database = await start()
  const sql = connect(database.url)
  const [row] = await sql<{ count: number; last: number }[]>`select count(*), max(number) as last from written`
  await sql.end()
  expect(row!.count).toBe(row!.last)
  expect(row!.last).toBeGreaterThanOrEqual(acknowledged)
})

test('autovacuum has nothing to do in the databases that Souk does not use', async () => {
  const sql = connect((await start()).url)
  const used = await sql`select datname from pg_stat_database where datid <> 0 and xact_commit > 0`
  await sql.end()
  expect(used).toEqual([{ datname: 'souk' }])
})

test('recovers from kill -9 of the database without losing committed rows or the lock of the directory', async () => {
  const database = await start()
  const sql = connect(database.url)
  cleanUps.push(() => sql.end({ timeout: 1 }))
  await sql`create table written (number bigint primary key)`
  const acknowledged = new Set<number>()
  let next = 0
  const write = async (goal: number) => {
    while (acknowledged.size < goal) {
      const number = next++
      await sql`insert into written values (${number})`.then(
        () => acknowledged.add(number),
        () => wait(5),
      )
    }
  }
  await Promise.all([1, 2, 3, 4].map(() => write(200)))
  process.kill(postmaster(), 'SIGKILL')
  await Promise.all([1, 2, 3, 4].map(() => write(400)))

  const rows = await sql<{ number: number }[]>`select number from written`
  expect(acknowledged.difference(new Set(rows.map(({ number }) => number)))).toEqual(new Set())
  const locks = () => sql`select from pg_locks where locktype = 'advisory' and granted`
  await until(async () => (await locks()).length === 1)
})

test('six kills of the database under load: no uncaught error, no lost commit, no mixed transactions', async () => {
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true })
  cleanUps.push(() => vi.useRealTimers())
  const thrown: unknown[] = []
  const onThrown = (error: unknown) => thrown.push(error)
  process.on('uncaughtExceptionMonitor', onThrown)
  cleanUps.push(() => process.off('uncaughtExceptionMonitor', onThrown))
  const lost = Promise.withResolvers<never>()
  const database = await start(undefined, lost.reject)
  const sql = connect(database.url)
  cleanUps.push(() => sql.end({ timeout: 1 }))
  await sql`create table written (number bigint, pair bigint, xid xid8 default pg_current_xact_id())`

  const acknowledged = { single: new Set<number>(), pair: new Set<number>() }
  let output = ''
  await sql.listen('souk_test', (word) => {
    output = word
  })
  let next = 0
  let stopped = false
  cleanUps.push(() => {
    stopped = true
  })
  const repeat = async (kind: keyof typeof acknowledged, write: (number: number) => Promise<unknown>) => {
    while (!stopped) {
      const number = next++
      await write(number).then(
        () => acknowledged[kind].add(number),
        () => new Promise(setImmediate),
      )
    }
  }
  const writers = [1, 2, 3, 4, 5, 6].flatMap(() => [
    repeat('single', (number) => sql`insert into written (number) values (${number})`),
    repeat('pair', (pair) =>
      sql.begin(async (tx) => {
        await tx`insert into written (pair) values (${pair})`
        await new Promise(setImmediate)
        await tx`insert into written (pair) values (${pair})`
      }),
    ),
    repeat('pair', (pair) =>
      sql.begin((tx) => Promise.all([1, 2].map(() => tx`insert into written (pair) values (${pair})`))),
    ),
    // Continues after its connection is lost.
    repeat('pair', (pair) =>
      sql.begin(async (tx) => {
        for (let n = 0; n < 2; n++) await tx`insert into written (pair) values (${pair})`.catch(() => wait(20))
        void wait(5).then(() => tx`insert into written (pair) values (${pair})`.catch(() => {}))
      }),
    ),
  ])

  const killRepeatedly = async () => {
    for (let kill = 0; kill < 6; kill++) {
      const goal = { single: acknowledged.single.size + 50, pair: acknowledged.pair.size + 50 }
      await until(() => acknowledged.single.size > goal.single && acknowledged.pair.size > goal.pair)
      await until(async () => {
        await sql.notify('souk_test', String(kill)).catch(() => {})
        return output === String(kill)
      })
      process.kill(postmaster(), 'SIGKILL')
      vi.setSystemTime(Date.now() + minute)
    }
    const goal = acknowledged.pair.size + 50
    await until(() => acknowledged.pair.size > goal)
  }
  await Promise.race([killRepeatedly(), lost.promise])
  stopped = true
  await Promise.all(writers)

  expect(thrown).toEqual([])
  const rows = await sql<{ numbers: number[]; pairs: number[] }[]>`
    select array_remove(array_agg(number), null) as numbers, array_remove(array_agg(pair), null) as pairs
    from written group by xid`
  const mixed = rows.filter(
    ({ numbers, pairs }) =>
      !(numbers.length === 1 && pairs.length === 0) && !(pairs.length === 2 && pairs[0] === pairs[1]),
  )
  expect(mixed).toEqual([])
  expect(acknowledged.single.difference(new Set(rows.flatMap(({ numbers }) => numbers)))).toEqual(new Set())
  expect(acknowledged.pair.difference(new Set(rows.flatMap(({ pairs }) => pairs)))).toEqual(new Set())
})

test('rejects a second server on the directory with the name of the first, which keeps running', async () => {
  const database = await start()
  await expect(start()).rejects.toThrow(
    new DirectoryInUseError(`Another Souk server, process ${process.pid}, uses ${dataDir}.`),
  )
  const sql = connect(database.url)
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
  await sql.end()
})

test('rejects a second server on the directory with DATABASE_URL too, until the first stops', async () => {
  const { url } = await start()
  const before = dataDir
  dataDir = join(dataDir, 'other')
  const first = await start(url)
  await expect(start(url)).rejects.toThrow(
    new RegExp(`^Another Souk server \\(souk server, process ${process.pid} on .*\\) uses ${dataDir}\\.$`),
  )
  await first.stop()
  await start(url)
  dataDir = before
})

test('of two concurrent first starts one succeeds, with a complete database', async () => {
  neverUsed()
  const results = await Promise.allSettled([start(), start()])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const lost = results.find((result) => result.status === 'rejected')
  expect(lost?.reason).toBeInstanceOf(DirectoryInUseError)

  const won = results.find((result) => result.status === 'fulfilled')!.value
  const sql = connect(won.url)
  expect(await sql`select current_database() as name`).toEqual([{ name: 'souk' }])
  await sql.end()
  expect(readdirSync(join(dataDir, 'postgres')).filter((name) => name.startsWith('new-'))).toEqual([])
})

test('tries again while another server has created its lock file and not yet written it', async () => {
  writeFileSync(join(cluster, 'postmaster.pid'), '')
  const started = start()
  const log = join(dataDir, 'postgres', 'postgres.log')
  await until(() => existsSync(log) && readFileSync(log, 'utf8').includes('is empty'))
  rmSync(join(cluster, 'postmaster.pid'))
  await started
})

test('starts over after a first start was killed half-way', async () => {
  neverUsed()
  const writer = spawnWriter()
  const home = join(dataDir, 'postgres')
  await until(
    () => existsSync(home) && readdirSync(home).some((name) => existsSync(join(home, name, 'cluster', 'base'))),
  )
  writer.kill('SIGKILL')
  await once(writer, 'exit')
  expect(existsSync(cluster)).toBe(false)

  await start()
  expect(readdirSync(home).filter((name) => name.startsWith('new-'))).toEqual([])
})

test('starts while an initdb of a killed server is still writing', async () => {
  neverUsed()
  const gone = spawn('true')
  await once(gone, 'exit')
  const left = join(dataDir, 'postgres', `new-${gone.pid}-abcdef`, 'cluster')
  const script = 'while :; do mkdir -p "$0" && touch "$0/$RANDOM"; done 2>/dev/null'
  const writer = spawn('bash', ['-c', script, left])
  cleanUps.push(() => writer.kill('SIGKILL'))
  await until(() => existsSync(left))
  await start()
  writer.kill('SIGKILL')
})

test.skipIf(process.platform !== 'linux')(
  'names the program when initdb is killed, and leaves nothing behind',
  async () => {
    neverUsed()
    const home = join(dataDir, 'postgres')
    const starting = start()
    starting.catch(() => {})
    const draft = await until(
      () => existsSync(home) && readdirSync(home).find((name) => existsSync(join(home, name, 'cluster', 'base'))),
    )
    for (const pid of readdirSync('/proc').map(Number).filter(Boolean)) {
      if (processInfo(pid)?.command.includes(`initdb -D ${join(home, String(draft))}`)) process.kill(pid, 'SIGKILL')
    }
    await expect(starting).rejects.toThrow(/ failed \(/)
    expect(readdirSync(home).filter((name) => name.startsWith('new-'))).toEqual([])
  },
)

test('ignores a postmaster.pid that survived a reboot, even if its pid is used by another process', async () => {
  await (await start()).stop()
  const stranger = spawn('sleep', ['60'])
  cleanUps.push(() => stranger.kill())
  writeFileSync(join(cluster, 'postmaster.pid'), `${stranger.pid}\n${cluster}\n1700000000\n5432\n\n127.0.0.1\n`)

  const { url } = await start()
  const sql = connect(url)
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
  await sql.end()
  expect(stranger.exitCode ?? stranger.signalCode).toBe(null)
})

test('restarts a database that outlived its server', async () => {
  const writer = spawnWriter()
  await once(writer.stdout!, 'data')
  const orphan = postmaster()
  // A stopped process cannot end with its server, as on systems without parent-death signals.
  process.kill(orphan, 'SIGSTOP')
  writer.kill('SIGKILL')
  await once(writer, 'exit')
  expect(processInfo(orphan)).toBeDefined()
  const starting = start()
  process.kill(orphan, 'SIGCONT')
  await starting
  expect(postmaster()).not.toBe(orphan)
})

test('stop ends the database, leaves no process and can be called twice', async () => {
  const database = await start()
  const pid = postmaster()
  await Promise.all([database.stop(), database.stop()])
  expect(processInfo(pid)).toBe(undefined)
  expect(existsSync(join(cluster, 'postmaster.pid'))).toBe(false)
})

test('the role of the server is an ordinary one, and no superuser can connect', async () => {
  const { url } = await start()
  const sql = connect(url)
  cleanUps.push(() => sql.end())
  const [role] = await sql`
    select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
      (select count(*)::int from pg_auth_members where member = pg_roles.oid) as memberships
    from pg_roles where rolname = current_user`
  expect(Object.values(role!)).toEqual([false, false, false, false, false, 0])
  await expect(sql.unsafe(`copy (select 1) to program 'true'`)).rejects.toMatchObject({ code: '42501' })
  await expect(sql`select pg_read_file('PG_VERSION')`).rejects.toMatchObject({ code: '42501' })
  await expect(sql`select from pg_authid`).rejects.toMatchObject({ code: '42501' })
  const superuser = new URL(url)
  superuser.username = 'postgres'
  await expect(startOther(superuser.href)).rejects.toThrow('password authentication failed for user "postgres"')
})

test('a database of a version whose server was a superuser gets an ordinary role at its next start', async () => {
  neverUsed()
  const home = join(dataDir, 'postgres')
  mkdirSync(home)
  const launcher = findLauncher(home)
  const password = join(home, 'password')
  writeFileSync(password, 'secret')
  if (launcher.owner !== undefined) changeOwner(launcher.owner, password)
  const run = ([program = '', ...args]: string[], input = '') =>
    execFileSync(program, args, { env: launcher.env, input, stdio: 'pipe', ...launcher.identity })
  const options = ['--username=souk', `--pwfile=${password}`, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C']
  run([...launcher.initdb, '-D', cluster, ...options, '--no-sync'])
  run([...launcher.postgres, '--single', '-D', cluster, 'postgres'], 'CREATE DATABASE souk\n')
  renameSync(password, join(cluster, 'souk.password'))
  // Such a version created the tables, with one that a backup may have brought.
  const created = [
    'create schema other',
    'create table other."; drop table written; --" (number bigint generated always as identity)',
    'create table written (number bigint primary key, at serial)',
    `create type other.spec as (number int)`,
    `create function other.refuse() returns trigger language plpgsql as 'begin return null; end'`,
  ]
  run([...launcher.postgres, '--single', '-D', cluster, 'souk'], created.map((statement) => `${statement}\n`).join(''))

  for (let restart = 0; restart < 2; restart++) {
    const database = await start()
    const sql = connect(database.url)
    expect(await sql`select rolname, rolsuper from pg_roles where rolname in ('souk', 'postgres') order by 1`).toEqual([
      { rolname: 'postgres', rolsuper: true },
      { rolname: 'souk', rolsuper: false },
    ])
    // What a migration does.
    await sql`alter table other."; drop table written; --" add column n${sql.unsafe(String(restart))} int`
    await sql`alter table written add column n${sql.unsafe(String(restart))} int`
    await sql`insert into written (number) values (${restart})`
    await sql`create or replace function other.refuse() returns trigger language plpgsql as 'begin return new; end'`
    await sql`create schema ${sql(`new_${restart}`)}`
    await sql.end()
    await database.stop()
  }
  const { url } = await start()
  await migrate(url)
  const sql = connect(url)
  expect(await sql`drop type other.spec`).toHaveLength(0)
  await sql.end()
})

test('other users cannot read the password and the data', async () => {
  await start()
  const modes = await Promise.all(
    [join(dataDir, 'postgres'), cluster, join(cluster, 'souk.password')].map(
      async (it) => (await stat(it)).mode & 0o777,
    ),
  )
  expect(modes).toEqual([0o700, 0o700, 0o600])
})

test('removes the permissions of other users at the next start', async () => {
  const secrets = [join(dataDir, 'postgres'), cluster, join(cluster, 'souk.password')]
  for (const path of secrets) chmodSync(path, 0o755)
  await start()
  expect(secrets.map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700, 0o600])
})

test('rejects an invalid DATABASE_URL with a message that repeats no part of it', async () => {
  const urls = [
    'foo',
    'http://a.example/b',
    'postgres://souk:se/cret@127.0.0.1/souk',
    'postgres://souk:se?cret@127.0.0.1/souk',
    'postgres://souk:se@cret@127.0.0.1/souk',
    'postgres://souk:secret@127.0.0.1:99999/souk',
  ]
  const errors = await Promise.all(urls.map((url) => start(url).catch((reason) => reason)))
  for (const error of errors) {
    expect(error).toBeInstanceOf(DatabaseStartError)
    expect(error.message).toMatch(/^DATABASE_URL must be a URL such as postgres:/)
    expect(error.message).not.toMatch(/souk|cret/)
  }
})

test('reports the error of a database that rejects the connection, without the password', async () => {
  const { url } = await start()
  const wrong = new URL(url)
  wrong.password = 'secret'
  await expect(startOther(wrong.href)).rejects.toThrow(
    new DatabaseStartError(
      `The database of DATABASE_URL (${wrong.host}) rejects the connection: password authentication failed for user "souk".`,
    ),
  )
})

test('waits for a database that cannot be reached, then fails with a message that names it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  cleanUps.push(() => vi.useRealTimers())
  const starting = start('postgres://souk:secret@127.0.0.1:1/souk').catch((reason) => reason)
  let isOver = false
  void starting.then(() => {
    isOver = true
  })
  await until(() => {
    vi.setSystemTime(Date.now() + 61_000)
    return isOver
  })
  expect(await starting).toEqual(
    new DatabaseStartError(
      'The database of DATABASE_URL (127.0.0.1:1) could not be reached within 60 s: ' +
        'connect ECONNREFUSED 127.0.0.1:1.',
    ),
  )
})

test('waits for the pooler too, which closes connections for longer than the database', async () => {
  const { url } = await start()
  const { hostname, port } = new URL(url)
  let connections = 0
  const pooler = createServer((socket) => {
    connections++
    if (connections <= 2) return void socket.destroy()
    const upstream = createConnection(Number(port), hostname)
    socket.on('error', () => upstream.destroy()).pipe(upstream)
    upstream.on('error', () => socket.destroy()).pipe(socket)
  }).listen(0, '127.0.0.1')
  cleanUps.push(() => pooler.close())
  await once(pooler, 'listening')
  const pooled = new URL(url)
  pooled.host = `127.0.0.1:${(pooler.address() as AddressInfo).port}`
  const server = await startDatabase({
    dataDir: join(dataDir, 'other'),
    databaseUrl: url,
    pooledDatabaseUrl: pooled.href,
    log: createLog('silent'),
    onLost: () => {},
  })
  await server.stop()
  expect(connections).toBeGreaterThan(2)
})

test('an aborted start ends immediately and leaves nothing behind', async () => {
  const abort = new AbortController()
  const options = { dataDir, log: createLog('silent'), onLost: () => {}, signal: abort.signal }
  // Nothing listens on one port, and the other never responds.
  const mute = createServer().listen(0, '127.0.0.1')
  cleanUps.push(() => mute.close())
  await once(mute, 'listening')
  const { port } = mute.address() as AddressInfo
  const starting = [1, port].map((each) =>
    startDatabase({ ...options, databaseUrl: `postgres://souk@127.0.0.1:${each}/souk` }),
  )
  neverUsed()
  starting.push(startDatabase(options))
  const home = join(dataDir, 'postgres')
  await until(
    () => existsSync(home) && readdirSync(home).some((name) => existsSync(join(home, name, 'cluster', 'base'))),
  )
  const since = performance.now()
  abort.abort()
  const { reason } = abort.signal
  expect(await Promise.allSettled(starting)).toEqual(starting.map(() => ({ status: 'rejected', reason })))
  // Without the signal it takes a minute.
  expect(performance.now() - since).toBeLessThan(30_000)
  expect(readdirSync(home).filter((name) => name.startsWith('new-'))).toEqual([])
})
