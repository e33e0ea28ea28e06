import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchAnalytics, printAnalytics } from './analytics.ts'
import { measureDeliveries } from './callbacks.ts'
import { benchDeliveries, printDeliveries } from './deliveries.ts'
import { benchFootprint, printFootprint } from './footprint.ts'
import { type Installation, install } from './installation.ts'
import { compareWithLastRelease, recordRatios } from './lastRelease.ts'
import { benchLaunch, printLaunch } from './launch.ts'
import { benchLimits, printLimits } from './limits.ts'
import type { Load, Measured } from './load.ts'
import { benchMiniApps } from './miniApps.ts'
import { isQuiet } from './otherWork.ts'
import { printOverview } from './overview.ts'
import { benchPages } from './pages.ts'
import { hasPgbench, pgbench } from './pgbench.ts'
import { benchPlatform, printPlatform } from './platform.ts'
import { benchProcesses, printProcesses } from './processes.ts'
import { benchReads, printReads } from './reads.ts'
import { type Figure, growth, medianOf, memory, print, type Report, ratioTo } from './report.ts'

const usage = `npm run bench -- [PART] [--quick] [--json]

  all       every part with a goal below, in one table
  openApi   the open API and its callbacks, compared with bare node:http and pgbench (default)
  processes  the open API with 1, 2 and 4 server processes, and what limits each of them
  deliveries  callbacks of merchants while 100,000 are due at hosts that do not respond
  platform  the platform data API, compared with the API key plugin of better-auth and psql
  limits    rate limits across processes, compared with rate-limiter-flexible in PostgreSQL and Redis
  analytics  pages of analytics after 10 million events in a year
  reads     rows read by every list, search, total and export of an installation with 2,000 mini apps
  pages     the pages.json engine, compared with uni-app
  miniApps  building, serving and running a mini app in Chromium, compared with uni-app
  launch    opening a mini app in the host, compared with a bare frame
  footprint  the start of commands, compared with an empty program, and a server at rest
  --quick   fewer and shorter rounds, and 50,000 trades in the large installation
  --trades N  of openApi and reads: trades in the large installation, more than 1000, such as 10000000, which takes long to
            store
  --json    print the report as JSON
  --compare  of openApi, pages, miniApps, launch and footprint: fail if a ratio has dropped by more than a quarter since
            the last release; status 75 if the machine is busy with other programs
  --record  of the same parts: store the ratios as those of the release`

const {
  values,
  positionals: [part = 'openApi', ...more],
} = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    trades: { type: 'string' },
    json: { type: 'boolean', default: false },
    compare: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** Processes of the same program differ in speed by up to 20 %, so the servers are restarted several times. */
const full = { starts: 3, rounds: 3, seconds: 2, small: 1_000, large: 1_000_000, callbacks: 4_000 }
const quick = { starts: 1, rounds: 3, seconds: 1, small: 1_000, large: 50_000, callbacks: 1_000 }
const size = values.quick ? quick : full
const plan = { ...size, large: Number(values.trades ?? size.large) }
const readers = 64
const writers = 32
/** Maximum requests per second, more than the server can handle, so that they do not run out. */
const maxPerSecond = 25_000
/** The same for oidc-provider, which stores each code with its own statement. */
const maxGrantsPerSecond = 2_000
/** A body as long as that of Souk's callbacks. */
const callbackForm = new URLSearchParams({ content: 'x'.repeat(600) }).toString()

const log = (text: string) => process.stderr.write(`${text}\n`)

/** Starts a script of this folder, optionally waiting for its first message. */
async function startScript(
  script: string,
  args: string[],
  awaitMessage: boolean,
): Promise<{ child: ChildProcess; message: unknown }> {
  // The report alone is written to stdout.
  const child = fork(join(import.meta.dirname, script), args, { stdio: ['ignore', 2, 2, 'ipc'] })
  const message = awaitMessage ? (await once(child, 'message'))[0] : undefined
  return { child, message }
}

/** The measurements of a run, in operations per second, by side. */
interface Results {
  detail: Record<'baseline' | 'small' | 'large', number[]>
  creation: Record<'baseline' | 'small' | 'large', number[]>
  token: Record<'baseline' | 'small' | 'large', number[]>
  callback: Record<'baseline' | 'small' | 'large', number[]>
}

async function bench(): Promise<Report> {
  const started: (() => unknown)[] = []
  try {
    log('Starting two installations …')
    const small = await install(plan.small, log)
    started.push(() => small.stop())
    const large = await install(plan.large, log)
    started.push(() => large.stop())
    const generator = await startScript('load.ts', [], false)
    started.push(() => generator.child.kill())

    let peak = 0
    const sampler = setInterval(() => {
      peak = Math.max(peak, small.residentMemory(), large.residentMemory())
    }, 100)
    started.push(() => clearInterval(sampler))

    if (!hasPgbench()) log('pgbench is not installed (Debian: postgresql-contrib), so trade creation is not compared.')
    const callers = createCallers(generator.child)
    const results: Results = {
      detail: { baseline: [], small: [], large: [] },
      creation: { baseline: [], small: [], large: [] },
      token: { baseline: [], small: [], large: [] },
      callback: { baseline: [], small: [], large: [] },
    }
    for (let start = 1; start <= plan.starts; start++) {
      if (start > 1) await Promise.all([small.restart(), large.restart()])
      const baselines = await startBaselines(small)
      started.push(() => stopAll(baselines))
      log(`Start ${start} of ${plan.starts}: warming up …`)
      await warmUp({ small, large, baselines }, callers)
      await measure({ small, large, baselines }, callers, results)
      stopAll(baselines)
    }
    return reportOf(results, peak)
  } finally {
    for (const stop of started.reverse()) await stop()
  }
}

/** Starts the programs that an installation is compared with, on its database. */
async function startBaselines({ databaseUrl, appid, secret }: Installation) {
  const detail = await startScript('baselineServer.ts', [databaseUrl, appid, secret], true)
  const codeGrant = await startScript('codeGrantServer.ts', [databaseUrl], true)
  const worker = await startScript('workerBaseline.ts', [databaseUrl], true)
  return { detail, codeGrant, worker }
}

type Baselines = Awaited<ReturnType<typeof startBaselines>>

function stopAll(baselines: Baselines): void {
  for (const { child } of Object.values(baselines)) child.kill()
}

/** Returns the port of a server, which is its first message. */
const portOf = ({ message }: Baselines[keyof Baselines]) => message as number

/** Sends a message to a baseline and returns its answer. */
async function ask({ child }: Baselines[keyof Baselines], message: object | number): Promise<unknown> {
  child.send(message)
  return (await once(child, 'message'))[0]
}

type Callers = ReturnType<typeof createCallers>

/** Returns the callers of one operation each. They send requests from the generator and return the rate per second. */
function createCallers(generator: ChildProcess) {
  async function load(
    installation: Installation,
    job: Omit<Load, 'port' | 'appid' | 'secret' | 'seconds'>,
    port = installation.port,
  ): Promise<number> {
    const { appid, secret } = installation
    generator.send({ port, appid, secret, seconds: plan.seconds, ...job } satisfies Load)
    const [measured] = (await once(generator, 'message')) as [Measured]
    if (measured.failure) throw new Error(`A request failed: ${measured.failure}`)
    return measured.perSecond
  }
  const count = maxPerSecond * plan.seconds
  const notifyUrl = 'https://backend.example.com/callback'
  return {
    read: (installation: Installation, port?: number) =>
      load(
        installation,
        { connections: readers, requests: { kind: 'tradedetail', tradeNos: installation.tradeNos } },
        port,
      ),
    create: (installation: Installation) =>
      load(installation, {
        connections: writers,
        requests: { kind: 'trade', count, openId: installation.openId, notifyUrl },
      }),
    exchange: async (installation: Installation) =>
      load(installation, {
        connections: writers,
        requests: { kind: 'accessToken', codes: await installation.createCodes(count) },
      }),
    grant: async (installation: Installation, { codeGrant }: Baselines) => {
      const forms = (await ask(codeGrant, maxGrantsPerSecond * plan.seconds)) as string[]
      return load(installation, { connections: writers, requests: { kind: 'codeGrant', forms } }, portOf(codeGrant))
    },
    deliver: (installation: Installation) =>
      measureDeliveries((url) => installation.queueCallbacks(plan.callbacks, url), plan.callbacks),
    work: ({ worker }: Baselines) =>
      measureDeliveries(async (url) => {
        await ask(worker, { count: plan.callbacks, payload: { url, form: callbackForm } })
      }, plan.callbacks),
  }
}

/** The two installations that are compared. */
interface Sides {
  small: Installation
  large: Installation
  baselines: Baselines
}

async function warmUp({ small, large, baselines }: Sides, callers: Callers): Promise<void> {
  const { read, create, exchange, grant, deliver, work } = callers
  await read(small, portOf(baselines.detail))
  await grant(small, baselines)
  await work(baselines)
  for (const installation of [small, large]) {
    await read(installation)
    await create(installation)
    await exchange(installation)
    await deliver(installation)
  }
  await small.restock()
  await large.settle()
}

/** Adds the rounds of one start to the results. */
async function measure(
  { small, large, baselines }: Sides,
  { read, create, exchange, grant, deliver, work }: Callers,
  results: Results,
): Promise<void> {
  log(`tradedetail: ${plan.rounds} rounds …`)
  append(
    results.detail,
    await rounds({
      baseline: () => read(small, portOf(baselines.detail)),
      small: () => read(small),
      large: () => read(large),
    }),
  )

  log(`trade: ${plan.rounds} rounds …`)
  append(
    results.creation,
    await rounds({
      baseline: async () => {
        if (!hasPgbench()) return Number.NaN
        await small.restock()
        return pgbench(small, writers, plan.seconds)
      },
      small: async () => {
        await small.restock()
        return create(small)
      },
      large: () => create(large),
    }),
  )

  log(`accessToken: ${plan.rounds} rounds …`)
  await Promise.all([small.settle(), large.settle()])
  append(
    results.token,
    await rounds({
      baseline: () => grant(small, baselines),
      small: () => exchange(small),
      large: () => exchange(large),
    }),
  )

  log(`callbacks: ${plan.rounds} rounds …`)
  await small.restock()
  await large.settle()
  append(
    results.callback,
    await rounds({
      baseline: () => work(baselines),
      small: () => deliver(small),
      large: () => deliver(large),
    }),
  )
}

function reportOf({ detail, creation, token, callback }: Results, peak: number): Report {
  const figures: Figure[] = [
    ratioTo(`tradedetail, ${readers} callers`, detail.small, detail.baseline, 'bare node:http', 0.8),
    ...(hasPgbench()
      ? [ratioTo(`trade, durable, ${writers} callers`, creation.small, creation.baseline, 'pgbench', 0.9)]
      : []),
    ratioTo(`accessToken, ${writers} callers`, token.small, token.baseline, 'code grant of oidc-provider', 5),
    ratioTo('callbacks delivered', callback.small, callback.baseline, 'a POST per job of graphile-worker', 1),
  ]
  return {
    node: process.version,
    cores: cpus().length,
    model: cpus()[0]?.model ?? '',
    trades: [plan.small, plan.large],
    rounds: plan.starts * plan.rounds,
    seconds: plan.seconds,
    figures,
    growth: [
      growth('tradedetail', detail.small, detail.large),
      growth('trade', creation.small, creation.large),
      growth('accessToken', token.small, token.large),
      growth('callbacks delivered', callback.small, callback.large),
    ],
    memory: memory(peak),
  }
}

function append<Side extends string>(to: Record<Side, number[]>, results: Record<Side, number[]>): void {
  for (const side of Object.keys(to) as Side[]) to[side].push(...results[side])
}

/** Runs the sides alternately, so that noise on the machine affects all of them. */
async function rounds<Side extends string>(
  sides: Record<Side, () => Promise<number>>,
  count = plan.rounds,
): Promise<Record<Side, number[]>> {
  const names = Object.keys(sides) as Side[]
  const results = Object.fromEntries(names.map((name): [Side, number[]] => [name, []])) as Record<Side, number[]>
  for (let round = 0; round < count; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) results[name].push(await sides[name]())
  }
  for (const name of names)
    log(
      `  ${name}: ${results[name].map((each) => Math.round(each)).join(' ')}, median ${Math.round(medianOf(results[name]))}`,
    )
  return results
}

/** Exit status if the machine is too busy to compare. */
const notMeasured = 75
const measuring = { quick: values.quick, log }
const parts: Readonly<Record<string, () => Promise<void>>> = {
  all: () => printOverview(values.quick ? ['--quick'] : []),
  openApi: async () => {
    const report = await bench()
    write(report, print)
    await recordOrCompare(report.figures)
  },
  processes: async () => write(await benchProcesses(measuring), printProcesses),
  deliveries: async () => write(await benchDeliveries(measuring), printDeliveries),
  platform: async () => write(await benchPlatform({ ...measuring, rounds }), printPlatform),
  limits: async () => write(await benchLimits(measuring), printLimits),
  analytics: async () => write(await benchAnalytics(measuring), printAnalytics),
  reads: async () => write(await benchReads(plan.large, log), printReads),
  pages: () => recordOrCompare(benchPages(values)),
  miniApps: async () => recordOrCompare(await benchMiniApps({ ...values, log })),
  launch: async () => {
    const report = await benchLaunch(measuring)
    write(report, printLaunch)
    await recordOrCompare([report.inverse])
  },
  footprint: async () => {
    const report = await benchFootprint(measuring)
    write(report, printFootprint)
    await recordOrCompare(report.ratios)
  },
}

const isKnown =
  Object.hasOwn(parts, part) && more.length === 0 && Number.isSafeInteger(plan.large) && plan.large > plan.small
if (isKnown && !values.help) {
  if (values.compare && !(await isQuiet())) process.exitCode = notMeasured
  else await parts[part]!()
} else {
  console[isKnown ? 'log' : 'error'](usage)
  process.exitCode = isKnown ? 0 : 2
}

function write<R>(report: R, printReport: (report: R) => void): void {
  if (values.json) console.log(JSON.stringify(report, null, 2))
  else printReport(report)
}

async function recordOrCompare(figures: Parameters<typeof recordRatios>[0]): Promise<void> {
  if (values.record) await recordRatios(figures)
  if (values.compare && !(await compareWithLastRelease(figures))) process.exitCode = 1
}
