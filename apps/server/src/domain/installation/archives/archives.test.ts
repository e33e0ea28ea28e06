import { chown, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { runCommand } from '../../../../test/commandLine.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { admin, createTradeFixture, type TradeFixture } from '../../../../test/tradeFixture.ts'
import { quoteIdentifier } from '../../../kernel/db/identifiers.ts'
import { lockPartitions } from '../../../kernel/db/partitions.ts'
import {
  addUpTrades,
  appOfCallback,
  callbacksOfTrade,
  closeTrade,
  createTrade,
  deliverDueCallbacks,
  getCallback,
  refundTrade,
  replayCallback,
  reportForwarded,
  signedCallback,
  tradeTotals,
} from '../../money/index.ts'
import { deleteRows } from '../../operations/administration/deletions.store.ts'
import { getTradeStory } from '../../operations/index.ts'
import { archiveMonth, archiveOldMonths, restoreMonth, verifyArchives } from './index.ts'

let database: FreshDatabase
let fixture: TradeFixture
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-archives-'))
})
// Each test archives the first partition, in which all new trades are.
beforeEach(async () => {
  database = await freshDatabase()
  fixture = await createTradeFixture(database.sql)
})
afterEach(() => database.drop())
afterAll(() => rm(folder, { recursive: true }))

const options = () => ({ context: fixture.context, url: database.url, folder })

/** Creates a trade that ended, and whose callback does not wait. */
async function createClosed(): Promise<string> {
  const tradeNo = await fixture.create()
  await closeTrade(fixture.context, fixture.app, { tradeNo })
  return tradeNo
}

const rowsOf = async (table: string) =>
  (await database.sql.unsafe<{ row: string }[]>(`select t::text as row from ${table} t order by 1`)).map(
    ({ row }) => row,
  )

/** Creates a trade whose callback was tried twice. Returns the callback's number. */
async function createPaid(): Promise<string> {
  const tradeNo = await fixture.create()
  await fixture.pay(tradeNo, 'succeeded')
  await deliverDueCallbacks(fixture.context)
  const [callback] = await callbacksOfTrade(fixture.context, { appid: fixture.app.app.appid, tradeNo })
  const { notifyId } = callback!
  await replayCallback(fixture.context, admin, { notifyId })
  expect(callback!.state).toBe('delivered')
  return notifyId
}

test('finished trades, their events and callbacks are written to files and leave the database', async () => {
  const trades = await Promise.all([createClosed(), createClosed(), createClosed()])
  const archives = await archiveMonth(options(), 'trades')
  expect(archives.map(({ table, rows }) => [table, rows])).toEqual([
    ['all_trades', 3],
    ['trade_events', 3],
    ['callbacks', 0],
    ['callback_attempts', 0],
  ])
  expect(await rowsOf('all_trades')).toEqual([])
  const path = join(folder, archives[0]!.file)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const lines = gunzipSync(await readFile(path))
    .toString()
    .trim()
    .split('\n')
  const numbers = lines.map((line) => JSON.parse(line).trade_no.replaceAll('-', ''))
  expect(numbers.toSorted()).toEqual(trades.toSorted())
  expect(await verifyArchives(options())).toHaveLength(4)
})

test('partitions named like a statement are archived, restored and searched by that name', async () => {
  const { sql } = database
  const name = `trades"; create table stolen (id int); --.x`
  await sql`alter table trades rename to ${sql.unsafe(quoteIdentifier(name))}`
  await sql`alter table callbacks_first rename to ${sql.unsafe(quoteIdentifier(`callbacks; ${name}`))}`
  await createClosed()
  const before = await rowsOf('all_trades')
  await deliverDueCallbacks(fixture.context)
  await archiveMonth(options(), name)
  expect(await rowsOf('all_trades')).toEqual([])
  await verifyArchives(options())
  await restoreMonth(options(), name)
  expect(await rowsOf('all_trades')).toEqual(before)
  await deleteRows(sql, fixture.app.app.appid, 10, 0)
  expect(await rowsOf('callbacks')).toEqual([])
  expect(await sql`select from pg_class where relname = 'stolen'`).toEqual([])
})

test('the row of an archive that is not of its table, or whose file is elsewhere, is refused', async () => {
  await createClosed()
  await archiveMonth(options(), 'trades')
  const reject = (change: string) =>
    database.sql.begin(async (tx) => {
      await tx.unsafe(`update archives set ${change} where table_name = 'all_trades'`)
    })
  await reject(`file = '../../etc/passwd'`)
  const damaged = { code: 'archive_damaged', message: expect.stringContaining('../../etc/passwd') }
  await expect(restoreMonth(options(), 'trades')).rejects.toMatchObject(damaged)
  await expect(verifyArchives(options())).rejects.toMatchObject(damaged)
  await reject(`file = 'trades.ndjson.gz', table_name = 'accounts'`)
  await expect(restoreMonth(options(), 'trades')).rejects.toMatchObject({
    code: 'archive_damaged',
    message: expect.stringContaining('accounts'),
  })
})

test('every surface says that an archived trade is archived, and its outTradeNo stays taken', async () => {
  const order = fixture.order()
  const { tradeNo } = await createTrade(fixture.context, fixture.app, order)
  await closeTrade(fixture.context, fixture.app, { tradeNo })
  await archiveMonth(options(), 'trades')
  const archived = { code: 'trade_archived' }
  await expect(fixture.detail(tradeNo)).rejects.toMatchObject(archived)
  await expect(closeTrade(fixture.context, fixture.app, { tradeNo })).rejects.toMatchObject(archived)
  await expect(getTradeStory(fixture.context, admin, { tradeNo })).rejects.toMatchObject(archived)
  await expect(refundTrade(fixture.context, admin, { tradeNo, note: 'Late' })).rejects.toMatchObject(archived)
  await expect(createTrade(fixture.context, fixture.app, order)).rejects.toMatchObject({
    code: 'out_trade_no_conflict',
  })
  await expect(fixture.detail('f'.repeat(32))).rejects.toMatchObject({ code: 'trade_not_found' })
})

test('every operation says that an archived callback is archived, until it is restored with its attempts', async () => {
  const notifyId = await createPaid()
  const { context } = fixture
  const before = await getCallback(context, admin, { notifyId })
  expect(before.attempts).toHaveLength(2)
  await archiveMonth(options(), 'callbacks_first')
  expect([await rowsOf('callbacks'), await rowsOf('callback_attempts')]).toEqual([[], []])
  const archived = { code: 'callback_archived' }
  await expect(getCallback(context, admin, { notifyId })).rejects.toMatchObject(archived)
  await expect(replayCallback(context, admin, { notifyId })).rejects.toMatchObject(archived)
  await expect(reportForwarded(context, admin, { notifyId, duration: 1 })).rejects.toMatchObject(archived)
  await expect(appOfCallback(context, notifyId)).rejects.toMatchObject(archived)
  await expect(signedCallback(context, notifyId)).rejects.toMatchObject(archived)
  await expect(getCallback(context, admin, { notifyId: 'e'.repeat(32) })).rejects.toMatchObject({
    code: 'callback_not_found',
  })
  await restoreMonth(options(), 'callbacks_first')
  expect(await getCallback(context, admin, { notifyId })).toEqual(before)
})

test('an archive cancels no transaction that has read the month and waits to write to it', async () => {
  const tradeNo = await createClosed()
  const { sql } = database
  const archiving = Promise.withResolvers<Awaited<ReturnType<typeof archiveMonth>>>()
  const writing = sql.begin(async (tx) => {
    await tx`select from all_trades where trade_no = ${tradeNo}`
    archiveMonth(options(), 'trades').then(archiving.resolve, archiving.reject)
    // Databases of other tests have the same number for this table.
    const isLocked = async () =>
      (
        await sql`select from pg_locks join pg_database d on d.oid = database
        where mode = 'ShareLock' and relation = 'trades'::regclass and datname = current_database()`
      ).count
    await expect.poll(isLocked).toBe(1)
    // Longer than the second after which PostgreSQL looks for deadlocks.
    await tx`set local lock_timeout = '3s'`
    await tx`update all_trades set description = 'late' where trade_no = ${tradeNo}`
  })
  await expect(writing).rejects.toMatchObject({ code: '55P03' })
  expect(await archiving.promise).toHaveLength(4)
})

test('totals do not contain archived trades and their refunds, and contain restored ones again', async () => {
  const { context, app } = fixture
  const totals = async () => (await tradeTotals(context, admin, { projectId: app.app.projectId })).rows
  await createClosed()
  await createPaid()
  const tradeNo = await fixture.create()
  await fixture.pay(tradeNo, 'succeeded')
  await deliverDueCallbacks(context)
  await refundTrade(context, admin, { tradeNo, note: 'Cold', amount: 300 })
  await fixture.returnOwedMoney()
  const before = await totals()
  expect(before).toMatchObject([
    { count: 2, amount: 2200, refundedAmount: 300 },
    { count: 1, amount: 1250, refundedAmount: 0 },
  ])
  // Before and after the changes are added to the sums.
  await addUpTrades(context)
  await archiveMonth(options(), 'trades')
  expect(await totals()).toEqual([])
  await addUpTrades(context)
  expect(await totals()).toEqual([])
  await restoreMonth(options(), 'trades')
  expect(await totals()).toEqual(before)
  await addUpTrades(context)
  expect(await totals()).toEqual(before)
})

test('restored trades are those that were archived, with rows that were added since', async () => {
  const tradeNo = await createClosed()
  const before = [await rowsOf('all_trades'), await rowsOf('trade_events')]
  await archiveMonth(options(), 'trades')
  // In this test it has the time of the archive.
  const later = await createClosed()
  await restoreMonth(options(), 'trades')
  expect((await fixture.detail(tradeNo)).tradeNo).toBe(tradeNo)
  expect((await fixture.detail(later)).tradeNo).toBe(later)
  const after = [await rowsOf('all_trades'), await rowsOf('trade_events')]
  expect(after[0]).toEqual(expect.arrayContaining(before[0]!))
  expect(after[1]).toEqual(expect.arrayContaining(before[1]!))
  expect(await rowsOf('trades_default')).toEqual([])
  // The recurring job leaves it alone, the operator may archive it again.
  await archiveOldMonths(options(), 24, fixture.context.log)
  expect(await rowsOf('trades')).toHaveLength(2)
  await archiveMonth(options(), 'trades')
  expect(await rowsOf('all_trades')).toEqual([])
})

test.for([
  ['a trade is processing', (f: TradeFixture) => f.create()],
  ['a callback waits', async (f: TradeFixture) => f.pay(await f.create(), 'succeeded')],
] as const)('nothing is archived while %s', async ([, prepare]) => {
  await createClosed()
  await prepare(fixture)
  const files = await readdir(folder)
  await expect(archiveMonth(options(), 'trades')).rejects.toMatchObject({ code: 'archive_unfinished' })
  expect(await rowsOf('all_trades')).toHaveLength(2)
  expect(await readdir(folder)).toEqual(files)
})

test('an archive that fails leaves no files behind, so that its repetitions do not fill the disk', async () => {
  await createClosed()
  const empty = await mkdtemp(join(folder, 'failed-'))
  await database.sql.begin(async (tx) => {
    await lockPartitions((statement) => tx.unsafe(statement))
    await expect(archiveMonth({ ...options(), folder: empty }, 'trades')).rejects.toMatchObject({
      code: 'partition_in_use',
    })
  })
  expect(await readdir(empty)).toEqual([])
  expect(await rowsOf('all_trades')).toHaveLength(1)
})

test('a restore of a month whose tables are in use or exist says so', async () => {
  await createClosed()
  await archiveMonth(options(), 'trades')
  const failure = { code: 'partition_in_use', message: expect.stringContaining('trades') }
  await database.sql.begin(async (tx) => {
    await lockPartitions((statement) => tx.unsafe(statement))
    await expect(restoreMonth(options(), 'trades')).rejects.toMatchObject(failure)
  })
  await database.sql`create table trades ()`
  await expect(restoreMonth(options(), 'trades')).rejects.toMatchObject(failure)
})

test('the next archive removes what one that was killed has left, but not what another one is writing', async () => {
  await createClosed()
  const own = await mkdtemp(join(folder, 'killed-'))
  const [left, current] = ['trades-20200101T000000Z', 'trades-20200102T000000Z'].map((name) =>
    join(own, `${name}.ndjson.gz.part`),
  ) as [string, string]
  for (const path of [left, current]) await writeFile(path, 'x')
  await utimes(left, 0, 0)
  const archives = await archiveMonth({ ...options(), folder: own }, 'trades')
  const files = [...archives.map(({ file }) => file), 'trades-20200102T000000Z.ndjson.gz.part']
  expect((await readdir(own)).toSorted()).toEqual(files.toSorted())
})

test.skipIf(process.getuid?.() !== 0)('what root archives belongs to the owner of the data directory', async () => {
  const dataDir = await mkdtemp(join(folder, 'data-'))
  await chown(dataDir, 65534, 65533)
  await createClosed()
  const own = join(dataDir, 'archives')
  await archiveMonth({ ...options(), folder: own }, 'trades')
  const paths = [own, ...(await readdir(own)).map((name) => join(own, name))]
  expect(paths.length).toBeGreaterThan(1)
  for (const path of paths) expect(await stat(path)).toMatchObject({ uid: 65534, gid: 65533 })
})

test('a folder that cannot be created is an error that says what to do', async () => {
  await createClosed()
  const file = join(folder, 'file')
  await writeFile(file, '')
  await expect(archiveMonth({ ...options(), folder: join(file, 'archives') }, 'trades')).rejects.toMatchObject({
    code: 'archive_unwritable',
    message: expect.stringContaining('SOUK_ARCHIVE_DIR'),
  })
})

test('an interrupted archive changes nothing and leaves no files', async () => {
  await createClosed()
  const empty = await mkdtemp(join(folder, 'interrupted-'))
  const progress = (partition: string) => {
    if (partition === 'trade_events_first') throw new Error('Interrupted.')
  }
  await expect(archiveMonth({ ...options(), folder: empty, progress }, 'trades')).rejects.toThrow('Interrupted.')
  expect(await readdir(empty)).toEqual([])
  expect(await rowsOf('all_trades')).toHaveLength(1)
})

test('an archive of an earlier version is restored with the defaults of columns that were added since', async () => {
  const tradeNo = await createClosed()
  await archiveMonth(options(), 'trades')
  await database.sql`alter table all_trades add column added integer not null default 7`
  await restoreMonth(options(), 'trades')
  const rows = await database.sql`select trade_no, added from all_trades`
  expect(rows).toEqual([{ tradeNo, added: 7 }])
})

test('the recurring job archives only partitions that are older than the retention', async () => {
  await createClosed()
  await archiveOldMonths(options(), 0, fixture.context.log)
  await archiveOldMonths(options(), 48, fixture.context.log)
  expect(await rowsOf('all_trades')).toHaveLength(1)
  await archiveOldMonths(options(), 24, fixture.context.log)
  expect(await rowsOf('all_trades')).toEqual([])
})

test('a partition that has not ended, or does not exist, is refused', async () => {
  fixture.context.clock.time = Date.now()
  await expect(archiveMonth(options(), 'trades')).rejects.toMatchObject({ code: 'archive_unfinished' })
  await expect(archiveMonth(options(), 'trades; drop table users')).rejects.toMatchObject({
    code: 'partition_not_found',
  })
  await expect(restoreMonth(options(), 'trades')).rejects.toMatchObject({ code: 'partition_not_found' })
})

test('a changed or missing file is found, and nothing is restored from it', async () => {
  await createClosed()
  const [archive] = await archiveMonth(options(), 'trades')
  const path = join(folder, archive!.file)
  const content = await readFile(path)
  for (const damaged of [content.subarray(0, -20), Buffer.concat([content, Buffer.from('x')])]) {
    await writeFile(path, damaged)
    await expect(verifyArchives(options())).rejects.toMatchObject({ code: 'archive_damaged' })
    await expect(restoreMonth(options(), 'trades')).rejects.toMatchObject({ code: 'archive_damaged' })
  }
  await rm(path)
  await expect(verifyArchives(options())).rejects.toMatchObject({ code: 'archive_damaged' })
  expect(await rowsOf('all_trades')).toEqual([])
})

test('a check of the archives names all files that are damaged', async () => {
  await createClosed()
  const archives = await archiveMonth(options(), 'trades')
  const damaged = [archives[0]!, archives[2]!].map(({ file }) => join(folder, file))
  for (const path of damaged) await writeFile(path, 'damaged')
  const error = await verifyArchives(options()).catch((reason: Error) => reason)
  expect(error).toMatchObject({ code: 'archive_damaged' })
  for (const path of damaged) expect((error as Error).message).toContain(path)
})

const souk = (...args: string[]) =>
  runCommand(['partitions', ...args], {
    folder,
    env: { DATABASE_URL: database.url, SOUK_DATA_DIR: folder, SOUK_ARCHIVE_DIR: folder },
  })

test('souk partitions lists sizes, archives, verifies and restores', async () => {
  await database.sql`insert into installation (environment, key_id) values ('live', 'k')`
  const tradeNo = await createClosed()
  const listed = await souk('list', '--json')
  expect(JSON.parse(listed.out).partitions).toContainEqual(
    expect.objectContaining({ table: 'all_trades', partition: 'trades', from: null, size: expect.any(Number) }),
  )
  const early = await souk('archive', 'trades')
  expect([early.status, early.err]).toEqual([1, expect.stringContaining('(archive_unfinished)')])
  await archiveMonth(options(), 'trades')
  expect((await souk('verify')).out).toContain('Verified 1 rows')
  expect((await souk('list')).out).toMatch(/^trades-\w+\.ndjson\.gz: 1 rows/m)
  expect((await souk('restore', 'trades')).err).toBe('')
  expect((await fixture.detail(tradeNo)).tradeNo).toBe(tradeNo)
  for (const wrong of [['archive'], ['list', 'trades'], ['drop', 'trades']]) {
    expect((await souk(...wrong)).status).toBe(2)
  }
})
