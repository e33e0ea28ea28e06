import { randomUUID } from 'node:crypto'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { day, hour } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FullContext } from '../../src/domain/context.ts'
import { recordBackup, recordRestoreCheck } from '../../src/domain/installation/index.ts'
import { examine } from '../../src/domain/operations/index.ts'
import { lockClass } from '../../src/kernel/db/lock.ts'
import { lockPartitions } from '../../src/kernel/db/partitions.ts'
import { connect } from '../../src/kernel/db/pool.ts'
import { soukVersion } from '../../src/kernel/package.ts'
import { certificate, key } from '../certificate.ts'
import { startTestSouk, type TestSouk } from '../souk.ts'

const missingFolder = join(tmpdir(), randomUUID())

let souk: TestSouk
/** The context of a live installation, which a test can change. */
let context: FullContext

beforeAll(async () => {
  souk = await startTestSouk()
  await souk.setUp()
})
afterAll(() => souk.stop())
beforeEach(() => {
  const settings = { sandbox: false, publicUrl: 'https://souk.example' }
  context = { ...souk.context, settings, process: { dataDir: '/' } }
})

/** A clock of which a test replaces the real time. */
const rightClock = { now: () => 0, difference: 0, isWrong: () => false }

const stateOf = async (check: string) => (await examine(context)).find((each) => each.check === check)

test('an administrator gets a finding for every check', async () => {
  const { body } = await souk.console('GET', '/console/v1/doctor')
  expect(body[0]).toMatchObject({ found: `This is Souk ${soukVersion}.` })
  expect(body.map(({ check, state }: { check: string; state: string }) => `${check} ${state}`)).toEqual([
    'version ok',
    'publicUrl ok',
    'proxies ok',
    'secrets ok',
    'masterKeys ok',
    'administrator warning',
    'issuers ok',
    'signOn ok',
    'providers ok',
    'events ok',
    'mail ok',
    'databaseVersion ok',
    // Tests create databases.
    'databaseRole warning',
    // The tests' database is faster without fsync.
    'databaseSettings error',
    'databaseConnections ok',
    // The tests' server runs no jobs.
    'jobs error',
    'clock ok',
    'disk ok',
    'storage ok',
    'backup ok',
    'restoreCheck ok',
  ])
})

test('an administrator sees which versions of Souk ran on the database', async () => {
  const { body } = await souk.console('GET', '/console/v1/versions')
  const started = expect.any(Number)
  expect(body).toEqual([
    { version: soukVersion, lastMigration: expect.stringMatching(/\.sql$/), firstStart: started, lastStart: started },
  ])
})

test('a change of partitions does not count as a process with connections', async () => {
  await souk.context.sql.begin(async (tx) => {
    // As the lock of a data directory.
    await tx`select pg_advisory_xact_lock(${lockClass}::integer, 1000)`
    await lockPartitions((statement) => tx.unsafe(statement))
    expect(await stateOf('databaseConnections')).toMatchObject({ found: expect.stringContaining('processes: 1)') })
  })
})

test('counts the connections of processes like this one, and behind a pooler those that are open', async () => {
  context.process = { databaseConnections: 20 }
  expect(await stateOf('databaseConnections')).toMatchObject({
    state: 'ok',
    found: expect.stringMatching(/^Connections: at most 20 of \d+ \(20 each, as this one; processes: 1\)\.$/),
  })
  context.process = { databaseConnections: 2, hasPooler: true }
  const pooled = expect.stringMatching(
    /^[1-9]\d* of \d+ connections of PostgreSQL are open now, those of the pooler included\./,
  )
  expect(await stateOf('databaseConnections')).toMatchObject({ state: 'ok', found: pooled })
  context.process = { databaseConnections: 1000, hasPooler: true }
  expect(await stateOf('databaseConnections')).toMatchObject({ state: 'warning', found: pooled })
})

test('the connection limits of the role and the database count, too', async () => {
  context.process.databaseConnections = 20
  const name = new URL(souk.database.url).pathname.slice(1)
  // The limits do not hold for superusers.
  const limited = new URL(souk.database.url)
  limited.username = 'limited'
  limited.password = 'limited'
  await souk.context.sql`create role limited login password 'limited' connection limit 12`
  const sql = connect(limited.href, { max: 1 })
  try {
    context.sql = sql
    expect(await stateOf('databaseConnections')).toMatchObject({
      state: 'error',
      found: 'Connections: at most 20 of 12 (20 each, as this one; processes: 1).',
      advice: 'Lower SOUK_DATABASE_CONNECTIONS, or raise the connection limit of the role limited.',
    })
    context.process = { databaseConnections: 12, hasPooler: true }
    expect(await stateOf('databaseConnections')).toMatchObject({
      state: 'warning',
      found: expect.stringMatching(/^1 of 12 connections /),
      advice: 'Lower the pool size of the pooler, or raise the connection limit of the role limited.',
    })
    await souk.context.sql`alter database ${souk.context.sql(name)} connection limit 11`
    context.process.hasPooler = false
    expect(await stateOf('databaseConnections')).toMatchObject({
      found: expect.stringContaining(' of 11 ('),
      advice: `Lower SOUK_DATABASE_CONNECTIONS, or raise the connection limit of the database ${name}.`,
    })
  } finally {
    await sql.end()
    await souk.context.sql`alter database ${souk.context.sql(name)} connection limit -1`
    await souk.context.sql`drop role limited`
  }
})

test('a role with more rights than its own database is a warning', async () => {
  const { sql: superuser } = souk.context
  expect(await stateOf('databaseRole')).toMatchObject({
    state: 'warning',
    found: 'The role souk of the database has rights that Souk does not need: superuser.',
  })
  await superuser`create role ordinary login password 'ordinary'`
  const url = new URL(souk.database.url)
  url.username = 'ordinary'
  url.password = 'ordinary'
  const sql = connect(url.href, { max: 1 })
  try {
    context.sql = sql
    expect(await stateOf('databaseRole')).toMatchObject({ state: 'ok' })
    await superuser`grant pg_execute_server_program to ordinary`
    await superuser`alter role ordinary createrole`
    expect(await stateOf('databaseRole')).toMatchObject({
      state: 'warning',
      found: 'The role ordinary of the database has rights that Souk does not need: create roles, run programs.',
    })
  } finally {
    await sql.end()
    await superuser`drop role ordinary`
  }
})

test('an installation in which no process has run jobs for a minute is an error', async () => {
  const { sql } = souk.context
  await sql`insert into worker_heartbeats values ('living', now()), ('dead', now() - interval '2 min')`
  expect(await stateOf('jobs')).toMatchObject({ state: 'ok', found: 'Processes that run jobs: 1.' })
  await sql`delete from worker_heartbeats where pool_id = 'living'`
  expect(await stateOf('jobs')).toMatchObject({ state: 'error', advice: expect.stringContaining('SOUK_ROLE=worker') })
  await sql`delete from worker_heartbeats`
})

test('a live installation without TLS, issuer or provider account gets advice', async () => {
  context.settings.publicUrl = 'http://souk.example'
  expect(await stateOf('publicUrl')).toMatchObject({
    state: 'error',
    advice: expect.stringContaining('SOUK_PUBLIC_URL'),
  })
  expect(await stateOf('issuers')).toMatchObject({
    state: 'warning',
    advice: expect.stringContaining('souk issuers add'),
  })
  expect(await stateOf('providers')).toMatchObject({ state: 'warning' })
})

test('a proxy that is not trusted is an error', async () => {
  await souk.raw('GET', '/healthz', { 'X-Forwarded-For': '192.0.2.1' })
  expect(await stateOf('proxies')).toMatchObject({
    state: 'error',
    found: expect.stringContaining('x-forwarded-for'),
    advice: expect.stringContaining('SOUK_TRUST_PROXY'),
  })
})

test('requests tell which proxies they came through', async () => {
  const behind = await startTestSouk({ trustProxy: 1, publicUrl: 'https://souk.example' })
  const found = async () => {
    const checked = (await examine({ ...behind.context })).find(({ check }) => check === 'proxies')!
    return `${checked.state}: ${checked.found}`
  }
  const through = (addresses: string, scheme = 'https') =>
    behind.raw('GET', '/openapi.json', {
      Host: 'souk.example',
      'X-Forwarded-For': addresses,
      'X-Forwarded-Proto': scheme,
    })

  await behind.raw('GET', '/readyz', {})
  expect(await found()).toBe('warning: No request has come through the proxy that SOUK_TRUST_PROXY trusts.')
  await through('198.51.100.7')
  // A client can send this header itself, and the proxy appends to it.
  await through('192.0.2.1, 198.51.100.7')
  expect(await found()).toBe('ok: Requests come through the trusted proxies (1).')
  await through('198.51.100.7', 'http')
  expect(await found()).toMatch('error: The proxy passes on requests that reached it without TLS')
  await through('198.51.100.7, 10.0.0.2')
  expect(await found()).toMatch('warning: The client 10.0.0.2 passes on requests of others')
  await behind.stop()
})

test('a request that has not passed all trusted proxies is an error', async () => {
  const behind = await startTestSouk({ trustProxy: 2 })
  await behind.raw('GET', '/openapi.json', { 'X-Forwarded-For': '198.51.100.7' })
  const findings = await examine(behind.context)
  expect(findings.find(({ check }) => check === 'proxies')).toMatchObject({
    state: 'error',
    found: expect.stringMatching(/^A request from \S*127\.0\.0\.1 has passed fewer than 2 proxies/),
  })
  await behind.stop()
})

test('a well-known secret is an error that names the setting', async () => {
  context.process.guessableSecrets = ['DATABASE_URL', 'SOUK_MASTER_KEY']
  expect(await stateOf('secrets')).toMatchObject({
    state: 'error',
    found: 'Anyone can guess the secret in DATABASE_URL, SOUK_MASTER_KEY.',
  })
})

test('the public URL is requested: its certificate, and whether this server answers', async () => {
  const untrusted = createServer({ key, cert: certificate }, (_request, response) => response.end())
  await new Promise<void>((resolve) => untrusted.listen(0, '127.0.0.1', resolve))
  context.settings.publicUrl = `https://localhost:${(untrusted.address() as AddressInfo).port}`
  expect(await stateOf('publicUrl')).toMatchObject({ state: 'error', advice: expect.stringContaining('certificate') })
  untrusted.close()

  context.settings.publicUrl = 'https://souk.invalid'
  expect(await stateOf('publicUrl')).toMatchObject({ state: 'warning', advice: expect.stringContaining('curl') })
  const answer = (body: string) => ({ ...context.egress, request: async () => ({ status: 200, headers: {}, body }) })
  context.egress = answer('<html>')
  expect(await stateOf('publicUrl')).toMatchObject({ state: 'error', found: expect.stringContaining('another server') })
  context.egress = answer('{"status":"ok"}')
  expect(await stateOf('publicUrl')).toMatchObject({ state: 'ok' })
})

test('an issuer whose keys cannot be read is named', async () => {
  const issuer = 'http://localhost:9'
  const { body } = await souk.console('POST', '/console/v1/issuers', { issuer, audience: 'souk' })
  expect(await stateOf('issuers')).toMatchObject({ state: 'error', found: expect.stringContaining(issuer) })
  await souk.console('DELETE', `/console/v1/issuers/${body.issuerId}`)
})

test('a database that can lose confirmed payments is an error that names the settings', async () => {
  const off = async () => (await stateOf('databaseSettings'))?.found.split('off: ')[1]
  const sql = connect(souk.database.url, { max: 1 })
  context.sql = sql
  await sql`set synchronous_commit to off`
  expect(await off()).toBe('fsync, synchronous_commit, full_page_writes.')
  await sql`set synchronous_commit to on`
  expect(await off()).toBe('fsync, full_page_writes.')
  await sql.end()
})

test('a clock that is wrong is an error', async () => {
  context.clock = { ...rightClock, real: () => Date.now() + day }
  expect(await stateOf('clock')).toMatchObject({ state: 'error', found: expect.stringContaining('differ by 86') })
})

test('the disk of the archives counts, too', async () => {
  context.process.archiveFolder = missingFolder
  expect(await stateOf('disk')).toMatchObject({ found: expect.stringMatching(/^\S+ GiB are free in \/\.$/) })
  context.process.archiveFolder = '/dev'
  expect(await stateOf('disk')).toMatchObject({ found: expect.stringMatching(/GiB are free in \/dev\.$/) })
  // Has no space at all.
  context.process.archiveFolder = '/proc'
  expect(await stateOf('disk')).toMatchObject({ state: 'error' })
})

test('a data directory that cannot be read is an error', async () => {
  context.process.dataDir = missingFolder
  expect(await stateOf('disk')).toMatchObject({ state: 'error' })
})

test('a live installation without a recent backup gets the advice to make one', async () => {
  expect(await stateOf('backup')).toMatchObject({ state: 'error', advice: expect.stringContaining('souk backup') })
  const { body: none } = await souk.console('GET', '/console/v1/last-backup')
  expect(none).toEqual({ lastBackup: null, lastRestoreCheck: null })

  await recordBackup(souk.context, { time: Date.now() - 3 * day, size: 1 })
  expect(await stateOf('backup')).toMatchObject({ state: 'warning', found: 'Age of the last backup: 3 d.' })
  const time = Date.now() - hour
  await recordBackup(souk.context, { time, size: 5_000_000_000 })
  expect(await stateOf('backup')).toMatchObject({ state: 'ok', found: 'Age of the last backup: 1 h.' })
  const { body } = await souk.console('GET', '/console/v1/last-backup')
  expect(body).toMatchObject({ lastBackup: { time, size: 5_000_000_000 } })
})

test('a live installation whose backups are not restored in a check, or fail it, gets advice', async () => {
  const record = (failure: string | null, backupTime: number | null) =>
    recordRestoreCheck(souk.context, { time: Date.now(), failure, backupTime })
  expect(await stateOf('restoreCheck')).toMatchObject({
    state: 'warning',
    found: 'No backup was restored in a check.',
    advice: expect.stringContaining('--verify --record'),
  })
  await record(null, Date.now() - 11 * day)
  const old = 'Age of the last backup that was restored in a check: 11 d.'
  expect(await stateOf('restoreCheck')).toMatchObject({ state: 'warning', found: old })
  const backupTime = Date.now() - 9 * day
  await record(null, backupTime)
  expect(await stateOf('restoreCheck')).toMatchObject({ state: 'ok', found: old.replace('11', '9') })
  await record('backup_damaged', null)
  expect(await stateOf('restoreCheck')).toMatchObject({ state: 'error', found: expect.stringContaining('damaged') })
  const { body } = await souk.console('GET', '/console/v1/last-backup')
  expect(body).toMatchObject({
    lastRestoreCheck: { time: expect.any(Number), failure: 'backup_damaged', backupTime },
  })
})

test('an installation without an administrator is an error', async () => {
  await souk.context.sql`update accounts set enabled = false`
  expect(await stateOf('administrator')).toMatchObject({ state: 'error' })
  await souk.context.sql`update accounts set enabled = true`
})

test('secrets that cannot be decrypted are an error that names them, and an old master key is a warning', async () => {
  const { sql } = souk.context
  context.clock = { ...rightClock, real: () => Date.now() + 401 * day }
  expect(await stateOf('masterKeys')).toMatchObject({ state: 'warning', found: 'Age of the master key: 401 d.' })
  await sql`insert into unreadable_values values ('app secret a 0', '0123456789abcdef', 'damaged', 0)`
  expect(await stateOf('masterKeys')).toMatchObject({
    state: 'error',
    found: 'app_secrets (appid a, secret_id 0) cannot be decrypted.',
  })
  await sql`delete from unreadable_values`
})
