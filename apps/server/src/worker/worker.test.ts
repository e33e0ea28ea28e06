import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { day, hour, second } from '@souk/contract'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../test/database.ts'
import { startEmbedded } from '../kernel/db/embedded.ts'
import { migrate } from '../kernel/db/migrate.ts'
import { connect, type Sql } from '../kernel/db/pool.ts'
import { createMetrics } from '../kernel/metrics.ts'
import { enqueue } from '../kernel/outbox.ts'
import { startWorker, type Worker, type WorkerOptions } from './index.ts'
import { claimPeriods, startRecurring } from './recurring.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const concurrency = 10
const workers: Worker[] = []
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))
  await database.sql`truncate graphile_worker._private_jobs, worker_heartbeats, worker_periods`
})

/** The log of the workers. */
let lines: string[] = []
const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })

async function start(options: Partial<WorkerOptions> = {}): Promise<Worker> {
  const { url } = database
  const worker = await startWorker({
    url,
    handlers: {},
    recurring: [],
    concurrency,
    log,
    metrics: createMetrics(),
    ...options,
  })
  workers.push(worker)
  return worker
}

async function add(name: string, payload: Record<string, unknown> = {}, sql: Sql = database.sql): Promise<void> {
  await sql.begin((tx) => enqueue(tx, { name, payload }))
}

const jobs = (sql: Sql = database.sql) =>
  sql<{ id: number; lockedBy: string | null; lastError: string | null }[]>`select * from graphile_worker.jobs`

/** Creates a promise that a handler resolves. */
function signal<T = void>() {
  return Promise.withResolvers<T>()
}

describe('a job', () => {
  test('starts immediately with its payload and leaves the queue when done', async () => {
    const called = signal<Record<string, unknown>>()
    await start({ handlers: { greet: async (payload) => called.resolve(payload) } })
    await add('greet', { notifyId: '1' })
    expect(await called.promise).toEqual({ notifyId: '1' })
    await expect.poll(() => jobs()).toEqual([])
  })

  test('that fails stays in the queue and is counted and logged without its payload', async () => {
    lines = []
    const metrics = createMetrics()
    await start({ metrics, handlers: { fail: async () => Promise.reject(new Error('failed')) } })
    await add('fail', { code: 'not-for-the-log' })
    await expect
      .poll(async () => (await jobs()).map((job) => [job.lastError, job.lockedBy]))
      .toEqual([['failed', null]])
    expect(await metrics.jobs.get()).toMatchObject({
      values: [{ labels: { name: 'fail', succeeded: 'false' }, value: 1 }],
    })
    const failures = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'job failed')
    expect(failures).toMatchObject([{ job: 'fail', attempt: 1, message: 'failed' }])
    expect(lines.join('')).not.toContain('not-for-the-log')
  })

  test('without a handler waits for a server that has one', async () => {
    const done = signal()
    await start({ handlers: { known: async () => done.resolve() } })
    await add('unknown')
    await add('known')
    await done.promise
    await expect.poll(async () => (await jobs()).length).toBe(1)
  })
})

describe('stop', () => {
  test('waits for running jobs', async () => {
    const started = signal()
    const end = signal()
    let done = false
    const worker = await start({
      handlers: {
        async slow() {
          started.resolve()
          await end.promise
          done = true
        },
      },
    })
    await add('slow')
    await started.promise
    const stopped = worker.stop()
    end.resolve()
    await stopped
    expect(done).toBe(true)
    expect(await jobs()).toEqual([])
    expect(await database.sql`select * from worker_heartbeats`).toEqual([])
  })

  test('under load completes started jobs and returns the others to the queue', async () => {
    let started = 0
    let ended = 0
    const end = signal()
    const worker = await start({
      handlers: {
        async some() {
          started++
          if (started > 20) await end.promise
          ended++
        },
      },
    })
    await database.sql`select graphile_worker.add_job('some') from generate_series(1, 200)`
    await expect.poll(() => started).toBe(20 + concurrency)
    const stopped = worker.stop()
    end.resolve()
    await stopped
    expect(started).toBeLessThan(200)
    expect(ended).toBe(started)
    const left = await jobs()
    expect(left).toHaveLength(200 - started)
    expect(left.filter((job) => job.lockedBy !== null)).toEqual([])
  })

  test('unlocks a job that does not end within the time limit', async () => {
    const started = signal()
    const worker = await start({
      handlers: {
        async endless() {
          started.resolve()
          await new Promise(() => {})
        },
      },
      times: { drain: 100 },
    })
    await add('endless')
    await started.promise
    await worker.stop()
    expect(await jobs()).toMatchObject([{ lockedBy: null }])
  })
})

test('jobs of one queue run one after the other, without waiting for the next poll', async () => {
  let running = 0
  const done: number[] = []
  const serial = async ({ number }: Record<string, unknown>) => {
    running++
    expect(running).toBe(1)
    await new Promise(setImmediate)
    running--
    done.push(Number(number))
  }
  await start({ handlers: { serial } })
  await database.sql.begin(async (tx) => {
    for (const number of [1, 2, 3, 4, 5]) await enqueue(tx, { name: 'serial', payload: { number }, queue: 'one' })
  })
  // Polls are 10 s apart.
  await expect.poll(() => done, { timeout: 30 * second }).toEqual([1, 2, 3, 4, 5])
})

describe('a killed server', () => {
  test('has its jobs run by another server', async () => {
    const child = spawn(
      process.execPath,
      ['--conditions=souk-source', fileURLToPath(new URL('hanging.child.ts', import.meta.url)), database.url],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const gone = once(child, 'exit')
    try {
      await add('hang', { trade: '7' })
      await once(child.stdout, 'data')
    } finally {
      child.kill('SIGKILL')
      await gone
    }
    expect(await jobs()).toMatchObject([{ lockedBy: expect.stringContaining('pool-') }])

    const resumed = signal<Record<string, unknown>>()
    await start({
      handlers: { hang: async (payload) => resumed.resolve(payload) },
      times: { heartbeat: 50, deadAfter: 500 },
    })
    expect(await resumed.promise).toEqual({ trade: '7' })
  })

  test('is distinguished from a running one, whose jobs are not started twice', async () => {
    let started = 0
    const end = signal()
    const handlers = {
      async long() {
        started++
        await end.promise
      },
    }
    await start({ handlers, times: { heartbeat: hour } })
    await add('long')
    await expect.poll(() => started).toBe(1)
    // A heartbeat that does not become too old on a slow machine.
    await database.sql`update worker_heartbeats set beat_at = now() + interval '1 hour'`
    await start({ handlers, times: { heartbeat: 50, deadAfter: 2 * second } })
    // Wait until the second server unlocks the jobs of dead workers, such as this one.
    await database.sql`
      select graphile_worker.add_job('long', max_attempts => 1)`
    await database.sql`
      update graphile_worker._private_jobs set locked_at = now() - interval '1 hour', locked_by = 'pool-of-the-dead'
      where max_attempts = 1 and locked_at is null`
    await expect.poll(async () => (await jobs()).map((job) => job.lockedBy)).not.toContain('pool-of-the-dead')
    end.resolve()
    await expect.poll(() => jobs()).toEqual([])
    expect(started).toBe(2)
  })

  test('has its jobs run although the clock of the other server is set back', async () => {
    const wallClock = Date.now
    const ahead = vi.spyOn(Date, 'now').mockImplementation(() => wallClock() + hour)
    onTestFinished(() => ahead.mockRestore())
    const resumed = signal()
    await start({ handlers: { long: async () => resumed.resolve() }, times: { heartbeat: 50, deadAfter: 500 } })
    const hasHeartbeat = async () => (await database.sql`select from worker_heartbeats`).length
    await expect.poll(hasHeartbeat).toBe(1)
    ahead.mockRestore()
    await database.sql.begin(async (tx) => {
      await enqueue(tx, { name: 'long', payload: {} })
      await tx`
        update graphile_worker._private_jobs
        set locked_at = now() - interval '1 hour', locked_by = 'pool-of-the-dead'`
    })
    await resumed.promise
  })
})

test('recovers from a restart of the database under load without losing a job', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'souk-worker-'))
  const postgres = await startEmbedded({ directory, log: pino({ level: 'silent' }) })
  const sql = connect(postgres.url, { max: 1 })
  let worker: Worker | undefined
  try {
    await migrate(postgres.url)
    const done = new Set<number>()
    let killed = false
    worker = await startWorker({
      url: postgres.url,
      handlers: {
        async count({ number }) {
          done.add(number as number)
          if (done.size < 500 || killed) return
          killed = true
          const [pid] = readFileSync(join(directory, 'cluster', 'postmaster.pid'), 'utf8').split('\n')
          process.kill(Number(pid), 'SIGKILL')
        },
      },
      recurring: [{ name: 'pulse', every: 50, run: async () => void (await sql`select 1`) }],
      concurrency: 20,
      log: pino({ level: 'silent' }),
      metrics: createMetrics(),
      times: { heartbeat: 100, deadAfter: second },
    })
    await sql`select graphile_worker.add_job('count', json_build_object('number', n)) from generate_series(1, 2000) n`
    await expect.poll(() => done.size).toBe(2_000)
    expect(killed).toBe(true)
    // Jobs whose completion could not be written run again.
    await expect.poll(async () => (await jobs(sql).catch(() => [0])).length).toBe(0)
    await add('count', { number: 0 }, sql)
    await expect.poll(() => done.has(0)).toBe(true)
  } finally {
    await worker?.stop()
    await sql.end({ timeout: 1 })
    await postgres.stop()
    await rm(directory, { recursive: true })
  }
})

test('waits for connections of a full database with one line in the log, without restarting repeatedly', async () => {
  const { sql, url } = database
  const name = `crowded_${process.pid}`
  await sql.unsafe(`create role ${name} login password 'x'`)
  await sql.unsafe(`grant ${new URL(url).username} to ${name}`)
  const crowded = new URL(url)
  crowded.username = name
  crowded.password = 'x'
  const done = signal()
  lines = []
  const messages = () => lines.map((line) => JSON.parse(line).msg as string)
  const isHolding = signal()
  const mayEnd = signal()
  const handlers = {
    greet: async () => done.resolve(),
    async hold() {
      isHolding.resolve()
      await mayEnd.promise
    },
  }
  const worker = await start({ url: crowded.href, handlers })
  await add('hold')
  await isHolding.promise
  const limit = (connections: number) => sql.unsafe(`alter role ${name} connection limit ${connections}`)
  const terminate = async () => {
    // A connection that was being opened before the limit appears later.
    await expect
      .poll(() => sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${name}`)
      .toEqual([])
  }
  await limit(0)
  await terminate()
  // Its completion cannot be written.
  mayEnd.resolve()
  await expect.poll(messages).toContain('the worker pool ended; starting a new one')
  // Enough to listen, but not to fetch jobs.
  await limit(1)
  await expect.poll(() => messages().some((message) => message.includes('no free connection'))).toBe(true)
  // Several attempts later, nothing more is logged.
  await new Promise((resolve) => setTimeout(resolve, 2 * second))
  const counts = (text: string) => messages().filter((message) => message.includes(text)).length
  expect(counts('no free connection')).toBe(1)
  expect(counts('starting a new one')).toBe(1)
  expect(counts('could not be started')).toBe(0)

  await limit(-1)
  await add('greet')
  await done.promise
  workers.splice(workers.indexOf(worker), 1)
  await worker.stop()
  await terminate()
  await sql.unsafe(`drop role ${name}`)
})

describe('a recurring job', () => {
  test('is claimed once per period by concurrent servers', async () => {
    const claim = (...names: string[]) =>
      claimPeriods(
        database.sql,
        names.map((name) => ({ name, every: day })),
      )
    const claims = (await Promise.all(Array.from({ length: 50 }, () => claim('daily')))).flat()
    // Twice only if midnight passes between the claims.
    expect(claims.filter(({ claimed }) => claimed).length).toBeLessThanOrEqual(2)
    expect(claims.some(({ claimed }) => claimed)).toBe(true)
    for (const { remaining } of claims) expect(remaining).toBeLessThanOrEqual(day)
    expect(await claim('daily', 'another')).toMatchObject([{ name: 'daily' }, { name: 'another', claimed: true }])
  })

  test('is claimed again when the clock of the database was ahead and is set back', async () => {
    const claim = () => claimPeriods(database.sql, [{ name: 'daily', every: day }])
    await claim()
    await database.sql`update worker_periods set began_at = began_at + interval '30 days'`
    expect(await claim()).toMatchObject([{ claimed: true }])
    expect(await claim()).toMatchObject([{ claimed: false }])
  })

  test.each([hour, -hour])('is not claimed by a process whose clock is %i ms ahead', async (ahead) => {
    const name = `daily ${ahead}`
    const claim = () => claimPeriods(database.sql, [{ name, every: day }])
    const wallClock = Date.now
    const wrong = vi.spyOn(Date, 'now').mockImplementation(() => wallClock() + ahead)
    onTestFinished(() => wrong.mockRestore())
    expect(await claim()).toMatchObject([{ name, claimed: false }])
    wrong.mockRestore()
    expect(await claim()).toMatchObject([{ name, claimed: true }])
  })

  test('logs that claims fail once per outage, however many jobs and claims there are', async () => {
    lines = []
    let claims = 0
    const sql = new Proxy(database.sql, {
      apply(target, self, args) {
        claims++
        return Reflect.apply(target, self, args)
      },
    })
    let runs = 0
    const run = async () => void runs++
    const rename = (from: string, to: string) => database.sql.unsafe(`alter table ${from} rename to ${to}`)
    await rename('worker_periods', 'away')
    const periods = startRecurring({ sql, recurring: ['one', 'two'].map((name) => ({ name, every: 50, run })), log })
    try {
      for (const outage of [1, 2]) {
        const before = { claims, runs }
        await expect.poll(() => claims).toBeGreaterThan(before.claims + 3)
        expect(lines.filter((line) => line.includes('cannot claim recurring jobs'))).toHaveLength(outage)
        await rename('away', 'worker_periods')
        await expect.poll(() => runs).toBeGreaterThan(before.runs)
        if (outage === 1) await rename('worker_periods', 'away')
      }
    } finally {
      await periods.stop()
    }
  })

  test('runs once per period on two servers, and continues when one stops', async () => {
    const every = 100
    let runs = 0
    const sweep = async () => {
      runs++
      if (runs === 5) throw new Error('must not stop the job')
    }
    const options = { recurring: [{ name: 'sweep', every, run: sweep }] }
    const begin = performance.now()
    const first = await start(options)
    await start(options)
    await expect.poll(() => runs).toBeGreaterThanOrEqual(10)
    expect(runs).toBeLessThanOrEqual((performance.now() - begin) / every + 2)
    await first.stop()
    await expect.poll(() => runs).toBeGreaterThanOrEqual(20)
    expect(runs).toBeLessThanOrEqual((performance.now() - begin) / every + 2)
  })
})
