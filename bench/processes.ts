import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { type Installation, install } from './installation.ts'
import type { Go, Load, Measured } from './load.ts'
import { processorTime } from './processTree.ts'
import { compareRounds, medianOf, type Spread } from './report.ts'

const numbers = [1, 2, 4] as const
const readers = 64
const writers = 32
/** More than a process creates in a second here, so that requests do not run out. */
const maxCreated = 6_000
/** Share of a core, or of the machine, from which on it counts as busy all the time. */
const full = 0.9

const operations = ['tradedetail', 'trade'] as const
type Operation = (typeof operations)[number]

/** Processor time in seconds, except for `perSecond`: of the whole machine, or of everything of one kind. */
interface Sample {
  perSecond: number
  elapsed: number
  machine: number
  servers: number
  database: number
  generators: number
}

/** An operation with a number of server processes. Medians of the rounds. */
interface Row {
  operation: Operation
  processes: number
  perSecond: number
  /** Compared with one process in the same round. */
  ratio: number
  spread: Spread
  /** Microseconds of processor time per request. */
  server: number
  database: number
  generator: number
  /** Cores that were busy, on average. */
  cores: { servers: number; database: number; generators: number; others: number; idle: number }
  limit: string
}

export interface ProcessesReport {
  node: string
  cores: number
  model: string
  rounds: number
  seconds: number
  rows: Row[]
}

/** Measures 1, 2 and 4 server processes on one database, each with a load generator of its own and no proxy. */
export async function benchProcesses({ quick, log }: { quick: boolean; log: (text: string) => void }) {
  const rounds = quick ? 3 : 7
  const seconds = quick ? 1 : 2
  const stops: (() => unknown)[] = []
  try {
    const most = Math.max(...numbers)
    log(`Starting ${most} server processes …`)
    const installation = await install(quick ? 10_000 : 100_000, log)
    stops.push(() => installation.stop())
    const servers = [{ port: installation.port, pid: installation.pid() }]
    while (servers.length < most) {
      const server = await installation.startProcess()
      stops.push(() => server.stop())
      servers.push({ port: Number(new URL(server.url).port), pid: server.pid })
    }
    const generators = servers.map(() => fork(join(import.meta.dirname, 'load.ts'), { stdio: ['ignore', 2, 2, 'ipc'] }))
    for (const generator of generators) stops.push(() => generator.kill())
    const database = await postmasterOf(installation)
    const measure = (operation: Operation, processes: number) =>
      sample({ installation, servers: servers.slice(0, processes), generators, database }, operation, seconds)

    log('Warming up …')
    for (const operation of operations) await measure(operation, most)
    const samples = new Map<string, Sample[]>()
    for (const operation of operations) {
      log(`${operation}: ${rounds} rounds …`)
      await installation.settle()
      for (let round = 0; round < rounds; round++) {
        // Alternately, so that other work on the machine affects all of them.
        for (const processes of round % 2 === 0 ? numbers : numbers.toReversed()) {
          const key = `${operation} ${processes}`
          samples.set(key, [...(samples.get(key) ?? []), await measure(operation, processes)])
        }
      }
    }
    const rowOf = (operation: Operation, processes: number) =>
      summarize(operation, processes, samples.get(`${operation} ${processes}`)!, samples.get(`${operation} 1`)!)
    const rows = operations.flatMap((operation) => numbers.map((processes) => rowOf(operation, processes)))
    const [{ model } = { model: '' }] = cpus()
    return { node: process.version, cores: cpus().length, model, rounds, seconds, rows } satisfies ProcessesReport
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

interface Parts {
  installation: Installation
  servers: { port: number; pid: number }[]
  generators: ChildProcess[]
  /** Process id of PostgreSQL, the parent of those that execute statements. */
  database: number
}

async function postmasterOf({ sql }: Installation): Promise<number> {
  const [{ pid }] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1])
}

/** Puts all processes under load at once. */
async function sample(
  { installation, servers, generators: all, database }: Parts,
  operation: Operation,
  seconds: number,
): Promise<Sample> {
  const { appid, secret, openId, tradeNos } = installation
  const generators = all.slice(0, servers.length)
  const connections = (operation === 'trade' ? writers : readers) / servers.length
  const requests: Load['requests'] =
    operation === 'trade'
      ? { kind: 'trade', count: maxCreated * seconds, openId, notifyUrl: 'https://backend.example.com/callback' }
      : { kind: 'tradedetail', tradeNos }
  await Promise.all(
    generators.map((generator, index) => {
      const { port } = servers[index]!
      generator.send({ port, connections, seconds, appid, secret, requests, waits: true } satisfies Load)
      return once(generator, 'message')
    }),
  )
  const times = () => ({
    elapsed: performance.now() / 1000,
    machine: busyTime(),
    servers: servers.reduce((sum, { pid }) => sum + processorTime(pid), 0),
    database: processorTime(database),
  })
  const before = times()
  const results = generators.map(async (generator) => {
    generator.send('go' satisfies Go)
    const [measured] = (await once(generator, 'message')) as [Measured]
    if (measured.failure) throw new Error(`A request failed: ${measured.failure}`)
    return measured
  })
  const measured = await Promise.all(results)
  const after = times()
  return {
    perSecond: measured.reduce((sum, each) => sum + each.perSecond, 0),
    elapsed: after.elapsed - before.elapsed,
    machine: after.machine - before.machine,
    servers: after.servers - before.servers,
    database: after.database - before.database,
    generators: measured.reduce((sum, each) => sum + each.processorTime, 0),
  }
}

/** Returns the processor time of everything on this machine, in seconds. */
function busyTime(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1000
}

function summarize(operation: Operation, processes: number, rounds: Sample[], single: Sample[]): Row {
  const median = (figure: (sample: Sample) => number) => medianOf(rounds.map(figure))
  const perRequest = (part: 'servers' | 'database' | 'generators') =>
    median((sample) => (sample[part] / (sample.perSecond * sample.elapsed)) * 1_000_000)
  const busy = (part: 'servers' | 'database' | 'generators' | 'machine') =>
    median((sample) => sample[part] / sample.elapsed)
  const [servers, database, generators] = [busy('servers'), busy('database'), busy('generators')]
  const machine = Math.min(busy('machine'), cpus().length)
  const cores = {
    servers,
    database,
    generators,
    others: Math.max(0, machine - servers - database - generators),
    idle: cpus().length - machine,
  }
  const rates = (samples: Sample[]) => samples.map(({ perSecond }) => perSecond)
  const { ratio, spread } = compareRounds(rates(rounds), rates(single), 0)
  return {
    operation,
    processes,
    perSecond: median(({ perSecond }) => perSecond),
    ratio,
    spread,
    server: perRequest('servers'),
    database: perRequest('database'),
    generator: perRequest('generators'),
    cores,
    limit: limitOf(processes, cores),
  }
}

/** Says what was busy all the time. */
function limitOf(processes: number, { servers, generators, others, idle }: Row['cores']): string {
  if (others > cpus().length * (1 - full)) return 'other programs on this machine: measure again when it is quiet'
  if (servers / processes >= full) return 'each server process uses a core'
  if (generators / processes >= full) return 'each load generator uses a core'
  if (idle <= cpus().length * (1 - full)) return 'all cores of the machine are busy'
  return 'waiting, such as for the disk: no core is busy all the time'
}

const count = (value: number) => Math.round(value).toLocaleString('en')

/** Prints the result as a table. */
export function printProcesses({ node, cores, model, rounds, seconds, rows }: ProcessesReport): void {
  console.log(`Node ${node}, ${cores} cores (${model}); ${rounds} rounds of ${seconds} s, medians\n`)
  const line = (first: string, ...cells: string[]) =>
    console.log(first.padEnd(26) + cells.map((cell) => cell.padStart(12)).join(''))
  for (const operation of operations) {
    const own = rows.filter((row) => row.operation === operation)
    const each = (name: string, cell: (row: Row) => string) => line(`  ${name}`, ...own.map(cell))
    line(`${operation}, processes`, ...own.map((row) => String(row.processes)))
    each('requests a second', (row) => count(row.perSecond))
    each('ratio to one process', (row) => row.ratio.toFixed(2))
    each('  (quartiles)', ({ spread: [low, high] }) => `${low.toFixed(2)}–${high.toFixed(2)}`)
    each('µs a request: server', (row) => count(row.server))
    each('  PostgreSQL', (row) => count(row.database))
    each('  load generator', (row) => count(row.generator))
    each('PostgreSQL by server', (row) => (row.database / row.server).toFixed(2))
    each('busy cores: servers', (row) => row.cores.servers.toFixed(2))
    each('  PostgreSQL', (row) => row.cores.database.toFixed(2))
    each('  load generators', (row) => row.cores.generators.toFixed(2))
    each('  other programs', (row) => row.cores.others.toFixed(2))
    each('idle cores', (row) => row.cores.idle.toFixed(2))
    for (const row of own) console.log(`  limit with ${row.processes}: ${row.limit}`)
    console.log()
  }
}
