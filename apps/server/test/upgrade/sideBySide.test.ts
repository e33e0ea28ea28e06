import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { signParameters, transactionStatus } from '@souk/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { soukVersion } from '../../src/kernel/package.ts'
import { emptyDatabase, type FreshDatabase } from '../database.ts'
import { type RunningServer, startServer } from '../server.ts'
import previous from './previous.json' with { type: 'json' }
import { hasCommit, nextVersion, type OtherVersion, versionOfCommit } from './versions.ts'

/** Everything that the next version may do to a table of this one. */
const additions = `
  do $$ declare name text; begin
    for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition and relname not in ('migrations', 'versions')
    loop
      execute format('alter table %I add next_text text, add next_count int not null default 1', name);
      execute format('create index on %I (next_count)', name);
    end loop;
  end $$;
  create table next_version (id int primary key);`

const masterKey = '6f'.repeat(16) + '1d'.repeat(16)
let database: FreshDatabase
let other: OtherVersion | undefined
let servers: RunningServer[]
/** All starts, including those that a failed test did not wait for. */
let starts: Promise<unknown>[]

beforeEach(async () => {
  database = await emptyDatabase()
  other = undefined
  servers = []
  starts = []
})
afterEach(async ({ task }) => {
  await Promise.allSettled(starts)
  if (task.result?.state === 'fail') console.error(servers.flatMap(errorsOf).join('\n'))
  await Promise.all(servers.map((server) => server.stop()))
  await other?.remove()
  await database.drop()
})

async function start(repository?: string): Promise<RunningServer> {
  const env = { DATABASE_URL: database.url, SOUK_MASTER_KEY: masterKey }
  const starting = startServer({ env, ...(repository !== undefined && { repository }) })
  starts.push(starting)
  const server = await starting
  servers.push(server)
  return server
}

function errorsOf(server: RunningServer): string[] {
  return server
    .log()
    .split('\n')
    .filter((line) => /"level":[56]0/.test(line))
}

// biome-ignore lint/suspicious/noExplicitAny: each operation has its own result type; wrong accesses fail the test.
type Result = any

/** @throws Error with the response if it has no result */
async function resultOf(answer: Response, select: (body: Result) => Result): Promise<Result> {
  const text = await answer.text()
  const found = answer.ok && select(JSON.parse(text))
  if (!found) throw new Error(`${answer.url} answered ${answer.status}: ${text}`)
  return found
}

/** Repeats a request while a migration holds locks that it needs (503), as clients do. */
async function untilAvailable(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await send()
    if (answer.status !== 503) return answer
    await setTimeout(100)
  }
}

/** Trades of one mini app, each step of which can be done on another server. */
async function traderOf({ dataDir }: RunningServer) {
  const demo: { appid: string; secret: string; users: { uid: number }[] } = JSON.parse(
    await readFile(join(dataDir, 'demo.json'), 'utf8'),
  )
  const { uid } = demo.users[0]!
  const signed = async (server: RunningServer, method: string, path: string, own: Record<string, string | number>) => {
    const parameters = Object.entries({ appid: demo.appid, timestamp: Date.now(), ...own })
    const form = new URLSearchParams({ sign: signParameters(parameters, demo.secret) })
    for (const [name, value] of parameters) form.append(name, String(value))
    const address = `${server.url}/neuopenapi/${path}`
    const answer = await untilAvailable(() =>
      method === 'GET' ? fetch(`${address}?${form}`) : fetch(address, { method, body: form }),
    )
    return resultOf(answer, ({ response }) => response)
  }
  const sandbox = async (server: RunningServer, path: string, body: object) => {
    const headers = { Authorization: `Bearer ${server.adminToken}`, 'Content-Type': 'application/json' }
    const address = `${server.url}/console/v1/sandbox/${path}`
    const answer = await untilAvailable(() => fetch(address, { method: 'POST', headers, body: JSON.stringify(body) }))
    return resultOf(answer, (body) => body)
  }

  return {
    async openId(server: RunningServer): Promise<string> {
      const { code } = await sandbox(server, 'codes', { appid: demo.appid, uid })
      const exchange = { code, grantType: 'authorization_code', scope: 'user.info' }
      const { accessToken } = await signed(server, 'POST', 'oauth/mini/accessToken', exchange)
      const answer = await fetch(`${server.url}/neuopenapi/oauth/mini/user/info?accessToken=${accessToken}`)
      return (await resultOf(answer, ({ response }) => response)).openId
    },
    async create(server: RunningServer, outTradeNo: string, openId: string): Promise<string> {
      const trade = { outTradeNo, amount: 100, currency: 'SAR', notifyUrl: 'http://localhost:9/callback', openId }
      const { tradeNo } = await signed(server, 'POST', 'pay/transactions/trade', trade)
      return tradeNo
    },
    async pay(server: RunningServer, tradeNo: string): Promise<void> {
      await sandbox(server, 'payments', { tradeNo, uid, outcome: 'succeeded' })
    },
    async statusOf(server: RunningServer, tradeNo: string): Promise<number> {
      return (await signed(server, 'GET', 'pay/transactions/tradedetail', { tradeNo })).transactionStatus
    },
  }
}

/** Starts the new version during trades on the old one, trades on both, and stops the old one. */
async function upgradeWhileTrading(oldRepository?: string, newRepository?: string): Promise<void> {
  const old = await start(oldRepository)
  const trader = await traderOf(old)
  const openId = await trader.openId(old)
  let trades = 0
  const trade = async (first: RunningServer, second: RunningServer) => {
    const tradeNo = await trader.create(first, `upgrade-${++trades}`, openId)
    await trader.pay(second, tradeNo)
    for (const server of [first, second])
      await expect.poll(() => trader.statusOf(server, tradeNo)).toBe(transactionStatus.succeeded)
  }

  let started = false
  const starting = start(newRepository).finally(() => {
    started = true
  })
  const trading = (async () => {
    while (!started) await trade(old, old)
  })()
  const [next] = await Promise.all([starting, trading])
  expect(trades).toBeGreaterThan(0)
  for (let round = 0; round < 3; round++) {
    await trade(old, next)
    await trade(next, old)
  }
  expect(await trader.openId(old)).toBe(await trader.openId(next))
  await old.stop()
  await trade(next, next)

  // Jobs are repeated after a deadlock with a migration, or when a connection takes long on a busy machine.
  const isRepeated = /"job":.*"message":"(?:deadlock detected|\S+ does not respond)"|"code":"(?:40P01|55P03)"/
  expect(servers.flatMap(errorsOf).filter((line) => !isRepeated.test(line))).toEqual([])
  const [paid] = await database.sql<[{ count: number }]>`
    select count(*)::int as count from trades where transaction_status = ${transactionStatus.succeeded}`
  expect(paid.count).toBe(trades)
}

test.skipIf(!hasCommit(previous.commit))(
  'the previous version and this one serve trades from one database during an upgrade',
  async () => {
    other = await versionOfCommit(previous.commit)
    await upgradeWhileTrading(other.repository)
  },
)

test('this version serves trades while the next one migrates the database and runs, and does not start after that', async () => {
  other = await nextVersion('99.0.0', additions)
  await upgradeWhileTrading(undefined, other.repository)

  const refused = await start().catch((error: Error) => error.message)
  expect(refused).toContain('The database was migrated to 9999_next_version.sql by Souk 99.0.0+unknown.')
  expect(refused).toContain(`This is Souk ${soukVersion}`)
})
