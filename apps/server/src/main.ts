import { mkdir } from 'node:fs/promises'
import { pino } from 'pino'
import { type Config, ConfigError, readConfig } from './config.ts'
import { createDelivery } from './delivery/index.ts'
import { createDemo } from './demo.ts'
import { allowSetup, pruneAccounts } from './domain/accounts/index.ts'
import { pruneActivities } from './domain/activities/index.ts'
import { AppDirectory } from './domain/apps/index.ts'
import { deliverCallback, deliverDueCallbacks, runReplay } from './domain/callbacks/index.ts'
import { loadClock } from './domain/clock/index.ts'
import type { Context } from './domain/context.ts'
import { clearDataset, pruneBatches } from './domain/datasets/index.ts'
import { compareDay, ledger, reconcileDays, returnMoney, returnOwedMoney } from './domain/money/index.ts'
import { pruneNotificationRequests } from './domain/notifications/index.ts'
import { pruneOauth } from './domain/oauth/index.ts'
import { decideSandboxPayments, queryPendingAttempts, shadowPayment } from './domain/payments/index.ts'
import { pruneInvitations } from './domain/projects/index.ts'
import { pruneRequestLog, RequestLog } from './domain/requestLog/index.ts'
import { expireTrades } from './domain/trades/index.ts'
import { holdToInstallation } from './installation.ts'
import { OffsetClock } from './kernel/clock.ts'
import { Vault } from './kernel/crypto.ts'
import { DatabaseStartError, startDatabase } from './kernel/db/database.ts'
import { migrate } from './kernel/db/migrate.ts'
import { connect } from './kernel/db/pool.ts'
import { createEgress } from './kernel/egress.ts'
import { createLog } from './kernel/log.ts'
import { createMetrics } from './kernel/metrics.ts'
import { closeKeys, dropSetupToken, keepAdminToken, keepMasterKey, keepSetupToken } from './keys.ts'
import { createHttpServer } from './surfaces/index.ts'
import { createLive } from './surfaces/live.ts'
import { type Handler, type Recurring, startWorker } from './worker/index.ts'

const drainLimit = 10_000

/** The composition root: builds everything from the settings, starts it in order, and stops it in reverse. */
async function main(): Promise<void> {
  const config = readConfig()
  // The log goes to stderr, so that stdout is for the person at the terminal.
  const logStream = pino.destination({ dest: 2, sync: false })
  const log = createLog(config.logLevel, logStream)
  const sandbox = config.environment === 'sandbox'

  const egress = guardedEgress(config)

  await mkdir(config.dataDir, { recursive: true })
  await closeKeys(config.dataDir, log)
  const stopping = new AbortController()
  let stoppingSince = Infinity
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // The terminal and npm may both pass the same one on. One that comes later is from somebody who does not want to wait.
      if (performance.now() > stoppingSince + 1_000) process.exit(1)
      stoppingSince = Math.min(stoppingSince, performance.now())
      stopping.abort()
    })
  }
  const database = await startDatabase({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    log,
    onLost: (reason) => {
      log.fatal({ reason: reason.message }, 'the database is lost')
      process.exitCode = 1
      stopping.abort()
    },
    signal: stopping.signal,
  })
  try {
    await migrate(database.url, { signal: stopping.signal })
  } catch (error) {
    await database.stop()
    throw error
  }

  const sql = connect(database.url)
  const vault = new Vault(config.masterKey ?? (await keepMasterKey(config.dataDir)))
  await holdToInstallation(sql, config, vault)
  const clock = new OffsetClock()
  const metrics = createMetrics()
  const context: Context = {
    sql,
    clock,
    vault,
    egress,
    log,
    metrics,
    settings: {
      sandbox,
      publicUrl: config.publicUrl,
      hostUrl: config.hostUrl,
      accessTokenLifetime: config.accessTokenLifetime,
    },
    apps: new AppDirectory({ sql, vault, clock }),
    ledger,
    stopping: stopping.signal,
    sendCallback: createDelivery(egress),
  }
  if (sandbox) await loadClock(context)
  const demo = sandbox ? await createDemo(context, config.dataDir) : undefined

  const live = createLive()
  await sql.listen('souk_app', (appid) => context.apps.forget(appid))
  await sql.listen('souk_user', (news) => live.emit('user', JSON.parse(news)))
  await sql.listen('souk_callback', (news) => live.emit('callback', JSON.parse(news)))
  if (sandbox)
    await sql.listen(
      'souk_clock',
      (offset) => {
        clock.offset = Number(offset)
        live.emit('clock')
      },
      () => void loadClock(context).then(() => live.emit('clock')),
    )

  const requestLog = new RequestLog(context)
  const adminToken = await keepAdminToken(config.dataDir)
  const setupLink = await offerSetup(context, config)

  const worker =
    config.role === 'api'
      ? undefined
      : await startWorker({
          url: database.url,
          log,
          metrics,
          concurrency: 64,
          handlers: jobs(context),
          recurring: schedule(sandbox),
        })

  const server = await createHttpServer({
    context,
    requestLog,
    live,
    adminToken,
    rateLimit: config.rateLimit,
    openApiAlways200: config.openApiAlways200,
    trustProxy: config.trustProxy,
    draining: () => stopping.signal.aborted,
    onlyOps: config.role === 'worker',
  })
  await server.listen({ host: config.host, port: config.port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new ConfigError(
      `Port ${config.port} of ${config.host} is taken. Stop what listens there, or set PORT to another.`,
    )
  })
  announceReady(config, demo, setupLink)
  log.info({ role: config.role, environment: config.environment, port: config.port }, 'ready')
  const { role, environment, publicUrl, dataDir } = config
  // `npm start` has something to do then.
  process.send?.({ role, environment, publicUrl, dataDir })

  if (!stopping.signal.aborted) {
    await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve, { once: true }))
  }

  log.info('stopping')
  // Whatever hangs may not keep the database from a clean stop.
  const limit = setTimeout(() => server.server.closeAllConnections(), drainLimit).unref()
  await Promise.all([server.close(), worker?.stop()])
  clearTimeout(limit)
  await requestLog.close()
  await egress.close()
  await sql.end({ timeout: 5 })
  await database.stop()
  log.info('stopped')
  logStream.flushSync()
  // A name that the system's resolver is still looking up would keep the process for as long as that takes.
  process.exit()
}

/** The link that creates the first administrator of the console, as long as there is none. */
async function offerSetup(context: Context, { dataDir, publicUrl }: Config): Promise<string | undefined> {
  const token = await keepSetupToken(dataDir)
  if (await allowSetup(context, token)) return `${publicUrl}/console/setup#${token}`
  await dropSetupToken(dataDir)
  return undefined
}

/** What the queue's jobs do, by the names under which they are enqueued or recur. */
function jobs(context: Context): Record<string, Handler> {
  return {
    deliverCallback: ({ notifyId, host }) =>
      deliverCallback(context, { notifyId: String(notifyId), host: String(host) }),
    returnMoney: ({ appid, tradeNo, refundNo }) =>
      returnMoney(context, { appid: String(appid), tradeNo: String(tradeNo), refundNo: String(refundNo) }),
    returnOwedMoney: () => returnOwedMoney(context),
    shadowPayment: ({ appid, tradeNo, attemptId, providerAccountId }) =>
      shadowPayment(context, {
        appid: String(appid),
        tradeNo: String(tradeNo),
        attemptId: String(attemptId),
        providerAccountId: String(providerAccountId),
      }),
    compareDay: ({ reconciliationId }) => compareDay(context, String(reconciliationId)),
    replayCallbacks: ({ replayId }) => runReplay(context, String(replayId)),
    clearDataset: ({ datasetId }) => clearDataset(context, String(datasetId)),
    expireTrades: () => expireTrades(context),
    reconcileDays: () => reconcileDays(context),
    queryPendingAttempts: () => queryPendingAttempts(context),
    deliverDueCallbacks: () => deliverDueCallbacks(context),
    decideSandboxPayments: () => decideSandboxPayments(context),
    pruneRequestLog: () => pruneRequestLog(context),
    pruneNotificationRequests: () => pruneNotificationRequests(context),
    pruneActivities: () => pruneActivities(context),
    pruneOauth: () => pruneOauth(context),
    pruneAccounts: () => pruneAccounts(context),
    pruneInvitations: () => pruneInvitations(context),
    pruneBatches: () => pruneBatches(context),
  }
}

/** How often what recurs does so, ms. */
function schedule(sandbox: boolean): Recurring[] {
  return [
    { name: 'expireTrades', every: 5_000 },
    { name: 'queryPendingAttempts', every: 15_000 },
    { name: 'deliverDueCallbacks', every: 30_000 },
    { name: 'returnOwedMoney', every: 3_600_000 },
    { name: 'reconcileDays', every: 900_000 },
    ...(sandbox ? [{ name: 'decideSandboxPayments', every: 1_000 }] : []),
    { name: 'pruneRequestLog', every: 3_600_000 },
    { name: 'pruneNotificationRequests', every: 600_000 },
    { name: 'pruneActivities', every: 600_000 },
    { name: 'pruneOauth', every: 3_600_000 },
    { name: 'pruneAccounts', every: 3_600_000 },
    { name: 'pruneInvitations', every: 3_600_000 },
    { name: 'pruneBatches', every: 3_600_000 },
  ]
}

function guardedEgress({ privateHosts, environment }: Config) {
  try {
    return createEgress({ allowlist: privateHosts, loopback: environment === 'sandbox' })
  } catch (error) {
    throw new ConfigError(`SOUK_PRIVATE_HOSTS cannot be used: ${(error as Error).message}`)
  }
}

function announceReady(
  config: Config,
  demo: Awaited<ReturnType<typeof createDemo>> | undefined,
  setupLink: string | undefined,
): void {
  const base = config.publicUrl
  const lines = [
    '',
    `  Souk is ready at ${base}${config.environment === 'sandbox' ? '  (a sandbox: mock users, rehearsed payments, no real money)' : ''}`,
    '',
    `  Host          ${base}/host/`,
    `  Console       ${base}/console/`,
    ...(setupLink ? [`  First sign-in ${setupLink}`] : []),
    `  Open API      ${base}/neuopenapi`,
    `  Platform API  ${base}/api/v1`,
    `  OpenAPI 3.1   ${base}/openapi.json`,
    `  Health        ${base}/readyz, ${base}/metrics`,
    `  Data          ${config.dataDir}${config.databaseUrl ? ' (the database is at DATABASE_URL)' : ''}`,
    `  Admin token   ${config.dataDir}/admin-token`,
    ...(demo ? [`  Demo app      ${demo.appid}, its secret and users in ${demo.file}`] : []),
    '',
    '  Try           npm run --silent souk -- --help',
    '',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

main().catch((error: unknown) => {
  // Stopped while it started.
  if (error instanceof Error && error.name === 'AbortError') process.exit()
  const known = error instanceof ConfigError || error instanceof DatabaseStartError
  process.stderr.write(`${known ? (error as Error).message : error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
})
