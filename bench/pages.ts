import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { check, type Files, type Platform, platforms, readPages, resolve } from '@souk/pages'
import { largeFile, thirdParty } from '../packages/pages/test/corpus.ts'
import { compareRounds, inverseRatio, medianOf, type Ratio, type Spread } from './report.ts'

/** The part of `@dcloudio/uni-cli-shared` that this bench calls. */
interface Peer {
  parsePagesJson(folder: string, platform: string, normalize: boolean): unknown
}

interface Comparison {
  name: string
  pages: number
  kilobytes: number
  /** The platforms that Souk resolves; the peer normalizes for H5. */
  platforms: readonly Platform[]
  /** Medians in ms. */
  souk: number
  peer: number
  /** Median of peer/souk per round. Souk is faster if it is above 1. */
  ratio: number
  spread: Spread
  met: boolean
}

/** The report of `--json`, as far as the overview shows it. */
export interface PagesReport {
  goal: number
  comparisons: readonly Comparison[]
}

const goal = 1.5
/** In ms. */
const firstFileGoal = 50
const runsPerRound = 5
const peerFolder = join(import.meta.dirname, 'peers/pages')

/**
 * Compares checking and resolving generated files with the parser of uni-app, alternately in one process, and measures
 * how the time grows with the number of pages. Prints the report.
 */
export function benchPages({ quick, json }: { quick: boolean; json: boolean }): Ratio[] {
  const peer = loadPeer()
  const rounds = quick ? 9 : 51
  const comparisons = [
    compare('plain, H5', { isConditional: false, builds: ['H5'] }, peer, rounds),
    compare('plain, all platforms', { isConditional: false, builds: platforms }, peer, rounds),
    compare('conditional, H5', { isConditional: true, builds: ['H5'] }, peer, rounds),
    compare('conditional, all platforms', { isConditional: true, builds: platforms }, peer, rounds),
  ]
  const growth = [10, 100, 1000, 10_000].map((pages) => {
    const text = textOf(pages, false)
    const repeats = Math.max(3, Math.round((quick ? 2000 : 20_000) / pages))
    const times = Array.from({ length: repeats }, () => timed(() => processFile(text, pages, platforms)))
    return { pages, milliseconds: medianOf(times), perPage: (medianOf(times) / pages) * 1000 }
  })
  const thirdPartyFiles = thirdParty?.files.toSorted((a, b) => b.text.length - a.text.length) ?? []
  const first = [
    timeFirstFile('generated file', largeFile(), quick ? 5 : 9),
    ...thirdPartyFiles.slice(0, 1).map(({ text }) => timeFirstFile('largest third-party file', text, quick ? 3 : 9)),
  ]
  const ratios = [
    ...comparisons.map(({ name, ratio, spread }) => ({ name: `pages.json, ${name}`, ratio, spread })),
    first[0]!.inverse,
  ]
  const machine = { node: process.version, cores: cpus().length, model: cpus()[0]?.model ?? '' }
  if (json) {
    console.log(JSON.stringify({ ...machine, rounds, goal, comparisons, growth, first }, null, 2))
    return ratios
  }

  const row = (...cells: string[]) =>
    console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(28) : cell.padStart(14))).join(''))
  console.log(
    `Node ${machine.node}, ${machine.cores} cores (${machine.model}); ${rounds} rounds of ${runsPerRound}, medians\n`,
  )
  row('500 pages', 'size', 'Souk', 'peer', 'peer/Souk', 'goal')
  for (const { name, kilobytes, souk, peer: other, ratio, met } of comparisons) {
    const verdict = `≥ ${goal} ${met ? 'met' : 'MISSED'}`
    row(name, `${kilobytes} KB`, `${souk.toFixed(2)} ms`, `${other.toFixed(2)} ms`, ratio.toFixed(2), verdict)
  }
  console.log('  Souk: reads, checks for all platforms and resolves')
  console.log('  peer: parsePagesJson of @dcloudio/uni-cli-shared, reads and normalizes for H5 without checks\n')
  row('pages', 'total', 'per page')
  for (const { pages, milliseconds, perPage } of growth) {
    row(pages.toLocaleString('en'), `${milliseconds.toFixed(2)} ms`, `${perPage.toFixed(1)} µs`)
  }
  console.log('\nfirst file of a process')
  for (const { name, kilobytes, milliseconds, met } of first) {
    const verdict = `< ${firstFileGoal} ms ${met ? 'met' : 'MISSED'}`
    row(name, `${kilobytes} KB`, `${milliseconds.toFixed(1)} ms`, '', '', verdict)
  }
  return ratios
}

/** Measures the time to process a file at the start of a process, beside the whole time of an empty program. */
function timeFirstFile(name: string, text: string, processes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'souk-bench-'))
  try {
    const path = join(folder, 'pages.json')
    writeFileSync(path, text)
    const program = join(import.meta.dirname, 'firstFile.ts')
    const rounds = Array.from({ length: processes }, () => ({
      empty: timed(() => execFileSync(process.execPath, ['-e', '0'])),
      souk: Number(execFileSync(process.execPath, ['--conditions=souk-source', program, path], { encoding: 'utf8' })),
    }))
    const times = rounds.map(({ souk }) => souk)
    const inverse = inverseRatio(
      `first file of a process, ${name}`,
      times,
      rounds.map(({ empty }) => empty),
    )
    const milliseconds = medianOf(times)
    const kilobytes = Math.round(Buffer.byteLength(text) / 1000)
    return { name, kilobytes, milliseconds, met: milliseconds < firstFileGoal, inverse }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function compare(
  name: string,
  { isConditional, builds }: { isConditional: boolean; builds: readonly Platform[] },
  peer: Peer,
  rounds: number,
): Comparison {
  const pages = 500
  const text = textOf(pages, isConditional)
  const folder = mkdtempSync(join(tmpdir(), 'souk-bench-'))
  try {
    const file = join(folder, 'pages.json')
    writeFileSync(file, text)
    writeFileSync(join(folder, 'manifest.json'), '{}')
    Object.assign(process.env, { UNI_INPUT_DIR: folder, UNI_PLATFORM: 'h5', UNI_CLI_CONTEXT: folder })
    const sides = {
      souk: () => processFile(readFileSync(file, 'utf8'), pages, builds),
      peer: () => peer.parsePagesJson(folder, 'h5', true),
    }
    const names = ['souk', 'peer'] as const
    const times: Record<'souk' | 'peer', number[]> = { souk: [], peer: [] }
    // The first rounds, in which V8 optimizes, do not count.
    for (let round = -30; round < rounds; round += 1) {
      for (const side of round % 2 === 0 ? names : names.toReversed()) {
        // Several runs each, so that garbage collection is included.
        const time = timed(() => repeat(runsPerRound, sides[side])) / runsPerRound
        if (round >= 0) times[side].push(time)
      }
    }
    const kilobytes = Math.round(Buffer.byteLength(text) / 1000)
    return {
      name,
      pages,
      kilobytes,
      platforms: builds,
      souk: medianOf(times.souk),
      peer: medianOf(times.peer),
      ...compareRounds(times.peer, times.souk, goal),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const files: Files = { exists: () => true, size: () => 1000 }

/** Reads and checks a file, and resolves it for the given platforms. */
function processFile(text: string, pages: number, builds: readonly Platform[]): void {
  const config = readPages(text)
  const faults = check(config, { files }).filter(({ severity }) => severity === 'error')
  if (faults.length > 0) throw new Error(`The generated file has an error: ${faults[0]?.message}`)
  for (const platform of builds) {
    const found = resolve(config, { platform, files }).pages.length
    if (found !== pages) throw new Error(`${found} pages instead of ${pages}`)
  }
}

function repeat(times: number, run: () => unknown): void {
  for (let count = 0; count < times; count += 1) run()
}

function timed(run: () => unknown): number {
  const start = performance.now()
  run()
  return performance.now() - start
}

/** Generates a file with typical contents: bars with buttons, pull-to-refresh, start modes, tabs and comments. */
function textOf(count: number, conditional: boolean): string {
  const pages = Array.from({ length: count }, (_, index) => {
    const bar = {
      type: 'transparent',
      buttons: [{ text: String.fromCharCode(0xe600 + (index % 80)), fontSrc: '/static/icons.ttf', float: 'left' }],
    }
    const style = {
      navigationBarTitleText: `Page ${index}`,
      ...(index % 3 === 0 && { enablePullDownRefresh: true, onReachBottomDistance: 80 }),
      ...(index % 2 === 0 && { 'app-plus': { titleNView: bar, bounce: 'none' } }),
      ...(index % 5 === 0 && { h5: { pullToRefresh: { color: '#2BD009', offset: '10px' } } }),
    }
    const page = JSON.stringify({ path: `pages/p${index}/p${index}`, style }, null, 2).replaceAll('\n', '\n    ')
    const comment = index % 10 === 0 ? `    // Part ${index / 10}\n` : ''
    const text = `${comment}    ${page}`
    return conditional && index % 25 === 0 ? `    // #ifndef MP-WEIXIN\n${text},\n    // #endif` : `${text},`
  })
  const tab = (index: number) => ({
    pagePath: `pages/p${index}/p${index}`,
    text: `Tab ${index}`,
    iconPath: 'static/tab.png',
  })
  const rest = {
    globalStyle: {
      navigationBarTextStyle: 'black',
      navigationBarBackgroundColor: '#F8F8F8',
      backgroundColor: '#FFFFFF',
    },
    tabBar: { color: '#7A7E83', selectedColor: '#3CC51F', backgroundColor: '#FFFFFF', list: [tab(0), tab(1), tab(2)] },
    easycom: { custom: { '^uni-(.*)': '@dcloudio/uni-ui/lib/uni-$1/uni-$1.vue' } },
    condition: { current: 0, list: [{ name: 'one', path: 'pages/p1/p1', query: 'id=1' }] },
  }
  const more = JSON.stringify(rest, null, 2).slice(1)
  const platform = conditional ? '  // #ifdef H5\n  "leftWindow": { "path": "windows/left" },\n  // #endif\n' : ''
  return `{\n  "pages": [\n${pages.join('\n')}\n  ],\n${platform}${more}\n`
}

/** Installs the peer as locked, without running scripts, and loads it. */
function loadPeer(): Peer {
  const load = createRequire(join(peerFolder, 'package.json'))
  const lock = readFileSync(join(peerFolder, 'package-lock.json'), 'utf8')
  if (JSON.parse(lock).packages['node_modules/@dcloudio/uni-cli-shared'].version !== installedVersion()) {
    process.stderr.write('Installing the peer into bench/peers/pages …\n')
    execFileSync(
      'npm',
      ['ci', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'],
      {
        cwd: peerFolder,
        stdio: ['ignore', 2, 2],
      },
    )
  }
  return load('@dcloudio/uni-cli-shared') as Peer
}

function installedVersion(): string | undefined {
  try {
    return JSON.parse(readFileSync(join(peerFolder, 'node_modules/@dcloudio/uni-cli-shared/package.json'), 'utf8'))
      .version
  } catch {
    return undefined
  }
}
