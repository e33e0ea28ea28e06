import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { minute } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, type Sql } from '../src/kernel/db/pool.ts'
import { type DebianCluster, debianPostgres, startDebianCluster } from './debianPostgres.ts'
import { freePort, type RunningServer, startServer } from './server.ts'

const isPossible = debianPostgres !== undefined && spawnSync('pgbouncer', ['--version']).error === undefined
const reason = isPossible ? '' : ' (skipped: needs apt-get install postgresql pgbouncer)'

describe.skipIf(!isPossible)(`PgBouncer that shares sessions between transactions${reason}`, () => {
  let cluster: DebianCluster
  let pooler: ChildProcess
  let server: RunningServer
  let direct: string
  let pooled: string
  const masterKey = randomBytes(32).toString('hex')
  let sql: Sql

  beforeAll(async () => {
    cluster = await startDebianCluster()
    direct = await cluster.createDatabase('souk')
    const port = await freePort()
    const folder = cluster.folder
    const { port: databasePort } = new URL(direct)
    await writeFile(join(folder, 'users'), '"souk" ""\n')
    await writeFile(
      join(folder, 'pgbouncer.ini'),
      `[databases]
      souk = host=127.0.0.1 port=${databasePort}
      [pgbouncer]
      listen_addr = 127.0.0.1
      listen_port = ${port}
      unix_socket_dir =
      auth_type = trust
      auth_file = ${folder}/users
      pool_mode = transaction
      default_pool_size = 3`,
    )
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
    pooler = spawn('pgbouncer', ['--quiet', join(folder, 'pgbouncer.ini')], { stdio: 'ignore', ...user })
    pooled = direct.replace(`:${databasePort}`, `:${port}`)
    const env = { DATABASE_URL: pooled, SOUK_DIRECT_DATABASE_URL: direct, SOUK_MASTER_KEY: masterKey }
    server = await startServer({ env })
    sql = connect(cluster.url, { max: 1 })
  }, 2 * minute)

  afterAll(async () => {
    await sql?.end()
    await server?.stop()
    pooler?.kill()
    await cluster?.stop()
  })

  const request = async (method: string, path: string, body?: unknown) => {
    const headers = { Authorization: `Bearer ${server.adminToken}`, 'Content-Type': 'application/json' }
    const answer = await fetch(server.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    // biome-ignore lint/suspicious/noExplicitAny: each operation has its own result type.
    return { status: answer.status, body: (await answer.json()) as any }
  }

  test('carries requests with few connections, while notifications, locks and jobs connect directly', async () => {
    const create = (number: number) => request('POST', '/console/v1/apps', { name: `Tea House ${number}` })
    const created = await Promise.all(Array.from({ length: 60 }, (_, number) => create(number)))
    expect(new Set(created.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await request('GET', '/readyz')).status).toBe(200)
    // Reaches all processes by a notification.
    expect((await request('POST', '/console/v1/sandbox/clock', { forward: minute })).status).toBe(200)

    const rows = await sql<{ name: string; count: number }[]>`
      select regexp_replace(application_name, ',.*', '') as name, count(*)::int as count
      from pg_stat_activity where usename = 'souk' group by 1 order by 1`
    const counts = Object.fromEntries(rows.map(({ name, count }) => [name, count]))
    expect(counts['souk server']).toBe(1)
    expect(counts['souk worker']).toBe(1)
    expect(counts['souk worker jobs']).toBeGreaterThan(0)
    // Three of the pooler, one that listens.
    expect(counts.souk).toBeLessThanOrEqual(4)
  })

  test('refuses the limits at the start of a session', async () => {
    const unaware = connect(pooled, { max: 1 })
    await expect(unaware`select 1`).rejects.toThrow('unsupported startup parameter')
    await unaware.end()
    const env = { DATABASE_URL: pooled, SOUK_MASTER_KEY: masterKey }
    await expect(startServer({ env })).rejects.toThrow('set SOUK_DIRECT_DATABASE_URL to the URL of PostgreSQL itself')
  })

  test('cannot carry the limits, which souk doctor demands for the role', async () => {
    const check = async () => {
      const { body } = await request('GET', '/console/v1/doctor')
      return body.find(({ check: name }: { check: string }) => name === 'databaseConnections')
    }
    expect(await check()).toMatchObject({ state: 'error', advice: expect.stringContaining('alter role') })
    await sql`alter role souk set lock_timeout = '5s'`
    await sql`alter role souk set idle_in_transaction_session_timeout = '10s'`
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'souk' and application_name = 'souk'`
    await expect.poll(check, { timeout: minute }).toMatchObject({
      state: 'ok',
      found: expect.stringMatching(
        /^\d+ of 97 connections of PostgreSQL are open now, those of the pooler included\.$/,
      ),
    })
  })

  test('a process opens no more connections than its budget', async () => {
    await server.stop()
    const isGone = once(pooler, 'exit')
    pooler.kill('SIGKILL')
    await isGone
    await expect.poll(() => sql`select from pg_stat_activity where usename = 'souk'`).toEqual([])
    const env = { DATABASE_URL: direct, SOUK_DATABASE_CONNECTIONS: '11', SOUK_MASTER_KEY: masterKey }
    server = await startServer({ env })
    const create = () => request('POST', '/console/v1/apps', { name: 'Tea House' })
    let isCreating = true
    const creating = Promise.all(Array.from({ length: 200 }, create)).finally(() => {
      isCreating = false
    })
    let most: string[] = []
    while (isCreating) {
      const rows = await sql<{ name: string }[]>`
        select application_name as name from pg_stat_activity
        where usename = 'souk' and application_name like 'souk%' order by 1`
      if (rows.length > most.length) most = rows.map(({ name }) => name)
    }
    await creating
    expect(most.length, most.join()).toBeLessThanOrEqual(11)
    expect(most.length).toBeGreaterThan(7)
  })
})
