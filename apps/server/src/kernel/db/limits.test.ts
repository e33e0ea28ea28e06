import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minute } from '@souk/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { type MutableProxy, startMutableProxy } from '../../../test/mutableProxy.ts'
import { createLog } from '../log.ts'
import { defaultLimits, type SessionLimits } from './limits.ts'
import { lockDirectory } from './lock.ts'
import { connect, type Sql, writableHost } from './pool.ts'
import { openWorkerPool } from './workerPool.ts'
import { createWriteProbe } from './writeProbe.ts'

let database: FreshDatabase
let proxy: MutableProxy
const cleanUps: (() => unknown)[] = []

beforeAll(async () => {
  database = await freshDatabase()
  await database.sql`create table held (n int)`
  await database.sql`insert into held values (1)`
  proxy = await startMutableProxy(database.url)
})
afterAll(async () => {
  await proxy.close()
  await database.drop()
})
afterEach(async () => {
  proxy.unmute()
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** Opens a pool with short limits. */
function open(url = database.url, limits: Partial<SessionLimits> = {}, max = 2): Sql {
  const sql = connect(url, { max, limits: { ...defaultLimits, ...limits } })
  cleanUps.push(() => sql.end({ timeout: 0 }))
  return sql
}

describe('the limits of a session', () => {
  test('are set when it starts, for statements, listeners and the job queue, without a statement', async () => {
    const sql = open()
    const expected = {
      statement_timeout: '10s',
      lock_timeout: '5s',
      idle_in_transaction_session_timeout: '10s',
      tcp_keepalives_idle: '5',
      tcp_keepalives_interval: '5',
      tcp_keepalives_count: '2',
      tcp_user_timeout: '15000',
    }
    const names = Object.keys(expected)
    const read = `select name, reset_val, setting, unit from pg_settings where source = 'client' and name = any($1)`
    const shown = (rows: { name: string; setting: string; unit: string }[]) =>
      rows.map(({ name, setting }) => `${name} ${setting}`).sort()
    const wanted = Object.entries({
      ...expected,
      statement_timeout: '10000',
      lock_timeout: '5000',
      idle_in_transaction_session_timeout: '10000',
    })
      .map((pair) => pair.join(' '))
      .sort()
    expect(shown(await sql.unsafe(read, [names]))).toEqual(wanted)
    expect(shown(await sql.begin((tx) => tx.unsafe(read, [names])))).toEqual(wanted)
    const queue = openWorkerPool(database.url, { max: 1, onError: () => {} })
    expect(shown((await queue.query(read, [names])).rows)).toEqual(wanted)
    await queue.end()
  })

  const update = (sql: Sql) => sql.begin((tx) => tx`update held set n = n + 1`)

  test('end a wait for a lock', async () => {
    await database.sql.begin(async (tx) => {
      await tx`update held set n = n + 1`
      await expect(update(open(database.url, { lock: 50 }))).rejects.toMatchObject({ code: '55P03' })
    })
  })

  test('end a transaction that waits for its next statement, and with it its locks', async () => {
    const isHeld = Promise.withResolvers<void>()
    const isFree = Promise.withResolvers<void>()
    // Long enough for the statements of the transaction itself on a busy machine.
    const transaction = open(database.url, { idleInTransaction: 2000 }).begin(async (tx) => {
      await tx`update held set n = n + 1`
      isHeld.resolve()
      await isFree.promise
    })
    await isHeld.promise
    await update(open())
    isFree.resolve()
    await expect(transaction).rejects.toMatchObject({ code: expect.stringMatching(/^(25P03|CONNECTION_)/) })
  })

  test('can be longer for one transaction', async () => {
    // Long enough for the statements of the transaction itself on a busy machine.
    const sql = open(database.url, { statement: 500 }, 1)
    await expect(sql`select pg_sleep(60)`).rejects.toMatchObject({ code: '57014' })
    await sql.begin((tx) => tx`select pg_sleep(0.7)`, { statementLimit: minute })
    await expect(sql`select pg_sleep(60)`).rejects.toMatchObject({ code: '57014' })
  })

  test('are overridden by the URL', async () => {
    const sql = open(`${database.url}?lock_timeout=1234`)
    expect(await sql`select current_setting('lock_timeout') as limit`).toEqual([{ limit: '1234ms' }])
  })
})

describe('a database that falls silent', () => {
  test('ends connections by the deadline of their statements, and the next statement opens another', async () => {
    const sql = open(proxy.url, { statement: 100 }, 1)
    // A statement may take longer on a busy machine.
    const select = () => sql`select 1 as one`.catch(() => [])
    await expect.poll(select).toEqual([{ one: 1 }])
    proxy.mute()
    const pending = await Promise.allSettled([sql`select 1`, sql.begin((tx) => tx`select 1`)])
    for (const result of pending) expect(result).toMatchObject({ reason: { code: 'CONNECTION_TIMEOUT' } })
    proxy.unmute()
    await expect.poll(select).toEqual([{ one: 1 }])
  })

  test('does not end a connection on which no statement waits', async () => {
    const sql = open(proxy.url, { statement: 1000 }, 1)
    const pid = async () => (await sql<[{ pid: number }]>`select pg_backend_pid() as pid`)[0].pid
    const before = await pid()
    await new Promise((resolve) => setTimeout(resolve, 1250))
    expect(await pid()).toBe(before)
  })

  test('ends the connections of the job queue', async () => {
    const errors: Error[] = []
    const limits = { ...defaultLimits, statement: 100 }
    const queue = openWorkerPool(proxy.url, { max: 1, limits, onError: (error) => errors.push(error) })
    cleanUps.push(() => queue.end())
    const client = await queue.connect()
    proxy.mute()
    await expect(client.query('select 1')).rejects.toThrow('timeout')
    await expect.poll(() => errors.length).toBeGreaterThan(0)
    client.release()
    proxy.unmute()
    // A statement may take longer on a busy machine.
    const select = () =>
      queue.query('select 1 as one').then(
        ({ rows }) => rows,
        () => [],
      )
    await expect.poll(select).toEqual([{ one: 1 }])
  })

  test('makes listeners reconnect, and calls onListening again', { timeout: minute }, async () => {
    const sql = open(proxy.url)
    const messages: string[] = []
    await sql.listen(
      'souk_test',
      (word) => messages.push(word),
      () => messages.push('listening'),
    )
    proxy.mute()
    // Muted connections get no FIN, so only the heartbeat can notice.
    await expect.poll(() => proxy.connections, { timeout: minute }).toBeGreaterThan(1)
    const before = proxy.connections
    proxy.unmute()
    await expect.poll(() => messages, { timeout: minute }).toEqual(['listening', 'listening'])
    expect(proxy.connections).toBeGreaterThanOrEqual(before)
    await database.sql.notify('souk_test', 'news')
    await expect.poll(() => messages).toContain('news')
  })

  test('costs other hosts of the URL half a second once, and is not tried first again', async () => {
    const { host } = new URL(database.url)
    const both = database.url.replace(host, `${proxy.host},${host}`)
    proxy.mute()
    const first = open(both, {}, 1)
    expect(await first`select 1 as one`).toEqual([{ one: 1 }])
    const tried = proxy.connections
    const second = open(both, {}, 1)
    expect(await second`select 1 as one`).toEqual([{ one: 1 }])
    expect(await writableHost(both)).toBe(database.url)
    expect(proxy.connections).toBe(tried)
  })

  test('leaves a directory whose holder is dead to the next server of that name immediately', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'souk-lock-'))
    cleanUps.push(() => rm(dataDir, { recursive: true }))
    const log = createLog('silent')
    const lost: Error[] = []
    const lock = async (url: string) => {
      const directoryLock = await lockDirectory(url, dataDir, log, (reason) => lost.push(reason))
      cleanUps.push(() => directoryLock.release())
    }
    await lock(proxy.url)
    // Alive, so it is not replaced.
    await expect(lock(database.url)).rejects.toThrow('Another Souk server')
    proxy.mute()
    await lock(database.url)
    // The one before was only muted, and learns that it has been replaced.
    proxy.unmute()
    await expect.poll(() => lost.length).toBe(1)
  })
})

describe('a pool', () => {
  test('of busy connections rejects those who have waited too long, and reports its load', async () => {
    const sql = open(database.url, {}, 2)
    const isFree = Promise.withResolvers<void>()
    const isBusy = Promise.withResolvers<void>()
    const busy = sql.begin(async (tx) => {
      await tx`select 1`
      isBusy.resolve()
      await isFree.promise
    })
    await isBusy.promise
    const waiting = sql.begin((tx) => tx`select 1 as one`)
    await expect.poll(() => sql.load()).toEqual({ inUse: 1, waiting: 1 })
    // A fifth of the connections, here one, is for statements.
    expect(await sql`select 2 as two`).toEqual([{ two: 2 }])
    isFree.resolve()
    await busy
    expect(await waiting).toEqual([{ one: 1 }])
    expect(sql.load()).toEqual({ inUse: 0, waiting: 0 })
  })

  test('continues with what it has when the database has no free connection, and logs it once', async () => {
    const { sql: admin } = database
    await admin.unsafe(`create role crowded login superuser password 'x'`)
    await admin.unsafe('alter role crowded nosuperuser connection limit 1')
    cleanUps.push(() => admin.unsafe('drop role crowded'))
    const url = new URL(database.url)
    url.username = 'crowded'
    url.password = 'x'
    const lines: string[] = []
    const log = createLog('warn', { write: (line) => void lines.push(line) })
    const sql = connect(url.href, { max: 5, log })
    cleanUps.push(() => sql.end({ timeout: 0 }))
    await sql`select 1`
    const sleeps = Array.from({ length: 20 }, () => sql`select pg_sleep(0.02)`)
    const [{ backends }] = await sql<[{ backends: number }]>`
      select count(*)::int as backends from pg_stat_activity where usename = 'crowded'`
    await Promise.all(sleeps)
    expect(backends).toBe(1)
    expect(lines.filter((line) => line.includes('no free connection'))).toHaveLength(1)
  })

  test('leaves a host that became read-only', async () => {
    const sql = open(database.url, {}, 1)
    await sql`set default_transaction_read_only = on`
    await expect(sql`update held set n = 0`).rejects.toMatchObject({ code: '25006' })
    await sql`update held set n = 0`
  })
})

describe('the proof of a write', () => {
  test('leaves no row, and is repeated after five seconds only', async () => {
    const sql = open(database.url, {}, 1)
    const check = createWriteProbe(sql)
    const [{ pid }] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
    const lastStatement = async () =>
      (await database.sql`select query_start::text from pg_stat_activity where pid = ${pid}`)[0]?.queryStart
    const before = await lastStatement()
    await check()
    const after = await lastStatement()
    expect(after).not.toBe(before)
    await check()
    expect(await lastStatement()).toBe(after)
    expect(await database.sql`select * from write_probes`).toEqual([])
  })

  test('fails within two seconds if the database is silent, and succeeds when it is back', async () => {
    const sql = open(proxy.url, {}, 1)
    await sql`select 1`
    proxy.mute()
    const check = createWriteProbe(sql)
    await expect(check()).rejects.toMatchObject({ code: 'CONNECTION_TIMEOUT' })
    proxy.unmute()
    const succeeds = () =>
      check().then(
        () => true,
        () => false,
      )
    await expect.poll(succeeds).toBe(true)
  })

  test('fails on a database that takes no writes', async () => {
    const sql = open(database.url, {}, 1)
    await sql`set default_transaction_read_only = on`
    await expect(createWriteProbe(sql)()).rejects.toMatchObject({ code: '25006' })
  })
})
