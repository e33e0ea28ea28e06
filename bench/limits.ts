import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { upsertBoundSigns } from '../apps/server/src/domain/miniApps/index.ts'
import { OffsetClock } from '../apps/server/src/kernel/clock.ts'
import { startEmbedded } from '../apps/server/src/kernel/db/embedded.ts'
import { migrate } from '../apps/server/src/kernel/db/migrate.ts'
import { connect } from '../apps/server/src/kernel/db/pool.ts'
import { createLog } from '../apps/server/src/kernel/log.ts'
import { SharedCounts } from '../apps/server/src/surfaces/sharedCounts.ts'

const peer = join(import.meta.dirname, 'peers/limits')
const callers = 64
const keys = Array.from({ length: 50 }, (_, index) => `app ${index}`)
/** The slack of the default limit: a twentieth of 500 requests a second in two seconds. */
const slack = 50
const redisPort = 16_379
/** Signs of a process with 500 and with 5,000 requests a second between two batches. */
const signBatches = [13, 125]

type Consume = (key: string) => Promise<unknown>

/** Requests per second and the median and 99th percentile of the time that one waits, ms. */
interface Rate {
  perSecond: number
  median: number
  p99: number
}

/** Compares Souk's shared limits with those of rate-limiter-flexible, which ask a store for each request (ADR 311). */
export async function benchLimits({ quick, log }: { quick: boolean; log: (text: string) => void }) {
  const seconds = quick ? 0.5 : 2
  const rounds = quick ? 1 : 5
  if (!existsSync(join(peer, 'node_modules'))) {
    log('Installing rate-limiter-flexible into bench/peers/limits …')
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    await promisify(execFile)('npm', args, { cwd: peer })
  }
  const directory = await mkdtemp(join(tmpdir(), 'souk-bench-'))
  // The options of Debian's package, without its files.
  const redis = spawn('redis-server', ['--port', String(redisPort), '--save', '', '--dir', directory], {
    stdio: 'ignore',
  })
  const database = await startEmbedded({ directory: join(directory, 'postgres'), log: createLog('warn') })
  await migrate(database.url)
  const sql = connect(database.url)
  const context = { sql, clock: new OffsetClock(), log: createLog('warn') }
  const counts = new SharedCounts(context)
  const { createLimiters } = await import(join(peer, 'limiters.mjs'))
  const peers = await createLimiters(database.url, redisPort)
  const consumers: Record<string, Consume> = {
    ...peers.consumers,
    'Souk, within the slack': (key) => counts.count(key, { limit: 1_000_000_000, slack }),
    'Souk, exact': (key) => counts.count(`exact ${key}`, { limit: 1_000_000_000, slack: 0 }),
  }
  try {
    const rates: Record<string, Rate[]> = {}
    for (let round = 0; round < rounds; round++) {
      for (const [name, consume] of Object.entries(consumers)) {
        rates[name] ??= []
        rates[name].push(await measure(consume, seconds))
      }
    }
    const result = {
      limits: Object.fromEntries(Object.entries(rates).map(([name, each]) => [name, medianRate(each)])),
      signs: await measureSigns(sql, quick ? 40 : 400),
    }
    return result
  } finally {
    counts.stop()
    await peers.stop()
    await sql.end()
    await database.stop()
    redis.kill()
    await rm(directory, { recursive: true, force: true })
  }
}

async function measure(consume: Consume, seconds: number): Promise<Rate> {
  const times: number[] = []
  const began = performance.now()
  const end = began + seconds * 1000
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let n = caller; performance.now() < end; n++) {
        const start = performance.now()
        await consume(keys[n % keys.length]!)
        times.push(performance.now() - start)
        // A server returns to its event loop between requests.
        if (n % 16 === 0) await sleep(0)
      }
    }),
  )
  const elapsed = performance.now() - began
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)]!
  return { perSecond: (times.length / elapsed) * 1000, median: at(0.5), p99: at(0.99) }
}

/** Returns the median time of writing a batch of signs, ms. */
async function measureSigns(sql: Parameters<typeof upsertBoundSigns>[0], batches: number) {
  const medians: Record<string, number> = {}
  for (const size of signBatches) {
    const times: number[] = []
    for (let n = 0; n < batches; n++) {
      const signs = Array.from({ length: size }, () => ({
        sign: randomBytes(32).toString('hex'),
        operation: 'tradedetail',
      }))
      const began = performance.now()
      await upsertBoundSigns(sql, signs, Date.now())
      times.push(performance.now() - began)
    }
    medians[`${size} signs`] = times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!
  }
  return medians
}

function medianRate(rates: Rate[]): Rate {
  const middle = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!
  return {
    perSecond: Math.round(middle(rates.map(({ perSecond }) => perSecond))),
    median: middle(rates.map(({ median }) => median)),
    p99: middle(rates.map(({ p99 }) => p99)),
  }
}

/** Prints the result as a table. */
export function printLimits({ limits, signs }: Awaited<ReturnType<typeof benchLimits>>): void {
  for (const [name, { perSecond, median, p99 }] of Object.entries(limits))
    console.log(
      `${name.padEnd(46)} ${perSecond.toLocaleString('en').padStart(10)} a second  ${median.toFixed(3)} ms  p99 ${p99.toFixed(2)} ms`,
    )
  for (const [name, time] of Object.entries(signs)) console.log(`writing ${name.padEnd(38)} ${time.toFixed(2)} ms`)
}
