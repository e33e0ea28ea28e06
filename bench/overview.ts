import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { benchFootprint } from './footprint.ts'
import type { LaunchReport } from './launch.ts'
import type { MiniAppsReport } from './miniApps.ts'
import type { PagesReport } from './pages.ts'
import type { PlatformReport } from './platform.ts'
import type { Report } from './report.ts'

/** A row of the table: a figure with its goal. */
interface Row {
  name: string
  figure: string
  goal: string
  met: boolean
}

const number = (value: number) => value.toFixed(2)
const range = ([low, high]: [number, number]) => `(${number(low)} to ${number(high)})`

/**
 * Runs every part with a goal, one after the other, and prints one table. A part that fails is named at the end.
 * @throws Error after the table if a part has failed
 */
export async function printOverview(flags: readonly string[]): Promise<void> {
  const started = performance.now()
  const rows: Row[] = []
  const failed: string[] = []
  async function add<Part>(part: string, rowsOf: (report: Part) => Row[]): Promise<void> {
    const report = await runPart<Part>(part, flags)
    if (report === undefined) failed.push(part)
    else rows.push(...rowsOf(report))
  }
  await add('openApi', openApiRows)
  await add('platform', platformRows)
  await add('pages', pagesRows)
  await add('miniApps', miniAppsRows)
  await add('launch', launchRows)
  await add('footprint', footprintRows)
  const columnOf = (key: 'name' | 'figure' | 'goal') => {
    const width = Math.max(...rows.map((row) => row[key].length)) + 2
    return (row: Row) => row[key].padEnd(width)
  }
  const columns = [columnOf('name'), columnOf('figure'), columnOf('goal')]
  for (const row of rows) console.log(columns.map((column) => column(row)).join('') + (row.met ? 'met' : 'MISSED'))
  console.log(`\n${Math.round((performance.now() - started) / 60_000)} minutes`)
  if (failed.length > 0) throw new Error(`Not measured, see above: ${failed.join(', ')}`)
}

/** Runs a part of the benches in a separate process, and returns its report; undefined if it failed. */
async function runPart<Part>(part: string, flags: readonly string[]): Promise<Part | undefined> {
  const program = join(import.meta.dirname, 'main.ts')
  const child = spawn(process.execPath, [...process.execArgv, program, part, '--json', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'close')])
  return status === 0 ? (JSON.parse(output) as Part) : undefined
}

function openApiRows({ figures, growth, memory, trades }: Report): Row[] {
  return [
    ...figures.map(toRow),
    ...growth.map(({ name, ratio, spread, goal, met }) => ({
      name: `${name}, ${trades[1].toLocaleString('en')} / ${trades[0].toLocaleString('en')} trades`,
      figure: `${number(ratio)} ${range(spread)}`,
      goal: `≥ ${goal}`,
      met,
    })),
    {
      name: 'resident memory of a server under load',
      figure: `${memory.peakMegabytes} MB`,
      goal: `≤ ${memory.goal} MB`,
      met: memory.met,
    },
  ]
}

function toRow({ name, baselineName, ratio, spread, goal, met }: Report['figures'][number]): Row {
  return { name: `${name} / ${baselineName}`, figure: `${number(ratio)} ${range(spread)}`, goal: `≥ ${goal}`, met }
}

function platformRows({ figures }: PlatformReport): Row[] {
  return figures.map(toRow)
}

function pagesRows({ comparisons, goal }: PagesReport): Row[] {
  return comparisons.map(({ name, ratio, met }) => ({
    name: `pages.json, ${name}, time of uni-app / Souk`,
    figure: number(ratio),
    goal: `≥ ${goal}`,
    met,
  }))
}

function miniAppsRows({ comparisons, growth }: MiniAppsReport): Row[] {
  const compared = comparisons.flatMap(({ name, ratio, goal, met }): Row[] =>
    goal === undefined
      ? []
      : [{ name: `${name} / uni-app`, figure: number(ratio), goal: `≤ ${goal}`, met: met ?? false }],
  )
  return [
    ...compared,
    {
      name: 'first JavaScript, 500 / 10 pages',
      figure: number(growth.ratio),
      goal: `≤ ${growth.goal}`,
      met: growth.met,
    },
  ]
}

function launchRows({ ratio, goal, met }: LaunchReport): Row[] {
  return [{ name: 'tap on a mini app to first paint / bare frame', figure: number(ratio), goal: `≤ ${goal}`, met }]
}

function footprintRows({ commands, idle }: Awaited<ReturnType<typeof benchFootprint>>): Row[] {
  return [
    ...commands.map(({ name, ratio, goal, met }) => ({
      name: `${name} / node -e 0`,
      figure: number(ratio),
      goal: `≤ ${goal}`,
      met,
    })),
    {
      name: 'processor time of npm start at rest, of a core',
      figure: `${(idle.share * 100).toFixed(2)} %`,
      goal: `≤ ${idle.goal * 100} %`,
      met: idle.met,
    },
  ]
}
