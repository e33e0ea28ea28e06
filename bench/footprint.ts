import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../apps/server/test/server.ts'
import { processorTime } from './processTree.ts'
import { inverseRatio, medianOf, type Ratio } from './report.ts'

const root = dirname(import.meta.dirname)

/** Measures Souk while it does little: the start of short commands, and the processor time of a server at rest. */
export async function benchFootprint({ quick, log }: { quick: boolean; log: (text: string) => void }) {
  const folder = mkdtempSync(join(tmpdir(), 'souk-bench-'))
  try {
    log('Packing the command …')
    const souk = packCommand()
    const commands = measureCommands(souk, createMiniApp(folder), quick ? 5 : 25)
    log('Starting a server …')
    const idle = await measureIdle(join(folder, 'souk'), quick)
    const rest = idle.goal / idle.share
    const ratios: Ratio[] = [
      ...commands.map(({ inverse }) => inverse),
      { name: 'server at rest', ratio: rest, spread: [rest, rest] },
    ]
    return { commands, idle, ratios }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Unpacks the command as developers install it, in a folder where it finds the packages that it uses. */
function packCommand(): string {
  const cache = join(root, 'node_modules/.cache')
  run(['setup/packPackages.mjs', join(cache, 'souk-packages'), '--cache'], root)
  const [tarball] = globSync(join(cache, 'souk-packages/*/souk-cli-*.tgz'))
  const folder = join(cache, 'souk-bench')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  execFileSync('tar', ['--extract', '--file', tarball!, '--directory', folder])
  return join(folder, 'package/dist/main.js')
}

function createMiniApp(folder: string): string {
  mkdirSync(join(folder, 'pages'), { recursive: true })
  writeFileSync(join(folder, 'pages/index.vue'), '<template><view /></template>\n')
  writeFileSync(join(folder, 'pages.json'), JSON.stringify({ pages: [{ path: 'pages/index' }] }))
  return folder
}

/** Runs the commands in turn with an empty program, and compares the elapsed times of each round. */
function measureCommands(souk: string, folder: string, rounds: number) {
  const commands = [
    { name: 'souk --help', args: [souk, '--help'], goal: 2.5 },
    { name: 'souk pages check', args: [souk, 'pages', 'check', folder], goal: 4 },
  ]
  const empty = ['-e', '0']
  // The first run fills the compile cache of Node.
  for (const { args } of commands) run(args, folder)
  const times = Array.from({ length: rounds }, () => ({
    empty: run(empty, folder),
    commands: commands.map(({ args }) => run(args, folder)),
  }))
  return commands.map(({ name, goal }, index) => {
    const ratio = medianOf(times.map((each) => each.commands[index]! / each.empty))
    const milliseconds = times.map((each) => each.commands[index]!)
    const inverse = inverseRatio(
      name,
      milliseconds,
      times.map((each) => each.empty),
    )
    return { name, milliseconds: medianOf(milliseconds), ratio, goal, met: ratio <= goal, inverse }
  })
}

/** Runs a program to its end and returns the elapsed time in ms. */
function run(args: readonly string[], cwd: string): number {
  const start = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')} exited with ${status}:\n${stderr}`)
  return performance.now() - start
}

const idleGoal = 0.003

/** Returns the share of a core that `npm start` with its database uses while it gets no requests. */
async function measureIdle(dataDir: string, quick: boolean) {
  const seconds = quick ? 30 : 60
  const port = await freePort()
  const env = { ...process.env, PORT: String(port), SOUK_DATA_DIR: dataDir }
  const server = spawn(process.execPath, ['setup/run.mjs', 'start'], { cwd: root, env, stdio: 'ignore' })
  try {
    while (!(await isReady(port))) {
      if (server.exitCode !== null) throw new Error(`npm start exited with ${server.exitCode}`)
      await sleep(200)
    }
    // The start is followed by the first run of each job, and within two minutes by a collection of garbage.
    await sleep((quick ? 20 : 120) * 1000)
    const before = processorTime(server.pid!)
    const start = performance.now()
    await sleep(seconds * 1000)
    const share = (processorTime(server.pid!) - before) / ((performance.now() - start) / 1000)
    return { share, seconds, goal: idleGoal, met: share <= idleGoal }
  } finally {
    if (server.exitCode === null) {
      server.kill()
      await once(server, 'close')
    }
  }
}

async function isReady(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
  return response?.ok ?? false
}

export function printFootprint({ commands, idle }: Awaited<ReturnType<typeof benchFootprint>>): void {
  const verdict = (met: boolean) => (met ? 'met' : 'MISSED')
  for (const { name, milliseconds, ratio, goal, met } of commands) {
    const figure = `${Math.round(milliseconds)} ms, ${ratio.toFixed(2)} of node -e 0`
    console.log(`${name.padEnd(30)}${figure.padEnd(30)}≤ ${goal} ${verdict(met)}`)
  }
  const share = `${(idle.share * 100).toFixed(2)} % of a core in ${idle.seconds} s`
  console.log(`${'server at rest'.padEnd(30)}${share.padEnd(30)}≤ ${idle.goal * 100} % ${verdict(idle.met)}`)
}
