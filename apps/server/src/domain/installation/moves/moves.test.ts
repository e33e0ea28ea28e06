import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { emptyDatabase, type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { createTradeFixture } from '../../../../test/tradeFixture.ts'
import { databaseBeforeBaseline, setApplied } from '../../../../test/upgrade/replaced.ts'
import replaced from '../../../../test/upgrade/replacedMigrations.json' with { type: 'json' }
import { OffsetClock } from '../../../kernel/clock.ts'
import type { Sql } from '../../../kernel/db/pool.ts'
import { createLog } from '../../../kernel/log.ts'
import { findMoveProblem, undoMove } from './destination.ts'
import { type MoveOptions, moveInstallation } from './moveInstallation.ts'
import { pauseDuringMoves } from './pauseDuringMoves.ts'
import { copyToNewVersion } from './upgradeDatabase.ts'
import { acceptWrites } from './writes.ts'

const log = createLog('silent')
const progress = () => {}
const to = 'db.example:5432/souk'

let source: FreshDatabase
let target: FreshDatabase

beforeAll(async () => {
  source = await freshDatabase()
  await source.sql`insert into installation (environment, key_id) values ('live', 'k')`
  const shop = await createTradeFixture(source.sql)
  await shop.pay(await shop.create(), 'succeeded')
})
afterAll(() => source.drop())
beforeEach(async () => {
  // Migrated already, which counts as empty and saves most of the time.
  target = await freshDatabase()
})
afterEach(async () => {
  // The tests use one source, and most move it away.
  if (await findMoveProblem(source.sql)) await undoMove({ sql: source.sql, clock: new OffsetClock() })
  await target.drop()
})

const move = (options: Partial<MoveOptions> = {}) =>
  moveInstallation({
    from: { url: source.url, name: 'embedded /souk' },
    to: { url: target.url, name: to },
    progress,
    ...options,
  })

const isRefused = (sql: Sql) =>
  sql`update projects set name = name`.then(
    () => false,
    ({ code }) => code === 'SOUKM',
  )
const triggersOf = (sql: Sql) => sql`select from pg_trigger where tgname = 'refuse_writes'`
const countOf = async ({ sql }: FreshDatabase, table: string) =>
  (await sql.unsafe<{ n: number }[]>(`select count(*)::int as n from ${table}`))[0]!.n

test('a move copies every row, and the old database refuses writes for good', async () => {
  const trades = await countOf(source, 'trades')
  const { figures } = await move()
  expect(figures.rows.all_trades).toBe(trades)
  expect(figures.ledger.length).toBeGreaterThan(0)
  expect(figures.audit).toMatchObject({ broken: 0, head: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(await countOf(target, 'trades')).toBe(trades)
  expect(await target.sql`select actor, detail from audit_log where action = 'installation.move'`).toEqual([
    { actor: 'admin', detail: { from: 'embedded /souk', to } },
  ])
  expect(await findMoveProblem(target.sql)).toBeUndefined()
  expect(await isRefused(target.sql)).toBe(false)

  expect(await isRefused(source.sql)).toBe(true)
  expect(await findMoveProblem(source.sql)).toContain(`has moved to ${to}`)
  await expect(move()).rejects.toMatchObject({ code: 'installation_moved', message: expect.stringContaining(to) })
})

test('undoing a move makes the old database accept writes, and can be done once', async () => {
  await move()
  const context = { sql: source.sql, clock: new OffsetClock() }
  expect(await undoMove(context)).toBe(to)
  expect(await isRefused(source.sql)).toBe(false)
  expect(await triggersOf(source.sql)).toEqual([])
  const [entry] = await source.sql`
    select detail, a.xmin = i.xmin as is_atomic from audit_log a, installation i
    where action = 'installation.undoMove' order by audit_id desc limit 1`
  expect(entry).toEqual({ detail: { from: to }, isAtomic: true })
  await expect(undoMove(context)).rejects.toMatchObject({ code: 'installation_not_moved' })
})

test('while rows are copied, writes of every table fail at once, and reads and what they record succeed', async () => {
  const { sql } = source
  let checked = 0
  await move({
    onReadOnly: () => {
      checked += 1
    },
    beforeSwitch: async () => {
      const open = await sql<{ name: string }[]>`
        select relname::text as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
          and not exists (select from pg_trigger where tgrelid = pg_class.oid and tgname = 'refuse_writes') order by 1`
      const allowed = [
        'bound_signs',
        'inspection_messages',
        'key_ring_processes',
        'limit_counts',
        'migrations',
        'request_log',
        'versions',
        'write_probes',
      ]
      expect([...allowed, 'worker_heartbeats']).toEqual(expect.arrayContaining(open.map(({ name }) => name)))
      expect(await isRefused(sql)).toBe(true)
      await expect(sql`select graphile_worker.add_job('expireTrades')`).rejects.toMatchObject({ code: 'SOUKM' })
      await expect(sql`update account_sessions set account_id = account_id`).rejects.toMatchObject({ code: 'SOUKM' })
      await sql`update account_sessions set valid_until = valid_until, last_used = 0, address = null`
      await sql`update api_keys set last_used_at = 0, last_used_from = null`
      await sql`update service_accounts set last_used_at = 0, last_used_from = null`
      expect(await countOf(source, 'trades')).toBeGreaterThan(0)
      checked += 1
    },
  })
  expect(checked).toBe(2)
})

test('a transaction that is open when the move starts is waited for, and its row is moved', async () => {
  const { sql } = source
  const before = await countOf(source, 'projects')
  const moved = await sql.begin(async (tx) => {
    await tx`insert into projects (project_id, name, ctime) values (gen_random_uuid(), 'Late', 0)`
    const moving = move()
    const waiting = () => sql`
      select from pg_locks join pg_database on pg_database.oid = database and datname = current_database()
      where not granted and mode = 'ShareRowExclusiveLock'`
    await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0)
    return { moving }
  })
  await moved.moving
  expect(await countOf(target, 'projects')).toBe(before + 1)
})

describe('a move that fails leaves everything as it was, and can be repeated', () => {
  const isUnchanged = async () => {
    expect(await findMoveProblem(source.sql)).toBeUndefined()
    expect(await isRefused(source.sql)).toBe(false)
    await expect.poll(() => triggersOf(source.sql)).toEqual([])
  }

  test('when it is interrupted during the copy, or its connection is lost', async () => {
    const interrupt = (name: string) => {
      if (name === 'all_trades') throw new Error('Interrupted')
    }
    await expect(move({ progress: interrupt })).rejects.toMatchObject({
      code: 'move_failed',
      message: expect.stringContaining('Interrupted. Nothing has changed'),
    })
    await isUnchanged()
    expect(await target.sql`select from installation`).toEqual([])

    const losing = Promise.withResolvers<unknown>()
    const lose = () => {
      const terminated = source.sql`
        select pg_terminate_backend(pid, 60000) from pg_stat_activity
        where application_name = 'souk move' and datname = current_database()`
      losing.resolve(terminated)
    }
    const beforeSwitch = async () => void (await losing.promise)
    await expect(move({ onReadOnly: lose, beforeSwitch })).rejects.toMatchObject({ code: 'move_failed' })
    await losing.promise
    await isUnchanged()
    await move()
  })

  test('when it ends between the commit of the target and the switch: no server starts on the target', async () => {
    const fail = async () => {
      throw new Error('Killed')
    }
    await expect(move({ beforeSwitch: fail })).rejects.toMatchObject({ code: 'move_failed' })
    await isUnchanged()
    expect(await findMoveProblem(target.sql)).toContain('was interrupted')
    // Trading continues, so the second move copies again.
    await source.sql`insert into projects (project_id, name, ctime) values (gen_random_uuid(), 'Later', 0)`
    await move()
    expect(await countOf(target, 'projects')).toBe(await countOf(source, 'projects'))
    expect(await findMoveProblem(target.sql)).toBeUndefined()
  })

  test('when its process is killed: what it left refuses nothing, and the next server removes it', async () => {
    await source.sql`create trigger refuse_writes before update on projects
      for each statement execute function refuse_writes()`
    expect(await isRefused(source.sql)).toBe(false)
    await acceptWrites(source.sql)
    await isUnchanged()
  })
})

test('a move that ended after the old database had given up is completed by the next one', async () => {
  const failOnce = async () => {
    await target.sql`create trigger fails before insert on audit_log for each row execute function refuse_change()`
  }
  await expect(move({ beforeSwitch: failOnce })).rejects.toMatchObject({ code: 'move_failed' })
  expect(await isRefused(source.sql)).toBe(true)
  expect(await findMoveProblem(target.sql)).toContain('was interrupted')
  await target.sql`drop trigger fails on audit_log`
  expect(await move()).toMatchObject({ readOnly: 0, figures: { audit: { broken: 0 } } })
  expect(await findMoveProblem(target.sql)).toBeUndefined()
})

test('a target that is in use, another program’s, without UTF-8 or not reachable is refused before writes are', async () => {
  const onReadOnly = vi.fn()
  const foreign = await emptyDatabase()
  await foreign.sql`create table orders (id int)`
  await expect(move({ to: { url: foreign.url, name: to }, onReadOnly })).rejects.toMatchObject({
    code: 'move_target_unusable',
    message: expect.stringContaining('tables of another program, such as orders'),
  })
  await foreign.drop()
  const own = { url: source.url, name: 'db.example/own' }
  await expect(move({ to: own, onReadOnly })).rejects.toMatchObject({
    code: 'move_target_unusable',
    message: expect.stringContaining('belongs to a live installation'),
  })
  const away = { url: 'postgres://souk@127.0.0.1:1/souk', name: '127.0.0.1:1/souk' }
  await expect(move({ to: away, onReadOnly })).rejects.toMatchObject({
    code: 'move_failed',
    message: expect.stringContaining('127.0.0.1:1/souk cannot be used'),
  })
  expect(onReadOnly).not.toHaveBeenCalled()
  expect(await isRefused(source.sql)).toBe(false)
})

test('no job runs during a move: the worker stops before rows are copied, and starts again if the move fails', async () => {
  let running = 0
  const start = async () => {
    running += 1
    return {
      stop: async () => {
        running -= 1
      },
    }
  }
  const worker = await pauseDuringMoves({ sql: source.sql, log }, start)
  expect(running).toBe(1)
  const fail = async () => {
    await expect.poll(() => running).toBe(0)
    throw new Error('Killed')
  }
  await expect(move({ beforeSwitch: fail })).rejects.toMatchObject({ message: expect.stringContaining('Killed') })
  await expect.poll(() => running).toBe(1)
  await move()
  await expect.poll(() => running).toBe(0)
  await worker.stop()
  expect(running).toBe(0)
})

// Last, since it leaves the source with the migrations of 0.1.0.
test('an installation with migrations that the baseline replaces is not moved, and copied if it has all', async () => {
  const names = Object.keys(replaced)
  await setApplied(source.sql, names.slice(0, 25))
  const reason = 'Start Souk 0.1.0+1a936dc with it first. '
  await expect(move()).rejects.toMatchObject({
    code: 'move_failed',
    message: expect.stringContaining(`${reason}Nothing has changed, and writes are accepted again.`),
  })
  const copying = { from: source.url, to: target.url, versions: { from: 17, to: 18 }, progress }
  await expect(copyToNewVersion(copying)).rejects.toMatchObject({
    code: 'database_upgrade_failed',
    message: expect.stringContaining(`${reason}The old database is as it was.`),
  })
  await setApplied(source.sql, names)
  await expect(move()).rejects.toMatchObject({
    message: expect.stringContaining('Start the server of this version once.'),
  })

  const [old, copy] = [await databaseBeforeBaseline(), await emptyDatabase()]
  await old.sql`insert into projects (project_id, name, ctime) values (gen_random_uuid(), 'Tea', 0)`
  await copyToNewVersion({ ...copying, from: old.url, to: copy.url })
  expect(await countOf(copy, 'projects')).toBe(1)
  await Promise.all([old.drop(), copy.drop()])
})
