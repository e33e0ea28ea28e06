import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { day } from '@souk/contract'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { emptyDatabase, type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { createTradeFixture } from '../../../../test/tradeFixture.ts'
import { databaseBeforeBaseline, listApplied, setApplied } from '../../../../test/upgrade/replaced.ts'
import replaced from '../../../../test/upgrade/replacedMigrations.json' with { type: 'json' }
import { createPartitions } from '../../../kernel/db/partitions.ts'
import type { Sql } from '../../../kernel/db/pool.ts'
import { enqueue } from '../../../kernel/outbox.ts'
import { soukVersion } from '../../../kernel/package.ts'
import { masterKeyId } from '../../../kernel/vault.ts'
import { readArchive, writeArchive } from './archive.ts'
import type { Figures, Manifest } from './format.ts'
import { checkBackup, makeBackup, restoreBackup } from './index.ts'

const passphrase = 'correct horse battery staple'
const masterKey = randomBytes(32)
const progress = () => {}
/** Deriving keys would take most of the time. */
const workFactor = 10
const common = { passphrase, workFactor, masterKeys: [masterKey], progress }

let folder: string
let source: FreshDatabase
/** A backup of `source`. */
let path: string
const targets: FreshDatabase[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-backup-'))
  source = await freshDatabase()
  await install(source.sql)
  const shop = await createTradeFixture(source.sql)
  const tradeNo = await shop.create()
  await shop.pay(tradeNo, 'succeeded')
  await shop.create({ outTradeNo: 'tab\t, line\nfeed, back\\slash and “quotes”' })
  await source.sql.begin((tx) => enqueue(tx, { name: 'reconcileDays', payload: {}, key: 'a key' }))
  path = join(folder, 'souk.age')
  await makeBackup({ url: source.url, path, ...common })
})
afterEach(async () => {
  for (const target of targets.splice(0)) await target.drop()
})
afterAll(async () => {
  await source.drop()
  await rm(folder, { recursive: true })
})

const install = (sql: Sql) => sql`
  insert into installation (environment, key_id) values ('live', ${masterKeyId(masterKey)})`

async function newTarget(): Promise<FreshDatabase> {
  const target = await emptyDatabase()
  targets.push(target)
  return target
}

/** Restores a file as `souk restore` does. */
async function restore(file: string, target: FreshDatabase, beforeCommit?: () => Promise<void>): Promise<void> {
  const backup = await checkBackup(file, passphrase, progress)
  await restoreBackup({ url: target.url, backup, progress, ...(beforeCommit ? { beforeCommit } : {}) })
}

async function tablesOf({ sql }: FreshDatabase): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname in ('public', 'graphile_worker') order by 1`
  return rows.map(({ name }) => name)
}

/**
 * Returns all rows of the tables and of the queue, as text, except migrations and versions, which a restore adds to.
 */
async function contentsOf({ sql }: FreshDatabase): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('migrations', 'versions') order by 1`
  const contents: Record<string, string[]> = {}
  for (const { name } of tables) {
    const rows = await sql.unsafe<{ row: string }[]>(`select t::text as row from "${name}" t order by 1`)
    contents[name] = rows.map(({ row }) => row)
  }
  const jobs = await sql<{ row: string }[]>`
    select concat_ws(' ', task_identifier, payload, run_at, max_attempts, jobs.key, priority) as row
    from graphile_worker.jobs join graphile_worker._private_jobs using (id, run_at, max_attempts, priority) order by 1`
  contents.jobs = jobs.map(({ row }) => row)
  return contents
}

test('derives the key in 2^18 rounds, unless told otherwise', async () => {
  const file = join(folder, 'rounds.age')
  await writeArchive(file, { passphrase }, async (add) => add('manifest.json', Buffer.from('{}')))
  expect((await readFile(file)).toString('latin1')).toMatch(/^age-encryption\.org\/v1\n-> scrypt \S+ 18\n/)
})

/** Writes a copy of the backup with changed entries. */
async function rewrite(change: (name: string, content: Buffer) => Buffer | undefined): Promise<string> {
  const changed = join(folder, `${randomBytes(6).toString('hex')}.age`)
  await writeArchive(changed, { passphrase, workFactor }, async (add) => {
    for await (const { name, content } of readArchive(path, passphrase)) {
      const kept = change(name, await buffer(content))
      if (kept) await add(name, kept)
    }
  })
  return changed
}

const rewriteJson = <T>(entry: string, change: (value: T) => void) =>
  rewrite((name, content) => {
    if (name !== entry) return content
    const value = JSON.parse(content.toString()) as T
    change(value)
    return Buffer.from(JSON.stringify(value))
  })

test('a restored database has every row and job, continues its sequences, and is guarded as before', async () => {
  const target = await newTarget()
  await restore(path, target)
  const contents = await contentsOf(target)
  expect(contents).toEqual(await contentsOf(source))
  for (const table of ['trades', 'ledger_entries', 'audit_log', 'audit_chain', 'app_secrets', 'jobs']) {
    expect(contents[table]?.length, table).toBeGreaterThan(0)
  }
  const nextUid = (sql: Sql) => sql`select nextval(pg_get_serial_sequence('users', 'uid'))`
  expect(await nextUid(target.sql)).toEqual(await nextUid(source.sql))
  await expect(target.sql`update ledger_entries set amount = 1`).rejects.toThrow('never changed')
  await target.sql`insert into audit_log (time, actor, action, subject) values (0, 'admin', 'a.b', 'c')`
  expect(await target.sql`select max(position) from audit_chain`).toEqual([{ max: contents.audit_log!.length + 1 }])
})

test('a backup with all migrations that the baseline replaces is restored, and one with fewer is refused', async () => {
  const names = Object.keys(replaced)
  const { sql, url, drop } = await databaseBeforeBaseline()
  await install(sql)
  const file = join(folder, 'old.age')
  await makeBackup({ url, path: file, ...common })
  const target = await newTarget()
  await restore(file, target)
  expect(await listApplied(target.sql)).toEqual(await listApplied(source.sql))
  const { installation } = await contentsOf({ sql, url, drop })
  expect(await contentsOf(target)).toMatchObject({ installation })

  await setApplied(sql, names.slice(0, 25))
  const older = join(folder, 'older.age')
  await makeBackup({ url, path: older, ...common })
  await expect(checkBackup(older, passphrase, progress)).rejects.toMatchObject({
    code: 'backup_version_unsupported',
    message: expect.stringContaining(
      `${older} was made by Souk ${soukVersion}: it has 25 migrations up to ${names[24]}, and this version continues ` +
        'from the 77 up to 0170_contested_signs.sql. Restore it with Souk 0.1.0+1a936dc first.',
    ),
  })
  await drop()
})

test('partitions of a backup are restored with their bounds, regardless of the date', async () => {
  const { sql, url, drop } = await freshDatabase()
  await install(sql)
  const later = Date.now() + 100 * day
  await createPartitions(sql, later)
  await sql`insert into request_log (request_id, time, operation, status, duration) values ('r', ${later}, 'trade', 200, 1)`
  const bounds = (from: Sql) => from`
    select relname, pg_get_expr(relpartbound, oid) as bound from pg_class where relispartition
    order by relname`
  const file = join(folder, 'partitions.age')
  await makeBackup({ url, path: file, ...common })
  const target = await newTarget()
  await restore(file, target)
  const [wanted, found] = [await bounds(sql), await bounds(target.sql)]
  // Index partitions get their names from PostgreSQL.
  const tables = (rows: typeof wanted) => rows.filter(({ bound }) => bound !== null)
  expect(tables(found)).toEqual(tables(wanted))
  const [row] = await target.sql`select tableoid::regclass::text as place from request_log`
  expect(row!.place).toMatch(/^request_log_\d{4}/)
  await drop()
})

test('a table that is larger than the memory it may use is backed up and restored', async () => {
  const { sql, url, drop } = await freshDatabase()
  await install(sql)
  await sql`insert into projects (project_id, name, ctime) values (gen_random_uuid(), 'P', 0)`
  await sql`
    insert into apps (appid, project_id, name, capabilities, default_language, ctime)
    select 'aaaaaaaaaaaaaaa', project_id, 'A', '{}', 'en_US', 0 from projects`
  // 8 rows that are larger than a part, and many small ones: about 75 MB as text.
  await sql`
    insert into files (file_id, appid, media_type, content, ctime)
    select gen_random_uuid(), 'aaaaaaaaaaaaaaa', 'text/plain', convert_to(repeat(md5(n::text), 131072), 'UTF8'), 0
    from generate_series(1, 8) n`
  await sql`
    insert into used_signs (appid, sign, time)
    select 'aaaaaaaaaaaaaaa', sha256(n::text::bytea), n from generate_series(1, 100000) n`
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const memory = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed + process.memoryUsage().external
  }
  const before = memory()
  let most = 0
  const watch = () => {
    most = Math.max(most, memory() - before)
  }
  const file = join(folder, 'big.age')
  await makeBackup({ url, path: file, ...common, progress: watch })
  const target = await newTarget()
  await restoreBackup({ url: target.url, backup: await checkBackup(file, passphrase, watch), progress: watch })
  expect(most).toBeLessThan(45_000_000)
  const digest = (db: Sql) => db`
    select count(*), sum(hashtext(t::text)) from (select file_id, md5(content) from files) t`
  expect(await digest(target.sql)).toEqual(await digest(sql))
  expect(await target.sql`select count(*) from used_signs`).toEqual([{ count: 100_000 }])
  await drop()
})

test('a truncated or modified backup is rejected before anything is written', async () => {
  const bytes = await readFile(path)
  const damaged = join(folder, 'damaged.age')
  const codeOf = async (content: Buffer) => {
    await writeFile(damaged, content)
    return checkBackup(damaged, passphrase, progress).then(
      () => 'complete',
      ({ code }) => code,
    )
  }
  for (const length of [0, 10, 100, bytes.length >> 1, bytes.length - 1]) {
    expect(await codeOf(bytes.subarray(0, length)), `${length} bytes`).toBe('backup_damaged')
  }
  for (const at of [0, 190, 250, bytes.length >> 1, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    expect(await codeOf(changed), `byte ${at}`).toBe('backup_damaged')
  }
  expect(await codeOf(bytes)).toBe('complete')
  await expect(checkBackup(join(folder, 'none.age'), passphrase, progress)).rejects.toMatchObject({
    code: 'backup_unreadable',
    message: expect.stringContaining('no such file'),
  })
})

test('an archive without its last entry, or with other rows than it says, is incomplete', async () => {
  const cut = await rewrite((name, content) => (name === 'figures.json' ? undefined : content))
  await expect(checkBackup(cut, passphrase, progress)).rejects.toThrow('its last entry is missing')
  const short = await rewrite((name, content) => (name === 'tables/all_trades/000001' ? undefined : content))
  await expect(checkBackup(short, passphrase, progress)).rejects.toThrow('all_trades has 0 rows instead of 2')
})

test('a wrong passphrase and a backup of a newer version are refused with their errors', async () => {
  await expect(checkBackup(path, 'another passphrase', progress)).rejects.toMatchObject({
    code: 'backup_passphrase_wrong',
  })
  const newer = await rewriteJson<Manifest>('manifest.json', (manifest) => {
    manifest.souk = '9.0.0'
    manifest.migrations.push({ name: '9000_future.sql', checksum: '0'.repeat(64) })
  })
  await expect(checkBackup(newer, passphrase, progress)).rejects.toMatchObject({
    code: 'backup_version_unsupported',
    message: expect.stringContaining(
      `Souk 9.0.0: this is Souk ${soukVersion}, which does not have its migration 9000_future.sql`,
    ),
  })
  const format = await rewriteJson<Manifest>('manifest.json', (manifest) => {
    manifest.format = 2
  })
  await expect(checkBackup(format, passphrase, progress)).rejects.toMatchObject({ code: 'backup_version_unsupported' })
})

test('a database that is not empty is refused and stays as it is', async () => {
  const used = await freshDatabase()
  targets.push(used)
  await install(used.sql)
  const before = await contentsOf(used)
  await expect(restore(path, used)).rejects.toMatchObject({
    code: 'restore_not_empty',
    message: expect.stringContaining('belongs to a live installation'),
  })
  expect(await contentsOf(used)).toEqual(before)

  const foreign = await newTarget()
  await foreign.sql`create table orders (id int)`
  await expect(restore(path, foreign)).rejects.toMatchObject({ code: 'restore_not_empty' })
  expect(await tablesOf(foreign)).toEqual(['orders'])
})

test('a restore that fails leaves no rows and can be repeated', async () => {
  const target = await newTarget()
  const isEmpty = async () => {
    for (const table of ['installation', 'trades', 'audit_log', 'users']) {
      expect(await target.sql.unsafe(`select from ${table}`), table).toEqual([])
    }
    expect(await target.sql`select from graphile_worker.jobs`).toEqual([])
  }
  // The connection is lost after all rows were copied.
  const loseConnection = async () => {
    await source.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'souk restore'
      and datname = ${new URL(target.url).pathname.slice(1)}`
  }
  await expect(restore(path, target, loseConnection)).rejects.toMatchObject({ code: 'restore_failed' })
  await isEmpty()

  const wrong = await rewriteJson<Figures>('figures.json', ({ ledger }) => {
    ledger[0]!.balance = '1'
  })
  await expect(restore(wrong, target)).rejects.toMatchObject({
    code: 'restore_mismatch',
    message: expect.stringContaining('balances of the ledger'),
  })
  await isEmpty()

  await restore(path, target)
  expect(await contentsOf(target)).toEqual(await contentsOf(source))
})

test('a changed audit log is restored as it is, and a changed copy of it is refused', async () => {
  const tampered = await rewrite((name, content) =>
    name === 'tables/audit_log/000001' ? Buffer.from(content.toString().replace('app.create', 'app.delete')) : content,
  )
  await expect(restore(tampered, await newTarget())).rejects.toMatchObject({
    code: 'restore_mismatch',
    message: expect.stringContaining('audit chain'),
  })
})

test('a backup needs a long passphrase, a new file and the key of the database', async () => {
  const options = { url: source.url, path: join(folder, 'new.age'), ...common }
  await expect(makeBackup({ ...options, passphrase: 'short' })).rejects.toMatchObject({
    code: 'backup_passphrase_weak',
  })
  await expect(makeBackup({ ...options, path })).rejects.toMatchObject({ code: 'backup_exists' })
  await expect(makeBackup({ ...options, path: join(folder, 'no/folder') })).rejects.toMatchObject({
    code: 'backup_unwritable',
  })
  await expect(makeBackup({ ...options, masterKeys: [randomBytes(32)] })).rejects.toMatchObject({
    code: 'backup_key_wrong',
  })
  const interrupt = () => {
    throw new Error('Interrupted.')
  }
  await expect(makeBackup({ ...options, progress: interrupt })).rejects.toThrow('Interrupted.')
  expect((await readdir(folder)).filter((name) => name.startsWith('new.age'))).toEqual([])
  expect((await readFile(path)).toString('latin1')).not.toContain(masterKey.toString('hex'))
})
