import { mkdir } from 'node:fs/promises'
import { hour, minute, second } from '@souk/contract'
import { pino } from 'pino'
import { type Config, ConfigError, readConfig } from './config.ts'
import { createDelivery } from './delivery/index.ts'
import { createDemo } from './demo.ts'
import { allowSetup, pruneAccounts } from './domain/accounts/index.ts'
import { pruneActivities } from './domain/activities/index.ts'
import { AppDirectory } from './domain/apps/index.ts'
import { logAuditHead } from './domain/audit/index.ts'
import { deliverCallback, deliverDueCallbacks, runReplay } from './domain/callbacks/index.ts'
import { loadClock } from './domain/clock/index.ts'
import type { Context } from './domain/context.ts'
import { clearDataset, pruneBatches } from './domain/datasets/index.ts'
import { compareDay, ledger, reconcileDays, returnMoney, returnOwedMoney } from './domain/money/index.ts'
import { pruneOauth } from './domain/oauth/index.ts'
import { decideSandboxPayments, queryPendingAttempts, shadowPayment } from './domain/payments/index.ts'
import { pruneInvitations } from './domain/projects/index.ts'
import { pruneRequestLog, RequestLog } from './domain/requestLog/index.ts'
import { expireTrades } from './domain/trades/index.ts'
import { pruneUsedSigns } from './domain/usedSigns.ts'
import { checkInstallation, isNewInstallation } from './installation.ts'
import { OffsetClock } from './kernel/clock.ts'
import { Vault } from './kernel/crypto.ts'
import { DatabaseStartError, startDatabase } from './kernel/db/database.ts'
import { migrate } from './kernel/db/migrate.ts'
import { connect } from './kernel/db/pool.ts'
import { createEgress } from './kernel/egress.ts'
import { createLog } from './kernel/log.ts'
import { createMetrics } from './kernel/metrics.ts'
import { SecretFileError } from './kernel/secretFile.ts'
import { deleteSetupToken, loadAdminToken, loadMasterKey, loadSetupToken, restrictSecretFiles } from './keys.ts'
import { createHttpServer } from './surfaces/index.ts'
import { createLive } from './surfaces/live.ts'
import { type Handler, type Recurring, startWorker } from './worker/index.ts'

const drainTimeout = 10 * second

/** The composition root: creates all parts from the settings, starts them in order and stops them in reverse. */
async function main(): Promise<void> {
  const config = readConfig()
  // stdout is for the person at the terminal.
  const logStream = pino.destination({ dest: 2, sync: false })
  const log = createLog(config.logLevel, logStream)
  const sandbox = config.environment === 'sandbox'

  const egress = guardedEgress(config)

  await mkdir(config.dataDir, { recursive: true })
  await restrictSecretFiles(config.dataDir, log)
  const stopping = new AbortController()
  let stoppingSince = Infinity
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // The terminal and npm may both forward the same signal. A later one means that the user does not want to wait.
      if (performance.now() > stoppingSince + second) process.exit(1)
      stoppingSince = Math.min(stoppingSince, performance.now())
      stopping.abort()
    })
  }
  const database = await startDatabase({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    log,
    onLost: (reason) => {
      log.fatal({ reason: reason.message }, 'database lost')
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
  const vault = new Vault(
    config.masterKey ?? (await loadMasterKey(config.dataDir, { mayCreate: await isNewInstallation(sql) })),
  )
  await checkInstallation(sql, config, vault)
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
      miniAppsUrl: config.miniAppsUrl,
      hostUrl: config.hostUrl,
      approvals: config.approvals,
      projectCreation: config.projectCreation,
      accessTokenLifetime: config.accessTokenLifetime,
      requireSignedReleases: config.requireSignedReleases,
      dataDir: config.dataDir,
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
  const adminToken = await loadAdminToken(config.dataDir)
  const setupLink = await createSetupLink(context, config)

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
    allowedHosts: config.allowedHosts,
    connections: {
      max: config.maxConnections,
      requestTimeout: config.requestTimeout * second,
      idleTimeout: config.idleTimeout * second,
    },
    draining: () => stopping.signal.aborted,
    onlyOps: config.role === 'worker',
  })
  await server.listen({ host: config.host, port: config.port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new ConfigError(
      `Port ${config.port} of ${config.host} is in use. Stop the process that uses it, or set PORT to another one.`,
    )
  })
  printReady(config, demo, setupLink)
  log.info({ role: config.role, environment: config.environment, port: config.port }, 'ready')
  const { role, environment, publicUrl, dataDir } = config
  // For `npm start`, which starts the example then.
  process.send?.({ role, environment, publicUrl, dataDir })

  if (!stopping.signal.aborted) {
    await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve, { once: true }))
  }

  log.info('stopping')
  // Requests that hang must not prevent a clean stop of the database.
  const limit = setTimeout(() => server.server.closeAllConnections(), drainTimeout).unref()
  await Promise.all([server.close(), worker?.stop()])
  clearTimeout(limit)
  await requestLog.close()
  await egress.close()
  await sql.end({ timeout: 5 })
  await database.stop()
  log.info('stopped')
  logStream.flushSync()
  // A pending DNS lookup would keep the process running.
  process.exit()
}

/** Returns the link that creates the first administrator, or undefined if there is one. */
async function createSetupLink(context: Context, { dataDir, publicUrl }: Config): Promise<string | undefined> {
  const token = await loadSetupToken(dataDir)
  if (await allowSetup(context, token)) return `${publicUrl}/console/setup#${token}`
  await deleteSetupToken(dataDir)
  return undefined
}

/** The handlers of all jobs by name. */
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
    pruneUsedSigns: () => pruneUsedSigns(context),
    pruneActivities: () => pruneActivities(context),
    pruneOauth: () => pruneOauth(context),
    pruneAccounts: () => pruneAccounts(context),
    pruneInvitations: () => pruneInvitations(context),
    pruneBatches: () => pruneBatches(context),
    logAuditHead: () => logAuditHead(context),
  }
}

/** The recurring jobs and their intervals in ms. */
function schedule(sandbox: boolean): Recurring[] {
  return [
    { name: 'expireTrades', every: 5 * second },
    { name: 'queryPendingAttempts', every: 15 * second },
    { name: 'deliverDueCallbacks', every: 30 * second },
    { name: 'returnOwedMoney', every: hour },
    { name: 'reconcileDays', every: 15 * minute },
    ...(sandbox ? [{ name: 'decideSandboxPayments', every: second }] : []),
    { name: 'pruneRequestLog', every: hour },
    { name: 'pruneUsedSigns', every: 10 * minute },
    { name: 'pruneActivities', every: 10 * minute },
    { name: 'pruneOauth', every: hour },
    { name: 'pruneAccounts', every: hour },
    { name: 'pruneInvitations', every: hour },
    { name: 'pruneBatches', every: hour },
    { name: 'logAuditHead', every: hour },
  ]
}

function guardedEgress({ privateHosts, environment }: Config) {
  try {
    return createEgress({ allowlist: privateHosts, loopback: environment === 'sandbox' })
  } catch (error) {
    throw new ConfigError(`SOUK_PRIVATE_HOSTS is not valid: ${(error as Error).message}`)
  }
}

function printReady(
  config: Config,
  demo: Awaited<ReturnType<typeof createDemo>> | undefined,
  setupLink: string | undefined,
): void {
  const base = config.publicUrl
  const lines = [
    '',
    `  Souk is ready at ${base}${config.environment === 'sandbox' ? '  (a sandbox: mock users, simulated payments, no real money)' : ''}`,
    '',
    `  Host          ${base}/host/`,
    `  Console       ${base}/console/`,
    ...(setupLink ? [`  First sign-in ${setupLink}`] : []),
    `  Open API      ${base}/neuopenapi`,
    `  Platform API  ${base}/api/v1`,
    `  OpenAPI 3.1   ${base}/openapi.json`,
    `  Health        ${base}/readyz, ${base}/metrics`,
    `  Data          ${config.dataDir}${config.databaseUrl ? ' (database: DATABASE_URL)' : ''}`,
    `  Admin token   ${config.dataDir}/admin-token`,
    ...(demo ? [`  Demo app      ${demo.appid}, secret and users in ${demo.file}`] : []),
    '',
    '  Try           npm run --silent souk -- --help',
    '',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

main().catch((error: unknown) => {
  // Stopped during the start.
  if (error instanceof Error && error.name === 'AbortError') process.exit()
  const known = [ConfigError, DatabaseStartError, SecretFileError].some((kind) => error instanceof kind)
  process.stderr.write(`${known ? (error as Error).message : error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
})
