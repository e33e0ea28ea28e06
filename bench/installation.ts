import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../apps/server/src/kernel/db/embedded.ts'
import { migrationLimits } from '../apps/server/src/kernel/db/limits.ts'
import { connect, type Sql } from '../apps/server/src/kernel/db/pool.ts'
import { createLog } from '../apps/server/src/kernel/log.ts'
import { type RunningServer, startServer } from '../apps/server/test/server.ts'
import { runAsSuperuser } from '../apps/server/test/superuser.ts'
import { soukSandbox } from '../packages/conformance/src/sandbox.ts'
import { bundleServer } from '../setup/bundleServer.mjs'

/** A Souk server with an embedded database that contains trades of one mini app. */
export interface Installation {
  port: number
  url: string
  adminToken: string
  /** The project that the mini app belongs to. */
  projectId: string
  appid: string
  secret: string
  uid: number
  openId: string
  /** Number of stored trades. */
  size: number
  databaseUrl: string
  sql: Sql
  /** A random sample of the stored trades. */
  tradeNos: string[]
  /** Replaces all trades by exactly `size` new ones. */
  restock(): Promise<void>
  /** Runs vacuum and checkpoint, so that earlier rounds do not slow down the next ones. */
  settle(): Promise<void>
  /** Creates login codes. */
  createCodes(count: number): Promise<string[]>
  /** Inserts due callbacks and notifies dispatchers, in one transaction. */
  queueCallbacks(count: number, notifyUrl: string): Promise<void>
  /** Restarts the server on the same database. */
  restart(): Promise<void>
  /** Starts another server process on the same database. */
  startProcess(): Promise<RunningServer>
  /** Process id of the server. */
  pid(): number
  /** Returns the resident memory of the server process in bytes, 0 while it restarts. */
  residentMemory(): number
  stop(): Promise<void>
}

/** The program of a release, which all installations run. */
let bundled: Promise<void> | undefined

const batchSize = 100_000
const sampleSize = 5_000

/**
 * Starts a new server as it is released, and stores `size` trades. Uses production settings without the rate limit.
 * Starts the database itself to allow additional connections for pgbench.
 */
export async function install(size: number, log: (text: string) => void): Promise<Installation> {
  const directory = await mkdtemp(join(tmpdir(), 'souk-bench-'))
  const options = { directory, log: createLog('warn'), settings: { max_connections: '150' } }
  await (await startEmbedded(options)).stop()
  runAsSuperuser(directory, ['grant pg_checkpoint to souk'])
  const database = await startEmbedded(options)
  const databaseUrl = database.url
  const env = { DATABASE_URL: databaseUrl, SOUK_RATE_LIMIT: '0', SOUK_LOG_LEVEL: 'warn' }
  const dataDir = join(directory, 'souk')
  bundled ??= bundleServer()
  await bundled
  let server = await startServer({ env, dataDir, isPacked: true })
  let isRunning = true
  // Storing the trades of the large installation takes minutes.
  const sql = connect(databaseUrl, { max: 2, applicationName: 'bench', limits: migrationLimits })
  const app = await createApp(server, sql)
  const { merchantId, ...identifiers } = app

  const installation: Installation = {
    ...identifiers,
    port: Number(new URL(server.url).port),
    url: server.url,
    adminToken: server.adminToken,
    size,
    databaseUrl,
    sql,
    tradeNos: [],
    async restock() {
      await sql`truncate trades, out_trade_nos, payment_attempts, trade_events, callbacks, callback_attempts`
      for (let from = 1; from <= size; from += batchSize) {
        const to = Math.min(from + batchSize - 1, size)
        await insertTrades(sql, { ...app, from, to, size })
        if (size > batchSize) log(`${to.toLocaleString('en')} of ${size.toLocaleString('en')} trades stored`)
      }
      await installation.settle()
      const rows = await sql<{ tradeNo: string }[]>`
        select trade_no from all_trades where appid = ${app.appid}
        order by random() limit ${sampleSize}`
      installation.tradeNos = rows.map(({ tradeNo }) => tradeNo)
    },
    async settle() {
      await sql`vacuum analyze`
      await sql`checkpoint`
    },
    createCodes: (count) => insertCodes(sql, app, count),
    queueCallbacks: (count, notifyUrl) => insertDueCallbacks(sql, app, { count, notifyUrl }),
    async restart() {
      isRunning = false
      await server.stop()
      server = await startServer({ env, dataDir, isPacked: true })
      isRunning = true
      installation.url = server.url
      installation.port = Number(new URL(server.url).port)
    },
    async startProcess() {
      const masterKey = (await readFile(join(dataDir, 'master-key'), 'utf8')).trim()
      return startServer({ env: { ...env, SOUK_MASTER_KEY: masterKey }, isPacked: true })
    },
    pid: () => server.pid,
    residentMemory() {
      if (!isRunning) return 0
      // Field 2 of statm: resident pages, of 4 KiB on the systems where the embedded database runs.
      return Number(readFileSync(`/proc/${server.pid}/statm`, 'utf8').split(' ')[1]) * 4096
    },
    async stop() {
      await sql.end()
      await server.stop()
      await database.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
  await installation.restock()
  return installation
}

interface App {
  projectId: string
  appid: string
  secret: string
  merchantId: string
  uid: number
  openId: string
}

/** Creates a mini app with a merchant, and a user of it. */
async function createApp({ url, adminToken }: RunningServer, sql: Sql): Promise<App> {
  const sandbox = soukSandbox(url, adminToken)
  const { appid, secret } = await sandbox.createApp('Bench')
  const uid = await sandbox.createUser({ nickname: 'Bench' })
  await sandbox.createCode(appid, uid, 'user.info')
  const [{ openId }] = await sql<[{ openId: string }]>`
    select open_id from open_ids where appid = ${appid} and uid = ${uid}`
  const [{ projectId }] = await sql<[{ projectId: string }]>`
    select project_id from apps where appid = ${appid}`
  const merchantId = randomBytes(16).toString('hex')
  await sql`insert into merchants (merchant_id, appid, ctime) values (${merchantId}, ${appid}, ${Date.now()})`
  // Tells the server about its merchant, as another process would.
  await sql`select pg_notify('souk_app', ${appid})`
  return { projectId, appid, secret, merchantId, uid, openId }
}

async function insertCodes(sql: Sql, { appid, uid }: App, count: number): Promise<string[]> {
  const codes = Array.from({ length: count }, () => randomUUID())
  const hashes = codes.map((code) => createHash('sha256').update(code).digest('hex'))
  const now = Date.now()
  await sql`
    insert into login_codes (code_hash, appid, uid, scopes, token_id, valid_until, ctime)
    select decode(hash, 'hex'), ${appid}, ${uid}, array['user.info'], gen_random_uuid(), ${now + 300_000}, ${now}
    from unnest(${hashes}::text[]) as hash`
  return codes
}

/** Inserts paid trades with due callbacks and notifies dispatchers, in one transaction. */
async function insertDueCallbacks(
  sql: Sql,
  { appid, merchantId, openId, uid }: App,
  { count, notifyUrl }: { count: number; notifyUrl: string },
): Promise<void> {
  const now = Date.now()
  await sql`
    with trade as (
      insert into all_trades
        (appid, trade_no, merchant_id, out_trade_no, amount, currency, open_id, payer, notify_url, time_expire,
         transaction_status, pay_type, pay_method, pay_no, ctime, mtime)
      select ${appid}, uuidv7(), ${merchantId}, 'c-' || uuidv7(), 1250, 'SAR', ${openId}, ${uid}, ${notifyUrl},
        ${now + 7_200_000}, 2, 3, 3, uuidv7()::text, ${now}, ${now}
      from generate_series(1, ${count}::integer)
      returning *
    ), callback as (
      insert into callbacks (appid, notify_id, trade_no, notify_url, fields, state, next_attempt, ctime, mtime)
      select appid, id, trade_no, notify_url, ${callbackFields(sql)}, 'pending', ${now}, ${now}, ${now}
      from trade, lateral (select uuidv7() as id, trade_no as of_trade) as made
    )
    select pg_notify('souk_delivery', ${`callback ${new URL(notifyUrl).host}`})`
}

/** Selects the fields of a callback, computed from its trade. */
const callbackFields = (sql: Sql) => sql`
  jsonb_build_object(
    'notifyId', replace(id::text, '-', ''), 'notifyTime', mtime, 'appid', appid,
    'merchantId', replace(merchant_id::text, '-', ''), 'tradeNo', replace(trade_no::text, '-', ''),
    'outTradeNo', out_trade_no, 'transactionStatus', transaction_status, 'failReasonType', fail_reason_type,
    'amount', amount, 'currency', currency, 'openId', replace(open_id::text, '-', ''),
    'payType', pay_type, 'payMethod', pay_method, 'payNo', pay_no)`

interface Batch extends Pick<App, 'appid' | 'merchantId' | 'openId' | 'uid'> {
  from: number
  to: number
  size: number
}

/** Inserts trades created one per second until now. All but the newest are paid and have a delivered callback. */
async function insertTrades(sql: Sql, { appid, merchantId, openId, uid, from, to, size }: Batch): Promise<void> {
  const now = Date.now()
  await sql`
    with trade as (
      insert into all_trades
        (appid, trade_no, merchant_id, out_trade_no, description, amount, currency, open_id, payer, notify_url,
         time_expire, transaction_status, pay_type, pay_method, pay_no, notify_success, ctime, mtime)
      select
        ${appid},
        (lpad(to_hex(created), 12, '0') || '7' || substr(md5(number::text), 1, 3) || '8' || substr(md5(number::text), 4, 15))::uuid,
        ${merchantId}, 'order-' || number, 'Two coffees', 1250, 'SAR', ${openId}, ${uid}, 'https://backend.example.com/callback',
        created + 7200000,
        case when open then 1 else 2 end,
        case when open then null else 3 end,
        case when open then null else 3 end,
        case when open then null else md5('pay' || number) end,
        case when open then null else true end,
        created, created
      from generate_series(${from}::bigint, ${to}::bigint) as number,
        lateral (select ${now}::bigint - (${size}::bigint - number) * 1000 as created, number > ${size}::bigint - 600 as open) as at
      returning *
    )
    insert into callbacks (appid, notify_id, trade_no, notify_url, fields, state, attempts, ctime, mtime)
    select appid, id, trade_no, notify_url, ${callbackFields(sql)}, 'delivered', 1, ctime, mtime
    from trade, lateral (select trade_no as id) as made
    where transaction_status = 2`
}
