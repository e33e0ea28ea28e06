import { type ChildProcess, execFile, execFileSync, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { get } from 'node:http'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newApiKey, newId } from '../apps/server/src/kernel/id.ts'
import { type Installation, install } from './installation.ts'
import type { Load, Measured } from './load.ts'
import { type Figure, printFigures, ratioTo } from './report.ts'

const run = promisify(execFile)

/** The report of the platform data API. */
export interface PlatformReport {
  node: string
  cores: number
  model: string
  rounds: number
  seconds: number
  /** Number of records in an export. */
  records: number
  figures: Figure[]
  /** Resident memory of the server in MB: before the exports, and the peak in exports of a tenth and of all records. */
  memory: { before: number; tenth: number; all: number; goal: number; met: boolean }
}

interface Tools {
  quick: boolean
  log(text: string): void
  rounds<Side extends string>(
    sides: Record<Side, () => Promise<number>>,
    count?: number,
  ): Promise<Record<Side, number[]>>
}

const callers = 64
/** Number of keys, several to avoid lock contention on one row. */
const keyCount = 200
/** Additional memory in MB that an export of all records may use, compared with exports of a tenth. */
const memoryGoal = 40

const peers = join(import.meta.dirname, 'peers')

/** The statement of `GET /api/v1/datasets`, which the peer runs too. */
const listDatasets = `
  select p.project_id, p.project_id::text as key, d.name, d.description, d.dataset_id, d.ctime
  from (
    select project_id from (
      select project_id from public.project_members m join public.projects using (project_id)
      where m.account_id = $1 and m.role = any('{owner,editor,viewer}'::text[]) and archived_time is null
    ) visible order by project_id
  ) p
  cross join lateral (
    select name, null::text as description, null::uuid as dataset_id, null::bigint as ctime
    from unnest('{trades,callbacks,users,notifications,activities}'::text[]) as name
    union all
    select name, description, dataset_id, ctime from public.datasets where project_id = p.project_id
  ) d
  order by p.project_id, d.name
  limit 101`

/** The columns of an export of trades. */
const columns = `trade_no, appid, merchant_id, out_trade_no, description, amount, currency, open_id, payer, transaction_status,
  fail_reason_type, pay_type, pay_method, pay_no, notify_success, time_expire, ctime, mtime`

export async function benchPlatform({ quick, log, rounds }: Tools): Promise<PlatformReport> {
  const seconds = quick ? 1 : 2
  const size = quick ? 50_000 : 1_000_000
  const started: (() => unknown)[] = []
  try {
    await installPeers(log)
    log('Starting an installation …')
    const souk = await install(size, log)
    started.push(() => souk.stop())
    const { keys, accountId } = await createKeys(souk)
    const select = { text: listDatasets, values: [accountId] }
    const peer = await startPeer(join(peers, 'betterAuth.mjs'), { url: souk.databaseUrl, keys: keyCount, select })
    started.push(() => peer.child.kill())
    const generator = fork(join(import.meta.dirname, 'load.ts'))
    started.push(() => generator.kill())

    const list = async (port: number, keys: string[]) => {
      const requests = { kind: 'datasets', keys } as const
      const load: Load = { port, connections: callers, seconds, appid: '', secret: '', requests }
      generator.send(load)
      const [measured] = (await once(generator, 'message')) as [Measured]
      if (measured.failure) throw new Error(`A request failed: ${measured.failure}`)
      return measured.perSecond
    }
    log('Warming up …')
    await list(souk.port, keys)
    await list(peer.port, peer.keys)
    await souk.settle()
    log('GET /api/v1/datasets with API keys …')
    const listed = await rounds({
      souk: () => list(souk.port, keys),
      peer: () => list(peer.port, peer.keys),
    })
    const figures = [
      ratioTo(
        `GET datasets, ${callers} clients`,
        listed.souk,
        listed.peer,
        'API key plugin of better-auth, same select',
        5,
      ),
    ]

    const exportAs: ExportAs = (format, filter = '') =>
      download(
        souk.port,
        `/api/v1/datasets/${souk.projectId}.trades/export?format=${format}${filter && `&filter=${encodeURIComponent(filter)}`}`,
        keys[0]!,
      )
    const before = souk.residentMemory()
    const { tenth, all } = await measureExportMemory(souk, exportAs, size)
    if (hasPsql()) {
      log(`export of ${size.toLocaleString('en')} records …`)
      figures.push(...(await compareExports({ souk, exportAs, size, rounds }, quick ? 3 : 5)))
    } else log('psql is not installed (Debian: postgresql-client), so exports are not compared.')

    const megabytes = (bytes: number) => Math.round(bytes / 1e6)
    const memory = { before: megabytes(before), tenth: megabytes(tenth), all: megabytes(all) }
    return {
      node: process.version,
      cores: cpus().length,
      model: cpus()[0]?.model ?? '',
      rounds: listed.souk.length,
      seconds,
      records: size,
      figures,
      memory: { ...memory, goal: memoryGoal, met: memory.all - memory.tenth <= memoryGoal },
    }
  } finally {
    for (const stop of started.reverse()) await stop()
  }
}

/** Exports all trades, or those that match the filter, and returns the number of lines. */
type ExportAs = (format: 'csv' | 'ndjson', filter?: string) => Promise<number>

/** Returns the peak memory of the server, in bytes, during exports of a tenth of the records and of all. */
async function measureExportMemory(souk: Installation, exportAs: ExportAs, size: number) {
  const formats = ['csv', 'ndjson'] as const
  const [row] = await souk.sql<[{ ctime: number }]>`
    select ctime from all_trades where appid = ${souk.appid} order by ctime desc offset ${size / 10} limit 1`
  const tenth = await measurePeak(souk, async () => {
    for (let i = 0; i < 10; i++) for (const format of formats) await exportAs(format, `ctime>${row.ctime}`)
  })
  const all = await measurePeak(souk, async () => {
    for (const format of formats) {
      const lines = await exportAs(format)
      if (lines !== size + (format === 'csv' ? 1 : 0)) throw new Error(`An export had ${lines} lines`)
    }
  })
  return { tenth, all }
}

async function compareExports(
  { souk, exportAs, size, rounds }: { souk: Installation; exportAs: ExportAs; size: number; rounds: Tools['rounds'] },
  count: number,
): Promise<Figure[]> {
  const perSecond = (work: () => Promise<unknown>) => async () => {
    const start = performance.now()
    await work()
    return size / ((performance.now() - start) / 1000)
  }
  const sides = {
    csv: perSecond(() => exportAs('csv')),
    ndjson: perSecond(() => exportAs('ndjson')),
    psql: perSecond(() => psqlCopy(souk)),
  }
  const exported = await rounds(sides, count)
  return [
    ratioTo('export as CSV, records', exported.csv, exported.psql, 'psql \\copy of the same columns, unordered', 0.3),
    ratioTo('export as NDJSON, records', exported.ndjson, exported.psql, 'the same, as CSV', 0.3),
  ]
}

/** Prints the report. */
export function printPlatform({ node, cores, model, rounds, seconds, records, figures, memory }: PlatformReport): void {
  console.log(`Node ${node}, ${cores} cores (${model}); ${rounds} rounds of ${seconds} s, medians, per second\n`)
  printFigures(figures)
  const { before, tenth, all, goal, met } = memory
  console.log(
    `\nresident memory of the server: ${before} MB before exports, peak ${tenth} MB in exports of ${(records / 10).toLocaleString('en')} records,`,
  )
  console.log(
    `  peak ${all} MB in exports of ${records.toLocaleString('en')}; goal: at most ${goal} MB more, ${met ? 'met' : 'MISSED'}`,
  )
}

/** Creates accounts with one key each that are members of the mini app's project. */
async function createKeys({ sql, projectId }: Installation): Promise<{ keys: string[]; accountId: string }> {
  const keys = Array.from({ length: keyCount }, () => newApiKey('test'))
  let accountId = ''
  for (const key of keys) {
    accountId = newId()
    const hash = createHash('sha256').update(key).digest()
    await sql`
      insert into accounts (account_id, username, name, language, password, administrator, ctime)
      values (${accountId}, ${accountId}, 'Bench', 'en', '', false, 0)`
    await sql`
      insert into project_members (project_id, account_id, role, ctime) values (${projectId}, ${accountId}, 'viewer', 0)`
    await sql`
      insert into api_keys (account_id, key_hash, last_four, ctime)
      values (${accountId}, ${hash}, ${key.slice(-4)}, ${Date.now()})`
  }
  return { keys, accountId }
}

/** Downloads an export and returns its number of lines. */
async function download(port: number, path: string, key: string): Promise<number> {
  const request = get({ port, host: '127.0.0.1', path, headers: { 'X-API-Key': key }, agent: false })
  const [response] = await once(request, 'response')
  if (response.statusCode !== 200) throw new Error(`An export failed with status ${response.statusCode}`)
  let lines = 0
  response.on('data', (chunk: Buffer) => {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++
  })
  await once(response, 'end')
  if (!response.complete) throw new Error('An export was incomplete')
  return lines
}

async function measurePeak(souk: Installation, work: () => Promise<unknown>): Promise<number> {
  let peak = souk.residentMemory()
  const sampler = setInterval(() => {
    peak = Math.max(peak, souk.residentMemory())
  }, 50)
  try {
    await work()
    return peak
  } finally {
    clearInterval(sampler)
  }
}

function hasPsql(): boolean {
  try {
    execFileSync('psql', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function psqlCopy({ appid, databaseUrl }: Installation): Promise<void> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const copy = `\\copy (select ${columns.replace(/\s+/g, ' ')} from all_trades where appid = '${appid}') to '/dev/null' with (format csv, header)`
  const place = ['-h', hostname, '-p', port, '-U', username, '-d', pathname.slice(1)]
  await run('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', ...place, '-c', copy], {
    env: { ...process.env, PGPASSWORD: password },
  })
}

/** Installs the peer's packages, which are not dependencies of the project. */
async function installPeers(log: (text: string) => void): Promise<void> {
  if (existsSync(join(peers, 'node_modules/better-auth/package.json'))) return
  log('Installing better-auth into bench/peers …')
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: peers })
}

async function startPeer(
  script: string,
  settings: object,
): Promise<{ child: ChildProcess; port: number; keys: string[] }> {
  const child = fork(script, [JSON.stringify(settings)])
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${script} exited with ${code}`)
  })
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ port: number; keys: string[] }]
  ended.catch(() => {})
  return { child, ...message }
}
