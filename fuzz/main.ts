import { parseArgs } from 'node:util'
import { minute } from '@souk/contract'
import { readRegression, storeRegression } from './corpus.ts'
import { usageOf } from './cpuTime.ts'
import { check, search } from './search.ts'
import { openWorld, type World } from './server/world.ts'
import { surfaces, type Target } from './target.ts'
import { targets } from './targets/index.ts'

const usage = `npm run fuzz -- [--surface <name>] [--minutes <n> | --count <n>] [--seed <n>] [--json]
npm run fuzz -- --replay <file>

  --surface  ${surfaces.join(', ')},
             or one target of a surface, such as open/requests; can be repeated; all by default
  --minutes  how long to run; all targets take turns
  --count    number of inputs per surface, 10000 by default
  --seed     the same seed creates the same inputs; the time by default
  --replay   check one stored input instead, such as fuzz/corpus/pages/text/0123456789.json
  --json     print the report as JSON

Exits with 1 if an invariant is violated. The input is reduced, stored in fuzz/corpus and printed.`

/** The result of all searches in one target. */
interface Row {
  target: string
  inputs: number
  findings: number
  /** CPU time of this process and the server, s. */
  cpu: number
}

const { values } = parseArgs({
  options: {
    surface: { type: 'string', multiple: true, default: [...surfaces] },
    minutes: { type: 'string' },
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    replay: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** A server is replaced after this many requests, so that its log does not grow without limit. */
const callsPerServer = 20_000
/** Inputs of a target before the next one takes its turn, which is also the end of its part of the time. */
const turn = { function: 20_000, async: 2_000, server: 1_000 }

let world: World | undefined
let callsOfWorld = 0

async function currentWorld(): Promise<World> {
  if (world && (callsOfWorld > callsPerServer || !world.isRunning())) await closeWorld()
  world ??= await openWorld()
  return world
}

async function closeWorld(): Promise<void> {
  const closed = world
  world = undefined
  callsOfWorld = 0
  await closed?.close()
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + (world ? (usageOf(world.pid)?.cpu ?? 0) / 1000 : 0)
}

async function run(chosen: readonly Target[], seed: number): Promise<Row[]> {
  const time = values.minutes === undefined ? Infinity : Number(values.minutes) * minute
  const deadline = performance.now() + time
  const rows = chosen.map((target): Row => ({ target: target.name, inputs: 0, findings: 0, cpu: 0 }))
  const reported = new Set<string>()
  for (let round = 0; ; round++) {
    let isOver = true
    for (const [index, target] of chosen.entries()) {
      const row = rows[index]!
      const planned = values.minutes === undefined ? shareOf(target, chosen) - row.inputs : Infinity
      if (planned <= 0 || performance.now() >= deadline) continue
      isOver = false
      if (target.kind === 'server') await currentWorld()
      const start = cpuSeconds()
      const plan = {
        seed: seedOf(seed, index, round),
        count: Math.min(planned, turn[target.kind]),
        deadline: Math.min(deadline, performance.now() + time / chosen.length),
      }
      const { inputs, findings } = await search(target, plan, currentWorld)
      row.cpu += cpuSeconds() - start
      row.inputs += inputs
      if (target.kind === 'server') callsOfWorld += inputs
      for (const finding of findings) {
        if (reported.has(`${target.name} ${finding.where}`)) continue
        reported.add(`${target.name} ${finding.where}`)
        row.findings++
        const file = storeRegression(finding)
        console.error(`\n${target.name}, seed ${seed}: ${finding.message}`)
        console.error(`  input:      ${JSON.stringify(finding.input).slice(0, 2000)}`)
        console.error(`  reproduce:  npm run fuzz -- --replay ${file}`)
      }
    }
    if (isOver) return rows
  }
}

function shareOf({ surface, weight }: Target, chosen: readonly Target[]): number {
  const all = chosen.filter((each) => each.surface === surface).reduce((sum, each) => sum + each.weight, 0)
  return Math.ceil((Number(values.count) * weight) / all)
}

/** Returns a seed from the range of this turn of a target. */
function seedOf(seed: number, index: number, round: number): number {
  return (seed + Math.imul(index + 1, 0x9e3779b1) + Math.imul(round, 1009)) | 0
}

/** Returns the targets of the surfaces on the command line. */
function chosenTargets(): Target[] {
  const known = new Set(targets.flatMap(({ name, surface }) => [name, surface]))
  const unknown = values.surface.find((name) => !known.has(name))
  if (unknown) {
    console.error(`There is no surface or target ${unknown}; there are ${[...known].sort().join(', ')}.`)
    process.exit(2)
  }
  return targets.filter(({ name, surface }) => values.surface.includes(name) || values.surface.includes(surface))
}

function print(rows: readonly Row[], seed: number): void {
  if (values.json) {
    console.log(JSON.stringify({ seed, targets: rows }, null, 2))
    return
  }
  console.log(`seed ${seed}`)
  console.table(rows.map(({ cpu, ...row }) => ({ ...row, 'CPU s': Math.round(cpu) })))
}

/** Checks one stored input. Returns whether it violates an invariant. */
async function replay(path: string): Promise<boolean> {
  const { target: name, input } = readRegression(path)
  const target = targets.find((each) => each.name === name)
  if (!target) throw new Error(`${path}: there is no target ${name}.`)
  const violation = await check(target, input, currentWorld)
  console.log(violation ? violation.message : 'All invariants hold.')
  return violation !== undefined
}

async function main(): Promise<boolean> {
  if (values.replay !== undefined) return replay(values.replay)
  const seed = Number(values.seed)
  const rows = await run(chosenTargets(), seed)
  print(rows, seed)
  return rows.some(({ findings }) => findings > 0)
}

if (values.help) console.log(usage)
else {
  try {
    if (await main()) process.exitCode = 1
  } finally {
    await closeWorld()
  }
}
