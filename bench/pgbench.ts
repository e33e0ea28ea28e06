import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Installation } from './installation.ts'

const run = promisify(execFile)

/** Returns whether `pgbench` is installed. */
export function hasPgbench(): boolean {
  try {
    execFileSync('pgbench', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Seconds in which the clients connect, and each process of PostgreSQL plans the statement for the first time. */
const warmUp = 3

/**
 * Creates trades with pgbench, on the same database: one with each statement, prepared, in its own durable transaction.
 * Souk's statement does the same for the trades of a tick.
 *
 * @returns transactions per second after the clients have warmed up
 */
export async function pgbench(installation: Installation, clients: number, seconds: number): Promise<number> {
  const { appid, openId, databaseUrl, sql } = installation
  const [merchant] = await sql<[{ id: string }]>`select merchant_id as id from merchants where appid = ${appid}`
  const now = Date.now()
  const script = `\\set number random(1, 9000000000000000)
with payer as (
  select uid from open_ids where appid = '${appid}' and open_id = '${openId}'
), made as (
  insert into all_trades
    (appid, trade_no, merchant_id, out_trade_no, description, amount, currency, open_id, payer, notify_url,
     time_expire_asked, time_expire, ctime, mtime)
  select '${appid}', uuidv7(), '${merchant.id}', 'p-' || :number::text, null, 1250, 'SAR', '${openId}', uid,
    'https://backend.example.com/callback', null, ${now + 7_200_000}, ${now}, ${now}
  from payer
  returning trade_no
)
select (select uid from payer) as payer, (select trade_no from made) as "tradeNo";
`
  const folder = await mkdtemp(join(tmpdir(), 'souk-pgbench-'))
  const file = join(folder, 'create.sql')
  await writeFile(file, script)
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const options = [
    '--no-vacuum',
    '--protocol=prepared',
    `--client=${clients}`,
    '--jobs=1',
    `--time=${warmUp + seconds}`,
    '--progress=1',
    `--file=${file}`,
  ]
  try {
    const { stderr } = await run(
      'pgbench',
      [...options, '-h', hostname, '-p', port, '-U', username, pathname.slice(1)],
      {
        env: { ...process.env, PGPASSWORD: password },
      },
    )
    // One line for each second.
    const rates = [...stderr.matchAll(/^progress: [\d.]+ s, ([\d.]+) tps/gm)].map(([, tps]) => Number(tps))
    const measured = rates.slice(-seconds)
    if (rates.length < seconds + 1) throw new Error(`pgbench printed too few rates:\n${stderr}`)
    return measured.reduce((sum, rate) => sum + rate, 0) / measured.length
  } finally {
    await rm(folder, { recursive: true })
  }
}
