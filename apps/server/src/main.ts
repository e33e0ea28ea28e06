import { once } from 'node:events'
import { access, constants, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { second } from '@souk/contract'
import type { FastifyInstance } from 'fastify'
import { type Config, ConfigError, readConfig } from './config.ts'
import { createDelivery } from './delivery/index.ts'
import { createDemo } from './demo.ts'
import { allowSetup, findPasswordSignIn } from './domain/console/index.ts'
import type { FullContext } from './domain/context.ts'
import {
  type AdminTokenPlace,
  createKeyRingFollower,
  followInterval,
  pauseDuringMoves,
  prepareAdminToken,
} from './domain/installation/index.ts'
import { startEventDelivery } from './domain/messages/index.ts'
import { AppDirectory, RequestLog } from './domain/miniApps/index.ts'
import { ledger, startCallbackDelivery, startSandboxDecisions } from './domain/money/index.ts'
import {
  DatabaseClock,
  loadClock,
  measureInstallation,
  reloadClock,
  type Stoppable,
} from './domain/operations/index.ts'
import { findGuessableSecrets } from './guessableSecrets.ts'
import { checkStorage, openVault } from './installation.ts'
import { addPartitions, queuedJobs, recurringJobs } from './jobs.ts'
import { OffsetClock } from './kernel/clock.ts'
import { DatabaseStartError, startDatabase } from './kernel/db/database.ts'
import { explainDatabaseFailure } from './kernel/db/explainFailure.ts'
import { defaultLimits } from './kernel/db/limits.ts'
import { migrate } from './kernel/db/migrate.ts'
import { connect } from './kernel/db/pool.ts'
import { createEgress } from './kernel/egress.ts'
import { createLog, type Logger, openLogStream } from './kernel/log.ts'
import { createMailer } from './kernel/mail.ts'
import { createMetrics, type Metrics } from './kernel/metrics.ts'
import { createObjectStorage } from './kernel/objectStorage.ts'
import { runsFromSources, soukVersion } from './kernel/package.ts'
import { SecretFileError } from './kernel/secretFile.ts'
import { adminTokenIn, deleteSetupToken, keyRingFile, loadSetupToken, restrictSecretFiles } from './keys.ts'
import { explainUnknownSettings } from './settings.ts'
import { removeAbandonedUploads } from './surfaces/console/temporaryUploads.ts'
import { createHttpServer } from './surfaces/index.ts'
import { followAnnouncements, Live } from './surfaces/live.ts'
import { startWorker, workerConnections } from './worker/index.ts'

const drainTimeout = 10 * second
/** Connections that each process opens besides its pool: for the lock of the data directory, and for LISTEN. */
const ownConnections = 2

/** Composes the server: creates all parts from the settings, starts them in order and stops them in reverse. */
async function main(): Promise<void> {
  const config = readConfig()
  // stdout is for the person at the terminal.
  const logStream = openLogStream(2)
  const log = createLog(config.logLevel, logStream)
  const sandbox = config.environment === 'sandbox'
  const unknownSettings = explainUnknownSettings(process.env)
  for (const reason of unknownSettings) log.warn({ reason }, 'unknown setting')

  const metrics = createMetrics()
  const egress = guardedEgress(config, metrics)
  const telemetry = await startTelemetry(config, log, metrics)

  await prepareDataDir(config)
  await restrictSecretFiles(config.dataDir, log)
  await removeAbandonedUploads()
  const stopping = new AbortController()
  let isDatabaseLost = false
  stopOnSignals(stopping)
  const database = await startMigratedDatabase(config, log, stopping.signal, () => {
    process.exitCode = 1
    isDatabaseLost = true
    stopping.abort()
  })

  const clock = new OffsetClock()
  const parts = { clock, egress, log, metrics, stopping: stopping.signal }
  const context = await createContext(config, database.url, parts)
  const databaseClock = new DatabaseClock(context)
  await databaseClock.start()
  if (!clock.isWrong()) await addPartitions(context)
  measureInstallation(context)
  if (sandbox) await loadClock(context)
  const demo = sandbox ? await createDemo(context, config.dataDir) : undefined

  const live = new Live()
  await followAnnouncements(context, live)
  if (sandbox) await followClock(context, clock, live)
  const leaveKeyRing = await followKeyRing(context)

  const requestLog = new RequestLog(context)
  const adminToken = await prepareAdminToken(context)
  const setupLink = await createSetupLink(context, config)

  const runsJobs = config.role !== 'api'
  const worker = runsJobs
    ? await databaseClock.runWhileRight(() => startWork(context, config, database.url))
    : undefined
  const server = await startServer(config, { context, requestLog, live, draining: () => stopping.signal.aborted })
  printReady(config, { address: server.listeningOrigin, demo, setupLink, adminToken, unknownSettings })
  const { role, environment, port, publicUrl, dataDir } = config
  log.info({ version: soukVersion, role, environment, port }, 'ready')
  // For `npm start`, which starts the example then.
  process.send?.({ role, environment, publicUrl, dataDir })

  if (!stopping.signal.aborted) await once(stopping.signal, 'abort')

  const drainDelay = isDatabaseLost ? 0 : config.drainDelay
  log.info({ drainDelay }, 'stopping')
  await Promise.all([stopServing(server, drainDelay), worker?.stop()])
  databaseClock.stop()
  await leaveKeyRing()
  await requestLog.close()
  await egress.close()
  await context.objects?.close()
  // The last metrics are read from the database.
  await telemetry?.stop()
  await context.sql.end({ timeout: 5 })
  await database.stop()
  log.info('stopped')
  logStream.flushSync()
  // A pending DNS lookup would keep the process running.
  process.exit()
}

/** Creates the data directory. @throws ConfigError unless the embedded database can be created in it */
async function prepareDataDir({ dataDir, databaseUrl }: Config): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true })
    if (databaseUrl === undefined) await access(dataDir, constants.W_OK)
  } catch (error) {
    throw new ConfigError(
      `The data directory ${dataDir} cannot be used: ${(error as Error).message}. ` +
        'Make it writable for the user who runs Souk, or set SOUK_DATA_DIR to another one.',
    )
  }
}

/** Aborts `stopping` on SIGTERM and SIGINT. */
function stopOnSignals(stopping: AbortController): void {
  let stoppingSince = Infinity
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // The terminal and npm may both forward the same signal. A later one means that the user does not want to wait.
      if (performance.now() > stoppingSince + second) process.exit(1)
      stoppingSince = Math.min(stoppingSince, performance.now())
      stopping.abort()
    })
  }
}

/** Starts the database, or connects to it, and migrates it. Logs its loss and then calls `onLost`. */
async function startMigratedDatabase(config: Config, log: Logger, signal: AbortSignal, onLost: () => void) {
  const database = await startDatabase({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    pooledDatabaseUrl: config.pooledDatabaseUrl,
    log,
    onLost: (reason) => {
      log.fatal({ reason: reason.message }, 'database lost')
      onLost()
    },
    signal,
  })
  try {
    await migrate(database.url, { signal })
  } catch (error) {
    await database.stop()
    throw error
  }
  return database
}

/** Connects to the database and creates what the verbs of all domains need. */
async function createContext(
  config: Config,
  databaseUrl: string,
  parts: Pick<FullContext, 'clock' | 'egress' | 'log' | 'metrics' | 'stopping'>,
): Promise<FullContext> {
  const { role, pooledDatabaseUrl, databaseConnections } = config
  const directConnections = ownConnections + (role === 'api' ? 0 : workerConnections)
  const sql = connect(pooledDatabaseUrl ?? databaseUrl, {
    max: databaseConnections - directConnections,
    limits: { ...defaultLimits, statement: config.statementTimeout * second },
    directUrl: pooledDatabaseUrl && databaseUrl,
    log: parts.log,
  })
  const vault = await openVault(sql, config)
  await checkStorage(sql, config)
  return {
    ...parts,
    sql,
    vault,
    ...settingsOf(config),
    process: {
      dataDir: config.dataDir,
      archiveFolder: config.tradeRetention > 0 ? config.archiveFolder : undefined,
      databaseConnections: pooledDatabaseUrl ? directConnections : databaseConnections,
      hasPooler: pooledDatabaseUrl !== undefined,
      guessableSecrets: findGuessableSecrets(config),
    },
    apps: new AppDirectory({ sql, vault, clock: parts.clock }),
    adminToken: adminTokenIn(config.dataDir),
    proxies: {},
    ledger,
    mailer: config.mail && (await createMailer(config.mail)),
    objects: config.objectStorage && createObjectStorage(config.objectStorage, config),
    sendMessage: createDelivery(parts.egress),
  }
}

/** Selects the settings that the domain reads. */
function settingsOf(config: Config) {
  const { publicUrl, miniAppsUrl, hostUrl, mapTiles, approvals, projectCreation, requireSignedReleases } = config
  return {
    settings: { sandbox: config.environment === 'sandbox', publicUrl },
    web: { miniAppsUrl, hostUrl, mapTiles },
    rules: { approvals, projectCreation, requireSignedReleases },
    retention: { requestLog: config.requestLogRetention, analytics: config.analyticsRetention },
    accessTokenLifetime: config.accessTokenLifetime,
    storage: config.storage,
    keyRingFile: config.masterKeys ? undefined : keyRingFile(config.dataDir),
  }
}

/** Moves the clock of a sandbox when any process moves it. */
async function followClock(context: FullContext, clock: OffsetClock, live: Live): Promise<void> {
  await context.sql.listen(
    'souk_clock',
    (offset) => {
      clock.offset = Number(offset)
      live.emit('clock')
    },
    () => void reloadClock(context).then(() => live.emit('clock')),
  )
}

/** Takes part in key rotations. Returns a function that leaves them. */
async function followKeyRing(context: FullContext): Promise<() => Promise<void>> {
  const keyRing = createKeyRingFollower(context)
  await keyRing.follow()
  await context.sql.listen('souk_keys', keyRing.follow)
  const following = setInterval(keyRing.follow, followInterval)
  return async () => {
    clearInterval(following)
    await keyRing.leave()
  }
}

/** Starts everything that happens without a request: jobs and deliveries. */
async function startWork(context: FullContext, config: Config, databaseUrl: string): Promise<Stoppable> {
  const jobs = await startJobs(context, config, databaseUrl)
  const stopDeliveries = await startDeliveries(context)
  return {
    async stop() {
      await Promise.all([jobs.stop(), stopDeliveries()])
    },
  }
}

function startJobs(context: FullContext, config: Config, databaseUrl: string) {
  const { log, metrics } = context
  return pauseDuringMoves(context, () =>
    startWorker({
      url: databaseUrl,
      log,
      metrics,
      concurrency: 64,
      handlers: queuedJobs(context),
      recurring: recurringJobs(context, {
        url: databaseUrl,
        folder: config.archiveFolder,
        retention: config.tradeRetention,
      }),
      // No other process uses the embedded database. Less often would delay jobs that a killed server has left.
      ...(config.databaseUrl === undefined && { times: { heartbeat: 10 * second } }),
    }),
  )
}

/** Starts the loops that deliver what is due. Returns a function that ends them. */
async function startDeliveries(context: FullContext): Promise<() => Promise<void>> {
  const ending = new AbortController()
  const own = { ...context, stopping: AbortSignal.any([context.stopping, ending.signal]) }
  const loops = await Promise.all([
    startCallbackDelivery(own),
    startEventDelivery(own),
    ...(context.settings.sandbox ? [startSandboxDecisions(own)] : []),
  ])
  return async () => {
    ending.abort()
    const ended = Promise.all(loops.map((end) => end()))
    // Deliveries that hang are repeated by others when their lease ends.
    await Promise.race([ended, wait(drainTimeout, undefined, { ref: false })])
  }
}

/** @throws ConfigError if the server cannot listen on the host and port */
async function startServer(
  config: Config,
  parts: Pick<Parameters<typeof createHttpServer>[0], 'context' | 'requestLog' | 'live' | 'draining'>,
): Promise<FastifyInstance> {
  const server = await createHttpServer({
    ...parts,
    rateLimit: config.rateLimit,
    openApiAlways200: config.openApiAlways200,
    trustProxy: config.trustProxy,
    allowedHosts: config.allowedHosts,
    connections: {
      max: config.maxConnections,
      requestTimeout: config.requestTimeout * second,
      idleTimeout: config.idleTimeout * second,
    },
    onlyOps: config.role === 'worker',
  })
  await server.listen({ host: config.host, port: config.port }).catch((error: NodeJS.ErrnoException) => {
    const reason = explainListenError(config, error)
    throw reason === undefined ? error : new ConfigError(reason)
  })
  return server
}

function explainListenError({ host, port }: Config, { code }: NodeJS.ErrnoException): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use. Stop the process that uses it, or set PORT to another one.`
    case 'EACCES':
      return `The user who runs Souk may not use port ${port}. Set PORT to 1024 or higher.`
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `This machine does not have the address ${host}. Set HOST to one of its addresses, or to 0.0.0.0 for all.`
    default:
      return undefined
  }
}

/**
 * Stops listening after `delay` s, in which load balancers notice that `/readyz` responds with 503, and waits for the
 * requests in progress.
 */
async function stopServing(server: FastifyInstance, delay: number): Promise<void> {
  await wait(delay * second)
  // Requests that hang must not prevent a clean stop of the database.
  const limit = setTimeout(() => server.server.closeAllConnections(), drainTimeout).unref()
  await server.close()
  clearTimeout(limit)
}

/** Returns the link that creates an administrator, or undefined if there is one who can sign in with a password. */
async function createSetupLink(context: FullContext, { dataDir, publicUrl }: Config): Promise<string | undefined> {
  // While only the link restores access, each start makes a new one, since the previous one may have been used.
  if (!(await findPasswordSignIn(context.sql))) await deleteSetupToken(dataDir)
  const token = await loadSetupToken(dataDir)
  if (await allowSetup(context, token)) return `${publicUrl}/console/setup#${token}`
  await deleteSetupToken(dataDir)
  return undefined
}

/** Loads the SDK of OpenTelemetry only if it is used. */
async function startTelemetry({ telemetry, publicUrl }: Config, log: Logger, metrics: Metrics) {
  if (!telemetry) return undefined
  const { startTelemetry } = await import('./kernel/telemetry.ts')
  return startTelemetry({ ...telemetry, publicUrl, log, metrics })
}

function guardedEgress({ privateHosts, environment, publicUrl }: Config, metrics: Metrics) {
  try {
    return createEgress({ allowlist: privateHosts, loopback: environment === 'sandbox', publicUrl, metrics })
  } catch (error) {
    throw new ConfigError((error as Error).message)
  }
}

function printReady(
  config: Config,
  {
    address,
    demo,
    setupLink,
    adminToken,
    unknownSettings,
  }: {
    address: string
    demo: Awaited<ReturnType<typeof createDemo>> | undefined
    setupLink: string | undefined
    adminToken: AdminTokenPlace
    unknownSettings: readonly string[]
  },
): void {
  const base = config.publicUrl
  const places: Record<AdminTokenPlace, string> = {
    here: join(config.dataDir, 'admin-token'),
    elsewhere: 'in the data directory of another process',
    disabled: 'disabled',
  }
  const sandbox = config.environment === 'sandbox' ? '  (a sandbox: mock users, simulated payments, no real money)' : ''
  const firstSignIn = setupLink ? [`  First sign-in ${setupLink}`] : []
  // The addresses of the public URL are those of other processes then.
  const served =
    config.role === 'worker'
      ? [
          `  Souk runs the jobs of ${base}${sandbox}`,
          '',
          ...firstSignIn,
          `  Health        ${address}/readyz, ${address}/metrics`,
        ]
      : [
          `  Souk is ready at ${base}${sandbox}`,
          '',
          `  Host          ${base}/host/`,
          `  Console       ${base}/console/`,
          ...firstSignIn,
          `  Open API      ${base}/neuopenapi`,
          `  Platform API  ${base}/api/v1`,
          `  OpenAPI 3.1   ${base}/openapi.json`,
          `  Health        ${base}/readyz, ${base}/metrics`,
        ]
  const lines = [
    '',
    ...served,
    `  Data          ${config.dataDir}${config.databaseUrl ? ' (database: DATABASE_URL)' : ''}`,
    `  Admin token   ${places[adminToken]}`,
    ...(demo ? [`  Demo app      ${demo.appid}, secret and users in ${demo.file}`] : []),
    '',
    `  Try           ${runsFromSources ? 'npm run --silent souk --' : 'npx souk'} --help`,
    '',
    ...unknownSettings.flatMap((sentence) => [`  Warning       ${sentence}`, '']),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

main().catch((error: unknown) => {
  // Stopped during the start.
  if (error instanceof Error && error.name === 'AbortError') process.exit()
  const known = [ConfigError, DatabaseStartError, SecretFileError].some((kind) => error instanceof kind)
  const stack = error instanceof Error ? error.stack : String(error)
  process.stderr.write(`${known ? (error as Error).message : (explainDatabaseFailure(error) ?? stack)}\n`)
  process.exit(1)
})
