import { once } from 'node:events'
import { access, constants, mkdir } from 'node:fs/promises'
import { second } from '@souk/contract'
import { type Config, ConfigError, readConfig } from './config.ts'
import { createDemo } from './demo.ts'
import { allowSetup, findAdministratorName, findPasswordSignIn } from './domain/console/index.ts'
import type { FullContext } from './domain/context.ts'
import { prepareAdminToken } from './domain/installation/index.ts'
import { RequestLog } from './domain/miniApps/index.ts'
import { DatabaseClock, loadClock, measureInstallation } from './domain/operations/index.ts'
import { addPartitions } from './jobs.ts'
import { OffsetClock } from './kernel/clock.ts'
import { DatabaseStartError, startDatabase } from './kernel/db/database.ts'
import { explainDatabaseFailure } from './kernel/db/explainFailure.ts'
import { migrate, waitForMigrations } from './kernel/db/migrate.ts'
import { createEgress } from './kernel/egress.ts'
import { createLog, HeldLines, type Logger, openLogStream } from './kernel/log.ts'
import { createMetrics, type Metrics } from './kernel/metrics.ts'
import { soukVersion } from './kernel/package.ts'
import { SecretFileError } from './kernel/secretFile.ts'
import { deleteSetupToken, loadSetupToken, restrictSecretFiles } from './keys.ts'
import { explainUnknownSettings } from './settings.ts'
import { announceUrl } from './start/announceUrl.ts'
import { createContext } from './start/createContext.ts'
import { followClock, followKeyRing } from './start/follow.ts'
import { printReady } from './start/ready.ts'
import { startServer, stopServing } from './start/serving.ts'
import { startWork } from './start/work.ts'
import { removeAbandonedUploads } from './surfaces/console/temporaryUploads.ts'
import { followAnnouncements, Live } from './surfaces/live.ts'

/** Lines of the log that wait until the addresses are printed, if a person sees both. */
let heldLines: HeldLines | undefined

/** Composes the server: creates all parts from the settings, starts them in order and stops them in reverse. */
async function main(): Promise<void> {
  const config = readConfig()
  // stdout is for the person at the terminal.
  const logStream = openLogStream(2)
  const sandbox = config.environment === 'sandbox'
  // `npm start` has a channel for messages.
  const isWatched = process.stderr.isTTY || (sandbox && process.send !== undefined)
  if (isWatched) heldLines = new HeldLines(logStream)
  const log = createLog(config.logLevel, heldLines ?? logStream)
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
  const address = server.listeningOrigin
  await announceUrl(config, address, log)
  const userName = sandbox && !setupLink ? await findAdministratorName(context.sql) : undefined
  printReady(config, { address, demo, setupLink, userName, adminToken, unknownSettings })
  heldLines?.release()
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

/** Starts the database, or connects to it, and migrates it or waits for that. Logs its loss and then calls `onLost`. */
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
    if (config.migrations === 'apply') await migrate(database.url, { signal })
    else await waitForMigrations(database.url, () => reportMissingMigrations(config, log), { signal })
  } catch (error) {
    await database.stop()
    throw error
  }
  return database
}

/** @throws DatabaseStartError if the server is not to wait for the migrations */
function reportMissingMigrations({ migrations }: Config, log: Logger): void {
  const reason = `The database has not been migrated to Souk ${soukVersion}.`
  if (migrations === 'refuse') {
    throw new DatabaseStartError(`${reason} Run souk database migrate, or set SOUK_MIGRATIONS to apply or wait.`)
  }
  log.warn({ reason }, 'waiting for souk database migrate')
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

main().catch((error: unknown) => {
  // Stopped during the start.
  if (error instanceof Error && error.name === 'AbortError') process.exit()
  heldLines?.release()
  const known = [ConfigError, DatabaseStartError, SecretFileError].some((kind) => error instanceof kind)
  const stack = error instanceof Error ? error.stack : String(error)
  process.stderr.write(`${known ? (error as Error).message : (explainDatabaseFailure(error) ?? stack)}\n`)
  process.exit(1)
})
