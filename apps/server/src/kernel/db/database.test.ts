import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cp, mkdtemp, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { type Database, DirectoryInUseError, startDatabase } from './database.ts'
import { connect } from './pool.ts'
import { processInfo } from './process.ts'

/** A data directory that was used once: copying it is much faster than creating a database for each test. */
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
  // Closed to everyone else, as a clone under /root is: PostgreSQL has to reach it all the same.
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

test('what was acknowledged is there after kill -9 of the server, and the next start works at once', async () => {
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

test('after kill -9 of the database the client goes on, nothing acknowledged is lost, and the directory stays locked', async () => {
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

test('a second server on the directory is refused with the name of the first, which goes on', async () => {
  const database = await start()
  await expect(start()).rejects.toThrow(
    new DirectoryInUseError(`Another Souk server, process ${process.pid}, runs on ${dataDir}.`),
  )
  const sql = connect(database.url)
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
  await sql.end()
})

test('a second server on the directory is refused with a database of one’s own as well, until the first stops', async () => {
  const { url } = await start()
  const before = dataDir
  dataDir = join(dataDir, 'other')
  const first = await start(url)
  await expect(start(url)).rejects.toThrow(
    new RegExp(`^Another Souk server \\(souk server, process ${process.pid} on .*\\) runs on ${dataDir}\\.$`),
  )
  await first.stop()
  await start(url)
  dataDir = before
})

test('of two first starts at the same moment one wins, and the database is whole', async () => {
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

test('a first start that was killed half-way leaves a directory in which the next one begins anew', async () => {
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

test('a postmaster.pid from before a reboot is passed over, though its number is another process’s now', async () => {
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

test('a database that outlived its server is stopped and started again', async () => {
  const writer = spawnWriter()
  await once(writer.stdout!, 'data')
  const orphan = postmaster()
  // Stopped, it cannot follow its server into death, as on systems that do not tie the two together.
  process.kill(orphan, 'SIGSTOP')
  writer.kill('SIGKILL')
  await once(writer, 'exit')
  expect(processInfo(orphan)).toBeDefined()
  const starting = start()
  process.kill(orphan, 'SIGCONT')
  await starting
  expect(postmaster()).not.toBe(orphan)
})

test('stop ends the database, leaves no process and may be called twice', async () => {
  const database = await start()
  const pid = postmaster()
  await Promise.all([database.stop(), database.stop()])
  expect(processInfo(pid)).toBe(undefined)
  expect(existsSync(join(cluster, 'postmaster.pid'))).toBe(false)
})

test('the password and the data are closed to other users', async () => {
  await start()
  const modes = await Promise.all(
    [join(dataDir, 'postgres'), cluster, join(cluster, 'souk.password')].map(
      async (it) => (await stat(it)).mode & 0o777,
    ),
  )
  expect(modes).toEqual([0o700, 0o700, 0o600])
})
