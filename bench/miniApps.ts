import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../e2e/chromium.ts'
import { copyForPeer, pathOf, textOf, writeProject } from './miniAppProject.ts'
import { runToEnd, startServer } from './processTree.ts'
import { inverseRatio, medianOf, type Ratio } from './report.ts'

type Name = 'souk' | 'peer'
type Rounds = Record<Name, number[]>

/** A comparison in the report. */
interface Comparison {
  name: string
  unit: 's' | 'KB' | 'ms'
  /** Medians. */
  souk: number
  peer: number
  /** Median of souk/peer per round. Souk is better if it is below 1. */
  ratio: number
  goal?: number
  met?: boolean
  /** peer/souk, to compare with the last release. */
  inverse: Ratio
}

/** The report of `--json`. */
export interface MiniAppsReport {
  node: string
  cores: number
  model: string
  comparisons: readonly Comparison[]
  /** First JavaScript of a mini app with 500 pages, compared with one of 10. */
  growth: { ratio: number; goal: number; met: boolean }
}

const growthGoal = 1.01

/** The commands and folders of one side. */
interface Side {
  folder(pages: number): string
  release(pages: number): string
  build(folder: string): readonly string[]
  serve(folder: string, port: number): readonly string[]
}

const root = join(import.meta.dirname, '..')
const peerFolder = join(import.meta.dirname, 'peers/uni')
const cli = join(root, 'packages/cli/dist/main.js')
const uni = join(peerFolder, 'node_modules/@dcloudio/vite-plugin-uni/bin/uni.js')
const sizes = [10, 500]

/**
 * Compares Souk with uni-app on the same generated project: CPU time of a build, JavaScript loaded for the first page,
 * time from the start of the development server to the first page, and navigation time.
 */
export async function benchMiniApps({
  quick,
  json,
  log,
}: {
  quick: boolean
  json: boolean
  log: (text: string) => void
}): Promise<Ratio[]> {
  installPeer(log)
  log('Compiling the command line …')
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '--build', 'packages/cli'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  const home = mkdtempSync(join(tmpdir(), 'souk-bench-'))
  const sides: Record<Name, Side> = {
    souk: {
      folder: (pages) => join(home, `souk-${pages}`),
      release: (pages) => join(home, `souk-${pages}/dist/h5`),
      build: (folder) => [cli, 'build', folder, '--platform', 'H5', '--json'],
      serve: (folder, port) => [cli, 'dev', folder, '--platform', 'H5', '--port', String(port)],
    },
    peer: {
      folder: (pages) => join(home, `peer-${pages}`),
      release: (pages) => join(home, `peer-${pages}/dist/build/h5`),
      build: () => [uni, 'build', '-p', 'h5'],
      serve: () => [uni, '-p', 'h5'],
    },
  }
  const browser = await launchChromium()
  try {
    for (const pages of sizes) {
      writeProject(sides.souk.folder(pages), pages)
      copyForPeer(sides.souk.folder(pages), sides.peer.folder(pages), peerFolder)
    }
    const tools = { browser, sides, quick, log }
    const comparisons = [
      ...(await compareBuilds(tools)),
      ...(await compareFirstLoads(tools)),
      ...(await compareServers(tools)),
      ...(await compareNavigation(tools)),
    ]
    printReport(comparisons, json)
    return comparisons.flatMap(({ goal, inverse }) => (goal === undefined ? [] : [inverse]))
  } finally {
    await browser.close()
    rmSync(home, { recursive: true, force: true })
  }
}

/** Tools shared by the comparisons. */
interface Tools {
  browser: Browser
  sides: Record<Name, Side>
  quick: boolean
  log: (text: string) => void
}

/** Compares the CPU time of builds. */
async function compareBuilds({ sides, quick, log }: Tools): Promise<Comparison[]> {
  const comparisons: Comparison[] = []
  for (const pages of sizes) {
    const rounds = quick ? (pages > 100 ? 1 : 3) : pages > 100 ? 3 : 7
    log(`Build of ${pages} pages: ${rounds} rounds …`)
    const cpu = await alternate(rounds, (name) => buildOnce(sides[name], pages))
    comparisons.push(compare(`build, ${pages} pages, CPU time`, 's', cpu, 0.25))
  }
  return comparisons
}

/** Compares the JavaScript that the first page loads. */
async function compareFirstLoads({ browser, sides, log }: Tools): Promise<Comparison[]> {
  const comparisons: Comparison[] = []
  for (const pages of sizes) {
    log(`First load of ${pages} pages …`)
    const loaded = await alternate(1, (name) => firstLoad(browser, sides[name].release(pages)))
    comparisons.push(
      compare(`first JavaScript, ${pages} pages, gzipped`, 'KB', loaded, pages === sizes[0] ? 0.56 : undefined),
    )
  }
  return comparisons
}

/** Compares the time from the start of the development server to the first page. */
async function compareServers({ browser, sides, quick, log }: Tools): Promise<Comparison[]> {
  const comparisons: Comparison[] = []
  for (const pages of sizes) {
    for (const isFirst of [true, false]) {
      const rounds = quick ? 1 : 5
      log(`Development server of ${pages} pages, ${isFirst ? 'first start' : 'second start'}: ${rounds} rounds …`)
      const shown = await alternate(rounds, (name) => serveOnce(browser, sides[name], pages, isFirst))
      comparisons.push(
        compare(`server to first page, ${pages} pages, ${isFirst ? 'first start' : 'second start'}`, 's', shown),
      )
    }
  }
  return comparisons
}

/** Compares the time of navigations. */
async function compareNavigation({ browser, sides, quick, log }: Tools): Promise<Comparison[]> {
  const comparisons: Comparison[] = []
  for (const isLoaded of [false, true]) {
    const rounds = quick ? 3 : 5
    log(`Navigation to ${isLoaded ? 'loaded' : 'new'} pages: ${rounds} rounds …`)
    const times = await alternate(rounds, (name) => navigate(browser, sides[name].release(sizes[0]!), isLoaded))
    comparisons.push(
      compare(`navigateTo to onReady, ${isLoaded ? 'loaded' : 'new'} page`, 'ms', times, isLoaded ? undefined : 0.8),
    )
  }
  return comparisons
}

/** Runs both sides alternately, so that noise on the machine affects both. */
async function alternate(rounds: number, run: (name: Name) => Promise<number>): Promise<Rounds> {
  const names: readonly Name[] = ['souk', 'peer']
  const results: Rounds = { souk: [], peer: [] }
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) results[name].push(await run(name))
  }
  return results
}

function compare(name: string, unit: Comparison['unit'], { souk, peer }: Rounds, goal?: number): Comparison {
  const ratio = medianOf(souk.map((value, round) => value / peer[round]!))
  return {
    name,
    unit,
    souk: medianOf(souk),
    peer: medianOf(peer),
    ratio,
    ...(goal && { goal, met: ratio <= goal }),
    inverse: inverseRatio(`mini app, ${name}`, souk, peer),
  }
}

/** Returns the environment without settings of the bench itself, such as its compile cache. */
const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => {
  const { NODE_COMPILE_CACHE: _, INIT_CWD: __, NODE_OPTIONS: ___, ...env } = process.env
  return { ...env, NODE_ENV: undefined, CI: '1', ...more }
}

async function buildOnce(side: Side, pages: number): Promise<number> {
  const folder = side.folder(pages)
  const { cpu } = await runToEnd(side.build(folder), { cwd: folder, env: environment() })
  if (!existsSync(join(side.release(pages), 'index.html'))) throw new Error(`The build wrote nothing to ${folder}`)
  return cpu
}

/**
 * Returns the size in KB, gzipped, of the JavaScript that the browser requested until the first page was ready. What it
 * loads afterwards, when idle, does not count.
 */
async function firstLoad(browser: Browser, release: string): Promise<number> {
  const { server, url } = await serveFiles(release)
  const page = await browser.newPage()
  try {
    await page.goto(url)
    await ready(page)
    const loaded = (await page.evaluate(`performance.getEntriesByType('resource')
      .filter(({ startTime }) => startTime <= window.readyAt)
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.endsWith('.js'))`)) as string[]
    return (
      [...new Set(loaded)].reduce((sum, path) => sum + gzipSync(readFileSync(join(release, path))).length, 0) / 1000
    )
  } finally {
    await page.close()
    server.close()
  }
}

/** Returns the seconds from the start of the server's process until the first page shows its text. */
async function serveOnce(browser: Browser, side: Side, pages: number, isFirst: boolean): Promise<number> {
  const folder = side.folder(pages)
  // The dependency caches of both sides: in the project and in the peer's packages.
  if (isFirst) {
    for (const cache of [join(folder, 'node_modules/.vite'), join(peerFolder, 'node_modules/.vite')]) {
      rmSync(cache, { recursive: true, force: true })
    }
  }
  const port = await freePort()
  const page = await browser.newPage()
  const start = performance.now()
  const server = startServer(side.serve(folder, port), { cwd: folder, env: environment({ PORT: String(port) }) })
  try {
    await listening(port)
    await open(page, `http://localhost:${port}/`)
    await page.getByText(textOf(0), { exact: true }).first().waitFor()
    return (performance.now() - start) / 1000
  } finally {
    await page.close()
    await server.stop()
  }
}

/** Opens a page of a development server, which can close its port once more if it restarts itself. */
async function open(page: Page, url: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await page.goto(url)
      return
    } catch (error) {
      if (attempt === 100 || !(error as Error).message.includes('ERR_CONNECTION_REFUSED')) throw error
      await wait(20)
    }
  }
}

/** Returns the median time in ms from `navigateTo` to onReady over pages that are not tabs. */
async function navigate(browser: Browser, release: string, isLoaded: boolean): Promise<number> {
  const { server, url } = await serveFiles(release)
  const page = await browser.newPage()
  try {
    await page.goto(url)
    await ready(page)
    const visit = async (index: number): Promise<number> => {
      const time = await page.evaluate(`(async () => {
        window.readyPage = undefined
        const start = performance.now()
        navigate(${JSON.stringify(`/${pathOf(index)}?id=1`)})
        while (window.readyPage !== ${index}) await new Promise((done) => requestAnimationFrame(done))
        return window.readyAt - start
      })()`)
      await page.evaluate('leave()')
      await page.getByText(textOf(0), { exact: true }).first().waitFor()
      return time as number
    }
    const indexes = [2, 3, 4, 5, 6, 7, 8, 9]
    const times: number[] = []
    for (const index of indexes) {
      const first = await visit(index)
      times.push(isLoaded ? await visit(index) : first)
    }
    return medianOf(times)
  } finally {
    await page.close()
    server.close()
  }
}

async function ready(page: Page): Promise<void> {
  await page.waitForFunction('window.readyPage === 0')
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.png': 'image/png',
}

/** Serves a release from this process. */
async function serveFiles(folder: string): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://localhost').pathname
    const file = join(folder, path === '/' ? 'index.html' : path)
    if (!existsSync(file)) return void response.writeHead(404).end()
    response
      .writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream' })
      .end(readFileSync(file))
  })
  await new Promise<void>((done) => server.listen(0, 'localhost', done))
  return { server, url: `http://localhost:${(server.address() as AddressInfo).port}/` }
}

async function freePort(): Promise<number> {
  const { server, url } = await serveFiles('.')
  await new Promise((done) => server.close(done))
  return Number(new URL(url).port)
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 6_000; tries += 1) {
    const isThere = await new Promise<boolean>((done) => {
      const socket = connect(port, 'localhost')
      socket
        .once('connect', () => done(true))
        .once('error', () => done(false))
        .once('connect', () => socket.destroy())
    })
    if (isThere) return
    await wait(10)
  }
  throw new Error(`Port ${port} is not open after a minute`)
}

function installPeer(log: (text: string) => void): void {
  const versions = (file: string) => {
    const read = existsSync(join(peerFolder, file))
      ? JSON.parse(readFileSync(join(peerFolder, file), 'utf8'))
      : { packages: {} }
    return ['@dcloudio/vite-plugin-uni', 'vite', 'vue', 'rollup']
      .map((name) => read.packages[`node_modules/${name}`]?.version)
      .join()
  }
  if (versions('package-lock.json') === versions('node_modules/.package-lock.json')) return
  log('Installing the peer into bench/peers/uni …')
  execFileSync('npm', ['ci', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: peerFolder,
    stdio: ['ignore', 2, 2],
  })
}

function printReport(comparisons: readonly Comparison[], json: boolean): void {
  const machine = { node: process.version, cores: cpus().length, model: cpus()[0]?.model ?? '' }
  const [small, large] = comparisons.filter(({ unit }) => unit === 'KB')
  const ratio = large!.souk / small!.souk
  const growth = { ratio, goal: growthGoal, met: ratio <= growthGoal }
  if (json) {
    const report: MiniAppsReport = { ...machine, comparisons, growth }
    console.log(JSON.stringify(report, null, 2))
    return
  }
  const row = (...cells: string[]) =>
    console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(48) : cell.padStart(12))).join(''))
  console.log(`Node ${machine.node}, ${machine.cores} cores (${machine.model}); medians\n`)
  row('', 'Souk', 'peer', 'Souk/peer', 'goal')
  for (const { name, unit, souk, peer, ratio, goal, met } of comparisons) {
    const digits = unit === 's' ? 2 : 1
    const verdict = goal === undefined ? '' : `≤ ${goal} ${met ? 'met' : 'MISSED'}`
    row(name, `${souk.toFixed(digits)} ${unit}`, `${peer.toFixed(digits)} ${unit}`, ratio.toFixed(2), verdict)
  }
  row(
    'first JavaScript, 500 pages / 10 pages',
    '',
    '',
    growth.ratio.toFixed(2),
    `≤ ${growth.goal} ${growth.met ? 'met' : 'MISSED'}`,
  )
}
