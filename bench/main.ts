import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { deliveries } from './callbacks.ts'
import { type Installation, install } from './installation.ts'
import type { Load, Measured } from './load.ts'
import { benchMiniApps } from './miniApps.ts'
import { benchPages } from './pages.ts'
import { hasPgbench, pgbench } from './pgbench.ts'
import { benchPlatform, printPlatform } from './platform.ts'
import { type Figure, growth, medianOf, memory, print, type Report, ratioTo } from './report.ts'

const usage = `npm run bench -- [openApi|platform|pages|miniApps] [--quick] [--json]

  openApi   the open API and its callbacks, beside bare node:http and pgbench: what is measured unless told
  platform  the platform data API, beside the API key plug-in of better-auth and psql
  pages     the pages.json engine, beside its peer
  miniApps  building, serving and running a whole mini app, beside its peer, in Chromium
  --quick   short rounds, few of them, and 50,000 trades for the large installation
  --json    the report as JSON on stdout`

const {
  values,
  positionals: [part = 'openApi', ...more],
} = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** Processes of one program differ by up to a fifth, as V8 compiled and memory fell: each side has several lives, and rounds in each. */
const full = { lives: 3, rounds: 3, seconds: 2, small: 1_000, large: 1_000_000, callbacks: 4_000 }
const quick = { lives: 1, rounds: 3, seconds: 1, small: 1_000, large: 50_000, callbacks: 1_000 }
const plan = values.quick ? quick : full
const readers = 64
const writers = 32
/** More than the server can do, so that requests do not run out before the time. */
const mostPerSecond = 25_000

const say = (text: string) => process.stderr.write(`${text}\n`)

/** Starts a script of this folder and waits for its first message. */
async function helper(
  script: string,
  args: string[],
  awaitMessage: boolean,
): Promise<{ child: ChildProcess; message: unknown }> {
  const child = fork(join(import.meta.dirname, script), args)
  const message = awaitMessage ? (await once(child, 'message'))[0] : undefined
  return { child, message }
}

async function bench(): Promise<Report> {
  const started: (() => unknown)[] = []
  try {
    say('Starting two installations …')
    const small = await install(plan.small, say)
    started.push(() => small.stop())
    const large = await install(plan.large, say)
    started.push(() => large.stop())
    const generator = await helper('load.ts', [], false)
    started.push(() => generator.child.kill())

    let peak = 0
    const watch = setInterval(() => {
      peak = Math.max(peak, small.residentMemory(), large.residentMemory())
    }, 100)
    started.push(() => clearInterval(watch))

    const load = async (
      installation: Installation,
      job: Omit<Load, 'port' | 'appid' | 'secret'>,
      port = installation.port,
    ) => {
      const { appid, secret } = installation
      generator.child.send({ port, appid, secret, ...job } satisfies Load)
      const [measured] = (await once(generator.child, 'message')) as [Measured]
      if (measured.failure) throw new Error(`A request was refused: ${measured.failure}`)
      return measured.perSecond
    }
    const read = (installation: Installation, port?: number) =>
      load(
        installation,
        {
          connections: readers,
          seconds: plan.seconds,
          requests: { kind: 'tradedetail', tradeNos: installation.tradeNos },
        },
        port,
      )
    const create = (installation: Installation) =>
      load(installation, {
        connections: writers,
        seconds: plan.seconds,
        requests: {
          kind: 'trade',
          count: mostPerSecond * plan.seconds,
          openId: installation.openId,
          notifyUrl: 'https://backend.example.com/callback',
        },
      })
    const exchange = async (installation: Installation) =>
      load(installation, {
        connections: writers,
        seconds: plan.seconds,
        requests: { kind: 'accessToken', codes: await installation.mintCodes(mostPerSecond * plan.seconds) },
      })

    const withPgbench = hasPgbench()
    if (!withPgbench)
      say(
        'There is no pgbench on the PATH (Debian: package postgresql-contrib or postgresql-15); no floor for trade creation.',
      )
    const detail = { floor: [] as number[], small: [] as number[], large: [] as number[] }
    const creation = { floor: [] as number[], small: [] as number[], large: [] as number[] }
    const token = { small: [] as number[], large: [] as number[] }
    const callback = { small: [] as number[], large: [] as number[] }

    for (let life = 1; life <= plan.lives; life++) {
      if (life > 1) await Promise.all([small.restart(), large.restart()])
      const floor = await helper('baselineServer.ts', [small.databaseUrl, small.appid, small.secret], true)
      started.push(() => floor.child.kill())
      const floorPort = floor.message as number

      say(`Life ${life} of ${plan.lives}: warming up …`)
      await read(small, floorPort)
      for (const installation of [small, large]) {
        await read(installation)
        await create(installation)
        await exchange(installation)
        await deliveries(installation, plan.callbacks)
      }
      await small.restock()
      await large.settle()

      say(`tradedetail: ${plan.rounds} rounds …`)
      append(
        detail,
        await rounds({ floor: () => read(small, floorPort), small: () => read(small), large: () => read(large) }),
      )

      say(`trade: ${plan.rounds} rounds …`)
      append(
        creation,
        await rounds({
          floor: async () => {
            if (!withPgbench) return Number.NaN
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

      say(`accessToken: ${plan.rounds} rounds …`)
      await Promise.all([small.settle(), large.settle()])
      append(token, await rounds({ small: () => exchange(small), large: () => exchange(large) }))

      say(`callbacks: ${plan.rounds} rounds …`)
      await small.restock()
      await large.settle()
      append(
        callback,
        await rounds({
          small: () => deliveries(small, plan.callbacks),
          large: () => deliveries(large, plan.callbacks),
        }),
      )
      floor.child.kill()
    }

    const figures: Figure[] = [
      ratioTo(`tradedetail, ${readers} callers`, detail.small, detail.floor, 'bare node:http', 0.6),
      ...(withPgbench
        ? [ratioTo(`trade, durable, ${writers} callers`, creation.small, creation.floor, 'pgbench', 0.5)]
        : []),
    ]
    return {
      node: process.version,
      cores: cpus().length,
      model: cpus()[0]?.model ?? '',
      trades: [plan.small, plan.large],
      rounds: plan.lives * plan.rounds,
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
  } finally {
    for (const stop of started.reverse()) await stop()
  }
}

function append<Side extends string>(to: Record<Side, number[]>, results: Record<Side, number[]>): void {
  for (const side of Object.keys(to) as Side[]) to[side].push(...results[side])
}

/** Runs the sides in turns, so that whatever else the machine does at a time falls on all of them. */
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
    say(
      `  ${name}: ${results[name].map((each) => Math.round(each)).join(' ')}, median ${Math.round(medianOf(results[name]))}`,
    )
  return results
}

const known = ['openApi', 'platform', 'pages', 'miniApps'].includes(part) && more.length === 0
if (values.help || !known) {
  console[known ? 'log' : 'error'](usage)
  process.exitCode = known ? 0 : 2
} else if (part === 'pages') {
  benchPages(values)
} else if (part === 'miniApps') {
  await benchMiniApps({ ...values, say })
} else if (part === 'platform') {
  const report = await benchPlatform({ quick: values.quick, say, rounds })
  if (values.json) console.log(JSON.stringify(report, null, 2))
  else printPlatform(report)
} else {
  const report = await bench()
  if (values.json) console.log(JSON.stringify(report, null, 2))
  else print(report)
}
