import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type Installation, install } from './installation.ts'

/** Delivery of other merchants' callbacks while many are due at hosts that do not respond. */
interface DeliveryFigures {
  /** Callbacks due at hosts that hang or are down. */
  due: number
  /** Callbacks of other merchants, and their time from before the commit to their arrival, in ms. */
  delivered: number
  median: number
  p99: number
  max: number
  /** Commits per second without traffic, after the hosts have been paused. */
  idleCommits: number
  /** Requests that reached hosts that hang. */
  attempts: number
}

const hosts = 20
const perSecond = 20
const idleSeconds = 20

/** Measures the deliveries of a new installation. */
export async function benchDeliveries({
  quick,
  log,
}: {
  quick: boolean
  log: (text: string) => void
}): Promise<DeliveryFigures> {
  const installation = await install(1, log)
  try {
    return await measureFairness(installation, quick ? { due: 10_000, seconds: 10 } : { due: 100_000, seconds: 60 })
  } finally {
    await installation.stop()
  }
}

/** Prints the figures. */
export function printDeliveries(figures: DeliveryFigures): void {
  const { due, delivered, median, p99, max, idleCommits, attempts } = figures
  console.log(
    `${due.toLocaleString('en')} callbacks due at ${hosts} hosts that do not respond; ${attempts} attempts at those that hang`,
  )
  console.log(`${delivered} callbacks of others: median ${median} ms, p99 ${p99} ms, max ${max} ms`)
  console.log(`commits without traffic: ${idleCommits.toFixed(1)} a second`)
}

/** Makes `due` callbacks due at 10 hosts that hang and 10 that are down, and measures those of 20 others. */
async function measureFairness(
  installation: Installation,
  { due, seconds }: { due: number; seconds: number },
): Promise<DeliveryFigures> {
  const arrivals = new Map<string, number>()
  let attempts = 0
  const listen = async (server: Server) => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const servers = Array.from({ length: hosts }, () =>
    createServer((request, response) => {
      arrivals.set(request.url!, performance.now())
      request.resume().on('end', () => response.end('success'))
    }),
  )
  const hanging = Array.from({ length: hosts / 2 }, () => createServer(() => attempts++))
  const urls = await Promise.all(servers.map(listen))
  const down = await Promise.all(hanging.map(listen))
  // Nothing listens on the reserved port 1 of these addresses.
  for (let index = 0; index < hosts / 2; index++) down.push(`http://127.0.1.${index}:1`)
  try {
    for (const url of down) await installation.queueCallbacks(due / down.length, `${url}/callback`)
    const sent = new Map<string, number>()
    const queued: Promise<void>[] = []
    for (let count = 0; count < seconds * perSecond; count++) {
      const path = `/${count}`
      sent.set(path, performance.now())
      queued.push(installation.queueCallbacks(1, urls[count % hosts] + path))
      await wait(1000 / perSecond)
    }
    await Promise.all(queued)
    while (arrivals.size < sent.size) await wait(100)
    const latencies = [...sent].map(([path, time]) => arrivals.get(path)! - time).sort((a, b) => a - b)
    const at = (share: number) =>
      Math.round(latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]!)
    // Sessions report their commits once a second.
    await wait(2_000)
    const before = await countCommits(installation)
    await wait(idleSeconds * 1000)
    const idleCommits = ((await countCommits(installation)) - before) / idleSeconds
    return { due, delivered: sent.size, median: at(0.5), p99: at(0.99), max: at(1), idleCommits, attempts }
  } finally {
    for (const server of [...servers, ...hanging]) {
      server.closeAllConnections()
      server.close()
    }
  }
}

async function countCommits({ sql }: Installation): Promise<number> {
  const [row] = await sql<[{ commits: number }]>`
    select xact_commit as commits from pg_stat_database where datname = current_database()`
  return row.commits
}
